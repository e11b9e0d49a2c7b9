// Shutdown: a server that ends by its own will, by SHUTDOWN or SIGTERM (FID-R18). While replicas
// lag it takes no writes and waits for them, as long as shutdown-timeout says by the wall clock.
#pragma once

#include <cstdint>

#include "sim/redis/server.h"
#include "sim/redis/timer.h"

namespace holdfast::sim::redis {

class Instance;

class Shutdown {
 public:
  enum class Saves : std::uint8_t { when_configured, yes, no };
  struct Plan {
    Saves saves = Saves::when_configured;
    bool now = false;    // does not wait for replicas
    bool force = false;  // also when its data cannot be saved
  };

  explicit Shutdown(Instance& server) : server_(server) {}
  void reset();

  // The session that asked (0: a signal) waits for the end. False: its data cannot be saved, it
  // goes on.
  bool begin(SessionId session, const Plan& plan);
  bool abort();  // false: none is going on
  void forget(SessionId session);

 private:
  bool replicas_have_all() const;
  bool finish();
  void arm();
  void wait_is_over();
  static void on_tick(void* self, std::uint64_t run);

  Instance& server_;
  Plan plan_;
  bool pending_ = false;
  SessionId session_ = 0;
  Duration until_{};  // reading of the wall clock
  Timer tick_;
  std::uint64_t run_ = 0;
};

}  // namespace holdfast::sim::redis
