// The steps of a failover: one a tick (FID-T3, T4, T10, T14).
#include <algorithm>
#include <utility>

#include "sim/redis/instance.h"
#include "sim/redis/sentinel/sentinel.h"

namespace holdfast::sim::redis {

namespace {

constexpr WallMs kElectionTimeout = 10'000;
constexpr WallMs kReconfigureTimeout = 10'000;

}  // namespace

void Sentinel::enter(MasterSet& set, FailoverState state) {
  set.failover = state;
  set.failover_state_since = now();
}

bool Sentinel::start_failover_if_needed(MasterSet& set) {
  if (!set.master.is(kObjectivelyDown) || set.master.is(kFailingOver)) return false;
  if (now() - set.failover_started < set.failover_timeout() * 2) return false;
  start_failover(set);
  return true;
}

void Sentinel::start_failover(MasterSet& set) {
  set.master.flags |= kFailingOver;
  set.failover_epoch = ++epoch_;
  tell_plainly("+new-epoch", std::to_string(epoch_));
  tell("+try-failover", set.master);
  set.failover_started = now() + desync();
  enter(set, FailoverState::wait_start);
}

void Sentinel::step_failover(MasterSet& set) {
  if (!set.master.is(kFailingOver)) return;
  switch (set.failover) {
    case FailoverState::wait_start:
      return wait_for_election(set);
    case FailoverState::select_replica:
      return select_replica(set);
    case FailoverState::send_promotion:
      return send_promotion(set);
    case FailoverState::wait_promotion:
      return wait_for_promotion(set);
    case FailoverState::reconfigure_replicas:
      return reconfigure_replicas(set);
    case FailoverState::none:
    case FailoverState::update_config:
      return;
  }
}

void Sentinel::wait_for_election(MasterSet& set) {
  const bool is_leader = elected(set, set.failover_epoch) == id_;
  if (!is_leader && !set.master.is(kForced)) {
    const WallMs patience = std::min(kElectionTimeout, set.failover_timeout());
    if (now() - set.failover_started > patience) {
      tell("-failover-abort-not-elected", set.master);
      abort_failover(set);
    }
    return;
  }
  tell("+elected-leader", set.master);
  enter(set, FailoverState::select_replica);
  tell("+failover-state-select-slave", set.master);
}

void Sentinel::select_replica(MasterSet& set) {
  Monitored* const chosen = choose_replica(set);
  if (chosen == nullptr) {
    tell("-failover-abort-no-good-slave", set.master);
    return abort_failover(set);
  }
  tell("+selected-slave", *chosen);
  chosen->flags |= kPromoted;
  set.promoted = chosen;
  enter(set, FailoverState::send_promotion);
  tell("+failover-state-send-slaveof-noone", *chosen);
}

void Sentinel::send_promotion(MasterSet& set) {
  if (set.promoted->contact.disconnected) return wait_for_promotion(set);
  send_replica_of(*set.promoted, nullptr);
  tell("+failover-state-wait-promotion", *set.promoted);
  enter(set, FailoverState::wait_promotion);
}

// That it is a master now is seen in its INFO.
void Sentinel::wait_for_promotion(MasterSet& set) {
  if (now() - set.failover_state_since <= set.failover_timeout()) return;
  tell("-failover-abort-slave-timeout", set.master);
  abort_failover(set);
}

// FID-T3. Its clients and subscribers are disconnected: they look for the master again.
void Sentinel::send_replica_of(Monitored& instance, const NodeAddress* master) {
  const std::string port = master == nullptr ? "ONE" : std::to_string(master->port);
  ask(instance, Command{"MULTI"}, Asked::other);
  ask(instance, Command{"SLAVEOF", master == nullptr ? "NO" : master->host, port}, Asked::other);
  ask(instance, Command{"CONFIG", "REWRITE"}, Asked::other);
  ask(instance, Command{"CLIENT", "KILL", "TYPE", "normal"}, Asked::other);
  ask(instance, Command{"CLIENT", "KILL", "TYPE", "pubsub"}, Asked::other);
  ask(instance, Command{"EXEC"}, Asked::other);
}

// A few replicas at a time: while one loads the new master's data it serves nobody.
void Sentinel::reconfigure_replicas(MasterSet& set) {
  auto busy = std::count_if(set.replicas.begin(), set.replicas.end(), [](const auto& replica) {
    return replica->is(kReconfigureSent | kReconfiguring);
  });
  for (const auto& replica : set.replicas) {
    if (busy >= set.options.parallel_syncs) break;
    if (replica->is(kPromoted | kReconfigured)) continue;
    if (replica->is(kReconfigureSent) && now() - replica->reconfigure_sent > kReconfigureTimeout) {
      tell("-slave-reconf-sent-timeout", *replica);
      replica->flags &= ~std::uint32_t{kReconfigureSent};
      replica->flags |= kReconfigured;
    }
    if (replica->is(kReconfigureSent | kReconfiguring) || replica->contact.disconnected) continue;
    send_replica_of(*replica, &set.promoted->address);
    replica->flags |= kReconfigureSent;
    replica->reconfigure_sent = now();
    tell("+slave-reconf-sent", *replica);
    ++busy;
  }
  end_failover_if_done(set);
}

void Sentinel::end_failover_if_done(MasterSet& set) {
  if (set.promoted == nullptr || set.promoted->is(kSubjectivelyDown)) return;
  const bool all = std::all_of(set.replicas.begin(), set.replicas.end(), [](const auto& replica) {
    return replica->is(kPromoted | kReconfigured | kSubjectivelyDown);
  });
  const bool late = now() - set.failover_state_since > set.failover_timeout();
  if (late) tell("+failover-end-for-timeout", set.master);
  if (!all && !late) return;
  tell("+failover-end", set.master);
  enter(set, FailoverState::update_config);
  if (!late) return;
  for (const auto& replica : set.replicas) {
    if (replica->is(kPromoted | kReconfigured | kReconfigureSent)) continue;
    if (replica->contact.disconnected) continue;
    send_replica_of(*replica, &set.promoted->address);
    tell("+slave-reconf-sent-be", *replica);
    replica->flags |= kReconfigureSent;
  }
}

void Sentinel::abort_failover(MasterSet& set) {
  set.master.flags &= ~std::uint32_t{kFailingOver | kForced};
  enter(set, FailoverState::none);
  if (set.promoted != nullptr) set.promoted->flags &= ~std::uint32_t{kPromoted};
  set.promoted = nullptr;
}

// The replicas are found again, the old master is one of them now; the sentinels stay.
void Sentinel::switch_master(MasterSet& set, const NodeAddress& to) {
  const NodeAddress from = set.master.address;
  tell_plainly("+switch-master", set.options.name + " " + written(from) + " " + written(to));
  std::vector<NodeAddress> replicas;
  for (const auto& replica : set.replicas) {
    if (replica->address != to) replicas.push_back(replica->address);
  }
  if (from != to) replicas.push_back(from);
  reset_set(set);
  set.master.address = to;
  set.master.subjectively_down_since = set.master.objectively_down_since = 0;
  for (const NodeAddress& address : replicas) add_replica(set, address);
  tell_current(set);
}

void Sentinel::reset_set(MasterSet& set) {
  retire(set.replicas);
  Monitored& master = set.master;
  close(master.contact);
  master.flags = 0;
  master.leader.clear();
  set.failover = FailoverState::none;
  set.failover_started = set.failover_state_since = 0;
  set.promoted = nullptr;
  master.run_id.clear();
  const WallMs time = now();
  master.contact.unanswered_since = master.contact.available = master.contact.ponged = time;
  master.contact.pinged = 0;
  master.role_reported = time;
  master.reports_master = true;
}

void Sentinel::forget_others(MasterSet& set) {
  retire(set.sentinels);
  reset_set(set);
  tell("+reset-master", set.master);
}

}  // namespace holdfast::sim::redis
