// progress: while a lock is free and a waiter can reach a quorum, *some* waiter acquires it within
// longest leftover TTL + longest poll + k rounds; k = 3, a round = longest poll + 2 node deadlines.
//
// The count runs for a waiter (an acquire call that has not returned) from the last of: it began to
// wait, a promise on the lock ended or an acquire succeeded, and enough addresses became open to
// it. An address is open when its node runs, is a master (with WAIT: has enough replicas that
// follow), the waiter runs and their link carries, and no leftover stands in the key. A leftover is
// a live key of someone who is not a running, connected waiter himself; it is waited for by its
// node's own clock, by when it expires and not by what was computed. Two exceptions keep leftovers
// from excusing everything: a key without a TTL excuses one more lease and no longer, and a TTL
// that a command prolonged more than a lease after the lock became free excuses nothing. A waiter
// whose attempts did not execute on a quorum meanwhile was not served, for whatever reason (nodes
// that answer errors), and is not counted. That one waiter starves while others get the lock is not
// judged here.
//
// Held only when somebody who asked got the lock, and nobody waited in vain to the end. Not judged:
// the world does not see the keys or when promises end, nobody asked for a lock, nobody got one
// while no bound ended within the run, or a waiter waited for longer than a lease and the bound for
// a lock that nobody was promised, and gave up (or the run did) before his own bound ended.
#include <algorithm>
#include <bit>
#include <limits>

#include "reports/judge/invariants.h"
#include "reports/judge/time_words.h"

namespace holdfast::judge {
namespace {

using history::Kind;

constexpr Nanos kRounds = 3;

class Progress {
 public:
  Progress(Case& one, LockIndex lock)
      : case_(one),
        timeline_(one.timeline),
        setup_(one.lock(lock)),
        lock_(lock),
        first_cell_(one.timeline.first_cell(lock)),
        reach_(one.workspace.reachability),
        cells_(one.workspace.cells),
        live_(one.workspace.active),
        waiters_(one.workspace.waiters) {
    round_ = setup_.poll + 2 * setup_.node_deadline;
    bound_ = setup_.poll + kRounds * round_ + one.history.setup.slack;
  }

  // False when nobody asked for the lock.
  bool judge();
  // What kept it from being judged; empty when it is held or violated.
  const std::string& why_not() const { return why_not_; }

 private:
  bool long_wait() const;
  void replay();
  void check(Nanos now);
  void apply(EventIndex index);
  void apply_actor(const Event& event, EventIndex index);
  void assess(Nanos now);
  void assess_one(Waiter& waiter, Nanos now);
  bool open_to(const Waiter& waiter, std::uint32_t slot, Nanos now, bool& eternal) const;
  bool stands(const Holding& holding, Nanos now) const;
  void gave_up(const Waiter& waiter, Nanos now);
  std::string bound_beyond(const Waiter& waiter, Nanos since, Nanos now) const;
  void witness(const Waiter& waiter, Nanos due);

