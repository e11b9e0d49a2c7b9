// Key prefix: on servers that others use too, every key of a run begins with a prefix of its own.
// Scenario files, histories and reports never show it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenarios/format/model.h"
#include "scenarios/live/monitor.h"

namespace holdfast::live {

// The scenario with the prefix before every lock key and every guarded resource.
scenario::Scenario with_key_prefix(scenario::Scenario scenario, std::string_view prefix);

// Takes the prefix away from all arguments that begin with it. False when none does, or `prefix` is
// not empty and nobody but others' keys are named: the line is about somebody else.
bool take_prefix_away(MonitorLine& line, std::string_view prefix);

}  // namespace holdfast::live
