// Waiting: the clients that WAIT for replicas (FID-W1 to W6).
#pragma once

#include <cstdint>
#include <vector>

#include "sim/kernel.h"
#include "sim/redis/server.h"

namespace holdfast::sim::redis {

class Instance;

class Waiting {
 public:
  explicit Waiting(Instance& server) : server_(server) {}
  void reset();

  // The session's reply comes when `need` replicas have acknowledged `offset`, or when the wall
  // clock has gained `timeout_ms` (0: never), with the number there is then.
  void add(SessionId session, std::int64_t offset, std::int64_t need, std::int64_t timeout_ms);
  void forget(SessionId session);
  // CLIENT UNBLOCK; a nil answer is that of the timeout. False: it does not wait here.
  bool end(SessionId session, const Reply& answer);
  void check_acks();
  void check_timeouts();
  void clock_changed();
  void disconnect_all();  // the server becomes a replica (R13)

 private:
  struct Waiter {
    SessionId session = 0;
    std::int64_t offset = 0;
    std::int64_t need = 0;
    Duration until{};  // reading of the wall clock (E3)
    bool timed = false;
    EventId timeout;
  };
  void arm(Waiter& waiter);
  static void on_timeout(void* self, std::uint64_t run);
  template <class Over>
  void finish(Over over);

  Instance& server_;
  std::vector<Waiter> waiters_;
  std::uint64_t run_ = 0;
};

}  // namespace holdfast::sim::redis
