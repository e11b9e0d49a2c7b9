#include <array>
#include <stdexcept>

#include "scenarios/live/environment_failure.h"
#include "scenarios/live/redis_process.h"
#include "scenarios/live/server_clock.h"
#include "scenarios/live/temporary_folder.h"
#include "tests/conformance/command_words.h"
#include "tests/conformance/fuzz_side.h"
#include "tests/conformance/real_connection.h"
#include "tests/conformance/real_lab.h"

namespace holdfast::conformance {
namespace {

constexpr Duration kPatience = std::chrono::seconds(2);
constexpr Duration kStartPatience = std::chrono::seconds(20);

live::ServerBinary binary(const std::string& server) {
  live::ServerBinary found = live::find_server_binary();
  if (!server.empty()) found.path = server;
  return found;
}

struct Node {
  Node(const live::ServerBinary& server, const live::TemporaryFolder& folder,
       const std::string& name, std::uint16_t master)
      : clock(folder.path() / (name + ".clock"), live::find_clock_shim()) {
    freeze_at(clock, kEpoch);
    live::RedisOptions options;
    options.name = name;
    options.folder = folder.path() / name;
    options.environment = clock.environment();
    // Clocks jump by hours: nobody shall take the other for dead.
    options.extra = {"--repl-timeout", "1000000000"};
    if (master != 0) options.replica_of = live::MasterAddress{"127.0.0.1", master};
    redis = std::make_unique<live::RedisProcess>(server, options);
    redis->ask({"DEBUG", "SET-ACTIVE-EXPIRE", "0"});
    control = std::make_unique<RealConnection>(redis->port());
  }

  // The last reply of these commands, sent in one write.
  Reply ask(std::initializer_list<Command> commands) {
    std::string bytes;
    for (const Command& command : commands) bytes += wire_text(command);
    control->send(bytes);
    Answer answer;
    for (std::size_t i = 0; i < commands.size(); ++i) answer = control->receive(kStartPatience);
    if (answer.kind != Answer::Kind::reply) {
      throw live::EnvironmentFailure("redis-server " + redis->name() + " does not answer");
    }
    return answer.reply;
  }

  live::ServerClock clock;
  std::unique_ptr<live::RedisProcess> redis;
  std::unique_ptr<RealConnection> control;
};

class RealSide final : public Side {
 public:
  explicit RealSide(const std::string& server)
      : master_(binary(server), folder_, "n1", 0),
        replica_(binary(server), folder_, "r1", master_.redis->port()) {
    master_.redis->wait_for_replicas(1, kStartPatience);
  }

  void begin() override {
    for (auto& connection : connections_) connection.reset();
    for (Node* node : {&master_, &replica_}) {
      freeze_at(node->clock, kEpoch);
      node->ask({{"CLIENT", "KILL", "TYPE", "pubsub"},
                 {"CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"},
                 {"SCRIPT", "FLUSH"}});
    }
    master_.ask({{"FLUSHALL"}, {"WAIT", "1", "0"}});
    for (int connection = 0; connection < kAllConnections; ++connection) {
      Node& node = connection == kOnReplica ? replica_ : master_;
      at(connection) = std::make_unique<RealConnection>(node.redis->port());
    }
  }

  void send(int connection, std::span<const Command> commands) override {
    std::string bytes;
    for (const Command& command : commands) bytes += wire_text(command);
    at(connection)->send(bytes);
  }

  std::vector<Reply> take(int connection, std::size_t wanted) override {
    std::vector<Reply> replies;
    while (replies.size() < wanted) {
      Answer answer = at(connection)->receive(kPatience);
      if (answer.kind == Answer::Kind::silence) break;
      const bool closed = answer.kind == Answer::Kind::closed;
      replies.push_back(closed ? Reply::error("connection closed") : std::move(answer.reply));
      if (closed) break;
    }
    return replies;
  }

  // What had come before this question is read before it, or in the same round of the event loop;
  // timeouts are looked at at the end of the round, before its answers are written. The replica has
  // told how far it is.
  void settle() override { master_.ask({{"PING"}, {"WAIT", "1", "0"}}); }

  void step_clocks(Duration by) override {
    for (Node* node : {&master_, &replica_}) node->clock.bend(by, node->clock.rate_ppm());
  }
  void wait_for_replica() override { settle(); }

 private:
  std::unique_ptr<RealConnection>& at(int connection) {
    return connections_[static_cast<std::size_t>(connection)];
  }

  live::TemporaryFolder folder_;
  Node master_;
  Node replica_;
  std::array<std::unique_ptr<RealConnection>, kAllConnections> connections_;
};

}  // namespace

std::unique_ptr<Side> real_side(const std::string& server) {
  return std::make_unique<RealSide>(server);
}

}  // namespace holdfast::conformance
