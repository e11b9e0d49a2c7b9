#include "scenarios/workload/protocol_client.h"

#include <array>
#include <optional>
#include <utility>

#include "scenarios/workload/observer_bridge.h"
#include "scenarios/workload/protocol_lease.h"
#include "scenarios/workload/protocol_steps.h"

namespace holdfast::workload {

using scenario::Protocol;
using scenario::ProtocolClock;
using scenario::TokenKind;

namespace {

// A reading of the clock that the protocol goes by.
Duration clock_of(ProtocolSide& side) {
  if (side.protocol.clock == ProtocolClock::wall) return side.env.wall_now().time_since_epoch();
  return side.env.now().time_since_epoch();
}

std::string token_for_call(ProtocolSide& side) {
  switch (side.protocol.token) {
    case TokenKind::constant:
      return "1";
    case TokenKind::process:
      return side.process_token;
    default:
      return random_token(side.env);
  }
}

Duration pause_between_tries(Env& env, const LockOptions& options) {
  if (options.retry_jitter <= 0) return options.retry;
  std::array<std::byte, 4> bytes{};
  env.random(bytes);
  std::int64_t draw = 0;
  for (const auto byte : bytes) draw = draw * 256 + std::to_integer<std::int64_t>(byte);
  const auto span = static_cast<std::int64_t>(options.retry_jitter * 1000.0);
  const std::int64_t per_mille = 1000 - span + draw % (2 * span + 1);
  return options.retry * per_mille / 1000;
}

// Gives back what a failed try may have taken, in the background and again while it goes
// unanswered.
Task<void> clean_up(std::shared_ptr<ProtocolSide> side, ProtocolUse use) {
  for (int i = 0; i < side->protocol.cleanup_tries; ++i) {
    const StepsEnd end = co_await run_steps(side, side->protocol.release, use);
    if (end != StepsEnd::unknown) co_return;
  }
}

struct Attempt {
  AcquireOutcome outcome = AcquireOutcome::taken;
  std::shared_ptr<ProtocolLease> lease = nullptr;
};

Task<Attempt> attempt(std::shared_ptr<ProtocolSide> side, ProtocolUse use,
                      std::uint64_t acquisition) {
  const Instant sent = side->env.now();
  const Duration started = clock_of(*side);
  LockEvent event{LockEvent::Kind::attempt_sent, acquisition, sent, use.key};
  event.token = use.token;
  side->observer.on_event(event);
  const StepsEnd end = co_await run_steps(side, side->protocol.acquire, use);
  Attempt result;
  result.outcome = end == StepsEnd::unknown ? AcquireOutcome::unreachable : AcquireOutcome::taken;
  if (end != StepsEnd::done) co_return result;
  co_await Checkpoint(side->env, Point::quorum_counted);
  if (side->protocol.check_elapsed && clock_of(*side) - started >= use.lease) {
    result.outcome = AcquireOutcome::too_late;
    co_return result;
  }
  result.outcome = AcquireOutcome::acquired;
  result.lease = std::make_shared<ProtocolLease>(side, std::move(use), acquisition, sent);
  co_return result;
}

}  // namespace

ProtocolClient::ProtocolClient(Env& env, std::vector<Endpoint> nodes, const Protocol& protocol,
                               std::string process_token, Observer& observer)
    : side_(std::make_shared<ProtocolSide>(
          ProtocolSide{env, std::move(nodes), protocol, std::move(process_token), observer})) {}

Task<AcquireResult> ProtocolClient::acquire(std::string key, LockOptions options,
                                            std::stop_token stop) {
  const auto side = side_;
  Env& env = side->env;
  const std::uint64_t acquisition = ++side->acquisitions;
  ProtocolUse use{key, {}, side->protocol.lease, node_deadline(options)};
  if (use.lease == Duration::zero()) use.lease = options.ttl;
  side->observer.on_event({LockEvent::Kind::acquire_called, acquisition, env.now(), key});
  const Duration give_up = clock_of(*side) + options.wait;
  AcquireResult result;
  for (;;) {
    const bool keep = side->protocol.token == TokenKind::per_call && !use.token.empty();
    if (!keep) use.token = token_for_call(*side);
    Attempt one = co_await attempt(side, use, acquisition);
    result.outcome = one.outcome;
    if (one.lease) {
      if (one.lease->bounded()) one.lease->tell(LockEvent::Kind::acquired);
      start_renewing(one.lease);
      co_await Checkpoint(env, Point::acquired);
      result.lease = std::move(one.lease);
      co_return result;
    }
    if (side->protocol.cleanup_tries > 0) env.spawn(clean_up(side, use), Lane::caller);
    const Duration pause = pause_between_tries(env, options);
    if (stop.stop_requested() || clock_of(*side) + pause > give_up) co_return result;
    co_await Sleep(env, env.now() + pause);
  }
}

}  // namespace holdfast::workload
