#include "scenarios/workload/protocol_lease.h"

#include <utility>

namespace holdfast::workload {

using scenario::Believes;

ProtocolLease::ProtocolLease(std::shared_ptr<ProtocolSide> side, ProtocolUse use,
                             std::uint64_t acquisition, Instant sent)
    : side_(std::move(side)), use_(std::move(use)), acquisition_(acquisition) {
  believe(sent);
}

void ProtocolLease::believe(Instant sent) {
  if (!bounded()) return;
  const bool from_send = side_->protocol.believes == Believes::ttl_from_send;
  valid_until_ = (from_send ? sent : side_->env.now()) + use_.lease;
}

bool ProtocolLease::bounded() const { return side_->protocol.believes != Believes::until_release; }

LockEvent ProtocolLease::event(LockEvent::Kind kind) const {
  LockEvent event{kind, acquisition_, side_->env.now(), use_.key};
  event.token = use_.token;
  event.valid_until = valid_until_;
  return event;
}

void ProtocolLease::tell(LockEvent::Kind kind) const { side_->observer.on_event(event(kind)); }

bool ProtocolLease::held() {
  if (released_) return false;
  if (bounded() && side_->env.now() >= valid_until_) over_ = true;
  return !over_;
}

Task<bool> ProtocolLease::lost_or(Instant until) {
  co_await Sleep(side_->env, until);
  co_return !held();
}

Task<ReleaseOutcome> ProtocolLease::release() {
  tell(LockEvent::Kind::release_called);
  released_ = true;
  co_await Checkpoint(side_->env, Point::before_release);
  tell(LockEvent::Kind::release_sent);
  const StepsEnd end = co_await run_steps(side_, side_->protocol.release, use_);
  ReleaseOutcome outcome = ReleaseOutcome::unknown;
  if (end == StepsEnd::done) outcome = ReleaseOutcome::released;
  if (end == StepsEnd::refused) outcome = ReleaseOutcome::already_expired;
  co_await Checkpoint(side_->env, Point::released);
  LockEvent told = event(LockEvent::Kind::released);
  told.release_outcome = outcome;
  side_->observer.on_event(told);
  co_return outcome;
}

namespace {

Task<void> keep_renewing(std::shared_ptr<ProtocolLease> lease) {
  ProtocolSide& side = lease->side();
  while (lease->open()) {
    co_await Sleep(side.env, side.env.now() + side.protocol.every);
    if (!lease->open()) break;
    co_await Checkpoint(side.env, Point::before_renew);
    const Instant sent = side.env.now();
    lease->tell(LockEvent::Kind::renewal_sent);
    const StepsEnd end =
        co_await run_steps(lease->shared_side(), side.protocol.renew, lease->use());
    if (end == StepsEnd::refused) break;
    if (end != StepsEnd::done || !lease->open()) continue;
    lease->believe(sent);
    lease->tell(LockEvent::Kind::renewed);
    co_await Checkpoint(side.env, Point::renewed);
  }
}

}  // namespace

void start_renewing(const std::shared_ptr<ProtocolLease>& lease) {
  const ProtocolSide& side = lease->side();
  if (side.protocol.renew.empty() || side.protocol.every <= Duration::zero()) return;
  lease->side().env.spawn(keep_renewing(lease), Lane::watchdog);
}

}  // namespace holdfast::workload
