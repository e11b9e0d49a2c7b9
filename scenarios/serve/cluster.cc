#include "scenarios/serve/cluster.h"

#include <utility>

#include "scenarios/runner/cluster_plan.h"
#include "scenarios/runner/sentinel_plan.h"
#include "sim/fabric.h"
#include "sim/latency_table.h"
#include "sim/random.h"

namespace holdfast::serve {

namespace {

constexpr const char* kHost = "127.0.0.1";

}  // namespace

std::vector<std::string> node_names(const scenario::Scenario& scenario) {
  std::vector<std::string> names;
  for (const auto& server : scenario.servers) names.push_back(server.name);
  names.insert(names.end(), scenario.sentinels.begin(), scenario.sentinels.end());
  return names;
}

struct Cluster::State {
  State(ClientNetwork& n, const scenario::LatencySpec& spec, Duration epoch)
      : network(n), latency({spec.median, spec.p99}), wall_epoch(epoch) {}

  ClientNetwork& network;
  sim::LatencyTable latency;
  Duration wall_epoch;
  sim::Kernel kernel;
  sim::Fabric fabric{kernel};  // of the nodes' own connections
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
    if (state.fabric.knows(number, session)) {
      state.fabric.reply(number, session, std::move(reply));
    } else {
      state.network.send_reply(number, session, std::move(reply));
    }
  }
  void send_push(SessionId session, Reply message) override {
    if (state.fabric.knows(number, session)) {
      state.fabric.push(number, session, std::move(message));
    } else {
      state.network.send_push(number, session, std::move(message));
    }
  }
  void close_session(SessionId session) override {
    if (state.fabric.knows(number, session)) {
      state.fabric.closed_by_server(number, session);
    } else {
      state.network.close_session(number, session);
    }
  }
  std::string client_address(SessionId session) const override {
    if (state.fabric.knows(number, session)) return ServerHost::client_address(session);
    return state.network.client_address(number, session);
  }
  Duration replication_delay(NodeId, NodeId) override { return state.latency.draw(replication); }
  sim::RedisServer* find_server(const sim::NodeAddress& address) override;
  sim::Fabric* fabric() override { return &state.fabric; }

  State& state;
  scenario::ServerSpec spec;
  NodeId number;
  NodeId master = 0;  // in the file
  sim::Random replication;
  sim::RedisServer server;
};

// By its port: whatever a client calls this host.
sim::RedisServer* Cluster::Node::find_server(const sim::NodeAddress& address) {
  for (const auto& node : state.nodes) {
    if (node->server.options().port == address.port) return &node->server;
  }
  return nullptr;
}

Cluster::Cluster(const scenario::Scenario& scenario, const std::vector<std::uint16_t>& ports,
                 ClientNetwork& network, sim::ServerWatcher& watcher, std::uint64_t seed,
                 Duration wall_epoch)
    : state_(std::make_unique<State>(network, scenario.latency, wall_epoch)) {
  state_->kernel.reset(seed);
  std::vector<scenario::ServerSpec> specs = scenario.servers;
  for (const std::string& name : scenario.sentinels) specs.push_back({name});
  std::vector<sim::RedisServer*> servers;
  std::vector<history::ActorId> callers;
  for (const auto& spec : specs) {
    const auto number = static_cast<NodeId>(state_->nodes.size() + 1);
    state_->nodes.push_back(std::make_unique<Node>(*state_, spec, number, watcher, seed));
    servers.push_back(&state_->nodes.back()->server);
    if (scenario.cluster || number > scenario.servers.size())
      callers.push_back(sim::node_actor(number));
  }
  state_->fabric.reset(callers, servers, state_->latency, seed);
  const runner::AddressOf address = [&](const std::string& name) {
    return sim::NodeAddress{kHost, ports[find(name) - 1U]};
  };
  const auto layout = runner::cluster_layout(scenario, address);
  for (const auto& node : state_->nodes) {
    const scenario::ServerSpec& spec = node->spec;
    sim::ServerOptions options;
    options.name = spec.name;
    options.node = node->number;
    options.host = kHost;
    options.port = ports[node->number - 1U];
    options.cluster = layout;
    options.seed = seed;
    options.persistence = static_cast<sim::Persistence>(spec.persistence);
    if (spec.version) options.version = static_cast<sim::RedisVersion>(*spec.version);
    if (node->number > scenario.servers.size()) {
      options.sentinel = runner::sentinel_options(scenario, spec.name, address);
      options.sentinel.seed = seed;
    }
    node->server.reset(options, sim::Clock(wall_epoch + spec.clock_offset, spec.clock_ppm));
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

void Cluster::cut(NodeId one, NodeId other, bool is_cut, sim::CutMode mode) {
  const bool hold = mode == sim::CutMode::hold;
  for (const auto& [from, to] : {std::pair(one, other), std::pair(other, one)}) {
    const history::ActorId caller = sim::node_actor(from);
    is_cut ? state_->fabric.cut(caller, to, sim::Direction::both, mode)
           : state_->fabric.heal(caller, to);
    sim::RedisServer& replica = server(from);
    if (is_cut && replica.master() != &server(to)) continue;
    hold ? replica.hold_stream(is_cut) : replica.cut_stream(is_cut);
  }
}

NodeId Cluster::number(const sim::RedisServer& server) const {
  for (const auto& node : state_->nodes) {
    if (&node->server == &server) return node->number;
  }
  return 0;
}

}  // namespace holdfast::serve
