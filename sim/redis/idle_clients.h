// IdleClients: who connects to a full server, and who is silent for longer than `timeout` says, is
// sent away (FID-X12).
#pragma once

#include <cstdint>

#include "sim/redis/server.h"
#include "sim/redis/timer.h"

namespace holdfast::sim::redis {

class Instance;

class IdleClients {
 public:
  explicit IdleClients(Instance& server) : server_(server) {}
  void reset();

  void opened(SessionId session);
  void look();  // the configuration, or the wall clock, has changed

 private:
  void close_idle();
  static void on_look(void* self, std::uint64_t run);
  static void on_too_many(void* self, std::uint64_t session);

  Instance& server_;
  Timer timer_;
  std::uint64_t run_ = 0;
};

}  // namespace holdfast::sim::redis
