// When a fault strikes.
#pragma once

#include "scenarios/format/fields.h"
#include "scenarios/format/model.h"

namespace holdfast::scenario {

// From the fault's own members: exactly one of "at", "on" and "sometimes" (with "within", and "at"
// as the beginning of the time it may strike in); "after" goes with "on".
Trigger read_trigger(Fields& fault, const Scenario& scenario);

}  // namespace holdfast::scenario
