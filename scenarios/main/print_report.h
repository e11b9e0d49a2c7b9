// What people see of a report on standard output.
#pragma once

#include "reports/report.h"

namespace holdfast::program {

// The table with the page of every violation, with `explain` also their explanations, and the
// summary. On a terminal in its width, and in colour unless NO_COLOR is set; else plain and stable.
void print_report(const report::Report& report, bool explain);

}  // namespace holdfast::program
