#include "scenarios/live/scaled_scenario.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace holdfast::live {

using scenario::FaultSpec;
using scenario::Scenario;
using scenario::Step;
using namespace std::chrono_literals;

namespace {

// Least time that a node gets to answer on a loaded machine.
constexpr Duration kLeastNodeDeadline = 50ms;
constexpr Duration kLeastLease = 1s;
constexpr Duration kLeastWindow = 100ms;

class Scaler {
 public:
  explicit Scaler(double factor) : factor_(factor) {}

  void apply(Duration& duration) const {
    duration = Duration(std::llround(static_cast<double>(duration.count()) * factor_));
  }
  void apply(std::optional<Duration>& duration) const {
    if (duration) apply(*duration);
  }
  void window(std::optional<Duration>& duration) {
    if (duration) window(*duration);
  }
  void window(Duration& duration) {
    const Duration before = duration;
    apply(duration);
    if (duration < kLeastWindow && before >= kLeastWindow) too_short_ = true;
  }
  bool too_short() const { return too_short_; }

 private:
  double factor_;
  bool too_short_ = false;
};

void scale_steps(std::vector<Step>& steps, const Scaler& scaler) {
  for (Step& step : steps) {
    scaler.apply(step.duration);
    scaler.apply(step.wait);
    scale_steps(step.steps, scaler);
  }
}

void scale_lock(scenario::LockSpec& lock, const Scaler& scaler) {
  LockOptions& options = lock.options;
  scaler.apply(options.ttl);
  scaler.apply(options.wait);
  scaler.apply(options.retry);
  if (options.node_deadline) {
    const Duration unscaled = *options.node_deadline;
    scaler.apply(options.node_deadline);
    options.node_deadline =
        std::max(*options.node_deadline, std::min(unscaled, kLeastNodeDeadline));
  }
  scaler.apply(options.min_validity);
  scaler.apply(options.max_hold);
  scaler.apply(options.min_hold);
  scaler.apply(options.cleanup_budget);
  if (!lock.protocol) return;
  scaler.apply(lock.protocol->lease);
  scaler.apply(lock.protocol->every);
}

void scale_fault(FaultSpec& fault, Scaler& scaler) {
  scaler.apply(fault.when.at);
  scaler.apply(fault.when.within);
  // "10 ms after A's SET": such a delay says "soon", and does not shrink.
  if (fault.when.after > 100ms) scaler.apply(fault.when.after);
  scaler.window(fault.duration);
  if (fault.restart_after && *fault.restart_after > 100ms) scaler.window(fault.restart_after);
  scaler.apply(fault.step);
  scaler.apply(fault.by);
}

}  // namespace

std::variant<Scenario, std::string> scaled(Scenario scenario, double scale) {
  Scaler scaler(scale);
  scale_lock(scenario.lock, scaler);
  const Duration lease = scenario.lock.protocol && scenario.lock.protocol->lease > Duration::zero()
                             ? scenario.lock.protocol->lease
                             : scenario.lock.options.ttl;
  if (scale < 1.0 && lease < kLeastLease) {
    return "at scale " + std::to_string(scale) + " the lease would be under 1 s";
  }
  for (auto& client : scenario.clients) {
    scale_steps(client.steps, scaler);
    scaler.apply(client.wall_offset);
  }
  for (auto& server : scenario.servers) scaler.apply(server.clock_offset);
  for (auto& fault : scenario.faults) scale_fault(fault, scaler);
  scaler.apply(scenario.until);
  if (scaler.too_short()) {
    return "at scale " + std::to_string(scale) + " a forced window would be under 100 ms";
  }
  return scenario;
}

}  // namespace holdfast::live
