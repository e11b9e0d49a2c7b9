// The chain of causes of one violation: walked backwards from its witness by happens-before, and
// told forwards.
#pragma once

#include <vector>

#include "reports/explain_record.h"
#include "reports/judge/verdict.h"
#include "reports/report.h"

namespace holdfast::report {

std::vector<Cause> causes(const Record& record, judge::Invariant invariant,
                          const judge::Witness& witness);

}  // namespace holdfast::report
