#include "reports/judge/timeline.h"

#include <algorithm>

namespace holdfast::judge {

using history::Belief;
using history::History;
using history::Kind;
using history::LockSetup;
using history::Setup;

void Timeline::build(const History& history) {
  prepare(history);
  const auto count = static_cast<EventIndex>(history.events.size());
  for (EventIndex i = 0; i < count; ++i) {
    const Event& event = history.events[i];
    const Moment now{event.at, i};
    switch (event.kind) {
      case Kind::process_started:
      case Kind::process_paused:
      case Kind::process_resumed:
      case Kind::process_crashed:
      case Kind::client_done:
        on_process(event, now);
        break;
      case Kind::acquire_called:
      case Kind::attempt_sent:
      case Kind::acquire_returned:
        on_acquire(event, now);
        break;
      case Kind::validity_checked:
        validities.push_back(i);
        break;
      case Kind::valid_until_reached:
      case Kind::lost_told:
      case Kind::held_returned:
      case Kind::renewal_sent:
        on_handle(event, now);
        break;
      case Kind::release_called:
      case Kind::release_sent:
      case Kind::release_returned:
      case Kind::section_left:
        on_release(event, now);
        break;
      case Kind::access_executed:
        accesses.push_back(i);
        break;
      case Kind::key_set:
      case Kind::key_ttl_changed:
      case Kind::key_deleted:
      case Kind::key_expired:
      case Kind::key_revived:
      case Kind::key_dropped:
        on_key(event, now);
        break;
      default:
        on_node(event, now);
        break;
    }
  }
  finish();
}

void Timeline::prepare(const History& history) {
  history_ = &history;
  end = history.events.empty() ? 0 : history.events.back().at;
  grants.resize(1);
  acquired.clear();
  holdings.resize(1);
  changes.clear();
  touches.clear();
  pauses.clear();
  accesses.clear();
  renewals.clear();
  helds.clear();
  validities.clear();
  faults.clear();
  environment_failed = kNoEvent;
  out_of_budget = false;
  reachability = false;

  const Setup& setup = history.setup;
  locks_ = setup.locks.size();
  nodes_ = history.nodes.size();
  actors_.assign(history.actors.size(), Actor());
  for (const ActorId client : setup.clients) {
    if (client < actors_.size()) actors_[client].client = true;
  }
  tokens_.assign(history.tokens.size(), Token());
  node_cells_.assign(nodes_ * locks_, Cell());
  down_.assign(nodes_, 0);
  behind_.resize(nodes_);
  for (std::size_t node = 0; node < nodes_; ++node) behind_[node] = static_cast<NodeId>(node);
  lock_of_.assign(history.resources.size(), kNoLock);
  prepare_locks(setup);
}

namespace {

bool guards(const LockSetup& lock, ResourceId resource) {
  if (lock.guards.empty()) return lock.resource == resource;
  return std::find(lock.guards.begin(), lock.guards.end(), resource) != lock.guards.end();
}

bool guard_one_resource(const LockSetup& a, const LockSetup& b) {
  if (a.guards.empty()) return guards(b, a.resource);
  for (const ResourceId resource : a.guards) {
    if (guards(b, resource)) return true;
  }
  return false;
}

}  // namespace

void Timeline::prepare_locks(const Setup& setup) {
  share_.assign(locks_ * locks_, 1);
  first_cell_.clear();
  lock_of_cell_.clear();
  for (std::size_t lock = 0; lock < locks_; ++lock) {
    const LockSetup& one = setup.locks[lock];
    if (one.resource < lock_of_.size()) lock_of_[one.resource] = static_cast<LockIndex>(lock);
    first_cell_.push_back(static_cast<std::uint32_t>(lock_of_cell_.size()));
    for (std::size_t i = 0; i < one.nodes.size(); ++i) {
      lock_of_cell_.push_back(static_cast<LockIndex>(lock));
    }
    for (std::size_t other = 0; other < lock; ++other) {
      const bool share = guard_one_resource(one, setup.locks[other]);
      share_[lock * locks_ + other] = share_[other * locks_ + lock] = share ? 1 : 0;
    }
  }
}

// What is open at the end of the run ends there.
void Timeline::finish() {
  for (std::size_t i = 1; i < grants.size(); ++i) {
    Grant& grant = grants[i];
    if (grant.section_open) grant.section.end = end;
    if (grant.promise_open) grant.promise.end = end;
  }
  for (std::size_t i = 1; i < holdings.size(); ++i) {
    if (holdings[i].closed == kNoEvent) holdings[i].to = end;
  }
  clients_over = -1;
  bool known = true;
  for (const ActorId client : history_->setup.clients) {
    const Nanos over = client < actors_.size() ? actors_[client].over : -1;
    known = known && over >= 0;
    clients_over = std::max(clients_over, over);
  }
  if (!known) clients_over = -1;
  for (std::size_t actor = 0; actor < actors_.size(); ++actor) {
    for (std::uint8_t lane = 0; lane < 3; ++lane) {
      const Nanos since = actors_[actor].paused_since[lane];
      if (since >= 0) pauses.push_back({static_cast<ActorId>(actor), lane, since, end});
    }
  }
}

GrantIndex Timeline::find(ActorId actor, GrantId id) const {
  if (id == 0) return 0;
  if (actor != 0 && actor < actors_.size()) {
    for (GrantIndex i = actors_[actor].last_grant; i != 0; i = grants[i].previous_of_actor) {
      if (grants[i].id == id) return i;
    }
  }
  for (std::size_t i = grants.size(); i-- > 1;) {
    if (grants[i].id == id) return static_cast<GrantIndex>(i);
  }
  return 0;
}

GrantIndex Timeline::latest_before(ActorId actor, LockIndex lock, EventIndex event) const {
  if (actor >= actors_.size()) return 0;
  GrantIndex i = actors_[actor].last_grant;
  while (i != 0 && (grants[i].lock != lock || grants[i].called.event >= event)) {
    i = grants[i].previous_of_actor;
  }
  return i;
}

Nanos Timeline::running_from(ActorId actor, Nanos at, Nanos span) const {
  for (bool moved = true; moved;) {
    moved = false;
    for (const Pause& pause : pauses) {
      if (pause.actor != actor || pause.from > at + span || pause.to <= at) continue;
      at = pause.to;
      moved = true;
    }
  }
  return at;
}

Nanos Timeline::paused_within(ActorId actor, Interval interval) const {
  Nanos sum = 0;
  for (const Pause& pause : pauses) {
    if (pause.actor != actor) continue;
    const Interval common = intersection({pause.from, pause.to}, interval);
    if (!common.empty()) sum += common.end - common.begin;
  }
  return sum;
}

GrantIndex Timeline::grant_for(const Event& event) {
  if (event.grant == 0 || event.actor >= actors_.size()) return 0;
  const GrantIndex last = actors_[event.actor].last_grant;
  if (last != 0 && grants[last].id == event.grant) return last;
  if (event.kind != Kind::acquire_called) {
    const GrantIndex known = find(event.actor, event.grant);
    if (known != 0) return known;
  }
  const LockIndex lock = lock_of(event.resource);
  if (lock == kNoLock) return 0;
  const auto index = static_cast<GrantIndex>(grants.size());
  Actor& actor = actors_[event.actor];
  Grant& grant = grants.emplace_back();
  grant.id = event.grant;
  grant.actor = event.actor;
  grant.incarnation = actor.incarnation;
  grant.lock = lock;
  grant.outer = index;
  grant.previous_of_actor = actor.last_grant;
  const Belief belief = history_->setup.locks[lock].belief;
  grant.promise_judged =
      belief == Belief::handle ? history_->setup.evidence.handle : belief != Belief::not_judged;
  actor.last_grant = index;
  return index;
}

void Timeline::on_process(const Event& event, Moment now) {
  if (event.actor == 0 || event.actor >= actors_.size()) return;
  Actor& actor = actors_[event.actor];
  switch (event.kind) {
    case Kind::process_started:
      if (event.b > 0) actor.incarnation = static_cast<std::uint32_t>(event.b);
      actor.over = -1;
      break;
    case Kind::process_crashed:
      actor.over = now.at;
      on_crash(event.actor, now);
      break;
    case Kind::client_done:  // its code has left whatever it was in
      actor.over = now.at;
      for (GrantIndex i = actor.last_grant; i != 0; i = grants[i].previous_of_actor) {
        end_section(grants[i], now);
      }
      break;
    default:
      on_pause(event, now);
      break;
  }
}

void Timeline::on_pause(const Event& event, Moment now) {
  const auto lane = static_cast<std::uint8_t>(event.a >= 0 && event.a <= 2 ? event.a : 0);
  Nanos& since = actors_[event.actor].paused_since[lane];
  if (event.kind == Kind::process_paused) {
    if (since < 0) since = now.at;
    return;
  }
  if (since >= 0) pauses.push_back({event.actor, lane, since, now.at});
  since = -1;
}

void Timeline::on_crash(ActorId actor, Moment now) {
  for (GrantIndex i = actors_[actor].last_grant; i != 0; i = grants[i].previous_of_actor) {
    Grant& grant = grants[i];
    if (grant.crashed.happened()) break;  // it and its elders belong to earlier incarnations
    grant.crashed = now;
    end_section(grant, now);
    end_promise(grant, now.at, now.event);
  }
  for (std::uint8_t lane = 0; lane < 3; ++lane) {
    Nanos& since = actors_[actor].paused_since[lane];
    if (since >= 0) pauses.push_back({actor, lane, since, now.at});
    since = -1;
  }
}

void Timeline::announce(TokenId token, GrantIndex grant) {
  if (token == 0 || token >= tokens_.size()) return;
  GrantIndex& owner = tokens_[token].owner;
  if (owner == 0) owner = grant;
  if (owner != grant) owner = kAmbiguous;
}

void Timeline::on_acquire(const Event& event, Moment now) {
  const GrantIndex index = grant_for(event);
  if (index == 0) return;
  Grant& grant = grants[index];
  switch (event.kind) {
    case Kind::acquire_called:
      grant.called = now;
      grant.acquire_bound = event.a;
      break;
    case Kind::attempt_sent:
      announce(event.token, index);
      if (event.token < tokens_.size()) tokens_[event.token].sent = now;
      if (!grant.first_attempt.happened()) grant.first_attempt = now;
      grant.last_attempt = now;
      break;
    default:
      if (grant.returned.happened()) break;
      grant.returned = now;
      if (event.a == 0) on_acquired(index, event, now);
      break;
  }
  if (!grant.called.happened()) grant.called = now;
}

void Timeline::on_acquired(GrantIndex index, const Event& event, Moment now) {
  Grant& grant = grants[index];
  grant.acquired = true;
  grant.token = event.token;
  announce(event.token, index);
  grant.sent = grant.last_attempt.happened() ? grant.last_attempt : grant.called;
  if (owner_of(event.token) == index && tokens_[event.token].sent.happened()) {
    grant.sent = tokens_[event.token].sent;
  }
  for (GrantIndex i = grant.previous_of_actor; i != 0; i = grants[i].previous_of_actor) {
    const Grant& elder = grants[i];
    if (!elder.section_open || elder.lock != grant.lock || elder.token != grant.token) continue;
    grant.outer = elder.outer;
    return;
  }
  acquired.push_back(index);
  grant.section = grant.promise = {now.at, now.at};
  grant.section_open = true;
  grant.promise_open = !grant.promise_over;
  if (grant.promise_over) grant.promise_end = now.event;
}

void Timeline::on_handle(const Event& event, Moment now) {
  if (event.kind == Kind::held_returned) helds.push_back(now.event);
  if (event.kind == Kind::renewal_sent) renewals.push_back(now.event);
  const GrantIndex index = grant_for(event);
  if (index == 0) return;
  Grant& grant = grants[index];
  switch (event.kind) {
    case Kind::renewal_sent:
      announce(event.token, index);
      break;
    case Kind::held_returned:  // by the call's begin at the latest it was over
      if (event.a == 0) end_promise(grant, std::min(event.b, now.at), now.event);
      break;
    case Kind::lost_told:
      if (!grant.lost.happened()) grant.lost = now;
      end_promise(grant, now.at, now.event);
      break;
    default:
      if (!grant.validity_reached.happened()) grant.validity_reached = now;
      end_promise(grant, now.at, now.event);
      break;
  }
}

void Timeline::on_release(const Event& event, Moment now) {
  const GrantIndex index = grant_for(event);
  if (index == 0) return;
  Grant& grant = grants[index];
  switch (event.kind) {
    case Kind::release_called:
      if (!grant.release_called.happened()) grant.release_called = now;
      grant.release_bound = event.a;
      end_promise(grant, now.at, now.event);
      break;
    case Kind::release_sent:
      announce(event.token, index);
      grant.release_sent = now;
      break;
    case Kind::release_returned:
      if (grant.release_returned.happened()) break;
      grant.release_returned = now;
      grant.release_outcome = event.a;
      break;
    default:
      end_section(grant, now);
      break;
  }
}

void Timeline::end_section(Grant& grant, Moment now) {
  if (!grant.section_open) return;
  grant.section_open = false;
  grant.section.end = now.at;
  grant.section_end = now.event;
}

void Timeline::end_promise(Grant& grant, Nanos at, EventIndex event) {
  grant.promise_over = true;  // also before the acquire has returned: then it never begins
  if (!grant.promise_open) return;
  grant.promise_open = false;
  grant.promise.end = std::max(at, grant.promise.begin);
  grant.promise_end = event;
}

}  // namespace holdfast::judge
