// The part of Timeline that follows lock keys on nodes, and nodes behind addresses.
#include "reports/judge/timeline.h"

namespace holdfast::judge {

using history::DropCause;
using history::Kind;

void Timeline::on_key(const Event& event, Moment now) {
  const LockIndex lock = lock_of(event.resource);
  if (lock == kNoLock || event.node == 0 || event.node >= nodes_) return;
  const HoldingIndex previous = cell(event.node, lock).holding;
  const bool command = event.kind == Kind::key_set || event.kind == Kind::key_deleted ||
                       event.kind == Kind::key_ttl_changed;
  if (command && previous != 0 && is_client(event.actor)) {
    const auto next = static_cast<HoldingIndex>(holdings.size());
    touches.push_back({now.event, previous, event.kind == Kind::key_deleted ? 0 : next});
  }
  switch (event.kind) {
    case Kind::key_set:
    case Kind::key_revived:
      on_key_set(event, now, lock);
      break;
    case Kind::key_ttl_changed:
      replace_deadline(event.node, lock, event.a, now);
      break;
    case Kind::key_dropped:
      on_key_dropped(event, now, lock);
      break;
    default:
      close(event.node, lock, now);
      break;
  }
}

// Whose attempt a key_set carries: by its token when one grant alone announced that, else the
// event's own word, else what its client is busy with.
GrantIndex Timeline::writer_of(const Event& event, LockIndex lock) const {
  if (const GrantIndex owner = owner_of(event.token); owner != 0) return owner;
  if (event.actor == 0 || event.actor >= actors_.size()) return 0;
  if (event.grant != 0) return find(event.actor, event.grant);
  const GrantIndex last = actors_[event.actor].last_grant;
  return last != 0 && grants[last].lock == lock ? last : 0;
}

void Timeline::on_key_set(const Event& event, Moment now, LockIndex lock) {
  Holding holding;
  holding.lock = lock;
  holding.node = event.node;
  holding.token = event.token;
  holding.deadline = event.a;
  const HoldingIndex before = cell(event.node, lock).holding;
  const GrantIndex writer = writer_of(event, lock);
  holding.grant = writer;
  holding.setter = writer != 0 ? grants[writer].actor : event.actor;
  // The same value again by replication or from disk: whose it is does not change.
  if (event.actor == 0 && before != 0 && holdings[before].token == event.token) {
    holding.grant = holdings[before].grant;
    holding.setter = holdings[before].setter;
  }
  if (event.kind == Kind::key_revived && event.a == 0) holding.deadline = kUnknownDeadline;
  open(holding, now);
}

// What a restart loses stays out of everybody's reach until the node is back.
void Timeline::on_key_dropped(const Event& event, Moment now, LockIndex lock) {
  const bool restart = event.a == static_cast<std::int64_t>(DropCause::restart);
  if (restart && down_[event.node] != 0) {
    cell(event.node, lock).lost_at_restart = true;
    return;
  }
  close(event.node, lock, now);
}

void Timeline::open(Holding holding, Moment now) {
  Cell& place = cell(holding.node, holding.lock);
  if (place.holding != 0) {
    holdings[place.holding].to = now.at;
    holdings[place.holding].closed = now.event;
  }
  holding.from = now.at;
  holding.opened = now.event;
  place.holding = static_cast<HoldingIndex>(holdings.size());
  place.lost_at_restart = false;
  const NodeId node = holding.node;
  const LockIndex lock = holding.lock;
  holdings.push_back(holding);
  holdings.back().visible = publish(node, lock, now);
}

void Timeline::close(NodeId node, LockIndex lock, Moment now) {
  Cell& place = cell(node, lock);
  place.lost_at_restart = false;
  if (place.holding == 0) return;
  holdings[place.holding].to = now.at;
  holdings[place.holding].closed = now.event;
  place.holding = 0;
  publish(node, lock, now);
}

void Timeline::replace_deadline(NodeId node, LockIndex lock, Nanos deadline, Moment now) {
  const Cell& place = cell(node, lock);
  if (place.holding == 0) return;
  Holding holding = holdings[place.holding];
  const bool lost = place.lost_at_restart;
  holding.closed = kNoEvent;
  holding.deadline = deadline;
  open(holding, now);
  cell(node, lock).lost_at_restart = lost;
}

bool Timeline::publish(NodeId node, LockIndex lock, Moment now) {
  bool shown = false;
  const auto& addresses = history_->setup.locks[lock].nodes;
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    if (addresses[i] >= nodes_ || behind_[addresses[i]] != node) continue;
    changes.push_back({now.at, now.event, first_cell_[lock] + static_cast<std::uint32_t>(i),
                       cell(node, lock).holding});
    shown = true;
  }
  return shown;
}

void Timeline::on_node(const Event& event, Moment now) {
  switch (event.kind) {
    case Kind::node_started:
      if (event.node >= nodes_) break;
      down_[event.node] = 0;
      for (std::size_t i = 0; i < locks_; ++i) {
        const auto lock = static_cast<LockIndex>(i);
        if (cell(event.node, lock).lost_at_restart) close(event.node, lock, now);
      }
      reachability = reachability || event.b > 1;
      break;
    case Kind::node_crashed:
      if (event.node < nodes_) down_[event.node] = 1;
      reachability = true;
      break;
    case Kind::master_changed:
      on_master_changed(event, now);
      reachability = true;
      break;
    case Kind::clock_stepped:
    case Kind::clock_rate:
      for (LockIndex lock = 0; event.node < nodes_ && lock < locks_; ++lock) {
        // A deadline that the node told at this very instant is the new one already.
        const HoldingIndex held = cell(event.node, lock).holding;
        if (held == 0 || holdings[held].from == now.at || holdings[held].deadline == kNoTtl) {
          continue;
        }
        replace_deadline(event.node, lock, kUnknownDeadline, now);
      }
      break;
    case Kind::node_paused:
    case Kind::node_resumed:
    case Kind::node_promoted:
    case Kind::node_demoted:
    case Kind::link_up:
    case Kind::link_down:
    case Kind::connection_lost:
    case Kind::replication_held:
    case Kind::replication_resumed:
    case Kind::node_impaired:
      reachability = true;
      break;
    case Kind::fault_fired:
    case Kind::fault_proved:
      faults.push_back(now.event);
      break;
    case Kind::environment_failed:
      if (environment_failed == kNoEvent) environment_failed = now.event;
      break;
    case Kind::run_ended:
      out_of_budget = event.a == 3;
      break;
    default:
      break;
  }
}

void Timeline::on_master_changed(const Event& event, Moment now) {
  if (event.node == 0 || event.node >= nodes_ || event.a <= 0 ||
      event.a >= static_cast<std::int64_t>(nodes_)) {
    return;
  }
  const auto address = static_cast<NodeId>(event.a);
  behind_[address] = event.node;
  for (std::size_t at = 0; at < locks_; ++at) {
    const auto lock = static_cast<LockIndex>(at);
    const auto& addresses = history_->setup.locks[lock].nodes;
    for (std::size_t i = 0; i < addresses.size(); ++i) {
      if (addresses[i] != address) continue;
      changes.push_back({now.at, now.event, first_cell_[lock] + static_cast<std::uint32_t>(i),
                         cell(event.node, lock).holding});
    }
  }
}

}  // namespace holdfast::judge
