// Observer: every step of the lock core, told as it happens. Source of production metrics and of
// the history that Holdfast's judge reads.
#pragma once

#include <cstdint>
#include <string_view>

#include "lockcore/time.h"

namespace holdfast {

enum class AcquireOutcome : std::uint8_t {
  acquired,
  taken,           // another owner holds it (a quorum can no longer be reached)
  too_late,        // a quorum said yes, but too little validity was left when the last was counted
  no_replica_ack,  // fewer replicas than asked for confirmed in time
  unreachable,     // too few nodes answered; what was sent is being cleaned up
  refused,         // nodes refused (READONLY, LOADING, OOM, ...); the text says which
  cancelled,       // the stop flag was set
  invalid,         // the options or the key are not valid; nothing was sent
};

enum class ReleaseOutcome : std::uint8_t {
  released,         // the promise lasted until the call and a quorum deleted our token
  already_expired,  // deleted or gone after the lease had ended by the local clock
  not_owner,        // a quorum held another owner's token, at the first try
  unknown,          // no quorum of definite answers
};

enum class LossReason : std::uint8_t { expired, stolen, quorum_lost, max_hold, released };

struct LockEvent {
  enum class Kind : std::uint8_t {
    acquire_called,
    attempt_sent,       // token; the SETs are about to be handed to the connections
    node_answered,      // node, round_trip, yes
    quorum_counted,     // enough yes; before t2 is read
    validity_checked,   // at = t2, valid_until; of an acquire or (renewal = true) of a renewal
    acquired,           // token, valid_until, fencing_token
    acquire_failed,     // acquire_outcome, text
    renewal_sent,       // token; about to be handed to the connections
    renewed,            // valid_until
    renewal_failed,     // text
    valid_until_moved,  // by one more answer: valid_until
    lost,               // loss_reason
    release_called,
    release_sent,  // token; also for the clean-up after a failed acquire (cleanup = true)
    released,      // release_outcome, text
  };
  Kind kind;
  std::uint64_t acquisition;  // number of the acquire call within the process, from 1
  Instant at;                 // the process's clock
  std::string_view key;
  std::string_view token = {};  // attempt token "id:attempt"
  std::uint32_t node = 0;       // index in the client's list of endpoints
  bool yes = false;
  bool renewal = false;
  bool cleanup = false;
  Duration round_trip = {};
  Instant valid_until = {};
  std::int64_t fencing_token = 0;  // 0: none
  AcquireOutcome acquire_outcome = AcquireOutcome::acquired;
  ReleaseOutcome release_outcome = ReleaseOutcome::released;
  LossReason loss_reason = LossReason::expired;
  std::string_view text = {};
};

class Observer {
 public:
  virtual ~Observer() = default;
  // Called synchronously, on the loop, *before* the action that an event announces. Must not block,
  // throw or call the lock core.
  virtual void on_event(const LockEvent& event) = 0;
};

}  // namespace holdfast
