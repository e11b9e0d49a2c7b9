#include "lockcore/release.h"

#include <string>
#include <utility>

#include "lockcore/quorum.h"
#include "lockcore/scripts.h"

namespace holdfast {

namespace {

enum class Deletion : std::uint8_t {
  unknown,  // no definite answer, or absent at a retry: perhaps our own first try deleted it
  deleted,
  absent,
  foreign,
};

Deletion read(const CallResult& result, bool first_try) {
  if (result.reply.is_integer(1)) return Deletion::deleted;
  if (!result.answered() || !first_try) return Deletion::unknown;
  if (result.reply.is_integer(0)) return Deletion::absent;
  if (result.reply.is_integer(-1)) return Deletion::foreign;
  return Deletion::unknown;
}

// By its source, unless this very connection has seen the script work: a release waits behind
// commands that may be answered long after anybody listens, and then nobody would answer NOSCRIPT
// with the source. The bytes are few.
Task<CallResult> send_release(std::shared_ptr<Hold> hold, std::size_t node, ScriptCall call,
                              Instant until) {
  RedisClient& client = *hold->nodes[node];
  std::uint64_t& seen = hold->client->release_seen[node];
  const bool shared = hold->options.replicas == 0;
  const std::uint64_t generation = client.generation();
  const Replication no_wait;
  LateReply nobody;
  Written written;
  if (shared && generation != 0 && seen == generation) {
    written = co_await eval(client, call, no_wait, until, std::move(nobody), kUntilTheDeadline);
  } else {
    Command by_source = as_eval(call);
    written = co_await write(client, std::move(by_source), no_wait, until, std::move(nobody));
  }
  if (shared && written.result.answered()) seen = client.generation();
  co_return std::move(written.result);
}

// release_begins() was called for it. Compare-and-delete on one node until a definite answer or
// `until`. The call waits that long by itself; it ends earlier only when the connection died (the
// next try uses a new one) or the node refused.
Task<Deletion> delete_on_node(std::shared_ptr<Hold> hold, std::size_t node, std::string token,
                              Instant until) {
  Env& env = hold->env();
  const ScriptCall call = {&kReleaseScript, {hold->key}, {token}};
  const Duration pause = hold->terms.node_deadline / 2;
  Deletion deletion = Deletion::unknown;
  bool answered = false;
  bool first_try = true;
  for (;;) {
    const CallResult result = co_await send_release(hold, node, call, until);
    deletion = read(result, first_try);
    answered = result.answered();
    if (answered) break;
    if (result.known == Known::maybe_executed) first_try = false;
    const Instant again = env.now() + pause;
    if (again >= until) break;
    co_await Sleep(env, again);
  }
  // What is under way behind a WAIT is dropped by the node when it sees its connection closed: that
  // stays open as long as there may be a key to delete.
  if (!answered && hold->options.replicas > 0) {
    const Instant gone = env.now() + hold->terms.ttl;
    co_await Sleep(env, gone);
  }
  hold->release_ends();
  co_return deletion;
}

Task<void> delete_unattended(std::shared_ptr<Hold> hold, std::size_t node, std::string token,
                             Instant until) {
  co_await delete_on_node(std::move(hold), node, std::move(token), until);
}

void spawn_deletion(const std::shared_ptr<Hold>& hold, std::size_t node, Lane lane) {
  Env& env = hold->env();
  const Instant until = env.now() + hold->terms.cleanup_budget;
  hold->release_begins();
  env.spawn(delete_unattended(hold, node, hold->token.text(), until), lane);
}

// What release() counts: the deletions while the promise lasts, any definite answer after it.
Task<Vote<Deletion>> vote_on_node(std::shared_ptr<Hold> hold, std::size_t node, Instant until,
                                  bool any_definite) {
  std::string token = hold->token.text();
  Vote<Deletion> vote;
  vote.value = co_await delete_on_node(std::move(hold), node, std::move(token), until);
  vote.yes = vote.value == Deletion::deleted || (any_definite && vote.value != Deletion::unknown);
  co_return vote;
}

void tell_release_sent(const Hold& hold, Instant now, bool cleanup) {
  LockEvent sent = hold.event(LockEvent::Kind::release_sent, now);
  sent.token = hold.token.text();
  sent.cleanup = cleanup;
  hold.observer().on_event(sent);
}

// The promise ended by more than the call of release().
bool is_over(const Hold& hold, Instant now) {
  return now >= hold.valid_until() || hold.loss() != LossReason::released;
}

struct Verdict {
  ReleaseOutcome outcome = ReleaseOutcome::unknown;
  std::string_view text = "no quorum of definite answers";
};

// DESIGN §4.10. `lasted`: the promise held when release was called; `over`: it is over now.
Verdict decide(const Tally<Deletion>& tally, std::size_t quorum, bool lasted, bool over) {
  std::size_t deleted = 0;
  std::size_t absent = 0;
  std::size_t foreign = 0;
  for (const auto& vote : tally.votes) {
    if (!vote) continue;
    if (vote->value == Deletion::deleted) ++deleted;
    if (vote->value == Deletion::absent) ++absent;
    if (vote->value == Deletion::foreign) ++foreign;
  }
  if (lasted && deleted >= quorum) return {ReleaseOutcome::released, {}};
  if (foreign >= quorum) return {ReleaseOutcome::not_owner, "another owner held the lock"};
  if (deleted + absent + foreign < quorum) return {};
  if (over) return {ReleaseOutcome::already_expired, "the lease had ended before"};
  return {ReleaseOutcome::unknown, "the key was gone before the lease had ended"};
}

}  // namespace

void clean_up(const std::shared_ptr<Hold>& hold) {
  tell_release_sent(*hold, hold->env().now(), true);
  for (std::size_t node = 0; node < hold->size(); ++node) {
    spawn_deletion(hold, node, Lane::caller);
  }
}

void release_again(const std::shared_ptr<Hold>& hold, std::size_t node) {
  if (hold->release_called) return;
  tell_release_sent(*hold, hold->env().now(), true);
  spawn_deletion(hold, node, Lane::watchdog);
}

namespace {

// A second release() waits for the first.
Task<ReleaseOutcome> same_release(std::shared_ptr<Hold> hold) {
  while (!hold->released) {
    const Instant always = hold->env().now() + std::chrono::hours(24);
    co_await Wait(hold->changed, always);
  }
  co_return *hold->released;
}

Task<Tally<Deletion>> delete_on_all(std::shared_ptr<Hold> hold) {
  Env& env = hold->env();
  const Terms& terms = hold->terms;
  const Instant now = env.now();
  const bool over = is_over(*hold, now);
  tell_release_sent(*hold, now, false);
  Children<Deletion> children;
  children.reserve(hold->size());
  for (std::size_t node = 0; node < hold->size(); ++node) {
    hold->release_begins();
    children.push_back(vote_on_node(hold, node, now + terms.cleanup_budget, over));
  }
  const Instant deadline = now + terms.node_deadline;
  const std::optional<Point> no_point;
  co_return co_await quorum(env, Lane::caller, std::move(children), terms.quorum, deadline,
                            no_point);
}

}  // namespace

Task<ReleaseOutcome> release(std::shared_ptr<Hold> hold) {
  if (hold->release_called) {
    co_return co_await same_release(hold);
  }
  Env& env = hold->env();
  const bool lasted = hold->check(env.now());  // tells a loss that nobody has noticed yet
  hold->tell(LockEvent::Kind::release_called);
  hold->release_called = true;
  hold->disarm(LossReason::released);
  hold->lost.request_stop();
  hold->changed.notify();

  co_await Checkpoint(env, Point::before_release);
  const Instant earliest = hold->acquired_at + hold->options.min_hold;
  if (env.now() < earliest) {
    co_await Sleep(env, earliest);
  }

  Tally<Deletion> tally = co_await delete_on_all(hold);
  hold->retire();
  const bool over = is_over(*hold, env.now());
  const Verdict verdict = decide(tally, hold->terms.quorum, lasted, over);
  co_await Checkpoint(env, Point::released);

  hold->released = verdict.outcome;
  LockEvent released = hold->event(LockEvent::Kind::released, env.now());
  released.token = hold->token.text();
  released.release_outcome = verdict.outcome;
  released.text = verdict.text;
  hold->observer().on_event(released);
  hold->changed.notify();
  co_return verdict.outcome;
}

}  // namespace holdfast
