#include "sim/redis/tracking.h"

#include <algorithm>
#include <utility>

#include "sim/redis/instance.h"

namespace holdfast::sim::redis {

namespace {

constexpr std::string_view kInvalidations = "__redis__:invalidate";  // for RESP2 (redirected)

}  // namespace

void Tracking::reset() {
  sessions_ = 0;
  readers_.clear();
  prefixes_.clear();
  own_.clear();
  broadcasts_.clear();
}

void Tracking::enable(SessionId id, const TrackingOptions& options) {
  Session& session = server_.sessions()[id];
  if ((session.modes & kTracking) == 0) ++sessions_;
  session.modes |= kTracking;
  TrackingOptions& own = session.more().tracking;
  std::vector<std::string> prefixes = std::move(own.prefixes);
  own = options;
  own.prefixes = std::move(prefixes);
  if (!options.broadcast) return;
  std::vector<std::string> added = options.prefixes;
  if (added.empty()) added.emplace_back();
  for (std::string& prefix : added) {
    std::vector<SessionId>& listeners = prefixes_[prefix];
    if (std::find(listeners.begin(), listeners.end(), id) != listeners.end()) continue;
    listeners.push_back(id);
    own.prefixes.push_back(std::move(prefix));
  }
  std::sort(own.prefixes.begin(), own.prefixes.end());
}

void Tracking::disable(SessionId id) {
  Session& session = server_.sessions()[id];
  if ((session.modes & kTracking) == 0) return;
  session.modes &= ~kTracking;
  --sessions_;
  for (const std::string& prefix : session.extras->tracking.prefixes) {
    const auto it = prefixes_.find(prefix);
    std::erase(it->second, id);
    if (it->second.empty()) prefixes_.erase(it);
  }
  session.extras->tracking = {};
  if (sessions_ == 0) readers_.clear();
}

void Tracking::remember(SessionId id, std::string_view key) {
  const TrackingOptions& options = server_.sessions()[id].extras->tracking;
  if (options.broadcast) return;
  using Caching = TrackingOptions::Caching;
  if (options.opt_in && options.caching != Caching::yes) return;
  if (options.opt_out && options.caching == Caching::no) return;
  auto it = readers_.find(key);
  if (it == readers_.end()) it = readers_.emplace(key, std::vector<SessionId>()).first;
  std::vector<SessionId>& readers = it->second;
  if (std::find(readers.begin(), readers.end(), id) == readers.end()) readers.push_back(id);
}

void Tracking::command_over(Session& session) {
  if (session.is(kInMulti)) return;
  if (session.last_command != nullptr && session.last_command->name.starts_with("client|")) return;
  session.extras->tracking.caching = TrackingOptions::Caching::unsaid;
}

void Tracking::key_modified(const Entry& entry, SessionId by) {
  for (const auto& [prefix, listeners] : prefixes_) {
    if (!std::string_view(entry.name).starts_with(prefix)) continue;
    broadcasts_.emplace(entry.name, by);
    break;
  }
  const auto it = readers_.find(entry.name);
  if (it == readers_.end()) return;
  const std::vector<SessionId> readers = std::move(it->second);
  readers_.erase(it);
  for (const SessionId id : readers) {
    const Session& session = server_.sessions()[id];
    if ((session.modes & kTracking) == 0 || session.extras->tracking.broadcast) continue;
    if (id == by && session.extras->tracking.no_loop) continue;
    Reply keys = Reply::array({Reply::bulk(entry.name)});
    tell_now_or_later(id, by, std::move(keys));
  }
}

void Tracking::emptying(SessionId by) {
  readers_.clear();
  for (SessionId id = 1; id <= server_.sessions().size(); ++id) {
    if ((server_.sessions()[id].modes & kTracking) == 0) continue;
    tell_now_or_later(id, by, Reply());
  }
}

// What a session invalidates itself follows its answer.
void Tracking::tell_now_or_later(SessionId id, SessionId by, Reply keys) {
  if (id != by) return tell(id, std::move(keys));
  own_.emplace_back(id, std::move(keys));
}

void Tracking::send_own() {
  if (own_.empty()) return;
  for (auto& [session, keys] : std::exchange(own_, {})) tell(session, std::move(keys));
}

void Tracking::send_broadcasts() {
  if (broadcasts_.empty()) return;
  for (const auto& [prefix, listeners] : prefixes_) broadcast(prefix, listeners);
  broadcasts_.clear();
}

// One message with all keys of the prefix; those of NOLOOP without what they changed themselves.
void Tracking::broadcast(const std::string& prefix, const std::vector<SessionId>& listeners) {
  for (const SessionId id : listeners) {
    const bool no_loop = server_.sessions()[id].extras->tracking.no_loop;
    Reply keys = Reply::array({});
    for (const auto& [key, by] : broadcasts_) {
      if (!std::string_view(key).starts_with(prefix) || (no_loop && by == id)) continue;
      keys.elements.push_back(Reply::bulk(key));
    }
    if (!keys.elements.empty()) tell(id, std::move(keys));
  }
}

void Tracking::tell(SessionId id, Reply keys) {
  Session* session = &server_.sessions()[id];
  if ((session->modes & kTracking) == 0) return;
  const SessionId redirect = session->extras->tracking.redirect;
  if (redirect != 0) {
    Session& other = server_.sessions()[redirect];
    if (!other.open) {
      session->extras->tracking.redirect_broken = true;
      if (!session->resp3) return;
      return server_.push(id,
                          push_of({Reply::bulk("tracking-redir-broken"), Reply::number(redirect)}));
    }
    session = &other;
    id = redirect;
  }
  if (session->resp3) {
    return server_.push(id, push_of({Reply::bulk("invalidate"), std::move(keys)}));
  }
  if (redirect == 0 || (session->modes & kSubscribed) == 0) return;
  if (keys.is_nil()) keys.type = Reply::Type::null_array;
  server_.push(id, push_of({Reply::bulk("message"), Reply::bulk(kInvalidations), std::move(keys)}));
}

}  // namespace holdfast::sim::redis
