// late-loss: no held() that *began* after the promise's end returned true; and loss was told by the
// first step that the owner's process ran after the promise ended by time.
//
// The promise's end is that of promise.cc. A promise that ended by release, by a loss already told,
// by a held() that said so or by a crash owes no further word. "First step": within 1 ms (plus the
// world's slack) of the first instant at which no lane of the process is paused; a release called,
// a crash or the run's end before that cancels the debt.
//
// Not judged: the lock has no handle that the world can see, or no lease was lost and nobody asked
// after its end.
#include "reports/judge/invariants.h"

namespace holdfast::judge {
namespace {

using history::Belief;
using history::Kind;

constexpr Nanos kFirstStep = 1'000'000;
constexpr std::int64_t kReleased = 4;  // lost_told's a: because it was released

bool judged(const Case& one, const Grant& grant) {
  return grant.acquired && grant.promise_judged && one.lock(grant.lock).belief == Belief::handle;
}

// True when some held() began after its promise's end.
bool judge_answers(Case& one) {
  bool asked = false;
  for (const EventIndex index : one.timeline.helds) {
    const Event& event = one.event(index);
    const GrantIndex found = one.timeline.find(event.actor, event.grant);
    if (found == 0) continue;
    const Grant& grant = one.grant(one.grant(found).outer);
    if (!judged(one, grant) || grant.promise_end == kNoEvent) continue;
    if (event.b <= grant.promise.end + one.history.setup.slack) continue;
    asked = true;
    if (event.a == 0) continue;
    Witness& witness = one.violated(Invariant::late_loss, one.grant(found).outer, 0);
    witness.first = grant.promise;
    witness.overlap = {event.b, event.at};
    add_event(witness, grant.promise_end);
    add_event(witness, index);
  }
  return asked;
}

// True when the promise ended by time, and its owner ran afterwards, or by being told of its loss.
bool judge_telling(Case& one, GrantIndex index) {
  const Grant& grant = one.grant(index);
  if (!judged(one, grant) || grant.promise_end == kNoEvent) return false;
  const Event& end = one.event(grant.promise_end);
  if (end.kind == Kind::lost_told) return end.a != kReleased;
  if (end.kind != Kind::valid_until_reached) return false;
  const Nanos patience = kFirstStep + one.history.setup.slack;
  const Nanos runs = one.timeline.running_from(grant.actor, grant.promise.end, patience);
  const Nanos due = runs + patience;
  if (grant.lost.happened() && grant.lost.at <= due) return true;
  if (due >= one.timeline.end) return false;
  if (grant.release_called.happened() && grant.release_called.at <= due) return false;
  if (grant.crashed.happened() && grant.crashed.at <= due) return false;
  Witness& witness = one.violated(Invariant::late_loss, index, 0);
  witness.first = grant.promise;
  witness.overlap = {runs, grant.lost.happened() ? grant.lost.at : one.timeline.end};
  add_event(witness, grant.promise_end);
  add_event(witness, grant.lost.event);
  return true;
}

}  // namespace

void late_loss(Case& one) {
  bool any = judge_answers(one);
  for (const GrantIndex index : one.timeline.acquired) any = judge_telling(one, index) || any;
  one.close(Invariant::late_loss, any ? "" : "no lease was lost");
}

}  // namespace holdfast::judge
