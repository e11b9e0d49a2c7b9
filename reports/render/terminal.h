// Reports for people at a terminal: plain and stable without colour.
#pragma once

#include <cstddef>
#include <string>

#include "reports/report.h"

namespace holdfast::report {

inline constexpr std::size_t kTerminalColumns = 120;
inline constexpr std::size_t kViolationLines = 25;

// Two lines a scenario: its name and the verdict with counts and time, and below them what it shows
// and what was expected; then the page of each of its violations. Within `columns` characters (at
// least 60) the widths are those that make the table shortest; a page's path is never broken.
std::string render_table(const Report& report, bool colour, std::size_t columns = kTerminalColumns);

// What people read last: how many expectations were met, the index page, and, when the table has
// more than one scenario, those again that were not met.
std::string render_summary(const Report& report, bool colour,
                           std::size_t columns = kTerminalColumns);

// One scenario on one line, for a log that is read while others still run.
std::string render_line(const ScenarioResult& scenario);

// One violating run, in at most kViolationLines lines of at most `columns` characters; what
// people copy (the command, the page's path) is never broken.
std::string render_violation(const ScenarioResult& scenario, const ViolationRun& run, bool colour,
                             std::size_t columns = kTerminalColumns);

}  // namespace holdfast::report
