// SimulatedLab: a row's servers simulated, clients directly at their sessions: no time passes but
// what the row lets pass.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>

#include "tests/conformance/simulated_servers.h"

namespace holdfast::conformance {

class SimulatedLab final : public SimulatedServers {
 public:
  explicit SimulatedLab(const Topology& topology);
  ~SimulatedLab() override;

  void send(const Connection& connection, std::span<const Command> commands) override;
  void send_half(const Connection&, const Command&) override {}  // nothing whole arrives
  Answer receive(const Connection& connection, Duration patience) override;
  void close(const Connection& connection, bool reset) override;
  bool connects(const Connection& connection) override { return server(connection.node).running(); }
  void hold_link(const Connection&, Way, bool) override;
  void drop_next_reply(const Connection&) override;

 private:
  class Node;
  struct Session {
    Node* node = nullptr;  // null: there was no server
    sim::SessionId id = 0;
    bool closed = false;
    std::deque<Answer> answers = {};
  };

  sim::Kernel& kernel() override { return kernel_; }
  sim::RedisServer& server(std::string_view node) override;
  Session& at(const Connection& connection);

  sim::Kernel kernel_;
  sim::NobodyWatches watcher_;
  std::map<std::string, std::unique_ptr<Node>, std::less<>> nodes_;
  std::map<std::string, Session, std::less<>> sessions_;
};

}  // namespace holdfast::conformance
