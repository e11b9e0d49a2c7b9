#include "sim/world.h"

#include <cstdlib>
#include <utility>

#include "sim/client_process.h"
#include "sim/fabric.h"

namespace holdfast::sim {

struct World::Impl final : ClientProcess::Directory {
  // One server and its view of the network.
  struct Node final : ServerHost {
    Node(Impl& owner, history::NodeId number, ServerWatcher& watcher)
        : impl(owner), node(number), server(owner.kernel, *this, watcher) {}

    void send_reply(SessionId session, Reply reply) override {
      impl.fabric.reply(node, session, std::move(reply));
    }
    void send_push(SessionId session, Reply message) override {
      impl.fabric.push(node, session, std::move(message));
    }
    void close_session(SessionId session) override { impl.fabric.closed_by_server(node, session); }
    Duration replication_delay(history::NodeId, history::NodeId) override {
      return impl.latency.draw(replication);
    }
    RedisServer* find_server(const NodeAddress& address) override {
      for (RedisServer* one : impl.servers) {
        if (one->options().address() == address) return one;
      }
      return nullptr;
    }
    Fabric* fabric() override { return &impl.fabric; }

    Impl& impl;
    history::NodeId node;
    Random replication;
    RedisServer server;
  };

  Impl(ServerWatcher& w, ProcessHooks& h) : watcher(w), hooks(h) {}

  history::NodeId address(std::string_view name) const override {
    for (std::size_t i = 0; i < plan.nodes.size(); ++i) {
      if (plan.nodes[i].server.name == name) return static_cast<history::NodeId>(i + 1);
    }
    return 0;
  }
  std::span<const history::NodeId> sentinels(history::NodeId address) const override {
    return sentinels_of[address];
  }
  std::span<const history::NodeId> cluster(history::NodeId address) const override {
    if (plan.nodes[address - 1U].server.cluster == nullptr) return {};
    return cluster_nodes;
  }
  std::string_view name(history::NodeId address) const override {
    return plan.nodes[address - 1U].server.name;
  }
  ClientProcess& process(history::ActorId actor) {
    for (std::size_t i = 0; i < plan.clients.size(); ++i) {
      if (plan.clients[i].actor == actor) return *processes[i];
    }
    std::abort();  // actors are checked before a run
  }
  void reset_nodes(std::uint64_t seed);
  void reset_sentinels();
  void reset_processes(std::uint64_t seed);

  ServerWatcher& watcher;
  ProcessHooks& hooks;
  WorldPlan plan;
  LatencyTable latency;
  Kernel kernel;
  Fabric fabric{kernel};
  // Those of the largest plan so far: the first ones are in use.
  std::vector<std::unique_ptr<Node>> nodes;
  std::vector<std::unique_ptr<ClientProcess>> processes;
  std::vector<RedisServer*> servers;
  std::vector<std::vector<history::NodeId>> sentinels_of;  // by address
  std::vector<history::NodeId> cluster_nodes;
  std::vector<history::ActorId> actors;
};

void World::Impl::reset_nodes(std::uint64_t seed) {
  while (nodes.size() < plan.nodes.size()) {
    const auto number = static_cast<history::NodeId>(nodes.size() + 1);
    nodes.push_back(std::make_unique<Node>(*this, number, watcher));
  }
  servers.clear();
  for (std::size_t i = 0; i < plan.nodes.size(); ++i) {
    const NodePlan& node = plan.nodes[i];
    nodes[i]->replication = Random(seed, Purpose::service, i);
    servers.push_back(&nodes[i]->server);
    ServerOptions options = node.server;
    options.seed = options.sentinel.seed = seed;
    nodes[i]->server.reset(options, Clock(plan.wall_epoch + node.wall_offset, node.wall_ppm));
  }
}

void World::Impl::reset_sentinels() {
  sentinels_of.assign(plan.nodes.size() + 1, {});
  for (std::size_t i = 0; i < plan.nodes.size(); ++i) {
    for (const redis::MonitorOptions& monitor : plan.nodes[i].server.sentinel.monitors) {
      const history::NodeId master = address(monitor.name);
      if (master != 0) sentinels_of[master].push_back(static_cast<history::NodeId>(i + 1));
    }
  }
}

void World::Impl::reset_processes(std::uint64_t seed) {
  while (processes.size() < plan.clients.size()) {
    processes.push_back(std::make_unique<ClientProcess>(kernel, fabric, *this, hooks));
  }
  actors.clear();
  cluster_nodes.clear();
  for (std::size_t i = 0; i < plan.clients.size(); ++i) {
    const ClientPlan& client = plan.clients[i];
    // Machines were started at different times: nothing may compare their monotonic clocks.
    const Duration since_boot = std::chrono::hours(1) + std::chrono::seconds(977) * i;
    processes[i]->reset(
        {client.actor, seed, since_boot, plan.wall_epoch + client.wall_offset, client.clock_ppm});
    actors.push_back(client.actor);
  }
  for (std::size_t i = 0; i < plan.nodes.size(); ++i) {
    const ServerOptions& server = plan.nodes[i].server;
    if (server.cluster != nullptr) cluster_nodes.push_back(static_cast<history::NodeId>(i + 1));
    if (server.sentinel.monitors.empty() && server.cluster == nullptr) continue;
    actors.push_back(node_actor(static_cast<history::NodeId>(i + 1)));
  }
}

World::World(ServerWatcher& watcher, ProcessHooks& hooks)
    : impl_(std::make_unique<Impl>(watcher, hooks)) {}

World::~World() {
  for (auto& process : impl_->processes) process->end();
}

void World::reset(const WorldPlan& plan, std::uint64_t seed) {
  Impl& impl = *impl_;
  for (auto& process : impl.processes) process->end();
  impl.fabric.clear();
  impl.kernel.reset(seed);
  if (impl.plan.latency != plan.latency) impl.latency = LatencyTable(plan.latency);
  impl.plan = plan;
  impl.reset_nodes(seed);
  impl.reset_sentinels();
  impl.reset_processes(seed);
  impl.fabric.reset(impl.actors, impl.servers, impl.latency, seed);
  for (std::size_t i = 0; i < plan.nodes.size(); ++i) {
    const history::NodeId master = plan.nodes[i].replica_of;
    if (master != 0) impl.servers[i]->replicate_from(*impl.servers[master - 1U]);
  }
}

Kernel& World::kernel() { return impl_->kernel; }
RedisServer& World::server(history::NodeId node) { return *impl_->servers[node - 1U]; }
Process& World::process(history::ActorId actor) { return impl_->process(actor); }

void World::redirect(history::NodeId address, history::NodeId node) {
  impl_->fabric.redirect(address, node);
}
history::NodeId World::behind(history::NodeId address) const {
  return impl_->fabric.behind(address);
}
void World::cut(history::ActorId client, history::NodeId node, Direction direction, CutMode mode) {
  impl_->fabric.cut(client, node, direction, mode);
}
void World::heal(history::ActorId client, history::NodeId node) {
  impl_->fabric.heal(client, node);
}
bool World::reset_connections(history::ActorId client, history::NodeId node) {
  return impl_->fabric.reset_connections(client, node);
}
void World::delay(history::ActorId client, history::NodeId node, Direction direction,
                  Duration extra) {
  impl_->fabric.delay(client, node, direction, extra);
}
void World::drop_replies(history::ActorId client, history::NodeId node, std::uint32_t count,
                         bool then_reset, Action on_loss) {
  impl_->fabric.lose_replies(client, node, count, then_reset, on_loss);
}

}  // namespace holdfast::sim
