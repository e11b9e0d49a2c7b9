#include "sim/latency_table.h"

#include <algorithm>

namespace holdfast::sim {

LatencyTable::LatencyTable(const Latency& latency) {
  const std::int64_t median = latency.median.count();
  const std::int64_t spread = std::max<std::int64_t>(latency.p99.count() - median, 0);
  struct Knot {
    std::size_t percent;
    std::int64_t value;
  };
  const std::array<Knot, 8> knots{{{0, median / 2},
                                   {25, median * 4 / 5},
                                   {50, median},
                                   {75, median + spread / 8},
                                   {90, median + spread / 3},
                                   {95, median + spread / 2},
                                   {99, median + spread},
                                   {100, median + 2 * spread}}};
  for (std::size_t i = 1; i < knots.size(); ++i) {
    const Knot& from = knots[i - 1];
    const Knot& to = knots[i];
    const auto width = static_cast<std::int64_t>(to.percent - from.percent);
    for (std::size_t percent = from.percent; percent <= to.percent; ++percent) {
      const auto part = static_cast<std::int64_t>(percent - from.percent);
      quantiles_[percent] = from.value + (to.value - from.value) * part / width;
    }
  }
}

}  // namespace holdfast::sim
