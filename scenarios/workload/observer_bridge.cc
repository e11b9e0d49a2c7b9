#include "scenarios/workload/observer_bridge.h"

#include <algorithm>

namespace holdfast::workload {

using history::Kind;

Duration node_deadline(const LockOptions& options) {
  using namespace std::chrono_literals;
  return options.node_deadline.value_or(std::clamp<Duration>(options.ttl / 20, 5ms, 250ms));
}

// The last try may start when the wait is all but over; a try is a script and, with replicas, a
// WAIT, each within the node deadline.
Duration acquire_bound(const LockOptions& options, Duration wait) {
  using namespace std::chrono_literals;
  return wait + 2 * node_deadline(options) + 20ms;
}

Duration release_bound(const LockOptions& options) {
  using namespace std::chrono_literals;
  return options.min_hold + 2 * node_deadline(options) + 20ms;
}

void ObserverBridge::put(Kind kind, const LockEvent& event, std::int64_t a, std::int64_t b) {
  recorder_.record({kind, grant(event.acquisition), event.key, event.token, a, b});
}

void ObserverBridge::on_event(const LockEvent& event) {
  switch (event.kind) {
    case LockEvent::Kind::acquire_called:
    case LockEvent::Kind::attempt_sent:
    case LockEvent::Kind::quorum_counted:
    case LockEvent::Kind::validity_checked:
    case LockEvent::Kind::acquired:
      return on_acquire_event(event);
    case LockEvent::Kind::node_answered:   // the servers' own events say it better
    case LockEvent::Kind::acquire_failed:  // acquire_returned says it
      return;
    default:
      return on_lease_event(event);
  }
}

void ObserverBridge::on_acquire_event(const LockEvent& event) {
  switch (event.kind) {
    case LockEvent::Kind::acquire_called:
      attempts_ = 0;
      return put(Kind::acquire_called, event, acquire_bound(options_, wait_).count());
    case LockEvent::Kind::attempt_sent:
      return put(Kind::attempt_sent, event, ++attempts_);
    case LockEvent::Kind::quorum_counted:
      return put(Kind::quorum_counted, event);
    case LockEvent::Kind::validity_checked:
      return put(Kind::validity_checked, event, recorder_.true_time(event.valid_until),
                 event.renewal ? 1 : 0);
    default:  // acquired
      put(Kind::valid_until, event, recorder_.true_time(event.valid_until));
      return recorder_.watch_valid_until(grant(event.acquisition), event.key, event.valid_until);
  }
}

void ObserverBridge::on_lease_event(const LockEvent& event) {
  switch (event.kind) {
    case LockEvent::Kind::renewal_sent:
      return put(Kind::renewal_sent, event);
    case LockEvent::Kind::renewed:
      put(Kind::renewed, event);
      [[fallthrough]];
    case LockEvent::Kind::valid_until_moved:
      put(Kind::valid_until, event, recorder_.true_time(event.valid_until));
      return recorder_.watch_valid_until(grant(event.acquisition), event.key, event.valid_until);
    case LockEvent::Kind::renewal_failed:
      return put(Kind::renewal_failed, event);
    case LockEvent::Kind::lost:
      recorder_.forget_valid_until(grant(event.acquisition));
      return put(Kind::lost_told, event, static_cast<std::int64_t>(event.loss_reason));
    case LockEvent::Kind::release_called:
      recorder_.forget_valid_until(grant(event.acquisition));
      return put(Kind::release_called, event, release_bound(options_).count());
    case LockEvent::Kind::release_sent:
      return put(Kind::release_sent, event, event.cleanup ? 1 : 0);
    case LockEvent::Kind::released:
      return put(Kind::release_returned, event, static_cast<std::int64_t>(event.release_outcome));
    default:
      return;
  }
}

}  // namespace holdfast::workload
