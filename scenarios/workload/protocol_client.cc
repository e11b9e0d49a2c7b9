#include "scenarios/workload/protocol_client.h"

#include <array>
#include <optional>
#include <utility>

#include "lockcore/signal.h"
#include "scenarios/workload/observer_bridge.h"

namespace holdfast::workload {

using scenario::Believes;
using scenario::Protocol;
using scenario::ProtocolStep;
using scenario::TokenKind;

struct ProtocolClient::State {
  Env& env;
  std::vector<Endpoint> nodes;
  const Protocol& protocol;
  std::string process_token;
  Observer& observer;
  std::uint64_t acquisitions = 0;
};

namespace {

using State = ProtocolClient::State;

std::string random_token(Env& env) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::array<std::byte, 16> bytes{};
  env.random(bytes);
  std::string token;
  for (const auto byte : bytes) {
    token.push_back(kDigits[std::to_integer<std::size_t>(byte >> 4)]);
    token.push_back(kDigits[std::to_integer<std::size_t>(byte & std::byte{15})]);
  }
  return token;
}

std::string new_token(State& state) {
  switch (state.protocol.token) {
    case TokenKind::constant:
      return "1";
    case TokenKind::process:
      return state.process_token;
    default:
      return random_token(state.env);
  }
}

// What one use of the protocol's steps works on.
struct Use {
  std::string key;
  std::string token;
  Duration lease{};
  Duration node_deadline{};
};

std::string substitute(const std::string& argument, const Use& use) {
  if (argument == "$key") return use.key;
  if (argument == "$token") return use.token;
  using std::chrono::duration_cast;
  if (argument == "$lease_ms")
    return std::to_string(duration_cast<std::chrono::milliseconds>(use.lease).count());
  if (argument == "$lease_s")
    return std::to_string(duration_cast<std::chrono::seconds>(use.lease).count());
  return argument;
}

bool as_expected(const CallResult& result, const std::optional<std::string>& expect) {
  if (!result.answered()) return false;
  if (!expect) return true;
  const Reply& reply = result.reply;
  if (reply.type == Reply::Type::integer) return std::to_string(reply.integer) == *expect;
  if (reply.is_nil()) return *expect == "nil";
  return reply.text == *expect;
}

enum class StepsEnd : std::uint8_t { done, refused, unknown };

// One node after the other, like the articles' loops. Without "quorum" there is one node.
Task<StepsEnd> send_step(State& state, const ProtocolStep& step, const Use& use) {
  std::size_t yes = 0;
  std::size_t unknown = 0;
  const std::size_t count = state.protocol.quorum ? state.nodes.size() : 1;
  for (std::size_t i = 0; i < count; ++i) {
    Command command;
    for (const auto& argument : step.send) command.add(substitute(argument, use));
    auto client = state.env.connect(state.nodes[i], Role::commands);
    const Instant deadline = state.env.now() + use.node_deadline;
    CallResult result = co_await Call(*client, std::move(command), deadline);
    if (as_expected(result, step.expect)) ++yes;
    if (!result.answered()) ++unknown;
  }
  if (yes > count / 2) co_return StepsEnd::done;
  co_return unknown > 0 ? StepsEnd::unknown : StepsEnd::refused;
}

Task<StepsEnd> run_steps(State& state, const std::vector<ProtocolStep>& steps, const Use& use) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (i > 0) {
      co_await Checkpoint(state.env, Point::protocol_step);
    }
    const ProtocolStep& step = steps[i];
    const StepsEnd end = co_await send_step(state, step, use);
    if (end != StepsEnd::done) co_return end;
  }
  co_return StepsEnd::done;
}

class ProtocolLease final : public Lease {
 public:
  ProtocolLease(std::shared_ptr<State> state, Use use, std::uint64_t acquisition, Instant sent)
      : state_(std::move(state)), use_(std::move(use)), acquisition_(acquisition) {
    believe(sent);
  }

  // The belief begins, or begins anew after a renewal sent at `sent` and answered now.
  void believe(Instant sent) {
    const Believes believes = state_->protocol.believes;
    if (believes == Believes::until_release) return;
    const Instant from = believes == Believes::ttl_from_send ? sent : state_->env.now();
    valid_until_ = from + use_.lease;
  }
  bool bounded() const { return state_->protocol.believes != Believes::until_release; }
  bool open() const { return !released_; }
  const Use& use() const { return use_; }
  LockEvent event(LockEvent::Kind kind) const {
    LockEvent event{kind, acquisition_, state_->env.now(), use_.key};
    event.token = use_.token;
    event.valid_until = valid_until_;
    return event;
  }
  void tell(LockEvent::Kind kind) const { state_->observer.on_event(event(kind)); }

