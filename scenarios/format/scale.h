// Scaling: the same scenario with shorter durations, for runs on real servers.
#pragma once

#include <optional>

#include "scenarios/format/model.h"
#include "scenarios/format/parse.h"

namespace holdfast::scenario {

// All durations that the scenario's file states, times `scale`: leases, waits, work, faults and
// their triggers, clock offsets and steps. Not scaled: node deadlines, min_validity, drift_fixed
// and latencies (they belong to the machine and to Redis, not to the story), rates, and an "after"
// or "restart_after" of at most 100 ms, which says "soon".
Scenario scaled(const Scenario& scenario, double scale);

// Why the scenario must not run live at that scale, or nothing: a lease under 1 s, a forced window
// (what a fault, a restart, a work step or a sleep lasts) that falls under 100 ms, a lease that is
// no longer whole seconds where a protocol counts in seconds, no explicit node deadline. It stands
// at what is too short: the fault, the step, or the lock.
std::optional<ParseError> refuse_scale(const Scenario& scenario, double scale);

// Whether a protocol sends its lease in whole seconds ($lease_s).
bool counts_in_seconds(const Protocol& protocol);

}  // namespace holdfast::scenario
