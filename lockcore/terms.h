// Terms: what LockOptions come to for a number of nodes, with all defaults filled in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "lockcore/lock.h"
#include "lockcore/scripts.h"
#include "lockcore/time.h"

namespace holdfast {

struct Terms {
  // `options` are valid (see invalid_reason).
  Terms(const LockOptions& options, std::size_t node_count);

  std::size_t quorum;       // nodes / 2 + 1; 1 for a single instance
  Duration ttl;             // whole milliseconds, as the nodes count
  std::string ttl_ms;       // the same for a command
  Duration drift;           // taken off every lease: ttl * drift_ppm + drift_fixed
  Duration node_deadline;   // of one node's answer
  Duration min_validity;    // left at success
  Duration cleanup_budget;  // of releases that nobody waits for any more
  Duration renew_every;     // ttl / 3 after the last confirmed sending
  Duration renew_again;     // ttl / 10 after an unconfirmed one
  Replication on_acquire;   // WAIT behind the acquire
  Replication on_renewal;   // and behind renewals
};

// The pause before the next try: retry * [1 - jitter, 1 + jitter], by the random number `random`.
Duration jittered(Duration retry, double jitter, std::uint64_t random);

}  // namespace holdfast
