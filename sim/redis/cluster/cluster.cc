// A node's life in its cluster, its state, and what operators do to it.
#include "sim/redis/cluster/cluster.h"

#include <algorithm>
#include <utility>

#include "sim/redis/instance.h"

namespace holdfast::sim::redis {

namespace {

constexpr std::uint64_t kDraws = 0x10000;  // beside the nodes' other generators
constexpr std::int64_t kLongAgoMs = 3'600'000;
constexpr std::int64_t kRestartWaitMs = 2000;    // before a restarted master serves
constexpr std::int64_t kShortestRejoinMs = 500;  // of a master that was in a minority
constexpr std::int64_t kLongestRejoinMs = 5000;
constexpr Duration kTick = std::chrono::milliseconds(100);

}  // namespace

void Cluster::reset(const ClusterLayout& layout) {
  const ServerOptions& options = server_.options();
  map_.reset(layout, options.node);
  first_master_ = map_.master_of(map_.self());
  random_ = Random(options.seed, Purpose::service, kDraws + options.node);
  ok_ = true;
  const std::int64_t now = now_ms();
  started_ms_ = minority_ms_ = now - kLongAgoMs;
  connected_ms_ = now;
  // Pings are as far apart as after a long life, not in step.
  map_.each_known(
      [&](MemberId id) { map_[id].pong_ms = map_[id].heard_ms = now - draw_ms(timeout_ms() / 2); });
  election_ = {};
  manual_ = {};
  sent_ = received_ = 0;
  links_.clear();
  for (std::size_t i = 0; i < map_.size(); ++i) {
    links_.push_back(std::make_unique<BusLink>(*this, static_cast<MemberId>(i)));
  }
  timer_.forget();
  begin();
  review_state();
}

// Nodes were started at different times: each has its own beat.
void Cluster::begin() {
  ++run_;
  ticks_ = 0;
  to_do_ = 0;
  tick_is_due_ = false;
  arm(kTick * draw_ms(1000) / 1000);
}

void Cluster::crash() {
  ++run_;
  timer_.stop(server_.kernel());
  for (const auto& link : links_) link->close();
  manual_ = {};
}

// What nodes.conf does not keep is as at a first start. Its master, if it has one, is followed by
// Replication as before.
void Cluster::restart() {
  started_ms_ = now_ms();
  minority_ms_ = 0;
  election_ = {};
  map_.each_known([&](MemberId id) {
    ClusterMember& member = map_[id];
    member.maybe_down = false;
    member.reports.clear();
    member.voted_ms = member.ping_sent_ms = 0;
    member.pong_ms = member.heard_ms = member.down_since_ms = started_ms_;
  });
  ok_ = false;
  begin();
  to_do_ = kReviewState;
}

void Cluster::catch_up() {
  for (const auto& link : links_) link->read();
  if (tick_is_due_) tick();
}

std::int64_t Cluster::now_ms() const { return server_.data().fresh_ms(); }

std::int64_t Cluster::timeout_ms() const {
  return server_.config().number(Setting::cluster_node_timeout);
}

// cluster_state. With cluster-require-full-coverage one slot that nobody serves stops the whole
// cluster (FID-K2); too few reachable masters stop this node (K3).
void Cluster::review_state() {
  to_do_ &= ~static_cast<std::uint32_t>(kReviewState);
  const std::int64_t now = now_ms();
  const bool is_master = map_.own().is_master();
  if (is_master && !ok_ && now - started_ms_ < kRestartWaitMs) {
    to_do_ |= kReviewState;
    return;
  }
  std::size_t served = 0;
  std::size_t masters = 0;
  std::size_t reachable = 0;
  map_.each_known([&](MemberId id) {
    const ClusterMember& member = map_[id];
    served += member.down ? 0 : member.slots;
    if (!member.is_master() || member.slots == 0) return;
    ++masters;
    reachable += member.down || member.maybe_down ? 0U : 1U;
  });
  const bool partly = server_.config().text(Setting::cluster_require_full_coverage) == "no";
  bool ok = served == kSlots || partly;
  if (reachable < masters / 2 + 1) {
    ok = false;
    minority_ms_ = now;
  }
  const std::int64_t rejoin = std::clamp(timeout_ms(), kShortestRejoinMs, kLongestRejoinMs);
  if (ok && !ok_ && is_master && now - minority_ms_ < rejoin) return;
  ok_ = ok;
}

void Cluster::set_owner(Slot slot, MemberId to) {
  map_.assign(slot, to);
  review_state();
}

void Cluster::raise_epoch() {
  std::uint64_t newest = std::max<std::uint64_t>(map_.epoch, 1);
  map_.each_known([&](MemberId id) { newest = std::max(newest, map_[id].config_epoch); });
  if (map_.own().config_epoch == newest) return;
  map_.own().config_epoch = map_.epoch = newest + 1;
}

// A node of its own, without slots or data.
void Cluster::forget_all() {
  if (!map_.own().is_master()) {
    map_.make_master(map_.self());
    server_.facade().promote();
    server_.flush();
    server_.watcher().role_changed(server_.options().node, 0);
  }
  end_manual_failover();
  map_.settle_moves();
  for (std::size_t slot = 0; slot < kSlots; ++slot) map_.assign(static_cast<Slot>(slot), kNobody);
  for (std::size_t i = 0; i < map_.size(); ++i) {
    const auto id = static_cast<MemberId>(i);
    if (id == map_.self()) continue;
    map_[id].known = false;
    links_[id]->close();
  }
  review_state();
}

void Cluster::meet(MemberId id) {
  ClusterMember& member = map_[id];
  if (std::exchange(member.known, true)) return;
  member.down = member.maybe_down = false;
  member.ping_sent_ms = 0;
  member.pong_ms = member.heard_ms = now_ms();
}

void Cluster::follow_master(MemberId of) {
  map_.make_replica(map_.self(), of);
  map_.settle_moves();
  end_manual_failover();
  to_do_ |= kReviewState;
  RedisServer* const master = server_.host().find_server({map_[of].host, map_[of].port});
  if (master == nullptr) return;
  server_.facade().replicate_from(*master);
  server_.watcher().role_changed(server_.options().node, map_[of].node);
}

}  // namespace holdfast::sim::redis
