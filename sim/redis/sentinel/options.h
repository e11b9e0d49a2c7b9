// What a sentinel finds in its configuration file when it starts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/true_time.h"

namespace holdfast::sim {

// An address as Redis tells it: in a simulated network a name, on real ports an IP.
struct NodeAddress {
  std::string host = {};
  std::uint16_t port = 0;
  friend bool operator==(const NodeAddress&, const NodeAddress&) = default;
};
// "host port"
inline std::string written(const NodeAddress& address) {
  return address.host + " " + std::to_string(address.port);
}

namespace redis {

struct FellowSentinel {
  NodeAddress address;
  std::string id;
};

// One "sentinel monitor" and its parameters, with Redis's defaults.
struct MonitorOptions {
  std::string name;
  NodeAddress master;
  int quorum = 2;
  Duration down_after = std::chrono::seconds(30);
  Duration failover_timeout = std::chrono::minutes(3);
  int parallel_syncs = 1;
  std::vector<NodeAddress> replicas = {};  // known from earlier
  std::vector<FellowSentinel> fellows = {};
};

// Monitors nothing: it is no sentinel.
struct SentinelOptions {
  std::vector<MonitorOptions> monitors = {};
  std::string id = {};  // its own, 40 hexadecimal digits
  std::uint64_t seed = 0;
};

}  // namespace redis
}  // namespace holdfast::sim
