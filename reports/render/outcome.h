// What every renderer says in the same words: how a scenario came out, and how to run it again.
#pragma once

#include <string>
#include <string_view>

#include "reports/report.h"

namespace holdfast::report {

// "ok", "NOT MET" or, when the run was ended before the scenario was, "stopped".
std::string_view mark(const ScenarioResult& scenario);

// The verdict with what failed or was not met behind it, on one line.
std::string whole_verdict(const ScenarioResult& scenario);

// "2 of 3 expectations met"; scenarios that were interrupted do not count.
std::string headline(const Report& report);

// "Interrupted: 1 of 3 scenarios run."; empty when all were.
std::string interruption(const Report& report);

// How ViolationRun::reproduce is introduced, and what may be said of it. A simulated run is
// repeated by its seed; a live one is run again, and may go another way.
struct Again {
  std::string_view label;  // "reproduce", "run again"
  std::string_view note;   // may be empty
};
Again again(const ScenarioResult& scenario, const ViolationRun& run);

// With its first letter, an ASCII one, as a capital.
std::string capital(std::string_view words);

}  // namespace holdfast::report
