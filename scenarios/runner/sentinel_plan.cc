#include "scenarios/runner/sentinel_plan.h"

#include <algorithm>

#include "sim/redis/random_id.h"

namespace holdfast::runner {

using scenario::Scenario;
using scenario::ServerSpec;

namespace {

constexpr std::uint16_t kPort = 6379;  // of nodes that are named, not addressed
constexpr std::uint32_t kIdCount = 0x5e471e1;

bool looks_after(const std::string& sentinel, const ServerSpec& master) {
  const auto& all = master.monitor.sentinels;
  return std::find(all.begin(), all.end(), sentinel) != all.end();
}

std::string id_of(const Scenario& scenario, const std::string& sentinel) {
  const auto& all = scenario.sentinels;
  const auto place = std::find(all.begin(), all.end(), sentinel) - all.begin() + 1;
  std::string id;
  sim::redis::make_random_id(static_cast<history::NodeId>(place), kIdCount, id);
  return id;
}

}  // namespace

sim::NodeAddress address_by_name(const std::string& name) { return {name, kPort}; }

sim::redis::SentinelOptions sentinel_options(const Scenario& scenario, const std::string& sentinel,
                                             const AddressOf& address) {
  sim::redis::SentinelOptions options;
  options.id = id_of(scenario, sentinel);
  for (const ServerSpec& master : scenario.servers) {
    if (!looks_after(sentinel, master)) continue;
    sim::redis::MonitorOptions& monitor = options.monitors.emplace_back();
    monitor.name = master.name;
    monitor.master = address(master.name);
    monitor.quorum = master.monitor.quorum;
    monitor.down_after = master.monitor.down_after;
    monitor.failover_timeout = master.monitor.failover_timeout;
    monitor.parallel_syncs = master.monitor.parallel_syncs;
    for (const ServerSpec& server : scenario.servers) {
      if (server.replica_of == master.name) monitor.replicas.push_back(address(server.name));
    }
    for (const std::string& other : master.monitor.sentinels) {
      if (other != sentinel) monitor.fellows.push_back({address(other), id_of(scenario, other)});
    }
  }
  return options;
}

std::vector<sim::NodePlan> sentinel_plans(const Scenario& scenario, const history::History& names) {
  std::vector<sim::NodePlan> plans;
  for (const std::string& name : scenario.sentinels) {
    sim::NodePlan& plan = plans.emplace_back();
    plan.server.name = name;
    plan.server.node = static_cast<history::NodeId>(names.nodes.find(name));
    plan.server.port = kPort;
    plan.server.sentinel = sentinel_options(scenario, name, address_by_name);
  }
  return plans;
}

}  // namespace holdfast::runner
