// Proof that a fault has taken effect, and the clock on which the lab notes everything.
#pragma once

#include <time.h>

#include <string>

#include "lockcore/time.h"

namespace holdfast::live {

// The one clock of a live run: CLOCK_BOOTTIME of the host, as in every client process.
inline Instant host_now() {
  timespec now{};
  clock_gettime(CLOCK_BOOTTIME, &now);
  return Instant(std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec));
}

// The effect began at some instant of [begun, proved]; `seen` is what showed it, for the report.
struct Proof {
  Instant begun{};
  Instant proved{};
  std::string seen = {};
};

}  // namespace holdfast::live
