// Who is down: a node doubts whom it does not hear, a majority of masters makes it certain.
#include <algorithm>

#include "sim/redis/cluster/cluster.h"
#include "sim/redis/instance.h"

namespace holdfast::sim::redis {

namespace {

constexpr std::int64_t kReportLife = 2;  // node timeouts
constexpr std::int64_t kUndoAfter = 2;   // node timeouts, of a master that nobody replaced

}  // namespace

void Cluster::answered(MemberId id) {
  ClusterMember& member = map_[id];
  member.ping_sent_ms = 0;
  member.pong_ms = now_ms();
  if (member.maybe_down) {
    member.maybe_down = false;
    to_do_ |= kReviewState;
  } else if (member.down) {
    const bool is_replaced = !member.is_master() || member.slots == 0;
    if (!is_replaced && now_ms() - member.down_since_ms <= kUndoAfter * timeout_ms()) return;
    member.down = false;
    to_do_ |= kReviewState;
  }
}

void Cluster::report(ClusterMember& member, MemberId by, bool is_bad) {
  std::erase_if(member.reports, [by](const FailureReport& each) { return each.by == by; });
  if (is_bad) member.reports.push_back({by, now_ms()});
}

void Cluster::judge(MemberId id) {
  ClusterMember& member = map_[id];
  if (!member.maybe_down || member.down) return;
  const std::int64_t oldest = now_ms() - kReportLife * timeout_ms();
  std::erase_if(member.reports, [&](const FailureReport& each) { return each.at_ms < oldest; });
  const std::size_t doubters = member.reports.size() + (map_.own().is_master() ? 1 : 0);
  if (doubters < map_.masters_with_slots() / 2 + 1) return;
  mark_down(id);
  BusMessage failed = message(BusKind::failed);
  failed.about = id;
  broadcast(failed);
}

void Cluster::mark_down(MemberId id) {
  ClusterMember& member = map_[id];
  member.maybe_down = false;
  member.down = true;
  member.down_since_ms = now_ms();
  to_do_ |= kReviewState;
}

void Cluster::take_failure(const BusMessage& message) {
  const bool is_news =
      message.about < map_.size() && message.about != map_.self() && !map_[message.about].down;
  if (is_news) mark_down(message.about);
}

}  // namespace holdfast::sim::redis
