// Cluster: the servers and sentinels of a scenario without its clients: kernel, replication among
// the servers, the network by which sentinels reach the others.
// Whoever drives the kernel's time makes it a real-time world or a stepped one.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "reports/history/event.h"
#include "scenarios/format/model.h"
#include "sim/kernel.h"
#include "sim/network.h"
#include "sim/redis/server.h"

namespace holdfast::serve {

using history::NodeId;
using sim::SessionId;

// The network of the servers' clients.
class ClientNetwork {
 public:
  virtual ~ClientNetwork() = default;
  virtual void send_reply(NodeId node, SessionId session, Reply reply) = 0;
  virtual void send_push(NodeId node, SessionId session, Reply message) = 0;
  virtual void close_session(NodeId node, SessionId session) = 0;
  virtual std::string client_address(NodeId node, SessionId session) = 0;  // "127.0.0.1:40312"
};

// The names of the nodes, in the order of their numbers.
std::vector<std::string> node_names(const scenario::Scenario& scenario);

class Cluster {
 public:
  // `ports`: where clients reach each node. `wall_epoch`: what an undisturbed wall clock reads at
  // true time zero.
  Cluster(const scenario::Scenario& scenario, const std::vector<std::uint16_t>& ports,
          ClientNetwork& network, sim::ServerWatcher& watcher, std::uint64_t seed,
          Duration wall_epoch);
  ~Cluster();
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  sim::Kernel& kernel();
  sim::TrueTime now() { return kernel().now(); }
  Duration wall_epoch() const;
  NodeId size() const;  // 1 .. size(): the servers as in the file, then the sentinels
  NodeId find(std::string_view name) const;  // 0: there is none
  const std::string& name(NodeId node) const;
  sim::RedisServer& server(NodeId node);
  sim::Persistence persistence(NodeId node) const;  // as the file says
  // The master of the file at the top of this node's chain: the address that its clients know.
  NodeId root(NodeId node) const;
  NodeId number(const sim::RedisServer& server) const;
  // Nothing passes between two nodes of a Redis Cluster, in either direction, or all does again.
  void cut(NodeId one, NodeId other, bool is_cut, sim::CutMode mode);

 private:
  struct Node;
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace holdfast::serve
