// True time: what the simulator's kernel counts and every verdict is given in. No process can read
// it.
#pragma once

#include <chrono>
#include <cstdint>

namespace holdfast::sim {

using Duration = std::chrono::nanoseconds;
struct TrueClock {
  using duration = Duration;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<TrueClock, duration>;
  static constexpr bool is_steady = true;
};
using TrueTime = TrueClock::time_point;

}  // namespace holdfast::sim
