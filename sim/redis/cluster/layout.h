// The cluster that a server belongs to, as its nodes have agreed on it before the run: who they are
// and who serves which slots.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "reports/history/event.h"
#include "sim/redis/cluster/slots.h"
#include "sim/true_time.h"

namespace holdfast::sim::redis {

using MemberId = std::uint16_t;  // a node of the cluster: its place in the layout
inline constexpr MemberId kNobody = std::numeric_limits<MemberId>::max();

struct ClusterSeat {
  history::NodeId node = 0;
  std::string host = {};  // where clients reach it
  std::uint16_t port = 0;
  MemberId master = kNobody;          // of a replica
  std::vector<SlotRange> slots = {};  // of a master
};

struct ClusterLayout {
  std::vector<ClusterSeat> seats;
  Duration node_timeout = std::chrono::seconds(15);  // cluster-node-timeout
};

}  // namespace holdfast::sim::redis
