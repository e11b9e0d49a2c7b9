#include "sim/redis/cluster/cluster_map.h"

#include <algorithm>

#include "sim/redis/random_id.h"

namespace holdfast::sim::redis {

namespace {

constexpr std::uint32_t kMemberIds = 0x20000;  // beside those of runs and histories

}  // namespace

void ClusterMap::reset(const ClusterLayout& layout, history::NodeId own_node) {
  members_.assign(layout.seats.size(), ClusterMember());
  ranges_.assign(layout.seats.size(), Ranges());
  owners_.fill(kNobody);
  settle_moves();
  epoch = vote_epoch = 0;
  for (std::size_t i = 0; i < members_.size(); ++i) {
    const ClusterSeat& seat = layout.seats[i];
    ClusterMember& member = members_[i];
    const auto id = static_cast<MemberId>(i);
    make_random_id(seat.node, kMemberIds, member.id);
    member.node = seat.node;
    member.host = seat.host;
    member.port = seat.port;
    member.master = seat.master;
    if (seat.node == own_node) self_ = id;
    if (seat.master != kNobody) continue;
    member.config_epoch = ++epoch;
    for (const SlotRange& range : seat.slots) {
      for (unsigned slot = range.first; slot <= range.last; ++slot) {
        assign(static_cast<Slot>(slot), id);
      }
    }
  }
}

MemberId ClusterMap::find(std::string_view id) const {
  for (std::size_t i = 0; i < members_.size(); ++i) {
    if (members_[i].known && members_[i].id == id) return static_cast<MemberId>(i);
  }
  return kNobody;
}

void ClusterMap::assign(Slot slot, MemberId to) {
  if (owners_[slot] == to) return;
  if (owners_[slot] != kNobody) --members_[owners_[slot]].slots;
  if (to != kNobody) ++members_[to].slots;
  forget_ranges(owners_[slot]);
  forget_ranges(to);
  owners_[slot] = to;
}

const std::vector<SlotRange>& ClusterMap::ranges(MemberId of) const {
  std::vector<SlotRange>& found = ranges_[of].all;
  if (std::exchange(ranges_[of].is_known, true)) return found;
  found.clear();
  if (members_[of].slots == 0) return found;
  for (std::size_t slot = 0; slot < kSlots; ++slot) {
    if (owners_[slot] != of) continue;
    const auto here = static_cast<Slot>(slot);
    if (found.empty() || found.back().last + 1 != here) found.push_back({here, here});
    found.back().last = here;
  }
  return found;
}

MemberId ClusterMap::find(const Moving& moving, Slot slot) {
  if (moving.empty()) return kNobody;
  const auto found = moving.find(slot);
  return found == moving.end() ? kNobody : found->second;
}

void ClusterMap::set(Moving& moving, Slot slot, MemberId member) {
  moving.erase(slot);
  if (member != kNobody) moving.emplace(slot, member);
}

void ClusterMap::settle_moves() {
  migrating_.clear();
  importing_.clear();
}

void ClusterMap::make_master(MemberId id) { members_[id].master = kNobody; }

void ClusterMap::make_replica(MemberId id, MemberId of) {
  if (members_[id].slots > 0) {
    for (MemberId& owner : owners_) {
      if (owner == id) owner = kNobody;
    }
    members_[id].slots = 0;
    forget_ranges(id);
  }
  members_[id].master = of;
}

std::size_t ClusterMap::masters_with_slots() const {
  return static_cast<std::size_t>(
      std::count_if(members_.begin(), members_.end(), [](const ClusterMember& member) {
        return member.known && member.is_master() && member.slots > 0;
      }));
}

}  // namespace holdfast::sim::redis
