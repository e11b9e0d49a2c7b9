#include "sim/redis/client_description.h"

#include "sim/redis/instance.h"
#include "sim/redis/stream_log.h"

namespace holdfast::sim::redis {

namespace {

// Buffer sizes of a connection at rest, and what it takes in all.
constexpr std::int64_t kQueryBuffer = 20'474;
constexpr std::int64_t kAtRest = 22'272;

class Line {
 public:
  Line& add(std::string_view name, std::string_view value) {
    if (!text_.empty()) text_.push_back(' ');
    text_.append(name).append("=").append(value);
    return *this;
  }
  Line& add(std::string_view name, std::int64_t value) { return add(name, std::to_string(value)); }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

std::string flags_of(const Session& session) {
  std::string flags;
  const auto flag = [&flags](bool is_set, char letter) {
    if (is_set) flags.push_back(letter);
  };
  const bool tracking = session.is(kTracking);
  flag(session.is(kSubscribed), 'P');
  flag(session.is(kInMulti), 'x');
  flag(session.blocked, 'b');
  flag(tracking, 't');
  flag(tracking && session.extras->tracking.redirect_broken, 'R');
  flag(tracking && session.extras->tracking.broadcast, 'B');
  flag(session.is(kTouched), 'd');
  flag(session.is(kCloses), 'c');
  flag(session.is(kNoEvict), 'e');
  return flags.empty() ? "N" : flags;
}

std::int64_t argument_bytes(const Command& command) {
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < command.size(); ++i) bytes += command[i].size();
  return static_cast<std::int64_t>(bytes);
}

std::int64_t queue_bytes(const Session& session) {
  std::int64_t bytes = 0;
  if (!session.extras) return 0;
  for (const QueuedCommand& queued : session.extras->queue) bytes += argument_bytes(queued.command);
  return bytes;
}

std::int64_t listens(const Session& session, ChannelKind kind) {
  if (!session.extras) return 0;
  const auto& names = session.extras->channels[static_cast<std::size_t>(kind)];
  return static_cast<std::int64_t>(names.size());
}

}  // namespace

std::string client_address(Instance& server, SessionId session) {
  return server.host().client_address(session);
}

std::string own_address(Instance& server) {
  return "127.0.0.1:" + std::to_string(server.options().port);
}

std::string_view client_type(const Session& session) {
  return session.is(kSubscribed) ? "pubsub" : "normal";
}

std::string describe_client(Instance& server, SessionId id) {
  const Session& session = server.sessions()[id];
  const TrueTime now = server.kernel().now();
  const Command* running = id == server.running_session() ? server.running_command() : nullptr;
  const std::int64_t unread = running == nullptr ? 0 : wire_size(*running);
  const bool in_multi = session.is(kInMulti);
  constexpr Duration kSecond = std::chrono::seconds(1);
  Line line;
  line.add("id", id).add("addr", client_address(server, id)).add("laddr", own_address(server));
  line.add("fd", id + 7).add("name", session.name);
  line.add("age", (now - session.opened) / kSecond).add("idle", (now - session.active) / kSecond);
  line.add("flags", flags_of(session)).add("db", session.database);
  line.add("sub", listens(session, ChannelKind::channel));
  line.add("psub", listens(session, ChannelKind::pattern));
  line.add("ssub", listens(session, ChannelKind::shard));
  const std::size_t queued = in_multi && session.extras ? session.extras->queue.size() : 0;
  line.add("multi", in_multi ? static_cast<std::int64_t>(queued) : -1);
  line.add("qbuf", unread).add("qbuf-free", kQueryBuffer - unread);
  line.add("argv-mem", running == nullptr ? 0 : argument_bytes(*running));
  line.add("multi-mem", queue_bytes(session));
  line.add("rbs", 1024).add("rbp", 0).add("obl", 0).add("oll", 0).add("omem", 0);
  line.add("tot-mem", kAtRest + unread).add("events", "r");
  const CommandSpec* last = session.last_command;
  line.add("cmd", last == nullptr ? "NULL" : last->name).add("user", "default");
  const bool tracking = session.is(kTracking);
  line.add("redir", tracking ? std::int64_t{session.extras->tracking.redirect} : -1);
  line.add("resp", session.resp3 ? 3 : 2);
  return line.take();
}

}  // namespace holdfast::sim::redis
