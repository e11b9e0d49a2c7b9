// Reachability: whether a client's commands can get to a node and back at a given point of the
// history, as far as the faults that it records tell.
#pragma once

#include <cstdint>
#include <vector>

#include "reports/judge/timeline.h"

namespace holdfast::judge {

class Reachability {
 public:
  // All up and connected, replicas as in the set-up. Keeps its memory.
  void reset(const history::History& history);
  // The next event; returns whether it changed anything.
  bool apply(const Event& event);

  bool runs(ActorId actor) const { return paused_[actor] == 0; }
  // The node runs, and the link between them carries.
  bool reaches(ActorId actor, NodeId node) const {
    return node < nodes_ && down_[node] == 0 && links_[actor * nodes_ + node] == 0 &&
           links_[node] == 0;
  }
  bool is_master(NodeId node) const { return master_[node] == 0; }
  // Replicas of this node that get its stream.
  int replicas(NodeId master) const;
  NodeId behind(NodeId address) const { return behind_[address]; }

 private:
  bool set(std::uint8_t& flags, std::uint8_t flag, bool on);
  bool apply_link(const Event& event);
  bool apply_role(const Event& event);

  std::size_t nodes_ = 0;
  std::vector<std::uint8_t> paused_;  // by actor: bit per lane
  std::vector<std::uint8_t> down_;    // by node: bits of crashed, paused
  std::vector<std::uint8_t> held_;    // by node: its replication stream
  // By actor (0: all) and node: 1 cut, and 2 for each impairment, of which several may overlap.
  std::vector<std::uint8_t> links_;
  std::vector<NodeId> master_;  // by node; 0: is one
  std::vector<NodeId> behind_;  // by address
};

}  // namespace holdfast::judge
