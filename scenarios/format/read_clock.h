// The clock of a server or client at the start of a run.
#pragma once

#include <cstdint>

#include "scenarios/format/document.h"
#include "scenarios/format/errors.h"

namespace holdfast::scenario {

// A clock's rate error, in parts per million of true time. A clock that stands still is "freeze".
inline constexpr std::int64_t kLeastRatePpm = -999'999;
inline constexpr std::int64_t kMostRatePpm = 100'000'000;

void read_clock(const Value& value, Duration& offset, std::int64_t& rate_ppm, Errors& errors);

}  // namespace holdfast::scenario
