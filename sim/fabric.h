// Fabric: the network itself. It opens connections, carries their messages with latency and applies
// the links' faults. Clients read what has arrived when their process runs; servers at once.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/connection.h"
#include "sim/kernel.h"
#include "sim/latency_table.h"
#include "sim/network.h"

namespace holdfast::sim {

// As whom a node opens connections itself (a sentinel does): no client has such a number.
constexpr history::ActorId node_actor(history::NodeId node) {
  return static_cast<history::ActorId>(0x800 + node);
}

constexpr bool is_node_actor(history::ActorId actor) { return actor > node_actor(0); }

// Between one client and one node's server.
struct Link {
  history::ActorId client = 0;
  history::NodeId node = 0;
  bool held_to_server = false;
  bool held_to_client = false;
  bool refused = false;
  bool then_reset = false;         // after the last of lost_replies
  std::uint32_t lost_replies = 0;  // so many of the next ones
  Action on_loss = {};             // runs when the first of them is lost
  Duration extra_to_server{};
  Duration extra_to_client{};
  Random latency;
};

class Fabric {
 public:
  explicit Fabric(Kernel& kernel) : kernel_(kernel) {}
  Fabric(const Fabric&) = delete;
  Fabric& operator=(const Fabric&) = delete;

  // No connections, no faults; each address means the node of its number. Kernel and servers are
  // reset by the caller; servers[i] is node i + 1. `latency` outlives the run.
  void reset(const std::vector<history::ActorId>& clients, const std::vector<RedisServer*>& servers,
             const LatencyTable& latency, std::uint64_t seed);
  void clear();  // forgets all connections without a word to anybody

  // -- the client's side
  Connection& open(Caller& client, history::ActorId actor, history::NodeId address);
  void send(Connection& connection, std::span<Command> commands);  // moves them away
  Response read(Connection& connection);  // the oldest message that has arrived
  void close(Connection& connection);     // what was sent before still reaches the server
  void forget(Connection& connection);    // after `refused` or `closed` was read

  // -- the server's side
  void reply(history::NodeId node, SessionId session, Reply&& reply);
  void push(history::NodeId node, SessionId session, Reply&& message);
  bool knows(history::NodeId node, SessionId session) { return find(node, session) != nullptr; }
  void closed_by_server(history::NodeId node, SessionId session);

  // -- faults, as in world.h
  void redirect(history::NodeId address, history::NodeId node);
  history::NodeId behind(history::NodeId address) const { return behind_[address]; }
  void cut(history::ActorId client, history::NodeId node, Direction direction, CutMode mode);
  void heal(history::ActorId client, history::NodeId node);
  bool reset_connections(history::ActorId client, history::NodeId node);
  void delay(history::ActorId client, history::NodeId node, Direction direction, Duration extra);
  void lose_replies(history::ActorId client, history::NodeId node, std::uint32_t count,
                    bool then_reset, Action on_loss);

 private:
  struct Port {
    RedisServer* server = nullptr;
    std::vector<std::pair<SessionId, Connection*>> sessions;
  };

  Link& link(history::ActorId client, history::NodeId node);
  TrueTime due_at_server(Link& link);
  TrueTime due_at_client(Link& link);
  void respond(Connection& connection, Response::Kind kind, Reply&& reply);
  void schedule_request(Connection& connection);
  void schedule_response(Connection& connection);
  static void request_due(void* self, std::uint64_t index);
  static void response_due(void* self, std::uint64_t index);
  void at_server(Connection& connection, Request&& request);
  void accept(Connection& connection);
  void end_session(Connection& connection);
  Connection* find(history::NodeId node, SessionId session);
  bool break_connection(Connection& connection);
  bool break_all(Link& link);  // false: nothing was connected
  void release_if_over(Connection& connection);

  Kernel& kernel_;
  const LatencyTable* latency_ = nullptr;
  Random fates_;  // of what is in flight when a connection is reset
  std::vector<Link> links_;
  std::vector<std::uint16_t> row_;  // by actor: its row of links_
  std::vector<Port> ports_;         // by node - 1
  std::size_t nodes_ = 0;
  std::vector<history::NodeId> behind_;  // by address
  // The first `made_` are or were in use in this run: which one is taken next is a function of the
  // run alone, not of the runs before it.
  std::vector<std::unique_ptr<Connection>> pool_;
  std::size_t made_ = 0;
  std::vector<std::uint32_t> free_;
};

}  // namespace holdfast::sim
