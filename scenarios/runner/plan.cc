#include "scenarios/runner/plan.h"

#include <algorithm>

#include "scenarios/runner/cluster_plan.h"
#include "scenarios/workload/guarded_resource.h"
#include "scenarios/workload/observer_bridge.h"

namespace holdfast::runner {

using history::History;
using scenario::Scenario;
using scenario::Step;

namespace {

void collect_keys(const std::vector<Step>& steps, std::vector<std::string>& keys) {
  for (const Step& step : steps) {
    if (step.kind == Step::Kind::acquire &&
        std::find(keys.begin(), keys.end(), step.target) == keys.end()) {
      keys.push_back(step.target);
    }
    collect_keys(step.steps, keys);
  }
}

history::Belief belief(const Scenario& scenario) {
  if (!scenario.lock.protocol) return history::Belief::handle;
  switch (scenario.lock.protocol->believes) {
    case scenario::Believes::ttl_from_send:
      return history::Belief::ttl_from_send;
    case scenario::Believes::ttl_from_reply:
      return history::Belief::ttl_from_reply;
    default:
      return history::Belief::until_release;
  }
}

history::LockSetup lock_setup(const Scenario& scenario, const std::string& key,
                              const History& history) {
  const LockOptions& options = scenario.lock.options;
  history::LockSetup lock;
  lock.resource = static_cast<history::ResourceId>(history.resources.find(key));
  const bool one_node = scenario.lock.protocol && !scenario.lock.protocol->quorum;
  std::vector<std::string> nodes = scenario.lock.nodes;
  if (scenario.cluster) nodes = {server_of(scenario, key).name};
  for (const auto& name : nodes) {
    lock.nodes.push_back(static_cast<history::NodeId>(history.nodes.find(name)));
    if (one_node) break;  // such a protocol speaks to the first node alone
  }
  lock.quorum = static_cast<std::uint32_t>(lock.nodes.size() / 2 + 1);
  lock.ttl = options.ttl.count();
  if (scenario.lock.protocol && scenario.lock.protocol->lease > Duration::zero()) {
    lock.ttl = scenario.lock.protocol->lease.count();
  }
  lock.node_deadline = workload::node_deadline(options).count();
  const auto jitter_ppm = static_cast<std::int64_t>(options.retry_jitter * 1'000'000.0);
  lock.poll = options.retry.count() + options.retry.count() / 1'000'000 * jitter_ppm;
  lock.replicas = options.replicas;
  lock.watchdog = options.watchdog;
  lock.belief = belief(scenario);
  for (const auto& guarded : scenario.guarded) {
    const auto& named = scenario.lock.guards;
    if (named.empty() || std::find(named.begin(), named.end(), guarded.name) != named.end()) {
      lock.guards.push_back(static_cast<history::ResourceId>(history.resources.find(guarded.name)));
    }
  }
  return lock;
}

void describe_nodes(const Scenario& scenario, History& history) {
  for (const auto& server : scenario.servers) history.nodes.intern(server.name);
  for (const auto& server : scenario.servers) {
    history.setup.nodes.push_back(
        {static_cast<history::NodeId>(history.nodes.find(server.name)),
         static_cast<history::NodeId>(
             server.replica_of.empty() ? 0 : history.nodes.find(server.replica_of)),
         false});
  }
  history.setup.nodes.push_back(
      {static_cast<history::NodeId>(history.nodes.intern(workload::kGuardedServer)), 0, true});
  // Sentinels hold no data: nodes that events can name, but none of the judge's.
  for (const auto& sentinel : scenario.sentinels) history.nodes.intern(sentinel);
}

}  // namespace

std::vector<std::string> lock_keys(const Scenario& scenario) {
  std::vector<std::string> keys;
  for (const auto& client : scenario.clients) collect_keys(client.steps, keys);
  return keys;
}

std::vector<history::Event> clocks_at_start(const Scenario& scenario, const History& names) {
  std::vector<history::Event> events;
  const auto add = [&](history::Event bent, Duration offset, std::int64_t ppm) {
    if (offset != Duration::zero()) {
      bent.kind = history::Kind::clock_stepped;
      bent.a = offset.count();
      events.push_back(bent);
    }
    if (ppm != 0) {
      bent.kind = history::Kind::clock_rate;
      bent.a = ppm;
      events.push_back(bent);
    }
  };
  for (const auto& server : scenario.servers) {
    const auto node = static_cast<history::NodeId>(names.nodes.find(server.name));
    add({.node = node}, server.clock_offset, server.clock_ppm);
  }
  for (const auto& client : scenario.clients) {
    const auto actor = static_cast<history::ActorId>(names.actors.find(client.name));
    add({.actor = actor}, client.wall_offset, client.clock_ppm);
  }
  return events;
}

std::vector<Endpoint> addresses(const Scenario& scenario) {
  std::vector<Endpoint> endpoints;
  for (const auto& name : scenario.lock.nodes) endpoints.push_back({name});
  return endpoints;
}

void describe(const Scenario& scenario, const std::string& world, History& history) {
  history::Setup& setup = history.setup;
  setup = {};
  setup.scenario = scenario.name;
  setup.world = world;
  setup.until = scenario.until.count();
  describe_nodes(scenario, history);
  const auto keys = lock_keys(scenario);
  for (const auto& key : keys) history.resources.intern(key);
  for (const auto& guarded : scenario.guarded) {
    setup.guarded.push_back(
        static_cast<history::ResourceId>(history.resources.intern(guarded.name)));
  }
  for (const auto& key : keys) setup.locks.push_back(lock_setup(scenario, key, history));
  for (const auto& client : scenario.clients) {
    setup.clients.push_back(static_cast<history::ActorId>(history.actors.intern(client.name)));
  }
  setup.fault_count = static_cast<std::uint32_t>(scenario.faults.size());
  for (const auto& fault : scenario.faults) {
    setup.fault_unconditional.push_back(!fault.when.sometimes_ppm);
    history.fault_text.push_back(fault.describe());
  }
}

}  // namespace holdfast::runner
