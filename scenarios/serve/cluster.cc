#include "scenarios/serve/cluster.h"

#include <utility>

#include "sim/latency_table.h"
#include "sim/random.h"

namespace holdfast::serve {

struct Cluster::State {
  State(ClientNetwork& n, const scenario::LatencySpec& spec, Duration epoch)
      : network(n), latency({spec.median, spec.p99}), wall_epoch(epoch) {}

  ClientNetwork& network;
  sim::LatencyTable latency;
  Duration wall_epoch;
  sim::Kernel kernel;
  std::vector<std::unique_ptr<Node>> nodes;
};

struct Cluster::Node final : sim::ServerHost {
  Node(State& owner, const scenario::ServerSpec& one, NodeId n, sim::ServerWatcher& watcher,
       std::uint64_t seed)
      : state(owner),
        spec(one),
        number(n),
        replication(seed, sim::Purpose::service, n),
        server(owner.kernel, *this, watcher) {}

  void send_reply(SessionId session, Reply reply) override {
    state.network.send_reply(number, session, std::move(reply));
  }
  void send_push(SessionId session, Reply message) override {
    state.network.send_push(number, session, std::move(message));
  }
  void close_session(SessionId session) override { state.network.close_session(number, session); }
  std::string client_address(SessionId session) const override {
    return state.network.client_address(number, session);
  }
  Duration replication_delay(NodeId, NodeId) override { return state.latency.draw(replication); }

  State& state;
  scenario::ServerSpec spec;
  NodeId number;
  NodeId master = 0;  // in the file
  sim::Random replication;
  sim::RedisServer server;
};

Cluster::Cluster(const scenario::Scenario& scenario, const std::vector<std::uint16_t>& ports,
                 ClientNetwork& network, sim::ServerWatcher& watcher, std::uint64_t seed,
                 Duration wall_epoch)
    : state_(std::make_unique<State>(network, scenario.latency, wall_epoch)) {
  state_->kernel.reset(seed);
  for (const auto& spec : scenario.servers) {
    const auto number = static_cast<NodeId>(state_->nodes.size() + 1);
    state_->nodes.push_back(std::make_unique<Node>(*state_, spec, number, watcher, seed));
    sim::ServerOptions options;
    options.name = spec.name;
    options.node = number;
    options.port = ports[number - 1U];
    options.persistence = static_cast<sim::Persistence>(spec.persistence);
    if (spec.version) options.version = static_cast<sim::RedisVersion>(*spec.version);
    state_->nodes.back()->server.reset(options,
                                       sim::Clock(wall_epoch + spec.clock_offset, spec.clock_ppm));
  }
  for (const auto& node : state_->nodes) {
    if (node->spec.replica_of.empty()) continue;
    node->master = find(node->spec.replica_of);
    node->server.replicate_from(server(node->master));
  }
}
Cluster::~Cluster() = default;

Duration Cluster::wall_epoch() const { return state_->wall_epoch; }
sim::Kernel& Cluster::kernel() { return state_->kernel; }
NodeId Cluster::size() const { return static_cast<NodeId>(state_->nodes.size()); }

NodeId Cluster::find(std::string_view name) const {
  for (const auto& node : state_->nodes) {
    if (node->spec.name == name) return node->number;
  }
  return 0;
}

const std::string& Cluster::name(NodeId node) const { return state_->nodes[node - 1U]->spec.name; }
sim::RedisServer& Cluster::server(NodeId node) { return state_->nodes[node - 1U]->server; }
sim::Persistence Cluster::persistence(NodeId node) const {
  return static_cast<sim::Persistence>(state_->nodes[node - 1U]->spec.persistence);
}

NodeId Cluster::root(NodeId node) const {
  while (state_->nodes[node - 1U]->master != 0) node = state_->nodes[node - 1U]->master;
  return node;
}

NodeId Cluster::number(const sim::RedisServer& server) const {
  for (const auto& node : state_->nodes) {
    if (&node->server == &server) return node->number;
  }
  return 0;
}

}  // namespace holdfast::serve
