// Who takes over: a replica whose master is down asks the masters for their votes; who has most of
// them in one epoch is the new master. CLUSTER FAILOVER is the same with less patience (FID-K5).
#include <algorithm>

#include "sim/redis/cluster/cluster.h"
#include "sim/redis/instance.h"

namespace holdfast::sim::redis {

namespace {

constexpr std::int64_t kFixedDelayMs = 500;   // for the news of the failure to spread
constexpr std::int64_t kRandomDelayMs = 500;  // so that replicas do not start together
constexpr std::int64_t kRankDelayMs = 1000;
constexpr std::int64_t kShortestElectionMs = 2000;
constexpr std::int64_t kPingPeriodMs = 10'000;  // repl-ping-replica-period
constexpr std::int64_t kManualFailoverMs = 5000;

}  // namespace

// -- as a replica

// Its data must not be older than the time that a failure needs to be noticed.
bool Cluster::has_old_data() const {
  const std::int64_t factor = server_.config().number(Setting::cluster_replica_validity_factor);
  if (factor == 0 || server_.replication().connected()) return false;
  std::int64_t age = now_ms() - connected_ms_;
  if (age > timeout_ms()) age -= timeout_ms();
  return age > kPingPeriodMs + timeout_ms() * factor;
}

// How many replicas of our master have more of its data.
int Cluster::rank() const {
  int rank = 0;
  const std::int64_t offset = server_.replication().offset();
  map_.each_known([&](MemberId id) {
    const ClusterMember& member = map_[id];
    const bool is_sibling = id != map_.self() && member.master == map_.own().master;
    rank += is_sibling && member.offset > offset ? 1 : 0;
  });
  return rank;
}

void Cluster::step_election() {
  const std::int64_t now = now_ms();
  const std::int64_t age = now - election_.at_ms;
  const std::int64_t patience = std::max(2 * timeout_ms(), kShortestElectionMs);
  const bool by_hand = manual_.end_ms != 0 && manual_.can_start;
  const ClusterMember& own = map_.own();
  if (own.is_master() || map_[own.master].slots == 0) return;
  if (!map_[own.master].down && !by_hand) return;
  if (has_old_data() && !by_hand) return;
  if (age > 2 * patience) return begin_election(by_hand);
  if (!election_.asked && manual_.end_ms == 0) {
    const int rank_now = rank();
    election_.at_ms += kRankDelayMs * std::max(rank_now - election_.rank, 0);
    election_.rank = std::max(election_.rank, rank_now);
  }
  if (now < election_.at_ms || age > patience) return;
  if (!election_.asked) return ask_for_votes();
  if (election_.votes < map_.masters_with_slots() / 2 + 1) return;
  map_.own().config_epoch = std::max(own.config_epoch, election_.epoch);
  take_over();
}

void Cluster::begin_election(bool by_hand) {
  election_ = {};
  election_.rank = by_hand ? 0 : rank();
  election_.at_ms = now_ms();
  if (by_hand) {
    to_do_ |= kStepElection;
  } else {
    election_.at_ms += kFixedDelayMs + draw_ms(kRandomDelayMs) + kRankDelayMs * election_.rank;
  }
  const BusMessage news = message(BusKind::pong);  // its siblings learn its offset
  map_.each_known([&](MemberId id) {
    if (map_[id].master == map_.own().master) send(id, news);
  });
}

void Cluster::ask_for_votes() {
  election_.asked = true;
  election_.epoch = ++map_.epoch;
  BusMessage request = message(BusKind::vote_request);
  request.is_forced = manual_.end_ms != 0;
  broadcast(request);
}

void Cluster::take_vote(const BusMessage& message) {
  const ClusterMember& sender = map_[message.sender];
  if (!sender.is_master() || sender.slots == 0 || message.epoch < election_.epoch) return;
  ++election_.votes;
  to_do_ |= kStepElection;
}

void Cluster::take_over() {
  const MemberId old = map_.own().master;
  if (old == kNobody) return;
  map_.make_master(map_.self());
  server_.facade().promote();
  for (std::size_t slot = 0; slot < kSlots; ++slot) {
    const auto one = static_cast<Slot>(slot);
    if (map_.owner(one) == old) map_.assign(one, map_.self());
  }
  server_.watcher().role_changed(server_.options().node, 0);
  server_.watcher().master_named(map_[first_master_].node, server_.options().node);
  review_state();
  broadcast(message(BusKind::pong));
  end_manual_failover();
}

// -- as a master

// One vote an epoch, and none for the same master's replicas within two node timeouts.
void Cluster::consider_vote(const BusMessage& message) {
  if (!map_.own().is_master() || map_.own().slots == 0) return;
  if (message.epoch < map_.epoch || map_.vote_epoch == map_.epoch) return;
  const ClusterMember& sender = map_[message.sender];
  if (sender.is_master()) return;
  ClusterMember& master = map_[sender.master];
  if (!master.down && !message.is_forced) return;
  if (now_ms() - master.voted_ms < 2 * timeout_ms()) return;
  for (const SlotRange& range : message.slots) {
    for (unsigned slot = range.first; slot <= range.last; ++slot) {
      const MemberId owner = map_.owner(static_cast<Slot>(slot));
      if (owner != kNobody && map_[owner].config_epoch > message.config_epoch) return;
    }
  }
  master.voted_ms = now_ms();
  map_.vote_epoch = map_.epoch;
  send(message.sender, this->message(BusKind::vote));
}

// -- by hand

void Cluster::begin_failover(Failover how) {
  end_manual_failover();
  manual_.end_ms = now_ms() + kManualFailoverMs;
  switch (how) {
    case Failover::takeover:
      raise_epoch();
      return take_over();
    case Failover::force:
      manual_.can_start = true;  // from the next look on
      return;
    case Failover::lossless:
      return send(map_.own().master, message(BusKind::start_failover));
  }
}

void Cluster::hold_writes_for(MemberId replica) {
  end_manual_failover();
  manual_.end_ms = now_ms() + kManualFailoverMs;
  manual_.replica = replica;
  server_.pausing().begin(ClientPause::Kind::writes, 2 * kManualFailoverMs);
  ping(replica);
}

// It has all that its master had when it stopped taking writes?
void Cluster::step_manual_failover() {
  if (manual_.end_ms == 0 || manual_.can_start || manual_.master_offset < 0) return;
  if (server_.replication().offset() == manual_.master_offset) {
    manual_.can_start = true;
  } else {
    to_do_ |= kStepManualFailover;
  }
}

void Cluster::check_manual_failover() {
  if (manual_.end_ms != 0 && manual_.end_ms < now_ms()) end_manual_failover();
}

void Cluster::end_manual_failover() {
  if (manual_.replica != kNobody) server_.pausing().end();
  manual_ = {};
}

}  // namespace holdfast::sim::redis
