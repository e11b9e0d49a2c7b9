// The two kinds of time that a lock client can see. Neither clock has a now(): a reading comes only
// from Env, so that the simulated world can bend it.
#pragma once

#include <chrono>
#include <cstdint>

namespace holdfast {

using Duration = std::chrono::nanoseconds;

// Monotonic and counting suspend (CLOCK_BOOTTIME on Linux). Every deadline and every elapsed time
// of the lock core is measured on it: a step of the wall clock must not move a lease.
struct MonotonicClock {
  using duration = Duration;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<MonotonicClock>;
  static constexpr bool is_steady = true;
};
using Instant = MonotonicClock::time_point;

// Wall time since the Unix epoch. Using it for a lease is itself a fault that scenarios inject.
struct WallClock {
  using duration = Duration;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<WallClock>;
  static constexpr bool is_steady = false;
};
using WallInstant = WallClock::time_point;

}  // namespace holdfast