  bool held() override {
    if (released_) return false;
    if (bounded() && state_->env.now() >= valid_until_) over_ = true;
    return !over_;
  }
  Instant valid_until() const override { return valid_until_; }
  std::int64_t fencing_token() const override { return 0; }
  const std::string& key() const override { return use_.key; }
  const std::string& token() const override { return use_.token; }
  std::uint64_t acquisition() const override { return acquisition_; }
  std::stop_token lost() const override { return lost_.get_token(); }
  std::optional<LossReason> loss() const override { return std::nullopt; }
  Task<bool> lost_or(Instant until) override {
    co_await Sleep(state_->env, until);
    co_return !held();
  }
  Task<ReleaseOutcome> release() override {
    tell(LockEvent::Kind::release_called);
    released_ = true;
    co_await Checkpoint(state_->env, Point::before_release);
    tell(LockEvent::Kind::release_sent);
    const StepsEnd end = co_await run_steps(*state_, state_->protocol.release, use_);
    LockEvent told = event(LockEvent::Kind::released);
    told.release_outcome = ReleaseOutcome::unknown;
    if (end == StepsEnd::done) told.release_outcome = ReleaseOutcome::released;
    if (end == StepsEnd::refused) told.release_outcome = ReleaseOutcome::already_expired;
    const ReleaseOutcome outcome = told.release_outcome;
    co_await Checkpoint(state_->env, Point::released);
    state_->observer.on_event(told);
    co_return outcome;
  }

 private:
  std::shared_ptr<State> state_;
  Use use_;
  std::uint64_t acquisition_;
  Instant valid_until_{Duration::max()};
  std::stop_source lost_;
  bool released_ = false;
  bool over_ = false;
};

Task<void> keep_renewing(std::shared_ptr<State> state, std::shared_ptr<ProtocolLease> lease) {
  while (lease->open()) {
    co_await Sleep(state->env, state->env.now() + state->protocol.every);
    if (!lease->open()) break;
    co_await Checkpoint(state->env, Point::before_renew);
    const Instant sent = state->env.now();
    lease->tell(LockEvent::Kind::renewal_sent);
    const StepsEnd end = co_await run_steps(*state, state->protocol.renew, lease->use());
    if (end == StepsEnd::refused) break;
    if (end != StepsEnd::done || !lease->open()) continue;
    lease->believe(sent);
    lease->tell(LockEvent::Kind::renewed);
    co_await Checkpoint(state->env, Point::renewed);
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

}  // namespace

ProtocolClient::ProtocolClient(Env& env, std::vector<Endpoint> nodes, const Protocol& protocol,
                               std::string process_token, Observer& observer)
    : state_(std::make_shared<State>(
          State{env, std::move(nodes), protocol, std::move(process_token), observer})) {}

Task<AcquireResult> ProtocolClient::acquire(std::string key, LockOptions options,
                                            std::stop_token stop) {
  const auto state = state_;
  Env& env = state->env;
  const std::uint64_t acquisition = ++state->acquisitions;
  Use use{key, {}, state->protocol.lease, node_deadline(options)};
  if (use.lease == Duration::zero()) use.lease = options.ttl;
  state->observer.on_event({LockEvent::Kind::acquire_called, acquisition, env.now(), key});
  const Instant give_up = env.now() + options.wait;
  AcquireResult result;
  for (;;) {
    use.token = new_token(*state);
    const Instant sent = env.now();
    LockEvent attempt{LockEvent::Kind::attempt_sent, acquisition, sent, key};
    attempt.token = use.token;
    state->observer.on_event(attempt);
    const StepsEnd end = co_await run_steps(*state, state->protocol.acquire, use);
    if (end == StepsEnd::done) {
      co_await Checkpoint(env, Point::quorum_counted);
      auto lease = std::make_shared<ProtocolLease>(state, use, acquisition, sent);
      if (lease->bounded()) lease->tell(LockEvent::Kind::acquired);
      if (!state->protocol.renew.empty() && state->protocol.every > Duration::zero()) {
        env.spawn(keep_renewing(state, lease), Lane::watchdog);
      }
      co_await Checkpoint(env, Point::acquired);
      result.outcome = AcquireOutcome::acquired;
      result.lease = std::move(lease);
      co_return result;
    }
    result.outcome = end == StepsEnd::refused ? AcquireOutcome::taken : AcquireOutcome::unreachable;
    // A failed majority gives back what it took, as both articles' loops do.
    if (state->protocol.quorum) {
      co_await run_steps(*state, state->protocol.release, use);
    }
    const Duration pause = pause_between_tries(env, options);
    if (stop.stop_requested() || env.now() + pause > give_up) co_return result;
    co_await Sleep(env, env.now() + pause);
  }
}

}  // namespace holdfast::workload
