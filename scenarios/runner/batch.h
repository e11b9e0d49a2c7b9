// Batch: a range of seeds of one scenario on one worker, and the full record of one seed.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "reports/report.h"
#include "scenarios/format/model.h"
#include "scenarios/runner/tally.h"

namespace holdfast::runner {

// Runs the seeds first, first + stride, ... (count of them); ends early when `stop` becomes true.
Tally run_seeds(const scenario::Scenario& scenario, std::uint64_t first, std::uint64_t count,
                std::uint64_t stride, const std::atomic<bool>& stop);

// Runs the seed twice and keeps the whole record of it, unexplained; `reproduce` is the command
// shown to people.
report::ViolationRun record_violation(const scenario::Scenario& scenario, std::uint64_t seed,
                                      std::string reproduce);

}  // namespace holdfast::runner