  Case& case_;
  const Timeline& timeline_;
  const history::LockSetup& setup_;
  LockIndex lock_;
  std::uint32_t first_cell_;
  Reachability& reach_;
  std::vector<HoldingIndex>& cells_;
  std::vector<GrantIndex>& live_;  // with a live promise
  std::vector<Waiter>& waiters_;
  Nanos round_ = 0, bound_ = 0;
  Nanos free_since_ = 0;
  std::size_t next_change_ = 0;
  bool changed_ = false;
  std::string why_not_;
};

constexpr Nanos kNever = std::numeric_limits<Nanos>::max();
constexpr Nanos kUnknown = kNever - 1;

bool Progress::judge() {
  bool asked = false;
  bool got = false;
  for (std::size_t i = 1; i < timeline_.grants.size(); ++i) {
    const Grant& grant = timeline_.grants[i];
    if (grant.lock != lock_ || !grant.promise_judged) continue;
    asked = true;
    got = got || grant.acquired;
  }
  if (asked && !got) why_not_ = "nobody got the lock, and no bound ended within the run";
  if (asked && long_wait()) replay();
  return asked;
}

// Most histories need no replay: nobody waited for as long as the bound while nobody was promised
// the lock.
bool Progress::long_wait() const {
  for (std::size_t i = 1; i < timeline_.grants.size(); ++i) {
    const Grant& waiter = timeline_.grants[i];
    if (waiter.lock != lock_ || !waiter.called.happened()) continue;
    const Nanos until = waiter.returned.happened() ? waiter.returned.at : timeline_.end;
    Nanos free = waiter.called.at;
    if (until - free <= bound_) continue;
    for (const GrantIndex index : timeline_.acquired) {  // in the order in which promises begin
      const Grant& holder = case_.grant(index);
      if (holder.lock != lock_ || holder.returned.at >= until) continue;
      if (holder.returned.at - free > bound_) return true;
      free = std::max({free, holder.returned.at, holder.promise.end});
    }
    if (until - free > bound_) return true;
  }
  return false;
}

void Progress::replay() {
  reach_.reset(case_.history);
  cells_.assign(timeline_.cells(), 0);
  live_.clear();
  waiters_.clear();
  const auto& events = case_.history.events;
  for (EventIndex i = 0; i < events.size();) {
    const Nanos now = events[i].at;
    check(now);
    for (; i < events.size() && events[i].at == now; ++i) apply(i);
    if (changed_) assess(now);
    changed_ = false;
  }
  for (const Waiter& waiter : waiters_) gave_up(waiter, timeline_.end);
}

// Whoever has been entitled for longer than the bound just before `now` has waited in vain.
void Progress::check(Nanos now) {
  for (Waiter& waiter : waiters_) {
    if (waiter.since < 0 || waiter.told) continue;
    Nanos due = waiter.since + bound_ + (waiter.eternal ? setup_.ttl : 0);
    if (now <= due) continue;
    assess_one(waiter, due);  // an attempt's key may have become a leftover
    if (waiter.since < 0) continue;
    due = waiter.since + bound_ + (waiter.eternal ? setup_.ttl : 0);
    if (now <= due) continue;
    const auto served = static_cast<std::uint32_t>(std::popcount(waiter.served));
    if (waiter.last_attempt >= waiter.since && served < std::min(setup_.quorum, 64U)) continue;
    waiter.told = true;
    witness(waiter, due);
  }
}

void Progress::apply(EventIndex index) {
  const Event& event = case_.event(index);
  for (; next_change_ < timeline_.changes.size() && timeline_.changes[next_change_].event <= index;
       ++next_change_) {
    cells_[timeline_.changes[next_change_].cell] = timeline_.changes[next_change_].holding;
    changed_ = true;
  }
  changed_ = reach_.apply(event) || changed_;
  if (event.kind == Kind::command_executed && timeline_.lock_of(event.resource) == lock_) {
    for (Waiter& waiter : waiters_) {
      if (case_.grant(waiter.grant).actor != event.actor) continue;
      for (std::uint32_t slot = 0; slot < setup_.nodes.size() && slot < 64; ++slot) {
        if (reach_.behind(setup_.nodes[slot]) == event.node) waiter.served |= 1ULL << slot;
      }
    }
  }
  if (event.actor != 0) apply_actor(event, index);
  const auto ended = std::erase_if(
      live_, [&](GrantIndex grant) { return case_.grant(grant).promise_end <= index; });
  if (ended == 0) return;
  changed_ = true;
  if (live_.empty()) free_since_ = event.at;
}

void Progress::apply_actor(const Event& event, EventIndex index) {
  if (event.kind == Kind::process_crashed) {
    changed_ = true;
    std::erase_if(waiters_, [&](const Waiter& waiter) {
      return case_.grant(waiter.grant).crashed.event == index;
    });
    return;
  }
  if (event.kind != Kind::acquire_called && event.kind != Kind::attempt_sent &&
      event.kind != Kind::acquire_returned) {
    return;
  }
  const GrantIndex grant = timeline_.find(event.actor, event.grant);
  if (grant == 0 || case_.grant(grant).lock != lock_) return;
  changed_ = true;
  if (event.kind == Kind::acquire_called) {
    waiters_.push_back({.grant = grant});
  } else if (event.kind == Kind::attempt_sent) {
    for (Waiter& waiter : waiters_) {
      if (waiter.grant == grant) waiter.last_attempt = event.at;
    }
  } else {
    for (const Waiter& waiter : waiters_) {
      if (waiter.grant == grant && event.a != 0) gave_up(waiter, event.at);
    }
    std::erase_if(waiters_, [&](const Waiter& waiter) { return waiter.grant == grant; });
    if (event.a != 0) return;
    why_not_.clear();  // whoever had waited in vain: somebody has got in since
    for (Waiter& waiter : waiters_) waiter.since = -1;
    free_since_ = event.at;
    if (!case_.grant(grant).promise.empty()) live_.push_back(grant);
  }
}

// Whether the key keeps others out until it is gone.
bool Progress::stands(const Holding& holding, Nanos now) const {
  for (const Waiter& other : waiters_) {
    if (other.grant != holding.grant || now - holding.from >= round_) continue;
    const ActorId actor = case_.grant(other.grant).actor;
    if (reach_.runs(actor) && reach_.reaches(actor, holding.node)) return false;
  }
  const bool prolonged = case_.event(holding.opened).kind == Kind::key_ttl_changed &&
                         case_.event(holding.opened).actor != 0;
  return !prolonged || holding.from <= free_since_ + setup_.ttl;
}

bool Progress::open_to(const Waiter& waiter, std::uint32_t slot, Nanos now, bool& eternal) const {
  const NodeId node = reach_.behind(setup_.nodes[slot]);
  if (!reach_.reaches(case_.grant(waiter.grant).actor, node) || !reach_.is_master(node)) {
    return false;
  }
  if (setup_.replicas > 0 && reach_.replicas(node) < setup_.replicas) return false;
  const HoldingIndex held = cells_[first_cell_ + slot];
  if (held == 0) return true;
  const Holding& holding = timeline_.holdings[held];
  if (!stands(holding, now)) return true;
  eternal = holding.deadline == kNoTtl;
  return eternal;
}

void Progress::assess(Nanos now) {
  for (Waiter& waiter : waiters_) assess_one(waiter, now);
}

void Progress::assess_one(Waiter& waiter, Nanos now) {
  std::uint32_t open = 0, eternal = 0;
  if (live_.empty() && reach_.runs(case_.grant(waiter.grant).actor)) {
    for (std::uint32_t slot = 0; slot < setup_.nodes.size(); ++slot) {
      bool without_ttl = false;
      if (open_to(waiter, slot, now, without_ttl)) ++open;
      if (without_ttl) ++eternal;
    }
  }
  if (open < setup_.quorum) {
    waiter = {.grant = waiter.grant, .last_attempt = waiter.last_attempt};
    return;
  }
  if (waiter.since < 0) {
    waiter = {.grant = waiter.grant, .since = now, .last_attempt = waiter.last_attempt};
  }
  waiter.eternal = waiter.eternal || open - eternal < setup_.quorum;
}

// A wait that ended without the lock, and that no bound has decided.
void Progress::gave_up(const Waiter& waiter, Nanos now) {
  if (waiter.told || !live_.empty()) return;
  const Nanos since = std::max(case_.grant(waiter.grant).called.at, free_since_);
  if (now - since > setup_.ttl + bound_) why_not_ = bound_beyond(waiter, since, now);
}

// When a quorum of the lock's addresses would have been open to the waiter for as long as the
// bound.
std::string Progress::bound_beyond(const Waiter& waiter, Nanos since, Nanos now) const {
  const ActorId actor = case_.grant(waiter.grant).actor;
  std::vector<Nanos> open;
  for (std::uint32_t slot = 0; slot < setup_.nodes.size(); ++slot) {
    const NodeId node = reach_.behind(setup_.nodes[slot]);
    const HoldingIndex held = cells_[first_cell_ + slot];
    const bool reached = reach_.runs(actor) && reach_.reaches(actor, node);
    bool eternal = false;
    Nanos when = kNever;  // out of reach, or too few replicas
    if (reached && open_to(waiter, slot, now, eternal)) {
      when = now;
    } else if (reached && reach_.is_master(node) && held != 0) {
      const Nanos deadline = timeline_.holdings[held].deadline;
      when = deadline >= 0 ? deadline : kUnknown;
    }
    open.push_back(when);
  }
  std::sort(open.begin(), open.end());
  const Nanos quorum = open[std::min<std::size_t>(setup_.quorum, open.size()) - 1];
  if (quorum == kNever) return "a waiter had no quorum within reach";
  if (quorum == kUnknown) return "the bound, whose end nobody knows, lies beyond the run";
  if (quorum <= now) return "no quorum executed a waiter's tries";
  return "the bound, " + span_text(quorum + bound_ - since) + ", lies beyond the run";
}

void Progress::witness(const Waiter& waiter, Nanos due) {
  Witness& witness = case_.violated(Invariant::progress);
  const Grant& grant = case_.grant(waiter.grant);
  witness.resource = setup_.resource;
  witness.first_actor = grant.actor;
  witness.first_grant = grant.id;
  witness.first = {grant.called.at, grant.returned.happened() ? grant.returned.at : timeline_.end};
  witness.overlap = {waiter.since, due};
  add_event(witness, grant.called.event);
  for (std::uint32_t slot = 0; slot < setup_.nodes.size(); ++slot) {
    const HoldingIndex held = cells_[first_cell_ + slot];
    if (held != 0) add_event(witness, timeline_.holdings[held].opened);
  }
}

}  // namespace

void progress(Case& one) {
  if (!one.history.setup.evidence.server_keys) {
    one.close(Invariant::progress, "no record of the servers' keys");
    return;
  }
  bool asked = false;
  std::string why_not;
  const auto locks = static_cast<LockIndex>(one.history.setup.locks.size());
  for (LockIndex lock = 0; lock < locks; ++lock) {
    Progress progress(one, lock);
    asked = progress.judge() || asked;
    if (why_not.empty()) why_not = progress.why_not();
  }
  if (!asked) why_not = "nobody asked for a lock whose promises are known";
  one.close(Invariant::progress, why_not);
}

}  // namespace holdfast::judge
