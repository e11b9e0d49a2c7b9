#include <array>
#include <utility>

#include "tests/conformance/fuzz_side.h"
#include "tests/conformance/row.h"
#include "tests/conformance/simulated_servers.h"

namespace holdfast::conformance {
namespace {

class SimulatedSide final : public Side {
 public:
  void begin() override {
    kernel_.reset(1);
    for (Node* node : {&master_, &replica_}) node->begin(node == &master_ ? 1 : 2);
    replica_.server.replicate_from(master_.server);
    run();
    for (int connection = 0; connection < kAllConnections; ++connection) {
      Node& node = node_of(connection);
      sessions_[static_cast<std::size_t>(connection)] = node.server.open_session(1);
      replies_[static_cast<std::size_t>(connection)].clear();
    }
  }

  void send(int connection, std::span<const Command> commands) override {
    const sim::SessionId session = sessions_[static_cast<std::size_t>(connection)];
    for (const Command& command : commands) node_of(connection).server.receive(session, command);
    run();
  }
  std::vector<Reply> take(int connection, std::size_t) override {
    return std::exchange(replies_[static_cast<std::size_t>(connection)], {});
  }
  void settle() override {}
  void step_clocks(Duration by) override {
    master_.server.step_wall(by);
    replica_.server.step_wall(by);
    run();
  }
  void wait_for_replica() override { run(); }

 private:
  struct Node final : sim::ServerHost {
    explicit Node(SimulatedSide& owner)
        : side(owner), server(owner.kernel_, *this, owner.watcher_) {}
    void begin(history::NodeId number) {
      sim::ServerOptions options;
      options.name = number == 1 ? "n1" : "r1";
      options.node = number;
      server.reset(options, sim::Clock(kEpoch, 0));
      server.freeze_wall(true);
    }
    void send_reply(sim::SessionId session, Reply reply) override {
      if (auto* const to = side.replies_to(*this, session)) to->push_back(std::move(reply));
    }
    void send_push(sim::SessionId session, Reply message) override {
      send_reply(session, std::move(message));
    }
    void close_session(sim::SessionId session) override {
      if (auto* const to = side.replies_to(*this, session)) {
        to->push_back(Reply::error("connection closed"));
      }
    }
    Duration replication_delay(history::NodeId, history::NodeId) override { return {}; }

    SimulatedSide& side;
    sim::RedisServer server;
  };

  Node& node_of(int connection) { return connection == kOnReplica ? replica_ : master_; }
  std::vector<Reply>* replies_to(const Node& node, sim::SessionId session) {
    for (std::size_t connection = 0; connection < kAllConnections; ++connection) {
      if (sessions_[connection] == session && &node_of(static_cast<int>(connection)) == &node) {
        return &replies_[connection];
      }
    }
    return nullptr;
  }
  // What happens without time passing.
  void run() { kernel_.run(kernel_.now(), 1'000'000); }

  sim::Kernel kernel_;
  sim::NobodyWatches watcher_;
  Node master_{*this};
  Node replica_{*this};
  std::array<sim::SessionId, kAllConnections> sessions_{};
  std::array<std::vector<Reply>, kAllConnections> replies_;
};

}  // namespace

std::unique_ptr<Side> simulated_side() { return std::make_unique<SimulatedSide>(); }

}  // namespace holdfast::conformance
