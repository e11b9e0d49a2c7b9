#include "tests/conformance/simulated_servers.h"

#include <map>
#include <stdexcept>
#include <string>

namespace holdfast::conformance {

using sim::TrueTime;

Duration SimulatedServers::now() { return kernel().now().time_since_epoch(); }

void SimulatedServers::sleep(Duration time) {
  const Duration end = now() + time;
  while (now() < end) run_for(end - now());
}

bool SimulatedServers::run_for(Duration time) {
  constexpr std::uint64_t kEnough = 100'000'000;
  const TrueTime end = kernel().now() + time;
  sim::EventId last = kernel().at(end, {[](void*, std::uint64_t) {}, nullptr, 0, 1});
  const bool stopped = kernel().run(end, kEnough) == sim::Kernel::End::stopped;
  kernel().cancel(last);
  return stopped;
}

void SimulatedServers::wait_for_replicas(const Topology& topology) {
  std::map<std::string_view, int> wanted;
  for (const NodePlan& plan : topology.plan()) {
    if (!plan.replica_of.empty()) ++wanted[plan.replica_of];
  }
  for (const auto& [master, count] : wanted) {
    for (int tries = 0; server(master).online_replicas() < count; ++tries) {
      if (tries > 100) throw std::runtime_error("no replicas at " + std::string(master));
      sleep(100ms);
    }
  }
}

void SimulatedServers::step_clock(std::string_view node, Duration by) {
  server(node).step_wall(by);
}
void SimulatedServers::set_clock_rate(std::string_view node, std::int64_t ppm) {
  server(node).set_wall_rate(ppm);
}
void SimulatedServers::pause(std::string_view node, bool paused) {
  if (paused) {
    server(node).pause();
  } else {
    server(node).resume();
  }
}
void SimulatedServers::kill(std::string_view node) { server(node).crash(sim::CrashKind::kill); }
void SimulatedServers::lose_power(std::string_view node) {
  server(node).crash(sim::CrashKind::power_loss);
}
void SimulatedServers::tear_file(std::string_view node, std::int64_t bytes) {
  server(node).tear_file(bytes);
}
void SimulatedServers::fail_saves(std::string_view node) { server(node).fail_saves(true); }
void SimulatedServers::restart(std::string_view node, Persistence persistence) {
  server(node).restart(persistence);
}
void SimulatedServers::promote(std::string_view node) { server(node).promote(); }
void SimulatedServers::follow(std::string_view node, std::string_view master) {
  server(node).replicate_from(server(master));
}
void SimulatedServers::hold_stream(std::string_view replica, bool held) {
  server(replica).hold_stream(held);
}
void SimulatedServers::cut_stream(std::string_view replica, bool cut) {
  server(replica).cut_stream(cut);
}
std::int64_t SimulatedServers::offset(std::string_view node) { return server(node).offset(); }

}  // namespace holdfast::conformance
