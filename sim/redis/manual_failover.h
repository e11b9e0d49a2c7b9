// ManualFailover: FAILOVER hands the role of a master over without losing a write (FID-T11): writes
// are held until a replica has acknowledged everything, then the two change places.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/kernel.h"
#include "sim/redis/server.h"

namespace holdfast::sim::redis {

class Instance;

class ManualFailover {
 public:
  explicit ManualFailover(Instance& server) : server_(server) {}
  void reset();

  bool on() const { return on_; }
  struct Plan {
    const RedisServer* target = nullptr;          // null: whichever replica is ready first
    std::optional<std::int64_t> timeout_ms = {};  // by the wall clock; absent: it waits
    bool force = false;  // when the time is over, `target` becomes master as it is
  };
  void begin(const Plan& plan);
  void abort();

 private:
  void look_soon();
  static void on_look(void* self, std::uint64_t run);
  void look();
  RedisServer* ready() const;
  void hand_over(RedisServer& to);

  Instance& server_;
  bool on_ = false;
  Plan plan_;
  std::int64_t end_ms_ = 0;
  std::uint64_t run_ = 0;
};

}  // namespace holdfast::sim::redis
