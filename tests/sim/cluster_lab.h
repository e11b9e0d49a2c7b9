// ClusterLab: the nodes of a Redis Cluster in one simulated network: masters n1 .. nM, and their
// replicas behind them, nM+1 the first one's. Clients talk to each node beside that network.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/fabric.h"
#include "sim/redis/cluster/layout.h"
#include "sim/redis/server.h"
#include "tests/sim/redis_fixture.h"

namespace holdfast::sim {

struct ClusterLabOptions {
  int masters = 3;
  int replicas = 3;  // the first one's first, and so on around
  Duration node_timeout = seconds(1);
  std::uint64_t seed = 1;
};

class ClusterLab {
 public:
  // The key of all writes below; its slot, 3300, is one of n1.
  static constexpr std::string_view kKey = "b";

  explicit ClusterLab(const ClusterLabOptions& options = {}) : watcher(kernel) {
    kernel.reset(options.seed);
    fabric.clear();
    auto layout = std::make_shared<redis::ClusterLayout>();
    layout->node_timeout = options.node_timeout;
    const auto masters = static_cast<std::size_t>(options.masters);
    const std::size_t count = masters + static_cast<std::size_t>(options.replicas);
    std::vector<history::ActorId> callers;
    std::vector<RedisServer*> servers;
    for (std::size_t i = 0; i < count; ++i) {
      const auto number = static_cast<history::NodeId>(i + 1);
      nodes.push_back(std::make_unique<Node>(*this, number));
      callers.push_back(node_actor(number));
      servers.push_back(&nodes.back()->server);
      redis::ClusterSeat& seat = layout->seats.emplace_back();
      seat.node = number;
      seat.host = "n" + std::to_string(number);
      seat.port = 6379;
      if (i < masters) seat.slots = {redis::even_share(i, masters)};
      if (i >= masters) seat.master = static_cast<redis::MemberId>((i - masters) % masters);
    }
    fabric.reset(callers, servers, latency, options.seed);
    for (std::size_t i = 0; i < count; ++i) {
      ServerOptions server;
      server.name = layout->seats[i].host;
      server.node = layout->seats[i].node;
      server.cluster = layout;
      server.seed = options.seed;
      nodes[i]->server.reset(server, Clock(milliseconds(kEpochMs), 0));
      const redis::MemberId master = layout->seats[i].master;
      if (master != redis::kNobody) nodes[i]->server.replicate_from(nodes[master]->server);
    }
  }

  struct Node final : ServerHost {
    Node(ClusterLab& owner, history::NodeId own)
        : lab(owner),
          number(own),
          random(own, Purpose::service),
          server(owner.kernel, *this, owner.watcher) {}

    void send_reply(SessionId session, Reply reply) override {
      if (lab.fabric.knows(number, session)) {
        return lab.fabric.reply(number, session, std::move(reply));
      }
      lab.answer = show(reply);
      ++lab.answers;
    }
    void send_push(SessionId, Reply) override {}
    void close_session(SessionId session) override {
      lab.fabric.closed_by_server(number, session);
      if (session == asker) asker = 0;
    }
    Duration replication_delay(history::NodeId, history::NodeId) override {
      return lab.latency.draw(random);
    }
    RedisServer* find_server(const NodeAddress& wanted) override {
      for (const auto& node : lab.nodes) {
        if (node->server.options().address() == wanted) return &node->server;
      }
      return nullptr;
    }
    Fabric* fabric() override { return &lab.fabric; }

    ClusterLab& lab;
    history::NodeId number;
    Random random;
    RedisServer server;
    SessionId asker = 0;
  };

  RedisServer& server(int number) { return nodes[static_cast<std::size_t>(number) - 1]->server; }

  // What that node answers at once to a client; "none": nothing yet.
  std::string ask(int number, Command command) {
    answer = "none";
    if (!server(number).running()) return answer;
    SessionId& session = nodes[static_cast<std::size_t>(number) - 1]->asker;
    if (session == 0) session = server(number).open_session(0);
    server(number).receive(session, std::move(command));
    if (answer == "none") session = 0;  // it waits: others do not
    return answer;
  }
  std::string write(int number) { return ask(number, {"SET", kKey, std::to_string(++written)}); }
  bool takes_writes(int number) { return write(number) == "+OK"; }
  bool is_ok(int number) {
    return ask(number, {"CLUSTER", "INFO"}).find("cluster_state:ok") != std::string::npos;
  }

  Duration now() { return kernel.now().time_since_epoch(); }
  void run_to(Duration time) { kernel.advance(TrueTime(time)); }
  void run_for(Duration time) { run_to(now() + time); }
  // How many milliseconds later it holds, as seen at such steps; -1: not within a minute.
  std::int64_t ms_until(const std::function<bool()>& holds, Duration step = milliseconds(5)) {
    const Duration begin = now();
    while (!holds()) {
      if (now() - begin >= seconds(60)) return -1;
      run_for(step);
    }
    return (now() - begin) / milliseconds(1);
  }

  // Between those two nodes nothing passes, or all that was held.
  void cut(int one, int other, bool is_cut) {
    for (const auto& [from, to] : {std::pair(one, other), std::pair(other, one)}) {
      const history::ActorId caller = node_actor(static_cast<history::NodeId>(from));
      const auto node = static_cast<history::NodeId>(to);
      is_cut ? fabric.cut(caller, node, Direction::both, CutMode::hold) : fabric.heal(caller, node);
      if (server(from).master() == &server(to)) server(from).hold_stream(is_cut);
    }
  }
  void isolate(int number, bool is_cut) {
    for (int other = 1; other <= static_cast<int>(nodes.size()); ++other) {
      if (other != number) cut(number, other, is_cut);
    }
  }

  Kernel kernel;
  LatencyTable latency;
  RecordingWatcher watcher;
  Fabric fabric{kernel};
  std::vector<std::unique_ptr<Node>> nodes;
  std::string answer;
  int answers = 0;
  int written = 0;
};

}  // namespace holdfast::sim
