// HRANDFIELD, SRANDMEMBER and ZRANDMEMBER with a negative count repeat themselves as often as they
// are asked to. A real server fills its memory and dies of it; this one refuses.
#pragma once

#include <cstdint>

#include "sim/redis/command.h"

namespace holdfast::sim::redis {

inline constexpr std::int64_t kMostRepeats = 10'000'000;

// True after an error answer.
inline bool repeats_too_often(Execution& run, std::int64_t count) {
  if (count >= -kMostRepeats) return false;
  run.error("ERR value is out of range");
  return true;
}

}  // namespace holdfast::sim::redis
