// A scenario with every duration shrunk for a live run. Redis's millisecond quantum and the fixed
// drift do not shrink, and neither do node deadlines below what a loopback round trip needs.
#pragma once

#include <string>
#include <variant>

#include "scenarios/format/model.h"

namespace holdfast::live {

// The scaled scenario, or why it cannot be scaled that far: no lease under 1 s, no forced window (a
// pause, a cut, a restart delay) under 100 ms unless it was that short unscaled.
std::variant<scenario::Scenario, std::string> scaled(scenario::Scenario scenario, double scale);

}  // namespace holdfast::live
