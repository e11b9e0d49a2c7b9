#include "lockcore/lease.h"

#include <algorithm>

#include "lockcore/release.h"

namespace holdfast {

namespace {

// Looks at the clock itself: the owner learns of an expiry even while the watchdog stands still.
Task<bool> wait_for_loss(std::shared_ptr<Hold> hold, Instant until) {
  Env& env = hold->env();
  for (;;) {
    const Instant now = env.now();
    if (!hold->check(now)) co_return true;
    if (now >= until) co_return false;
    const Instant wake = std::min(until, hold->valid_until());
    co_await Wait(hold->changed, wake);
  }
}

}  // namespace

// Both outlive the handle: what they need they share.
Task<bool> LeaseHandle::lost_or(Instant until) { return wait_for_loss(hold_, until); }
Task<ReleaseOutcome> LeaseHandle::release() { return holdfast::release(hold_); }

}  // namespace holdfast
