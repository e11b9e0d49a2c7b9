// zombie-renewal: no renewal of a grant was *sent* after its release was called, its loss was told
// or its process crashed; none *changed* a key after the release had returned `released`.
//
// A renewal that was sent in time but executed late (a slow link, a node that was frozen), with the
// grant's own release somewhere behind it, changed nothing that lasts: the client's next deed at
// that key that is not one more such renewal deletes it.
//
// Not judged: no renewal was sent; or none was sent too late and the world does not see the keys.
#include "reports/judge/invariants.h"

namespace holdfast::judge {
namespace {

using history::Kind;

// What had ended the grant before that event; kNoEvent when nothing had.
EventIndex ended_before(const Grant& grant, EventIndex event) {
  for (const Moment& end : {grant.release_called, grant.lost, grant.crashed}) {
    if (end.happened() && end.event < event) return end.event;
  }
  return kNoEvent;
}

Witness& witness_renewal(Case& one, GrantIndex index, EventIndex renewal, EventIndex end) {
  const Event& event = one.event(renewal);
  Witness& witness = one.violated(Invariant::zombie_renewal, index, 0);
  witness.node = event.node;
  witness.first = one.grant(index).promise;
  witness.overlap = {event.at, event.at};
  add_event(witness, end);
  add_event(witness, renewal);
  return witness;
}

// What a change of the TTL has made of that holding.
HoldingIndex next_holding(const std::vector<Holding>& holdings, HoldingIndex index) {
  const EventIndex change = holdings[index].closed;
  do {
    ++index;
  } while (holdings[index].opened != change);
  return index;
}

// The key is deleted by its own client, or the run ends before a node deadline has passed.
bool cleaned_up(const Case& one, HoldingIndex index) {
  const auto& holdings = one.timeline.holdings;
  const Holding& prolonged = holdings[index];
  while (holdings[index].closed != kNoEvent) {
    const Event& end = one.event(holdings[index].closed);
    if (end.kind != Kind::key_ttl_changed) {
      return end.kind == Kind::key_deleted && end.actor == prolonged.setter;
    }
    index = next_holding(holdings, index);
  }
  const Nanos patience = one.lock(prolonged.lock).node_deadline + one.history.setup.slack;
  return holdings[index].to <= prolonged.from + patience;
}

void judge_changes(Case& one) {
  for (const Touch& touch : one.timeline.touches) {
    const Event& event = one.event(touch.event);
    const GrantIndex owner = one.timeline.holdings[touch.previous].grant;
    if (event.kind != Kind::key_ttl_changed || owner == 0) continue;
    const Grant& grant = one.grant(owner);
    if (grant.actor != event.actor || grant.release_outcome != 0) continue;
    if (grant.release_returned.event > touch.event || cleaned_up(one, touch.next)) continue;
    witness_renewal(one, owner, touch.event, grant.release_returned.event);
  }
}

}  // namespace

void zombie_renewal(Case& one) {
  for (const EventIndex renewal : one.timeline.renewals) {
    const Event& event = one.event(renewal);
    const GrantIndex index = one.timeline.find(event.actor, event.grant);
    if (index == 0) continue;
    const EventIndex end = ended_before(one.grant(index), renewal);
    if (end != kNoEvent) witness_renewal(one, index, renewal, end);
  }
  const bool keys = one.history.setup.evidence.server_keys;
  if (keys) judge_changes(one);
  one.close(Invariant::zombie_renewal, one.timeline.renewals.empty() ? "no renewal"
                                       : keys                        ? ""
                                              : "no record of the servers' keys");
}

}  // namespace holdfast::judge
