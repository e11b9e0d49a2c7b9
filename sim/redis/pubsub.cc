#include "sim/redis/pubsub.h"

#include <algorithm>

#include "sim/redis/glob.h"
#include "sim/redis/instance.h"

namespace holdfast::sim::redis {

void PubSub::reset() {
  for (Listeners& each : listeners_) each.clear();
}

void PubSub::changed(SessionId id) {
  Session& session = server_.sessions()[id];
  const bool any = std::any_of(session.extras->channels.begin(), session.extras->channels.end(),
                               [](const auto& names) { return !names.empty(); });
  any ? session.modes |= kSubscribed : session.modes &= ~kSubscribed;
}

void PubSub::subscribe(SessionId id, ChannelKind kind, std::string_view name) {
  auto& own = server_.sessions()[id].more().channels[static_cast<std::size_t>(kind)];
  if (std::find(own.begin(), own.end(), name) != own.end()) return;
  own.emplace_back(name);
  Listeners& all = of(kind);
  auto it = all.find(name);
  if (it == all.end()) it = all.emplace(name, std::vector<SessionId>()).first;
  it->second.push_back(id);
  changed(id);
}

void PubSub::unsubscribe(SessionId id, ChannelKind kind, std::string_view name) {
  auto& own = server_.sessions()[id].more().channels[static_cast<std::size_t>(kind)];
  const auto mine = std::find(own.begin(), own.end(), name);
  if (mine == own.end()) return;
  const auto it = of(kind).find(name);
  std::erase(it->second, id);
  if (it->second.empty()) of(kind).erase(it);
  own.erase(mine);
  changed(id);
}

void PubSub::forget(SessionId id) {
  Session& session = server_.sessions()[id];
  if ((session.modes & kSubscribed) == 0) return;
  for (const ChannelKind kind : {ChannelKind::channel, ChannelKind::pattern, ChannelKind::shard}) {
    const auto names = session.extras->channels[static_cast<std::size_t>(kind)];
    for (const std::string& name : names) unsubscribe(id, kind, name);
  }
}

std::int64_t PubSub::count(SessionId id, ChannelKind kind) const {
  const Session& session = server_.sessions()[id];
  if (!session.extras) return 0;
  const auto size = [&session](ChannelKind of_kind) {
    return session.extras->channels[static_cast<std::size_t>(of_kind)].size();
  };
  const std::size_t count = kind == ChannelKind::shard
                                ? size(ChannelKind::shard)
                                : size(ChannelKind::channel) + size(ChannelKind::pattern);
  return static_cast<std::int64_t>(count);
}

std::int64_t PubSub::publish(std::string_view channel, std::string_view message) {
  std::int64_t receivers = 0;
  const Listeners& channels = of(ChannelKind::channel);
  if (const auto it = channels.find(channel); it != channels.end()) {
    for (const SessionId session : it->second) {
      server_.push(session,
                   push_of({Reply::bulk("message"), Reply::bulk(channel), Reply::bulk(message)}));
      ++receivers;
    }
  }
  for (const auto& [pattern, sessions] : of(ChannelKind::pattern)) {
    if (!matches_glob(pattern, channel)) continue;
    for (const SessionId session : sessions) {
      server_.push(session, push_of({Reply::bulk("pmessage"), Reply::bulk(pattern),
                                     Reply::bulk(channel), Reply::bulk(message)}));
      ++receivers;
    }
  }
  return receivers;
}

std::int64_t PubSub::publish_to_shard(std::string_view channel, std::string_view message) {
  const Listeners& shards = of(ChannelKind::shard);
  const auto it = shards.find(channel);
  if (it == shards.end()) return 0;
  for (const SessionId session : it->second) {
    server_.push(session,
                 push_of({Reply::bulk("smessage"), Reply::bulk(channel), Reply::bulk(message)}));
  }
  return static_cast<std::int64_t>(it->second.size());
}

}  // namespace holdfast::sim::redis
