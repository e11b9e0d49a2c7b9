// foreign-touch: no command of a lock client removed, overwrote or changed the TTL of a key that
// was alive by that node's clock and held another grant attempt's token. Expiry, eviction, resync
// and operators are causes, not touches.
//
// A key is another's when the client whose SET wrote it is another actor, whatever its value says
// (a constant token hides nothing here). Of one actor's own grants: a SET whose token is of another
// grant than the live one, and a deletion that the history itself ascribes to another grant while
// the key's own grant had not sent a release. A retry of the same acquire is no touch.
//
// Not judged: the world does not see the keys, or fewer than two acquires were tried.
#include "reports/judge/invariants.h"

namespace holdfast::judge {
namespace {

using history::Kind;

bool own_grants_differ(const Case& one, const Touch& touch, const Holding& before) {
  const Event& event = one.event(touch.event);
  if (before.grant == 0) return false;
  const Grant& owner = one.grant(before.grant);
  if (event.kind == Kind::key_set) {
    const Holding& after = one.timeline.holdings[touch.next];
    return after.token != before.token && after.grant != 0 &&
           one.grant(after.grant).outer != owner.outer;
  }
  if (event.kind != Kind::key_deleted) return false;
  const GrantIndex toucher = one.timeline.find(event.actor, event.grant);
  const bool released = owner.release_sent.happened() || owner.release_called.happened();
  return toucher != 0 && one.grant(toucher).outer != owner.outer && !released;
}

GrantIndex toucher_of(const Case& one, const Touch& touch, LockIndex lock) {
  const Event& event = one.event(touch.event);
  if (event.kind == Kind::key_set && one.timeline.holdings[touch.next].grant != 0) {
    return one.timeline.holdings[touch.next].grant;
  }
  if (const GrantIndex known = one.timeline.find(event.actor, event.grant); known != 0) {
    return known;
  }
  return one.timeline.latest_before(event.actor, lock, touch.event);
}

void witness_touch(Case& one, const Touch& touch, const Holding& before) {
  const Event& event = one.event(touch.event);
  Witness& witness = one.violated(Invariant::foreign_touch);
  witness.resource = event.resource;
  witness.node = event.node;
  witness.first_actor = event.actor;
  if (const GrantIndex toucher = toucher_of(one, touch, before.lock); toucher != 0) {
    witness.first_grant = one.grant(toucher).id;
    witness.first = one.grant(toucher).promise;
    add_event(witness, one.grant(toucher).returned.event);
  }
  witness.second_actor = before.setter;
  if (before.grant != 0) {
    witness.second_grant = one.grant(before.grant).id;
    witness.second = one.grant(before.grant).promise;
  }
  witness.overlap = {event.at, event.at};
  add_event(witness, before.opened);
  add_event(witness, touch.event);
}

}  // namespace

void foreign_touch(Case& one) {
  if (!one.history.setup.evidence.server_keys) {
    one.close(Invariant::foreign_touch, "no record of the servers' keys");
    return;
  }
  for (const Touch& touch : one.timeline.touches) {
    const Holding& before = one.timeline.holdings[touch.previous];
    const ActorId toucher = one.event(touch.event).actor;
    const bool foreign = before.setter != 0 && before.setter != toucher;
    if (foreign || (before.setter == toucher && own_grants_differ(one, touch, before))) {
      witness_touch(one, touch, before);
    }
  }
  const bool rivals = one.timeline.grants.size() > 2;
  const bool keys = one.timeline.holdings.size() > 1;
  one.close(Invariant::foreign_touch, !keys ? "no lock key" : rivals ? "" : "no rival");
}

}  // namespace holdfast::judge
