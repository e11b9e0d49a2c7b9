// The cluster that a scenario's servers are, and what cannot be in one.
#include <fmt/format.h>

#include <algorithm>

#include "scenarios/format/fields.h"
#include "scenarios/format/read.h"

namespace holdfast::scenario {
namespace {

constexpr std::ptrdiff_t kFewestMasters = 3;  // as redis-cli --cluster create demands
constexpr Duration kShortestTimeout = std::chrono::milliseconds(100);

}  // namespace

void read_cluster(const Value& cluster, Scenario& scenario, Errors& errors) {
  ClusterSpec& spec = scenario.cluster.emplace();
  spec.origin = cluster.origin;
  Fields fields(cluster, keys::cluster, errors);
  fields.read("node_timeout", spec.node_timeout, Least::above_zero);
  if (spec.node_timeout > Duration::zero() && spec.node_timeout < kShortestTimeout) {
    fields.error("node_timeout", "\"node_timeout\" must be at least 100ms");
  }
  const auto masters =
      std::count_if(scenario.servers.begin(), scenario.servers.end(),
                    [](const ServerSpec& server) { return server.replica_of.empty(); });
  if (masters < kFewestMasters) {
    errors.add(cluster.origin,
               fmt::format("a cluster needs at least 3 masters, and has {}", masters));
  }
  for (const ServerSpec& server : scenario.servers) {
    if (server.monitor.sentinels.empty()) continue;
    errors.add(server.origin, "sentinels do not look after the masters of a cluster");
  }
}

void check_cluster(const Scenario& scenario, Errors& errors) {
  if (!scenario.cluster) return;
  if (scenario.lock.nodes.size() != 1) {
    errors.add(scenario.lock.origin,
               "in a cluster the master of its slot alone has a lock's key: \"nodes\" must name "
               "one node, by which clients enter");
  }
  for (const FaultSpec& fault : scenario.faults) {
    if (fault.kind == FaultSpec::Kind::promote) {
      errors.add(fault.origin,
                 "the nodes of a cluster choose their masters themselves; let the old one crash, "
                 "pause or be cut off");
    } else if (!fault.replica_of.empty()) {
      errors.add(fault.origin,
                 "the nodes of a cluster know whom they follow; take \"replica_of\" out");
    }
  }
}

}  // namespace holdfast::scenario
