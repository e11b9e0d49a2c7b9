// bounded-calls: every acquire and release returned within its bound, counted in time during which
// the process ran.
//
// The bound is what the world wrote with the call, plus 1 % (the clock-rate error that the lock
// core itself allows for, because its timers run on the process's clock and the judge counts true
// time) and the world's slack. A pause of either lane stops the count. A crash ends a call that has
// not returned; one that is still open at the run's end is judged by the time it has taken so far.
//
// Not judged: no call was made with a bound.
#include <cstdint>

#include "reports/judge/invariants.h"

namespace holdfast::judge {
namespace {

constexpr Nanos kEndless = INT64_MAX / 4;  // as good as no bound

struct Call {
  Moment called, returned;
  Nanos bound = 0;
};

// False when there is nothing to judge.
bool judge_call(Case& one, GrantIndex index, const Call& call) {
  if (!call.called.happened() || call.bound <= 0 || call.bound > kEndless) return false;
  const Grant& grant = one.grant(index);
  Interval open{call.called.at, one.timeline.end};
  if (call.returned.happened()) {
    open.end = call.returned.at;
  } else if (grant.crashed.happened()) {
    open.end = grant.crashed.at;
  }
  const Nanos bound = call.bound + call.bound / 100 + one.history.setup.slack;
  if (open.end - open.begin <= bound) return true;
  const Nanos ran = open.end - open.begin - one.timeline.paused_within(grant.actor, open);
  if (ran <= bound) return true;
  Witness& witness = one.violated(Invariant::bounded_calls);
  witness.resource = one.lock(grant.lock).resource;
  witness.first_actor = grant.actor;
  witness.first_grant = grant.id;
  witness.first = open;
  witness.overlap = {open.end - (ran - bound), open.end};
  add_event(witness, call.called.event);
  add_event(witness, call.returned.event);
  return true;
}

}  // namespace

void bounded_calls(Case& one) {
  bool any = false;
  const auto count = static_cast<GrantIndex>(one.timeline.grants.size());
  for (GrantIndex i = 1; i < count; ++i) {
    const Grant& grant = one.grant(i);
    any = judge_call(one, i, {grant.called, grant.returned, grant.acquire_bound}) || any;
    any = judge_call(one, i, {grant.release_called, grant.release_returned, grant.release_bound}) ||
          any;
  }
  one.close(Invariant::bounded_calls, any ? "" : "no call with a bound");
}

}  // namespace holdfast::judge
