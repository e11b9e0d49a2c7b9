// The Redis Cluster that a scenario's servers form. It was formed long before the run.
#pragma once

#include <memory>
#include <string_view>

#include "scenarios/format/model.h"
#include "scenarios/runner/sentinel_plan.h"
#include "sim/redis/cluster/layout.h"

namespace holdfast::runner {

// Null when they form none. Nodes are numbered from 1 in the order of the servers.
std::shared_ptr<const sim::redis::ClusterLayout> cluster_layout(const scenario::Scenario& scenario,
                                                                const AddressOf& address);

// The server that has the key at the start: the master of its slot.
const scenario::ServerSpec& server_of(const scenario::Scenario& scenario, std::string_view key);

}  // namespace holdfast::runner
