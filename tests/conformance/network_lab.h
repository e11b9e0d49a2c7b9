// NetworkLab: a row's servers simulated, clients behind the simulated network, whose links a step
// can disturb. Each message takes a microsecond.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>

#include "sim/world.h"
#include "tests/conformance/simulated_servers.h"

namespace holdfast::conformance {

class NetworkLab final : public SimulatedServers, sim::ProcessHooks {
 public:
  explicit NetworkLab(const Topology& topology);

  bool exact() const override { return true; }
  void send(const Connection& connection, std::span<const Command> commands) override;
  void send_half(const Connection&, const Command&) override {}  // nothing whole arrives
  Answer receive(const Connection& connection, Duration patience) override;
  void close(const Connection& connection, bool reset) override;
  bool connects(const Connection& connection) override;
  void hold_link(const Connection& connection, Way way, bool held) override;
  void drop_next_reply(const Connection& connection) override;

 private:
  struct Client {
    history::ActorId actor = 0;
    std::shared_ptr<RedisClient> redis = nullptr;
    std::deque<Answer> answers = {};
  };

  sim::Kernel& kernel() override { return world_.kernel(); }
  sim::RedisServer& server(std::string_view node) override;
  sim::AtPoint at_point(history::ActorId, Point, std::uint64_t) override {
    return sim::AtPoint::go_on;
  }
  void paused(history::ActorId, std::optional<Lane>) override {}
  void resumed(history::ActorId, std::optional<Lane>) override {}
  void crashed(history::ActorId) override {}

  history::NodeId number(std::string_view node) const;
  Client& at(const Connection& connection);
  void came(Client& client, const CallResult& result);
  static Task<void> exchange(Env& env, NetworkLab& lab, Client& client,
                             std::vector<Command> commands);

  Topology topology_;
  sim::NobodyWatches watcher_;
  std::map<std::string, Client, std::less<>> clients_;
  sim::World world_{watcher_, *this};  // last: its frames use the rest
};

}  // namespace holdfast::conformance
