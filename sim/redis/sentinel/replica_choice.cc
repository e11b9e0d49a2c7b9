// Which replica becomes the master (FID-T2).
#include <tuple>

#include "sim/redis/sentinel/sentinel.h"

namespace holdfast::sim::redis {

namespace {

constexpr WallMs kAnsweredWithin = 5000;
constexpr WallMs kFreshInfo = 5000;  // while the master is down; INFO comes every second then
constexpr WallMs kOldInfo = 30'000;

bool is_better(const Monitored& one, const Monitored& other) {
  const bool one_unknown = one.run_id.empty();
  const bool other_unknown = other.run_id.empty();
  return std::tuple(one.priority, -one.offset, one_unknown, std::string_view(one.run_id)) <
         std::tuple(other.priority, -other.offset, other_unknown, std::string_view(other.run_id));
}

}  // namespace

Monitored* Sentinel::choose_replica(MasterSet& set) const {
  const WallMs time = now();
  const bool master_down = set.master.is(kSubjectivelyDown);
  WallMs longest_link_down = set.down_after() * 10;
  if (master_down) longest_link_down += time - set.master.subjectively_down_since;
  const WallMs oldest_info = master_down ? kFreshInfo : kOldInfo;
  Monitored* best = nullptr;
  for (const auto& replica : set.replicas) {
    if (replica->is(kSubjectivelyDown) || replica->contact.disconnected) continue;
    if (time - replica->contact.available > kAnsweredWithin) continue;
    if (replica->priority == 0) continue;
    if (time - replica->refreshed > oldest_info) continue;
    if (replica->master_link_down > longest_link_down) continue;
    if (best == nullptr || is_better(*replica, *best)) best = replica.get();
  }
  return best;
}

}  // namespace holdfast::sim::redis
