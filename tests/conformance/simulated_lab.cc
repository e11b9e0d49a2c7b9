#include "tests/conformance/simulated_lab.h"

#include <stdexcept>
#include <utility>

namespace holdfast::conformance {

// A server and its host: what it sends goes to the lab's sessions.
class SimulatedLab::Node final : public sim::ServerHost {
 public:
  Node(SimulatedLab& lab, const NodePlan& plan, history::NodeId number, WallClock clock)
      : server(lab.kernel_, *this, lab.watcher_), lab_(lab) {
    sim::ServerOptions options;
    options.name = plan.name;
    options.node = number;
    options.persistence = plan.persistence;
    server.reset(options, sim::Clock(kEpoch, 0));
    server.freeze_wall(clock == WallClock::frozen);
  }

  void send_reply(sim::SessionId session, Reply reply) override {
    Session* const to = find(session);
    if (to != nullptr) to->answers.push_back({Answer::Kind::reply, std::move(reply), lab_.now()});
    lab_.kernel_.stop();
  }
  // On the wire one cannot tell them apart.
  void send_push(sim::SessionId session, Reply message) override {
    send_reply(session, std::move(message));
  }
  void close_session(sim::SessionId session) override {
    Session* const to = find(session);
    if (to != nullptr) to->closed = true;
    lab_.kernel_.stop();
  }
  Duration replication_delay(history::NodeId, history::NodeId) override { return {}; }

  sim::RedisServer server;

 private:
  Session* find(sim::SessionId session) {
    for (auto& [name, one] : lab_.sessions_) {
      if (one.node == this && one.id == session && !one.closed) return &one;
    }
    return nullptr;
  }
  SimulatedLab& lab_;
};

SimulatedLab::SimulatedLab(const Topology& topology) {
  kernel_.reset(1);
  history::NodeId number = 0;
  for (const NodePlan& plan : topology.plan()) {
    nodes_[std::string(plan.name)] = std::make_unique<Node>(*this, plan, ++number, topology.clock);
    if (!plan.replica_of.empty()) follow(plan.name, plan.replica_of);
  }
  wait_for_replicas(topology);
}

SimulatedLab::~SimulatedLab() = default;

sim::RedisServer& SimulatedLab::server(std::string_view node) {
  return nodes_.find(node)->second->server;
}

SimulatedLab::Session& SimulatedLab::at(const Connection& connection) {
  const auto known = sessions_.find(connection.name);
  if (known != sessions_.end()) return known->second;
  Session& opened = sessions_[std::string(connection.name)];
  if (!server(connection.node).running()) return opened;
  opened.node = nodes_.find(connection.node)->second.get();
  opened.id = opened.node->server.open_session(1);
  return opened;
}

void SimulatedLab::send(const Connection& connection, std::span<const Command> commands) {
  const Session& session = at(connection);
  if (session.node == nullptr || session.closed) return;
  for (const Command& command : commands) session.node->server.receive(session.id, command);
}

Answer SimulatedLab::receive(const Connection& connection, Duration patience) {
  Session& session = at(connection);
  const Duration end = now() + patience;
  while (session.answers.empty() && session.node != nullptr && !session.closed && now() < end) {
    run_for(end - now());
  }
  if (!session.answers.empty()) {
    Answer answer = std::move(session.answers.front());
    session.answers.pop_front();
    return answer;
  }
  Answer::Kind kind = Answer::Kind::silence;
  if (session.closed) kind = Answer::Kind::closed;
  if (session.node == nullptr) kind = Answer::Kind::refused;
  if (kind != Answer::Kind::silence) sessions_.erase(sessions_.find(connection.name));
  return {kind, {}, now()};
}

void SimulatedLab::close(const Connection& connection, bool /*reset*/) {
  const Session& session = at(connection);
  if (session.node != nullptr && !session.closed) session.node->server.close_session(session.id);
  sessions_.erase(sessions_.find(connection.name));
}

void SimulatedLab::hold_link(const Connection& connection, Way /*way*/, bool /*held*/) {
  throw std::logic_error("no link at " + std::string(connection.name));
}
void SimulatedLab::drop_next_reply(const Connection& connection) {
  hold_link(connection, Way::to_client, true);
}

}  // namespace holdfast::conformance
