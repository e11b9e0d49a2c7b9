// Timeouts of clients count by the wall clock (FID-E21): they are over when its millisecond is
// beyond the last one.
#pragma once

#include <chrono>
#include <cstdint>

#include "sim/true_time.h"

namespace holdfast::sim::redis {

// A wait of that many milliseconds never ends: 0, or more than an instant can hold (200 years).
inline bool is_for_ever(std::int64_t timeout_ms) {
  return timeout_ms <= 0 || timeout_ms >= 7'000'000'000'000;
}

// The reading of the clock at which it is over.
inline Duration end_of_timeout(Duration wall_now, std::int64_t timeout_ms) {
  const auto now = std::chrono::floor<std::chrono::milliseconds>(wall_now);
  return now + std::chrono::milliseconds(timeout_ms + 1);
}

}  // namespace holdfast::sim::redis
