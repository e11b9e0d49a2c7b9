#include "scenarios/runner/cluster_plan.h"

#include <algorithm>
#include <vector>

namespace holdfast::runner {

using scenario::Scenario;
using scenario::ServerSpec;
using sim::redis::ClusterLayout;
using sim::redis::MemberId;

namespace {

std::vector<const ServerSpec*> masters(const Scenario& scenario) {
  std::vector<const ServerSpec*> found;
  for (const ServerSpec& server : scenario.servers) {
    if (server.replica_of.empty()) found.push_back(&server);
  }
  return found;
}

MemberId member(const Scenario& scenario, const std::string& name) {
  const auto found = std::find_if(scenario.servers.begin(), scenario.servers.end(),
                                  [&](const ServerSpec& one) { return one.name == name; });
  return static_cast<MemberId>(found - scenario.servers.begin());
}

}  // namespace

std::shared_ptr<const ClusterLayout> cluster_layout(const Scenario& scenario,
                                                    const AddressOf& address) {
  if (!scenario.cluster) return nullptr;
  auto layout = std::make_shared<ClusterLayout>();
  layout->node_timeout = scenario.cluster->node_timeout;
  const std::size_t parts = masters(scenario).size();
  std::size_t part = 0;
  for (const ServerSpec& server : scenario.servers) {
    const sim::NodeAddress where = address(server.name);
    sim::redis::ClusterSeat& seat = layout->seats.emplace_back();
    seat.node = static_cast<history::NodeId>(layout->seats.size());
    seat.host = where.host;
    seat.port = where.port;
    if (server.replica_of.empty()) {
      seat.slots = {sim::redis::even_share(part++, parts)};
    } else {
      seat.master = member(scenario, server.replica_of);
    }
  }
  return layout;
}

const ServerSpec& server_of(const Scenario& scenario, std::string_view key) {
  const auto all = masters(scenario);
  const sim::redis::Slot slot = sim::redis::slot_of(key);
  std::size_t part = 0;
  while (slot > sim::redis::even_share(part, all.size()).last) ++part;
  return *all[part];
}

}  // namespace holdfast::runner
