// The watchdog of one lease.
#pragma once

#include <memory>

#include "lockcore/hold.h"
#include "lockcore/task.h"

namespace holdfast {

// Runs in Lane::watchdog as long as the promise lasts: renews at ttl/3 (with
// LockOptions::watchdog), gives up at max_hold, and tells the loss at valid_until, also when
// nothing is renewed. Sends nothing once release was called or the lock was lost.
Task<void> watch(std::shared_ptr<Hold> hold);

}  // namespace holdfast
