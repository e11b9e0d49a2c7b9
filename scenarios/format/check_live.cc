// What cannot be run on real servers.
#include <fmt/format.h>

#include "scenarios/format/read.h"
#include "scenarios/format/scale.h"

namespace holdfast::scenario {
namespace {

// Why no live run can inject this fault; empty when it can.
std::string only_simulated(const Scenario& scenario, const FaultSpec& fault) {
  if (fault.power_loss) return "a power loss can only be simulated";
  if (fault.kind == FaultSpec::Kind::slow_fsync) return "a slow fsync can only be simulated";
  if (fault.lane) return "the pause of one lane alone can only be simulated";
  if (fault.kind == FaultSpec::Kind::error) return "an error answer can only be simulated";
  if (fault.kind == FaultSpec::Kind::clock && find_server(scenario, fault.target) == nullptr) {
    return "a client's clock can be bent in mid-run only when simulated";
  }
  return "";
}

}  // namespace

void check_live(const Value& document, const Scenario& scenario, Errors& errors) {
  if (!scenario.live) return;
  if (scenario.cluster) {
    errors.add(scenario.cluster->origin,
               "a cluster can only be simulated so far; take \"live\" out of \"worlds\"");
  }
  for (const ServerSpec& server : scenario.servers) {
    if (server.monitor.sentinels.empty()) continue;
    errors.add(server.origin,
               "sentinels can only be simulated so far; take \"live\" out of \"worlds\"");
  }
  for (const FaultSpec& fault : scenario.faults) {
    const std::string why = only_simulated(scenario, fault);
    if (!why.empty()) {
      errors.add(fault.origin, why + "; take \"live\" out of \"worlds\"");
    }
  }
  if (const auto refused = refuse_scale(scenario, scenario.live_scale.value_or(1.0))) {
    const Value* scale = document.find("live_scale");
    errors.add(scale == nullptr ? refused->origin : scale->origin, refused->message);
  }
}

}  // namespace holdfast::scenario
