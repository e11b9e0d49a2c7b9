// KeyWaiting: the clients that BLPOP and its relatives keep waiting for a list (FID-E21).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/kernel.h"
#include "sim/redis/key_listener.h"
#include "sim/redis/key_map.h"
#include "sim/redis/server.h"

namespace holdfast::sim::redis {

class Instance;
struct CommandSpec;

class KeyWaiting {
 public:
  // Makes of the command of a waiting client the one that takes from this key alone.
  using Retry = Command (*)(const Command& command, std::string_view key);

  explicit KeyWaiting(Instance& server) : server_(server) {}
  void reset();
  bool any() const { return !waiters_.empty(); }

  // The session waits until one of the keys holds a list, or the wall clock has gained
  // `timeout_ms` (0: for ever).
  void add(SessionId session, const CommandSpec& spec, const Command& command,
           std::span<const std::string_view> keys, Retry retry, std::int64_t timeout_ms);
  void forget(SessionId session);
  // CLIENT UNBLOCK; false: it does not wait here.
  bool end(SessionId session, Reply answer);

  void key_modified(const Entry& entry);
  void swapped(int one, int other);
  // A waiting client is being given of this key: as Redis sees it, whoever added the element has
  // modified it.
  bool serves_from(const Entry& entry) const;
  // Serves those whose keys have got a list: after the command, in the order of their waiting.
  void serve();

  void check_timeouts();
  void clock_changed();
  void disconnect_all();  // the server becomes a replica (R13)

 private:
  struct Waiter {
    SessionId session = 0;
    const CommandSpec* spec = nullptr;
    Command command;
    std::vector<KeyName> keys;
    Retry retry = nullptr;
    Duration until{};  // reading of the wall clock
    bool timed = false;
    EventId timeout;
  };
  void arm(Waiter& waiter);
  static void on_timeout(void* self, std::uint64_t run);
  void serve_key(const KeyName& key);
  void offer(KeyView key);

  Instance& server_;
  std::vector<Waiter> waiters_;  // in the order in which they began
  std::vector<KeyName> ready_;
  const KeyName* served_ = nullptr;
  std::uint64_t run_ = 0;
};

}  // namespace holdfast::sim::redis
