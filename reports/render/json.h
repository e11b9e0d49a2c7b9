// The whole report as JSON, for programs. Keys keep their order and their meaning; times are
// integer nanoseconds of true time, ids are replaced by names.
#pragma once

#include <string>

#include "reports/report.h"

namespace holdfast::report {

std::string render_json(const Report& report);

}  // namespace holdfast::report
