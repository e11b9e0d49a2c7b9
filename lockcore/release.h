// Releasing: the owner's release, and the releases behind failed attempts and late confirmations.
#pragma once

#include <cstddef>
#include <memory>

#include "lockcore/hold.h"
#include "lockcore/task.h"

namespace holdfast {

// Lease::release().
Task<ReleaseOutcome> release(std::shared_ptr<Hold> hold);

// After a failed attempt: deletes its token on ALL nodes, each on the connection that carried the
// command, so that it executes after it. In the client's scope, bounded by cleanup_budget; nobody
// waits for it. The token is burnt by that.
void clean_up(const std::shared_ptr<Hold>& hold);

// One node confirmed a promise that is over already: it must not keep the key for a whole TTL.
// Nothing when release() was called: that release is queued behind the confirmed command.
void release_again(const std::shared_ptr<Hold>& hold, std::size_t node);

}  // namespace holdfast
