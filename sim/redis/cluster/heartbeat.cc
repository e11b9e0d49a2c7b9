// The timer of a node: links, pings, whose silence is too long, and what is to be done next.
#include <algorithm>
#include <utility>

#include "sim/redis/cluster/cluster.h"
#include "sim/redis/event_kinds.h"
#include "sim/redis/instance.h"

namespace holdfast::sim::redis {

namespace {

constexpr Duration kBeat = std::chrono::milliseconds(100);
constexpr std::uint32_t kBeatsASecond = 10;
constexpr int kSampled = 5;  // of whom the one that was silent for longest is pinged

}  // namespace

void Cluster::arm(Duration delay) {
  Kernel& kernel = server_.kernel();
  timer_.arm(kernel, kernel.now() + delay, {&Cluster::on_tick, this, run_, kClusterTick});
}

void Cluster::on_tick(void* self, std::uint64_t run) {
  auto& cluster = *static_cast<Cluster*>(self);
  if (run != cluster.run_) return;
  cluster.timer_.fired();
  if (cluster.server_.busy()) {
    cluster.tick_is_due_ = true;
    return;
  }
  cluster.tick();
}

void Cluster::tick() {
  tick_is_due_ = false;
  arm(kBeat);
  if (server_.host().fabric() == nullptr) return;
  map_.each_known([this](MemberId id) { reconnect(id); });
  if (ticks_++ % kBeatsASecond == 0) ping_one_at_random();
  bool news = false;
  map_.each_known([&](MemberId id) { news = look_at(id) || news; });
  check_manual_failover();
  if (server_.replication().connected()) connected_ms_ = now_ms();
  if (!map_.own().is_master()) {
    step_manual_failover();
    step_election();
  }
  if (news || !ok_) review_state();
  settle();
}

void Cluster::reconnect(MemberId to) {
  if (to != map_.self() && !links_[to]->is_open()) links_[to]->open();
}

bool Cluster::is_linked(MemberId to) const { return links_[to]->is_up(); }

// A ping that is still unanswered counts from when it was sent first.
void Cluster::link_is_up(MemberId to) {
  const std::int64_t before = map_[to].ping_sent_ms;
  ping(to);
  if (before != 0) map_[to].ping_sent_ms = before;
}

void Cluster::ping_one_at_random() {
  MemberId oldest = kNobody;
  for (int i = 0; i < kSampled; ++i) {
    const auto id = static_cast<MemberId>(random_.below(map_.size()));
    const ClusterMember& member = map_[id];
    if (id == map_.self() || !member.known || !is_linked(id) || member.ping_sent_ms != 0) continue;
    if (oldest == kNobody || member.pong_ms < map_[oldest].pong_ms) oldest = id;
  }
  if (oldest != kNobody) ping(oldest);
}

bool Cluster::look_at(MemberId id) {
  if (id == map_.self()) return false;
  ClusterMember& member = map_[id];
  BusLink& link = *links_[id];
  const std::int64_t now = now_ms();
  const std::int64_t half = timeout_ms() / 2;
  const std::int64_t unanswered = now - member.ping_sent_ms;
  const std::int64_t unheard = now - member.heard_ms;
  const bool waits = member.ping_sent_ms != 0;
  // Perhaps only the connection is broken.
  if (link.is_open() && now - link.opened_ms() > timeout_ms() && waits && unanswered > half &&
      unheard > half) {
    link.close();
  }
  const bool serves_failover = manual_.end_ms != 0 && manual_.replica == id;
  if (link.is_open() && ((!waits && now - member.pong_ms > half) || serves_failover)) {
    ping(id);
    return false;
  }
  if (!waits || std::min(unanswered, unheard) <= timeout_ms()) return false;
  if (member.maybe_down || member.down) return false;
  member.maybe_down = true;
  return true;
}

// What asks for itself meanwhile is done when the event loop turns again.
void Cluster::settle() {
  const std::uint32_t now_due = std::exchange(to_do_, 0U);
  if (!map_.own().is_master() && (now_due & kStepManualFailover) != 0) {
    step_manual_failover();
    step_election();
  } else if ((now_due & kStepElection) != 0) {
    step_election();
  }
  if ((now_due & kReviewState) != 0) review_state();
}

}  // namespace holdfast::sim::redis
