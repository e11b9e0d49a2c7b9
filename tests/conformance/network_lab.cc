#include "tests/conformance/network_lab.h"

#include <utility>

namespace holdfast::conformance {
namespace {

constexpr Duration kFlight = 1us;

Task<void> idle(Env&) { co_return; }

}  // namespace

NetworkLab::NetworkLab(const Topology& topology) : topology_(topology) {
  sim::WorldPlan plan;
  plan.latency = {kFlight, kFlight};
  plan.wall_epoch = kEpoch;
  for (const NodePlan& node : topology_.plan()) {
    sim::NodePlan& planned = plan.nodes.emplace_back();
    planned.server.name = node.name;
    planned.server.node = static_cast<history::NodeId>(plan.nodes.size());
    planned.server.persistence = node.persistence;
    if (!node.replica_of.empty()) planned.replica_of = number(node.replica_of);
  }
  for (const Connection& connection : {A, B, C}) {
    sim::ClientPlan& client = plan.clients.emplace_back();
    client.name = connection.name;
    client.actor = static_cast<history::ActorId>(plan.clients.size());
    clients_[client.name].actor = client.actor;
  }
  world_.reset(plan, 1);
  for (const auto& [name, client] : clients_) world_.process(client.actor).start(idle);
  if (topology_.clock == WallClock::frozen) {
    for (const NodePlan& node : topology_.plan()) server(node.name).freeze_wall(true);
  }
  wait_for_replicas(topology_);
}

history::NodeId NetworkLab::number(std::string_view node) const {
  history::NodeId number = 1;
  for (const NodePlan& plan : topology_.plan()) {
    if (plan.name == node) break;
    ++number;
  }
  return number;
}

sim::RedisServer& NetworkLab::server(std::string_view node) { return world_.server(number(node)); }

NetworkLab::Client& NetworkLab::at(const Connection& connection) {
  Client& client = clients_.find(connection.name)->second;
  if (client.redis == nullptr) {
    Endpoint endpoint;
    endpoint.name = connection.node;
    client.redis = world_.process(client.actor).env().connect(endpoint, Role::exclusive);
  }
  return client;
}

Task<void> NetworkLab::exchange(Env& env, NetworkLab& lab, Client& client,
                                std::vector<Command> commands) {
  const Instant deadline = env.now() + 1h;
  const std::shared_ptr<RedisClient> redis = client.redis;
  const LateReply nobody;
  const std::vector<CallResult> results = co_await Pipeline(*redis, commands, deadline, nobody);
  for (const CallResult& result : results) lab.came(client, result);
}

// Only the client's own words begin with a small letter.
void NetworkLab::came(Client& client, const CallResult& result) {
  const std::string& text = result.reply.text;
  const bool lost = result.reply.is_error() && text.starts_with("connection lost");
  client.answers.push_back(
      {lost ? Answer::Kind::closed : Answer::Kind::reply, result.reply, now()});
  kernel().stop();
}

void NetworkLab::send(const Connection& connection, std::span<const Command> commands) {
  Client& client = at(connection);
  Env& env = world_.process(client.actor).env();
  env.spawn(exchange(env, *this, client, {commands.begin(), commands.end()}), Lane::caller);
  run_for(kFlight);  // it is on its way
}

Answer NetworkLab::receive(const Connection& connection, Duration patience) {
  Client& client = at(connection);
  const Duration end = now() + patience;
  while (client.answers.empty() && now() < end) run_for(end - now());
  if (client.answers.empty()) return {Answer::Kind::silence, {}, now()};
  Answer answer = std::move(client.answers.front());
  client.answers.pop_front();
  return answer;
}

void NetworkLab::close(const Connection& connection, bool reset) {
  Client& client = at(connection);
  sim::Process& process = world_.process(client.actor);
  if (reset) {
    process.crash();
    process.restart();
  } else {
    client.redis->close();
  }
  client.redis = nullptr;
  client.answers.clear();
}

bool NetworkLab::connects(const Connection& connection) {
  Client& client = at(connection);
  sleep(1ms);
  return client.redis->generation() > 0;
}

void NetworkLab::hold_link(const Connection& connection, Way way, bool held) {
  const history::ActorId actor = clients_.find(connection.name)->second.actor;
  const history::NodeId node = number(connection.node);
  if (held) {
    world_.cut(actor, node,
               way == Way::to_server ? sim::Direction::to_server : sim::Direction::to_client,
               sim::CutMode::hold);
  } else {
    world_.heal(actor, node);
  }
}

void NetworkLab::drop_next_reply(const Connection& connection) {
  world_.drop_replies(clients_.find(connection.name)->second.actor, number(connection.node), 1,
                      true);
}

}  // namespace holdfast::conformance
