// One scenario in one world: all its seeds, held against its expectations.
#pragma once

#include "reports/report.h"
#include "scenarios/format/model.h"
#include "scenarios/main/run_options.h"

namespace holdfast::program {

// On as many threads as the options say. The first violating seed is recorded in full.
report::ScenarioResult run_simulated(const scenario::Scenario& scenario, const RunOptions& options);

// On real servers, run after run; every violating one is recorded.
report::ScenarioResult run_live(const scenario::Scenario& scenario, const RunOptions& options);

// Ctrl-C ends both early: what was not done is said, and neither met nor failed.

}  // namespace holdfast::program
