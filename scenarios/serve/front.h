// Front: the cluster's servers on TCP ports of 127.0.0.1, in real time: sockets, sessions, and the
// kernel kept at the time that has really passed. Runs on one loop, on one thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lockcore/hiredis/loop_core.h"
#include "scenarios/serve/address.h"
#include "scenarios/serve/cluster.h"
#include "scenarios/serve/connection.h"

namespace holdfast::serve {

// Sees what clients say and are told.
class TrafficWatcher {
 public:
  virtual ~TrafficWatcher() = default;
  virtual void opened(const Connection& client, NodeId node) = 0;
  virtual void commanded(const Connection& client, NodeId node, const Command& command) = 0;
  // After the command's changes. Not `told`: the answer does not reach the client, or not yet.
  virtual void answered(const Connection& client, NodeId node, const Reply& reply, bool told) = 0;
  virtual void left(const Connection& client, NodeId node) = 0;
};

struct FrontOptions {
  std::uint16_t port = 0;  // of the first node, the others follow; 0: free ones
  std::uint64_t seed = 1;  // of latencies between the nodes
  Duration wall_epoch{};   // of the nodes' clocks; zero: the real one
};

class Front final : public ClientNetwork {
 public:
  // Listens when it returns. Throws std::system_error when a port is taken.
  Front(detail::LoopCore& core, const scenario::Scenario& scenario, sim::ServerWatcher& keys,
        TrafficWatcher& traffic, const FrontOptions& options);
  ~Front() override;  // closes everything; the loop does not run any more
  Front(const Front&) = delete;
  Front& operator=(const Front&) = delete;

  Cluster& cluster() { return cluster_; }
  sim::Kernel& kernel() { return cluster_.kernel(); }
  Address& address(NodeId node) { return *addresses_[node - 1U]; }  // by its node in the file
  // Runs everything that is due by now. Called before anything new is looked at.
  void catch_up();
  // True time jumps: all clocks of the nodes with it.
  void skip(Duration by);

  // -- faults
  void crash(NodeId node, sim::CrashKind kind);
  void restart(NodeId node, sim::Persistence persistence);
  // Clients of this node's address reach another node from now on; they are reset.
  void redirect(NodeId address, NodeId node);
  void reset_connections(Address& address);
  // After a change of an address or of a node's state: who listens, reads, writes.
  void refresh();

  std::size_t connections() const { return open_; }
  std::size_t connections(const Address& address) const;
  std::uint64_t commands() const { return commands_; }

  // -- ClientNetwork
  void send_reply(NodeId node, SessionId session, Reply reply) override;
  void send_push(NodeId node, SessionId session, Reply message) override;
  void close_session(NodeId node, SessionId session) override;
  std::string client_address(NodeId node, SessionId session) override;

  // -- for connections
  bool executes(const Connection& client);
  void execute(Connection& client, Command command);
  void flush_later(Connection& client);
  void leaves(Connection& client);  // its session is over
  void closed(Connection& client);  // its socket, too; it is deleted

 private:
  using Addresses = std::vector<std::unique_ptr<Address>>;
  using Sessions = std::unordered_map<SessionId, Connection*>;

  Addresses open_addresses(const scenario::Scenario& scenario, std::uint16_t port);
  std::vector<std::uint16_t> ports() const;
  void arrived(Address& address, uv_stream_t* listener);
  bool is_full() const { return open_ >= most_clients_; }
  Connection* find(NodeId node, SessionId session);
  void stop_listening(NodeId node);
  bool drops(Connection& client);
  void turn_over_soon();
  void turn_over();

  detail::LoopCore& core_;
  TrafficWatcher& traffic_;
  Addresses addresses_;
  Cluster cluster_;
  std::vector<Sessions> sessions_;  // by node - 1
  std::map<std::uint64_t, std::unique_ptr<Connection>> connections_;
  std::vector<Connection*> to_flush_, flushing_;
  std::uint64_t last_number_ = 0;
  std::size_t open_ = 0;  // with a session
  std::size_t most_clients_;
  std::uint64_t commands_ = 0;
  Instant started_;
  Duration skipped_{};
  detail::LoopCore::Key wake_;
  bool turn_is_coming_ = false;
};

// Allows this process as many open files as it may have; how many that are.
std::size_t raise_open_files();

}  // namespace holdfast::serve
