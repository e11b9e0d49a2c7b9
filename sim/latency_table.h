// LatencyTable: draws one-way delays from a distribution given by its median and 99th percentile.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "sim/network.h"
#include "sim/random.h"

namespace holdfast::sim {

// With s = p99 - median, linear between these quantiles (integers only, no libm in a run):
//   least median / 2 | 25 % median * 4/5 | 50 % median | 75 % median + s/8 | 90 % median + s/3
//   95 % median + s/2 | 99 % p99 | greatest median + 2 s
// That is the skewed shape of a network round trip: a hard floor, a dense middle, a long tail.
class LatencyTable {
 public:
  explicit LatencyTable(const Latency& latency = {});  // a p99 below the median counts as equal

  Duration draw(Random& random) const {
    const std::uint64_t position = (random.next() >> 32) * kSteps;
    const std::size_t step = position >> 32;
    const auto part = static_cast<std::int64_t>(position & 0xFFFF'FFFF) >> 12;  // of 2^20
    const std::int64_t low = quantiles_[step];
    return Duration(low + (((quantiles_[step + 1] - low) * part) >> 20));
  }

 private:
  static constexpr std::size_t kSteps = 100;
  std::array<std::int64_t, kSteps + 1> quantiles_{};
};

}  // namespace holdfast::sim
