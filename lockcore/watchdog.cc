#include "lockcore/watchdog.h"

#include <algorithm>

#include "lockcore/round.h"

namespace holdfast {

namespace {

std::string_view why_not(const Tally<NodeAnswer>& tally) {
  for (const auto& vote : tally.votes) {
    if (vote && !vote->yes && !vote->value.text.empty()) return vote->value.text;
  }
  return "too few nodes confirmed in time";
}

void tell_renewed(const Hold& hold, Instant t2) {
  LockEvent checked = hold.event(LockEvent::Kind::validity_checked, t2);
  checked.token = hold.token.text();
  checked.renewal = true;
  checked.valid_until = hold.valid_until();
  hold.observer().on_event(checked);
  checked.kind = LockEvent::Kind::renewed;
  hold.observer().on_event(checked);
}

// One round. A node's confirmation counts as it arrives; a quorum of them is a renewal. Waits for
// it no longer than until the promise ends, because that must be told in time.
Task<bool> renew(std::shared_ptr<Hold> hold, Instant give_up) {
  Env& env = hold->env();
  co_await Checkpoint(env, Point::before_renew);
  const Instant sent = env.now();
  if (!hold->check(sent)) co_return false;

  LockEvent event = hold->event(LockEvent::Kind::renewal_sent, sent);
  event.token = hold->token.text();
  event.renewal = true;
  hold->observer().on_event(event);
  auto round = detail::make_pooled<Round>(hold, Round::Kind::renewal, sent);
  const Instant until = std::min({round->deadline(), hold->valid_until(), give_up});
  const std::optional<Point> no_point;
  const Tally<NodeAnswer> tally = co_await Round::ask_all(round, until, no_point);

  const Instant t2 = env.now();
  if (!hold->check(t2)) co_return false;  // over meanwhile: lost or released
  if (!tally.reached()) {
    LockEvent failed = hold->event(LockEvent::Kind::renewal_failed, t2);
    failed.token = hold->token.text();
    failed.renewal = true;
    failed.text = why_not(tally);
    hold->observer().on_event(failed);
    co_return false;
  }
  hold->last_sent = sent;
  tell_renewed(*hold, t2);
  co_await Checkpoint(env, Point::renewed);
  co_return true;
}

}  // namespace

Task<void> watch(std::shared_ptr<Hold> hold) {
  Env& env = hold->env();
  const Terms& terms = hold->terms;
  const Instant give_up =
      hold->options.max_hold ? hold->acquired_at + *hold->options.max_hold : Instant::max();
  const bool renews = hold->options.watchdog;
  Instant next = hold->last_sent + terms.renew_every;
  while (hold->check(env.now())) {
    const Instant now = env.now();
    if (now >= give_up) {
      hold->lose(LossReason::max_hold);
    } else if (renews && now >= next) {
      const bool renewed = co_await renew(hold, give_up);
      next = renewed ? hold->last_sent + terms.renew_every : now + terms.renew_again;
    } else {
      Instant wake = std::min(hold->valid_until(), give_up);
      if (renews) wake = std::min(wake, next);
      co_await Wait(hold->changed, wake);
    }
  }
}

}  // namespace holdfast
