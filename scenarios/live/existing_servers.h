// ExistingServers: the servers of a live run that somebody else runs (--redis host:port,...). They
// are used, watched and left as they were: every key of the run begins with a prefix of its own,
// and the keys of that prefix are deleted at the end. Nothing is done to a server itself.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "scenarios/format/model.h"
#include "scenarios/format/parse.h"
#include "scenarios/live/command_connection.h"
#include "scenarios/live/server_address.h"

namespace holdfast::live {

// What of the scenario cannot be run on `addresses`: faults of servers and their clocks, replicas,
// protocols that name keys of their own, another number of nodes, one server for two nodes.
std::vector<scenario::ParseError> refused_on_existing_servers(
    const scenario::Scenario& scenario, const std::vector<ServerAddress>& addresses);

// A server's wall clock minus the host's CLOCK_BOOTTIME, by the quickest of several answers to
// TIME: the true difference is at most `error` away, and what the server does then is placed on the
// host's time line after its request was sent and before its reply came.
struct ClockReading {
  Duration wall_minus_host{};
  Duration error{};

  // Whether both can be true of one clock that ran as the host's did in between.
  bool agrees_with(const ClockReading& other) const;
};
// Throws EnvironmentFailure when the server does not answer.
ClockReading read_clock(CommandConnection& server);

class ExistingServers {
 public:
  struct One {
    std::string name;  // in the scenario
    ServerAddress address;
    SocketAddress socket;
    ClockReading clock;
    std::unique_ptr<CommandConnection> commands;
  };

  // Asks every server for PING, ROLE and TIME. Throws EnvironmentFailure when one cannot be
  // reached, wants a password, or is no master.
  ExistingServers(const scenario::Scenario& scenario, const std::vector<ServerAddress>& addresses);
  // Deletes all keys of the prefix. Keys on a server that no longer answers stay: lock keys until
  // their TTL is over.
  ~ExistingServers();
  ExistingServers(const ExistingServers&) = delete;
  ExistingServers& operator=(const ExistingServers&) = delete;

  const std::string& key_prefix() const { return key_prefix_; }
  // The lock nodes, then the server of the guarded resources (which may be the last node).
  const std::vector<One>& all() const { return servers_; }

 private:
  void meet(std::string name, const ServerAddress& address);

  std::string key_prefix_;
  std::vector<One> servers_;
};

}  // namespace holdfast::live
