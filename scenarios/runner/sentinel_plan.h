// The sentinels of a scenario. They know each other and the replicas from an earlier life: a run
// begins with a cluster that has been up for a while.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "reports/history/history.h"
#include "scenarios/format/model.h"
#include "sim/world.h"

namespace holdfast::runner {

// Where a server or sentinel of that name is reached.
using AddressOf = std::function<sim::NodeAddress(const std::string& name)>;

// In a simulated network: its name.
sim::NodeAddress address_by_name(const std::string& name);

// What one of them finds in its configuration file, but for the seed.
sim::redis::SentinelOptions sentinel_options(const scenario::Scenario& scenario,
                                             const std::string& sentinel, const AddressOf& address);

// All of them as nodes of a simulated world.
std::vector<sim::NodePlan> sentinel_plans(const scenario::Scenario& scenario,
                                          const history::History& names);

}  // namespace holdfast::runner
