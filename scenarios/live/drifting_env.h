// DriftingEnv: the real world of a client whose oscillator is off: its monotonic clock gains or
// loses a constant rate against the host's CLOCK_BOOTTIME, from the moment it was made. Everything
// that goes down to the loop is converted back.
#pragma once

#include <cstdint>
#include <memory>

#include "lockcore/env.h"

namespace holdfast::live {

class DriftingEnv final : public Env {
 public:
  // `host` outlives it. `ppm` > -1,000,000.
  DriftingEnv(Env& host, std::int64_t ppm, Duration wall_offset);

  Instant now() override;
  WallInstant wall_now() override { return host_.wall_now() + wall_offset_; }
  void arm(Timer& timer, Instant at) override { host_.arm(timer, to_host(at)); }
  void disarm(Timer& timer) noexcept override { host_.disarm(timer); }
  void spawn(Task<void> task, Lane lane) override { host_.spawn(std::move(task), lane); }
  void random(std::span<std::byte> out) override { host_.random(out); }
  std::shared_ptr<RedisClient> connect(const Endpoint& endpoint, Role role) override;
  bool pass(Point point) override { return host_.pass(point); }

  // The host's instant at which this clock reads `at`.
  Instant to_host(Instant at) const;

 private:
  Env& host_;
  std::int64_t ppm_;
  Duration wall_offset_;
  Instant base_;
};

}  // namespace holdfast::live
