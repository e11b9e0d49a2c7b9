// ClusterMap: what one node knows of its cluster: the members, who serves which slot, which of its
// own slots are on their way. Instants are milliseconds of the node's own wall clock (FID-E3).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sim/redis/cluster/layout.h"

namespace holdfast::sim::redis {

struct FailureReport {
  MemberId by = kNobody;  // a master
  std::int64_t at_ms = 0;
};

struct ClusterMember {
  std::string id;  // 40 hexadecimal digits
  history::NodeId node = 0;
  std::string host;
  std::uint16_t port = 0;
  bool known = true;
  MemberId master = kNobody;  // of a replica
  std::size_t slots = 0;      // how many it serves
  std::uint64_t config_epoch = 0;
  std::int64_t offset = 0;  // of its replication, as it last said

  bool maybe_down = false;  // PFAIL: silent for cluster-node-timeout
  bool down = false;        // FAIL: a majority of masters says so
  std::int64_t down_since_ms = 0;
  std::vector<FailureReport> reports = {};
  std::int64_t voted_ms = 0;  // when we last voted for one of its replicas

  std::int64_t ping_sent_ms = 0;  // of the unanswered one; 0: none
  std::int64_t pong_ms = 0;
  std::int64_t heard_ms = 0;

  bool is_master() const { return master == kNobody; }
  std::string address() const { return host + ":" + std::to_string(port); }
};

class ClusterMap {
 public:
  // As the layout says: masters' epochs count from 1, in their order.
  void reset(const ClusterLayout& layout, history::NodeId own_node);

  MemberId self() const { return self_; }
  ClusterMember& own() { return members_[self_]; }
  const ClusterMember& own() const { return members_[self_]; }
  std::size_t size() const { return members_.size(); }
  ClusterMember& operator[](MemberId id) { return members_[id]; }
  const ClusterMember& operator[](MemberId id) const { return members_[id]; }
  MemberId find(std::string_view id) const;  // kNobody: unknown
  // The master whose slots this member has or backs up; itself for a master.
  MemberId master_of(MemberId id) const {
    return members_[id].is_master() ? id : members_[id].master;
  }
  template <class Use>
  void each_known(Use use) const {
    for (std::size_t i = 0; i < members_.size(); ++i) {
      if (members_[i].known) use(static_cast<MemberId>(i));
    }
  }

  // -- slots
  MemberId owner(Slot slot) const { return owners_[slot]; }
  void assign(Slot slot, MemberId to);  // kNobody: not served any more
  const std::vector<SlotRange>& ranges(MemberId of) const;
  MemberId migrates_to(Slot slot) const { return find(migrating_, slot); }
  MemberId imported_from(Slot slot) const { return find(importing_, slot); }
  void migrate(Slot slot, MemberId to) { set(migrating_, slot, to); }  // kNobody: no more
  void import(Slot slot, MemberId from) { set(importing_, slot, from); }
  using Moving = std::map<Slot, MemberId>;
  const Moving& migrating() const { return migrating_; }
  const Moving& importing() const { return importing_; }
  void settle_moves();  // none is on its way any more

  // -- roles
  void make_master(MemberId id);
  void make_replica(MemberId id, MemberId of);  // its slots are nobody's then
  std::size_t masters_with_slots() const;

  std::uint64_t epoch = 0;       // currentEpoch
  std::uint64_t vote_epoch = 0;  // lastVoteEpoch

 private:
  static MemberId find(const Moving& moving, Slot slot);
  static void set(Moving& moving, Slot slot, MemberId member);
  void forget_ranges(MemberId of) {
    if (of != kNobody) ranges_[of].is_known = false;
  }

  MemberId self_ = 0;
  std::vector<ClusterMember> members_;
  struct Ranges {
    bool is_known = false;
    std::vector<SlotRange> all = {};
  };
  mutable std::vector<Ranges> ranges_;  // by member, when they were asked for since the last change
  std::array<MemberId, kSlots> owners_{};
  Moving migrating_;
  Moving importing_;
};

}  // namespace holdfast::sim::redis
