// Lab: the real servers of one live run, the proxied links between them and the clients, their
// monitors and their bent clocks. Everything is started in the constructor and ended in the
// destructor, also when something fails on the way.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reports/history/history.h"
#include "scenarios/format/model.h"
#include "scenarios/live/client_events.h"
#include "scenarios/live/existing_servers.h"
#include "scenarios/live/live_history.h"
#include "scenarios/live/monitor.h"
#include "scenarios/live/proxy.h"
#include "scenarios/live/redis_process.h"
#include "scenarios/live/server_clock.h"
#include "scenarios/live/server_times.h"
#include "scenarios/live/temporary_folder.h"

namespace holdfast::live {

class Lab {
 public:
  // Starts all servers of the scenario (durations scaled already) and waits until replicas are in
  // sync. Throws EnvironmentFailure.
  Lab(const scenario::Scenario& scenario, history::History& names);
  // Uses servers that exist, which must outlive the lab. Throws EnvironmentFailure.
  Lab(const scenario::Scenario& scenario, history::History& names, const ExistingServers& servers);
  ~Lab();
  Lab(const Lab&) = delete;
  Lab& operator=(const Lab&) = delete;

  RedisProcess& server(const std::string& name);
  // The link over which a client reaches the address of that name.
  ProxyLink& link(const std::string& client, const std::string& address);
  ProxyLink& replication_link(const std::string& replica);
  // Where that client finds each lock address and the guarded resources' server.
  std::vector<ClientOrders::Address> addresses(const std::string& client);
  const std::filesystem::path& folder() const { return folder_.path(); }

  // The client's connections to that address are reset and refused, until accept().
  Proof refuse(const std::string& client, const std::string& address);
  Proof accept(const std::string& client, const std::string& address);
  // Clients find a server that comes back only once it is watched again: what it did before that
  // would be known to nobody.
  void keep_clients_out(const std::string& server);
  void let_clients_in(const std::string& server);
  // The client cannot reach that server (a replica), whatever address leads to it from now on.
  Proof block(const std::string& client, const std::string& server);
  bool is_address(const std::string& name) const;
  // Clients find `replica` behind its master's address from now on.
  void redirect(const std::string& address, const std::string& replica);
  // A server was killed: what its monitor saw is kept. Restarted: it is watched again.
  void stopped_watching(const std::string& name);
  void watch_again(const std::string& name);
  // Reads the lock keys of a server that has just come back or has been resynchronised, for the
  // history.
  void look_at_keys(const std::string& name, history::DropCause when_gone);

  void step_clock(const std::string& name, Duration by);
  void set_clock_rate(const std::string& name, std::int64_t ppm);

  // A server that ended, or whose monitor ended, although nobody here ended it.
  std::optional<std::string> died();

  // Writes what the servers did to lock keys and guarded resources. After the last client.
  void tell(LiveHistory& history, Instant end);

 private:
  struct Server;
  // Neither starts nor uses a server.
  Lab(const scenario::Scenario& scenario, history::History& names, std::optional<ServerBinary>);
  Server& find(const std::string& name);
  struct Link;
  Link& find_link(const std::string& client, const std::string& address);
  bool may_pass(const Link& link) const;
  void check_version(const scenario::ServerSpec& spec) const;
  void start_server(const scenario::ServerSpec& spec, bool bends_its_clock);
  void open_links(const std::string& client);
  void tell_accesses(LiveHistory& history);
  history::ActorId actor_of(const std::string& client_address) const;

  const scenario::Scenario& scenario_;
  history::History& names_;
  Duration wall_minus_host_;
  TemporaryFolder folder_;
  std::optional<ServerBinary> binary_;  // of the servers that this lab starts
  std::unique_ptr<Proxy> proxy_;
  std::vector<std::unique_ptr<Server>> servers_;
  struct Link {
    history::ActorId actor;
    std::string client;
    std::string address;
    ProxyLink* link;
    std::string behind;    // the server that the address leads to
    bool refused = false;  // by a fault
  };
  std::vector<Link> links_;
  std::vector<std::pair<std::string, std::string>> blocked_;  // client, server
};

}  // namespace holdfast::live
