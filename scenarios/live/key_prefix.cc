#include "scenarios/live/key_prefix.h"

#include <utility>

namespace holdfast::live {
namespace {

using scenario::Step;

void put_before_targets(std::vector<Step>& steps, std::string_view prefix) {
  for (Step& step : steps) {
    if (!step.target.empty()) step.target.insert(0, prefix);
    put_before_targets(step.steps, prefix);
  }
}

}  // namespace

scenario::Scenario with_key_prefix(scenario::Scenario scenario, std::string_view prefix) {
  for (auto& client : scenario.clients) put_before_targets(client.steps, prefix);
  for (auto& guarded : scenario.guarded) guarded.name.insert(0, prefix);
  for (auto& guarded : scenario.lock.guards) guarded.insert(0, prefix);
  return scenario;
}

bool take_prefix_away(MonitorLine& line, std::string_view prefix) {
  bool ours = false;
  for (std::string& argument : line.arguments) {
    if (!argument.starts_with(prefix)) continue;
    argument.erase(0, prefix.size());
    ours = true;
  }
  return ours;
}

}  // namespace holdfast::live
