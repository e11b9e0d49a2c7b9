// Acquiring a lock, step by step as in the Redlock paper; a single instance is a quorum of one.
#include <algorithm>
#include <span>
#include <utility>

#include "lockcore/lease.h"
#include "lockcore/lock.h"
#include "lockcore/release.h"
#include "lockcore/round.h"
#include "lockcore/watchdog.h"

namespace holdfast {

namespace {

using Says = NodeAnswer::Kind;

struct Attempt {
  AcquireOutcome outcome = AcquireOutcome::unreachable;
  Tally<NodeAnswer> tally = {};
};

// Why too few nodes said yes.
AcquireOutcome failure(const Tally<NodeAnswer>& tally) {
  std::size_t foreign = 0;
  std::size_t refused = 0;
  std::size_t unacknowledged = 0;
  for (const auto& vote : tally.votes) {
    if (!vote) continue;
    if (vote->value.kind == Says::foreign) ++foreign;
    if (vote->value.kind == Says::refused) ++refused;
    if (vote->value.kind == Says::unacknowledged) ++unacknowledged;
  }
  const std::size_t spare = tally.votes.size() - tally.need;
  if (unacknowledged > spare) return AcquireOutcome::no_replica_ack;
  if (foreign > spare) return AcquireOutcome::taken;
  if (refused > 0 && foreign + refused > spare) return AcquireOutcome::refused;
  return AcquireOutcome::unreachable;
}

// Every node has answered, and none holds our token: there is nothing to release.
bool left_nothing(const Tally<NodeAnswer>& tally) {
  return std::all_of(tally.votes.begin(), tally.votes.end(),
                     [](const auto& vote) { return vote && vote->value.left_nothing(); });
}

void tell_checked(const Hold& hold, Instant t2, Instant valid_until) {
  LockEvent checked = hold.event(LockEvent::Kind::validity_checked, t2);
  checked.token = hold.token.text();
  checked.valid_until = valid_until;
  hold.observer().on_event(checked);
}

// One try: at most the node deadline, however many nodes hang.
Task<Attempt> attempt(std::shared_ptr<Hold> hold) {
  Env& env = hold->env();
  Attempt result;
  hold->begin_attempt();

  // 1. The time before anything is sent.
  const Instant t1 = env.now();
  LockEvent event = hold->event(LockEvent::Kind::attempt_sent, t1);
  event.token = hold->token.text();
  hold->observer().on_event(event);

  // 2. All nodes in parallel, until a quorum said yes.
  auto round = detail::make_pooled<Round>(hold, Round::Kind::attempt, t1);
  const std::optional<Point> sent_point = Point::acquire_sent;
  result.tally = co_await Round::ask_all(round, round->deadline(), sent_point);

  // 3. Is what they confirmed still long enough, now that the last was counted?
  if (result.tally.reached()) {
    hold->tell(LockEvent::Kind::quorum_counted);
    co_await Checkpoint(env, Point::quorum_counted);
    const Instant t2 = env.now();
    const Instant valid_until = hold->confirmed_until();
    tell_checked(*hold, t2, valid_until);
    if (valid_until - t2 > hold->terms.min_validity) {
      hold->last_sent = t1;
      hold->acquired_at = t2;
      result.outcome = AcquireOutcome::acquired;
      co_return result;
    }
    result.outcome = AcquireOutcome::too_late;
  } else {
    result.outcome = failure(result.tally);
  }

  // 4. No: release all nodes, whatever they answered. The token is burnt.
  round->close();
  if (!left_nothing(result.tally)) clean_up(hold);
  hold->token.next_attempt();
  co_return result;
}

std::uint64_t random_number(Env& env) {
  std::uint64_t number = 0;
  env.random(std::as_writable_bytes(std::span(&number, 1)));
  return number;
}

// Sleeps until `until`; looks at the stop flag now and then when there is one.
Task<void> back_off(Env& env, Instant until, std::stop_token stop) {
  constexpr Duration kLook = std::chrono::milliseconds(20);
  for (;;) {
    const Instant now = env.now();
    if (now >= until || stop.stop_requested()) co_return;
    const Instant wake = stop.stop_possible() ? std::min(until, now + kLook) : until;
    co_await Sleep(env, wake);
  }
}

std::string_view said(const std::optional<Vote<NodeAnswer>>& vote) {
  if (!vote) return "no answer yet";
  switch (vote->value.kind) {
    case Says::yes:
      return "yes";
    case Says::unacknowledged:
      return "set, but too few replicas confirmed";
    case Says::foreign:
      return "held by another owner";
    case Says::absent:
      return "absent";
    default:
      return vote->value.text.empty() ? std::string_view("unknown") : vote->value.text;
  }
}

// "n1: yes; n2: held by another owner; n3: no answer yet"
std::string describe(const Attempt& last, const std::vector<Endpoint>& endpoints) {
  std::string text;
  if (last.outcome == AcquireOutcome::too_late) text = "too little validity was left; ";
  const auto& votes = last.tally.votes;
  for (std::size_t node = 0; node < votes.size(); ++node) {
    if (node > 0) text += "; ";
    text.append(endpoints[node].name).append(": ").append(said(votes[node]));
  }
  return text;
}

AcquireResult fail(LockNodes& client, std::uint64_t acquisition, const std::string& key,
                   AcquireResult result) {
  client.observer.on_event(LockEvent{.kind = LockEvent::Kind::acquire_failed,
                                     .acquisition = acquisition,
                                     .at = client.env.now(),
                                     .key = key,
                                     .acquire_outcome = result.outcome,
                                     .text = result.text});
  return result;
}

// The promise begins; the watchdog runs from here on, even while the caller stands still before it
// has got its lease.
Task<AcquireResult> hand_over(std::shared_ptr<Hold> hold, const Attempt& won) {
  hold->fencing_token = hold->counter_key.empty() ? 0 : won.tally.votes[0]->value.number;
  hold->arm();
  hold->env().spawn(watch(hold), Lane::watchdog);
  co_await Checkpoint(hold->env(), Point::acquired);

  LockEvent acquired = hold->event(LockEvent::Kind::acquired, hold->env().now());
  acquired.token = hold->token.text();
  acquired.valid_until = hold->valid_until();
  acquired.fencing_token = hold->fencing_token;
  hold->observer().on_event(acquired);
  hold->announce();
  AcquireResult result;
  result.outcome = AcquireOutcome::acquired;
  result.lease = detail::make_pooled<LeaseHandle>(hold);
  co_return result;
}

// Tries until acquired, out of time, or stopped.
Task<AcquireResult> acquire_on(std::shared_ptr<LockNodes> client, std::string key,
                               LockOptions options, std::stop_token stop) {
  Env& env = client->env;
  const Instant called = env.now();
  const std::uint64_t acquisition = ++client->acquisitions;
  client->observer.on_event(LockEvent{.kind = LockEvent::Kind::acquire_called,
                                      .acquisition = acquisition,
                                      .at = called,
                                      .key = key});
  AcquireResult result;
  result.text = invalid_reason(key, options, client->endpoints.size());
  if (!result.text.empty()) co_return fail(*client, acquisition, key, std::move(result));

  const Instant give_up = called + options.wait;
  auto hold = detail::make_pooled<Hold>(client, key, options);
  Attempt last;
  bool again = true;
  while (again) {
    if (stop.stop_requested()) {
      last.outcome = AcquireOutcome::cancelled;
      break;
    }
    last = co_await attempt(hold);
    if (last.outcome == AcquireOutcome::acquired) {
      co_return co_await hand_over(hold, last);
    }
    const Instant now = env.now();
    again = now < give_up;
    if (again) {
      const Duration pause = jittered(options.retry, options.retry_jitter, random_number(env));
      const Instant next = std::min(now + pause, give_up);
      co_await back_off(env, next, stop);
    }
  }
  hold->retire();
  result.outcome = last.outcome;
  result.text = describe(last, client->endpoints);
  if (last.outcome == AcquireOutcome::no_replica_ack && last.tally.votes[0]) {
    result.replicas_acknowledged = last.tally.votes[0]->value.acknowledged;
  }
  co_return fail(*client, acquisition, key, std::move(result));
}

}  // namespace

struct LockClient::State : LockNodes {};

LockClient::LockClient(Env& env, std::vector<Endpoint> nodes, Observer& observer)
    : state_(std::make_shared<State>(LockNodes{env, observer, std::move(nodes)})) {}
LockClient::~LockClient() = default;

const std::vector<Endpoint>& LockClient::nodes() const { return state_->endpoints; }

Task<AcquireResult> LockClient::acquire(std::string key, LockOptions options,
                                        std::stop_token stop) {
  return acquire_on(state_, std::move(key), options, std::move(stop));
}

}  // namespace holdfast
