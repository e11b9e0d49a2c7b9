// Which runs of a scenario are recorded in full and explained.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "reports/report.h"

namespace holdfast::runner {

// At most so many a scenario.
inline constexpr std::size_t kMostWitnessRuns = 5;

// One run for each kind of verdict sentence and for each violated invariant, what the file did not
// expect first, then the worst; a run that shows several counts for all. `record` gives the full
// record of a seed, without explanation.
std::vector<report::ViolationRun> witness_runs(
    const report::ScenarioResult& result,
    const std::function<report::ViolationRun(std::uint64_t seed)>& record);

}  // namespace holdfast::runner
