// validity: at t2 of each acquire and renewal a quorum of the lock's nodes hold a token of the
// grant with a remaining life, at each node's clock rate, not below `valid_until - t2`.
//
// The worlds give both in true time: a key's deadline by its node's clock, valid_until by the
// process's clock. A key whose deadline is unknown (its node's clock was bent after the key was
// set) or that has no TTL counts as long enough. A check that leaves no validity claims nothing.
//
// Not judged: the world does not see the keys or the handle, or no validity was claimed.
#include "reports/judge/invariants.h"

namespace holdfast::judge {
namespace {

std::uint32_t long_enough(const Case& one, GrantIndex index, Nanos until) {
  const LockIndex lock = one.grant(index).lock;
  const std::uint32_t first = one.timeline.first_cell(lock);
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < one.lock(lock).nodes.size(); ++i) {
    const HoldingIndex held = one.workspace.cells[first + i];
    if (held == 0) continue;
    const Holding& holding = one.timeline.holdings[held];
    const bool lasts = holding.deadline < 0 || holding.deadline >= until;
    if (lasts && one.timeline.backs(holding, one.grant(index).outer)) ++count;
  }
  return count;
}

}  // namespace

void validity(Case& one) {
  const auto& evidence = one.history.setup.evidence;
  if (!evidence.server_keys || !evidence.handle) {
    one.close(Invariant::validity, "no record of the servers' keys or of the handle");
    return;
  }
  auto& cells = one.workspace.cells;
  cells.assign(one.timeline.cells(), 0);
  const auto& changes = one.timeline.changes;
  std::size_t next = 0;
  bool any = false;
  for (const EventIndex check : one.timeline.validities) {
    for (; next < changes.size() && changes[next].event < check; ++next) {
      cells[changes[next].cell] = changes[next].holding;
    }
    const Event& event = one.event(check);
    const GrantIndex index = one.timeline.find(event.actor, event.grant);
    if (index == 0 || event.a <= event.at || !one.grant(index).promise_judged) continue;
    any = true;
    if (long_enough(one, index, event.a) >= one.lock(one.grant(index).lock).quorum) continue;
    Witness& witness = one.violated(Invariant::validity, index, 0);
    witness.first = {event.at, event.a};
    witness.overlap = {event.at, event.at};
    add_event(witness, one.grant(index).sent.event);
    add_event(witness, check);
  }
  one.close(Invariant::validity, any ? "" : "no validity was claimed");
}

}  // namespace holdfast::judge
