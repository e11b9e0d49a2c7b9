// Network: connections between client processes and servers as ordered streams with latency, cuts,
// resets and late delivery. A late packet is late, not gone.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "reports/history/event.h"
#include "sim/true_time.h"

namespace holdfast::sim {

// A latency distribution as an integer table of quantiles (no libm in a run).
struct Latency {
  Duration median = std::chrono::microseconds(200);
  Duration p99 = std::chrono::milliseconds(1);
  friend bool operator==(const Latency&, const Latency&) = default;
};

enum class CutMode : std::uint8_t {
  hold,    // data is kept and delivered when the cut ends (or the caller times out meanwhile)
  refuse,  // connections die, new ones are refused
};
enum class Direction : std::uint8_t { both, to_server, to_client };

}  // namespace holdfast::sim
