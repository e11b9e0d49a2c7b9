// Tracking: server-assisted client caching (FID-X11): which sessions have read which keys, or
// want to hear of all keys with a prefix, and the invalidations that they are owed.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sim/redis/key_listener.h"
#include "sim/redis/server.h"

namespace holdfast::sim::redis {

class Instance;
struct Session;

// CLIENT TRACKING's options of one session.
struct TrackingOptions {
  SessionId redirect = 0;  // 0: to the session itself
  bool broadcast = false;
  bool opt_in = false;
  bool opt_out = false;
  bool no_loop = false;
  std::vector<std::string> prefixes = {};  // with broadcast; the empty one: every key
  // CLIENT CACHING, for the command after it.
  enum class Caching : std::uint8_t { unsaid, yes, no };
  Caching caching = Caching::unsaid;
  bool redirect_broken = false;
};

class Tracking {
 public:
  explicit Tracking(Instance& server) : server_(server) {}
  void reset();
  bool any() const { return sessions_ > 0; }
  // For INFO.
  std::size_t sessions() const { return sessions_; }
  std::size_t keys() const { return readers_.size(); }

  void enable(SessionId session, const TrackingOptions& options);
  void disable(SessionId session);

  // The session has executed a command that reads the key.
  void remember(SessionId session, std::string_view key);
  // The session's command is over: CLIENT CACHING holds for one command, or one transaction.
  void command_over(Session& session);

  // `by`: the session whose command runs; 0: none. Its own invalidations follow its answer.
  void key_modified(const Entry& entry, SessionId by);
  void emptying(SessionId by);
  void send_own();         // after the answer
  void send_broadcasts();  // when everything that followed from the command is done

 private:
  void tell(SessionId session, Reply keys);
  void tell_now_or_later(SessionId session, SessionId by, Reply keys);
  void broadcast(const std::string& prefix, const std::vector<SessionId>& listeners);

  Instance& server_;
  std::size_t sessions_ = 0;
  std::map<std::string, std::vector<SessionId>, std::less<>> readers_;  // of a name in any database
  std::map<std::string, std::vector<SessionId>, std::less<>> prefixes_;
  std::vector<std::pair<SessionId, Reply>> own_;              // for the session whose command runs
  std::map<std::string, SessionId, std::less<>> broadcasts_;  // keys, and who changed them first
};

}  // namespace holdfast::sim::redis
