// What people see of a report on standard output.
#pragma once

#include "reports/report.h"

namespace holdfast::program {

// The table, then of every violation its page, or with `explain` its explanation. In colour on a
// terminal unless NO_COLOR is set; else plain and stable.
void print_report(const report::Report& report, bool explain);

}  // namespace holdfast::program
