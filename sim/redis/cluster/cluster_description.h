// A node's view of its cluster, as CLUSTER NODES, SLOTS, SHARDS and INFO show it.
#pragma once

#include <string>

#include "sim/redis/cluster/cluster.h"

namespace holdfast::sim::redis {

std::string describe_member(const Cluster& cluster, MemberId id);  // its line of CLUSTER NODES
std::string describe_nodes(const Cluster& cluster);
Reply describe_slots(const Cluster& cluster);
Reply describe_shards(Cluster& cluster);
std::string describe_state(const Cluster& cluster);

}  // namespace holdfast::sim::redis
