// promise: no two promises of different grants of one lock overlap.
//
// A promise lasts from the outermost acquire's return to the first of: release called, loss told, a
// held() that returned false (it is over by the beginning of that call at the latest), crash, the
// owner's clock reaching valid_until (an event that the world writes at the true instant; nothing
// is converted here), the end of the run. What ended before the acquire returned never began. One a
// grant, never resumed. Promises that only touch do not overlap.
//
// Not judged: the lock's protocol does not say what its owner believes, the world cannot see the
// handle, nobody was promised anything, or no second acquire was tried.
#include "reports/judge/invariants.h"

namespace holdfast::judge {
namespace {

void witness_promises(Case& one, GrantIndex first, GrantIndex second) {
  const Grant& a = one.grant(first);
  const Grant& b = one.grant(second);
  Witness& witness = one.violated(Invariant::promise, first, second);
  witness.first = a.promise;
  witness.second = b.promise;
  witness.overlap = intersection(a.promise, b.promise);
  add_event(witness, a.promise_end);
  add_event(witness, b.promise_end);
  witness.blame = overlap(a.section, b.section) ? Blame::lock_lied : Blame::lied_nobody_hurt;
}

bool has_rivals(const Case& one, const Grant& holder) {
  const auto& grants = one.timeline.grants;
  for (std::size_t i = 1; i < grants.size(); ++i) {
    if (grants[i].lock == holder.lock && &grants[i] != &holder && grants[i].outer == i) return true;
  }
  return false;
}

}  // namespace

void promise(Case& one) {
  auto& active = one.workspace.active;
  active.clear();
  bool promised = false;
  bool rivals = false;
  for (const GrantIndex index : one.timeline.acquired) {
    const Grant& grant = one.grant(index);
    if (!grant.promise_judged || grant.promise.empty()) continue;
    promised = true;
    rivals = rivals || has_rivals(one, grant);
    std::erase_if(active, [&](GrantIndex other) {
      return one.grant(other).promise.end <= grant.promise.begin;
    });
    for (const GrantIndex other : active) {
      if (one.grant(other).lock == grant.lock) witness_promises(one, other, index);
    }
    active.push_back(index);
  }
  if (!promised) {
    one.close(Invariant::promise, "no promise whose end is known");
  } else {
    one.close(Invariant::promise, rivals ? "" : "no rival");
  }
}

}  // namespace holdfast::judge
