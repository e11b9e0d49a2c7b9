// SentinelLab: a master, its replicas and sentinels in one simulated network. What the sentinels
// publish is recorded with its time.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/fabric.h"
#include "sim/redis/server.h"
#include "tests/sim/redis_fixture.h"

namespace holdfast::sim {

struct SentinelLabOptions {
  int replicas = 2;
  int sentinels = 3;
  int quorum = 2;
  Duration down_after = seconds(1);
  Duration failover_timeout = seconds(180);
  int parallel_syncs = 1;
  bool know_each_other = true;  // from an earlier life
  std::uint64_t seed = 1;
};

class SentinelLab {
 public:
  explicit SentinelLab(const SentinelLabOptions& options = {}) : watcher(kernel) {
    kernel.reset(options.seed);
    fabric.clear();
    redis::MonitorOptions monitor;
    monitor.name = "mymaster";
    monitor.master = {"n1", 6379};
    monitor.quorum = options.quorum;
    monitor.down_after = options.down_after;
    monitor.failover_timeout = options.failover_timeout;
    monitor.parallel_syncs = options.parallel_syncs;
    for (int i = 0; i <= options.replicas; ++i) add("n" + std::to_string(i + 1));
    for (int i = 0; i < options.sentinels; ++i) add("s" + std::to_string(i + 1));
    if (options.know_each_other) {
      for (int i = 0; i < options.replicas; ++i)
        monitor.replicas.push_back(nodes[i + 1]->address());
    }
    std::vector<history::ActorId> callers;
    std::vector<RedisServer*> servers;
    for (const auto& node : nodes) servers.push_back(&node->server);
    for (int i = 0; i < options.sentinels; ++i)
      callers.push_back(node_actor(sentinel(i + 1).number));
    fabric.reset(callers, servers, latency, options.seed);
    for (auto& node : nodes) {
      if (node->name.starts_with("s")) {
        node->options.sentinel.monitors = {monitor};
        node->options.sentinel.id = id_of(*node);
        node->options.sentinel.seed = options.seed;
        for (auto& other : nodes) {
          if (!options.know_each_other || other == node || !other->name.starts_with("s")) continue;
          node->options.sentinel.monitors[0].fellows.push_back({other->address(), id_of(*other)});
        }
      }
      node->server.reset(node->options, Clock(milliseconds(kEpochMs), 0));
      if (node->name.starts_with("s")) {
        node->server.receive(node->server.open_session(0), Command{"PSUBSCRIBE", "*"});
      } else if (node->name != "n1") {
        node->server.replicate_from(nodes[0]->server);
      }
    }
  }

  struct Event {
    Duration at{};
    std::string sentinel;
    std::string channel;
    std::string text;
  };

  struct Node final : ServerHost {
    Node(SentinelLab& owner, std::string own_name, history::NodeId own_number)
        : lab(owner),
          name(std::move(own_name)),
          number(own_number),
          random(owner.kernel.fingerprint() + own_number, Purpose::service),
          server(owner.kernel, *this, owner.watcher) {
      options.name = name;
      options.node = number;
    }
    NodeAddress address() const { return {name, 6379}; }

    void send_reply(SessionId session, Reply reply) override {
      if (lab.fabric.knows(number, session)) {
        lab.fabric.reply(number, session, std::move(reply));
      } else {
        lab.answer = show(reply);
      }
    }
    void send_push(SessionId session, Reply message) override {
      if (lab.fabric.knows(number, session)) {
        lab.fabric.push(number, session, std::move(message));
      } else if (message.elements.size() == 4) {
        lab.events.push_back({lab.now(), name, message.elements[2].text, message.elements[3].text});
      }
    }
    void close_session(SessionId session) override {
      lab.fabric.closed_by_server(number, session);
      if (session == writer) writer = 0;
    }
    Duration replication_delay(history::NodeId, history::NodeId) override {
      return lab.latency.draw(random);
    }
    RedisServer* find_server(const NodeAddress& wanted) override {
      for (const auto& node : lab.nodes) {
        if (node->address() == wanted) return &node->server;
      }
      return nullptr;
    }
    Fabric* fabric() override { return &lab.fabric; }

    SentinelLab& lab;
    std::string name;
    history::NodeId number;
    Random random;
    ServerOptions options;
    RedisServer server;
    SessionId writer = 0;  // of a client that writes there
  };

  Node& node(const std::string& name) {
    return **std::find_if(nodes.begin(), nodes.end(),
                          [&](const auto& one) { return one->name == name; });
  }
  RedisServer& server(const std::string& name) { return node(name).server; }
  Node& sentinel(int number) { return node("s" + std::to_string(number)); }
  static std::string id_of(const Node& node) {
    return std::string(39, 'e') + std::to_string(node.number);
  }

  // What that node answers at once to a fresh client.
  std::string ask(const std::string& name, Command command) {
    RedisServer& asked = server(name);
    answer = "none";
    const SessionId session = asked.open_session(0);
    asked.receive(session, std::move(command));
    asked.close_session(session);
    return answer;
  }
  // A client that stays connected writes; it connects again when it was thrown out.
  std::string write(const std::string& name) {
    Node& there = node(name);
    if (there.writer == 0) there.writer = there.server.open_session(0);
    answer = "none";
    there.server.receive(there.writer, Command{"SET", "k", std::to_string(++written)});
    return answer;
  }

  Duration now() { return kernel.now().time_since_epoch(); }
  void run_to(Duration time) { kernel.advance(TrueTime(time)); }
  void run_for(Duration time) { run_to(now() + time); }
  // Steps of a millisecond until it holds; false: not within that time.
  bool run_until(const std::function<bool()>& holds, Duration patience) {
    const Duration end = now() + patience;
    while (!holds()) {
      if (now() >= end) return false;
      run_for(milliseconds(1));
    }
    return true;
  }

  // The events of that channel, of one sentinel or of all.
  std::vector<Event> of(const std::string& channel, const std::string& by = {}) const {
    std::vector<Event> found;
    for (const Event& event : events) {
      if (event.channel == channel && (by.empty() || event.sentinel == by)) found.push_back(event);
    }
    return found;
  }
  bool saw(const std::string& channel, const std::string& by = {}) const {
    return !of(channel, by).empty();
  }
  // When the first event of that channel came; -1 ms: never.
  Duration first(const std::string& channel) const {
    const auto found = of(channel);
    return found.empty() ? milliseconds(-1) : found.front().at;
  }

  void cut(const std::string& caller, const std::string& from, CutMode mode = CutMode::hold) {
    fabric.cut(node_actor(node(caller).number), node(from).number, Direction::both, mode);
  }
  void heal(const std::string& caller, const std::string& from) {
    fabric.heal(node_actor(node(caller).number), node(from).number);
  }
  void each_sentinel(const std::function<void(const std::string&)>& act) {
    for (const auto& one : nodes) {
      if (one->name.starts_with("s")) act(one->name);
    }
  }

  void add(std::string name) {
    const auto number = static_cast<history::NodeId>(nodes.size() + 1);
    nodes.push_back(std::make_unique<Node>(*this, std::move(name), number));
  }

  Kernel kernel;
  LatencyTable latency;
  RecordingWatcher watcher;
  Fabric fabric{kernel};
  std::vector<std::unique_ptr<Node>> nodes;
  std::vector<Event> events;
  std::string answer;
  int written = 0;
};

}  // namespace holdfast::sim
