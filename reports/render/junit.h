// The report as JUnit XML, for build servers.
#pragma once

#include <string>

#include "reports/report.h"

namespace holdfast::report {

// A suite a world, a test case a scenario and world. Failure: the expectation was not met, vacuous
// runs included. Error: the environment failed. Nothing is ever "skipped".
std::string render_junit(const Report& report);

}  // namespace holdfast::report
