// ClientPause: CLIENT PAUSE holds commands back until the wall clock says so (FID-E21, X6).
#pragma once

#include <cstdint>
#include <vector>

#include "sim/kernel.h"
#include "sim/redis/server.h"

namespace holdfast::sim::redis {

class Instance;

class ClientPause {
 public:
  enum class Kind : std::uint8_t { none, writes, all };

  explicit ClientPause(Instance& server) : server_(server) {}
  void reset();

  Kind kind() const { return kind_; }
  void begin(Kind kind, std::int64_t for_ms);  // replaces the one that runs
  void end();
  void hold(SessionId session);  // its command is kept in front of what it sends meanwhile
  void forget(SessionId session);
  std::size_t held() const { return held_.size(); }

  void clock_changed() { arm(); }
  void check();  // it may be over

 private:
  void arm();
  static void on_end(void* self, std::uint64_t run);

  Instance& server_;
  Kind kind_ = Kind::none;
  Duration until_{};  // reading of the wall clock
  EventId timer_;
  std::vector<SessionId> held_;  // in the order of their commands
  std::uint64_t run_ = 0;
};

}  // namespace holdfast::sim::redis
