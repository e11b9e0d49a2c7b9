// Why was the key not there? The question at the heart of every lost lock: the next owner's SET NX
// needs the key's absence on the server, so something ended it before.
#pragma once

#include <vector>

#include "reports/explain_chain.h"
#include "reports/explain_record.h"

namespace holdfast::report {

// Adds to `chain` why the grant's key was absent at `nodes` just before `index`: expired (and why
// nothing kept it), deleted (by whom, and how that came), overwritten, lost by a restart, resync
// or failover, or never there.
void add_absence(Chain& chain, const Record& record, const Grant& grant,
                 const std::vector<history::NodeId>& nodes, EventIndex index);

// Pauses, crashes, cuts, clock changes, failovers that concern one of `actors` or `nodes`, in
// [from, to).
struct Around {
  std::vector<history::ActorId> actors;
  std::vector<history::NodeId> nodes;
  EventIndex from = 0;
  EventIndex to = 0;
};
void add_effects(Chain& chain, const Record& record, const Around& around, int weight);

}  // namespace holdfast::report
