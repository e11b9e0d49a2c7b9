// Reports for people at a terminal: plain and stable without colour.
#pragma once

#include <cstddef>
#include <string>

#include "reports/report.h"

namespace holdfast::report {

inline constexpr std::size_t kTerminalColumns = 120;
inline constexpr std::size_t kViolationLines = 25;

// A row a scenario: name, what it shows, expectation, verdict with counts, time. Within `columns`
// characters (at least 60) the widths are those that make the table shortest.
std::string render_table(const Report& report, bool colour, std::size_t columns = kTerminalColumns);

// One violating run, in at most kViolationLines lines of at most `columns` characters; what
// people copy (the command, the page's path) is never broken.
std::string render_violation(const ScenarioResult& scenario, const ViolationRun& run, bool colour,
                             std::size_t columns = kTerminalColumns);

}  // namespace holdfast::report
