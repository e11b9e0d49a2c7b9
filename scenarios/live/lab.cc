#include "scenarios/live/lab.h"

#include <algorithm>
#include <charconv>
#include <chrono>

#include "scenarios/format/spelling.h"
#include "scenarios/live/environment_failure.h"
#include "scenarios/live/watched_keys.h"
#include "scenarios/workload/guarded_resource.h"
#include "scenarios/workload/recorder.h"

namespace holdfast::live {

using history::Event;
using history::Kind;
using scenario::FaultSpec;
using scenario::ServerSpec;
using namespace std::chrono_literals;

namespace {

constexpr Duration kPatience = 10s;

Duration wall_minus_host() {
  const auto wall = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<Duration>(wall) - host_now().time_since_epoch();
}

bool bends_clock(const scenario::Scenario& scenario, const ServerSpec& spec) {
  if (spec.clock_offset != Duration::zero() || spec.clock_ppm != 0) return true;
  return std::any_of(scenario.faults.begin(), scenario.faults.end(), [&](const FaultSpec& fault) {
    return fault.kind == FaultSpec::Kind::clock && fault.target == spec.name;
  });
}

}  // namespace

// One server, its clock and all that was seen of it.
struct Lab::Server {
  std::string name;
  std::string replica_of;
  std::optional<ServerClock> clock;
  std::unique_ptr<RedisProcess> process;  // null: a server that exists
  CommandConnection* commands = nullptr;  // to a server that exists
  ClockReading clock_reading;             // of a server that exists, at the start
  SocketAddress address;
  std::unique_ptr<Monitor> monitor;
  ProxyLink* replication = nullptr;
  std::optional<ServerTimes> times;

  // The history of the server in pieces: what a monitor saw, or what was found by asking.
  struct Found {
    std::string key;
    std::string value;
    std::int64_t ttl_ms;
    Instant at;
    history::DropCause when_gone;
  };
  struct Piece {
    std::vector<MonitorLine> lines;
    std::vector<Found> found;
  };
  std::vector<Piece> pieces;
};

Lab::Lab(const scenario::Scenario& scenario, history::History& names,
         std::optional<ServerBinary> binary)
    : scenario_(scenario),
      names_(names),
      wall_minus_host_(wall_minus_host()),
      binary_(std::move(binary)),
      proxy_(std::make_unique<Proxy>()) {}

Lab::Lab(const scenario::Scenario& scenario, history::History& names,
         const ExistingServers& servers)
    : Lab(scenario, names, std::nullopt) {
  for (const auto& one : servers.all()) {
    auto server = std::make_unique<Server>();
    server->name = one.name;
    server->commands = one.commands.get();
    server->address = one.socket;
    server->clock_reading = one.clock;
    server->times.emplace(one.clock.wall_minus_host);
    server->monitor =
        std::make_unique<Monitor>(one.address.text(), one.socket, servers.key_prefix());
    servers_.push_back(std::move(server));
  }
  for (const auto& client : scenario.clients) open_links(client.name);
}

Lab::Lab(const scenario::Scenario& scenario, history::History& names)
    : Lab(scenario, names, find_server_binary()) {
  for (const bool replicas : {false, true}) {
    for (const ServerSpec& spec : scenario.servers) {
      if (spec.replica_of.empty() != replicas) start_server(spec, bends_clock(scenario, spec));
    }
  }
  ServerSpec guarded;
  guarded.name = workload::kGuardedServer;
  start_server(guarded, false);
  for (const ServerSpec& spec : scenario.servers) {
    const auto replicas =
        std::count_if(scenario.servers.begin(), scenario.servers.end(),
                      [&](const auto& one) { return one.replica_of == spec.name; });
    if (replicas > 0) server(spec.name).wait_for_replicas(static_cast<int>(replicas), kPatience);
  }
  for (const auto& client : scenario.clients) open_links(client.name);
}

Lab::~Lab() {
  proxy_.reset();  // before the servers, which it may be holding back
  servers_.clear();
}

void Lab::check_version(const ServerSpec& spec) const {
  if (!spec.version) return;
  const std::string wanted = scenario::version_words().word(*spec.version);
  const ServerBinary& binary = binary_.value();
  if (wanted == std::to_string(binary.major) + "." + std::to_string(binary.minor)) return;
  throw EnvironmentFailure(spec.name + " is to be Redis " + wanted + ", but " + binary.path +
                           " is " + binary.version);
}

void Lab::start_server(const ServerSpec& spec, bool bends_its_clock) {
  check_version(spec);
  auto one = std::make_unique<Server>();
  one->name = spec.name;
  one->replica_of = spec.replica_of;
  one->times.emplace(wall_minus_host_);
  RedisOptions options;
  options.name = spec.name;
  options.folder = folder_.path() / spec.name;
  options.persistence = spec.persistence;
  if (bends_its_clock) {
    one->clock.emplace(folder_.path() / (spec.name + ".clock"), find_clock_shim());
    one->clock->bend(spec.clock_offset, spec.clock_ppm);
    one->times->bent(host_now(), one->clock->offset(), spec.clock_ppm);
    options.environment = one->clock->environment();
  }
  if (!spec.replica_of.empty()) {
    one->replication = &proxy_->open(spec.replica_of + "->" + spec.name,
                                     server(spec.replica_of).port(), Carries::replication);
    options.replica_of = MasterAddress{"127.0.0.1", one->replication->port()};
  }
  one->process = std::make_unique<RedisProcess>(binary_.value(), options);
  one->address = SocketAddress::loopback(one->process->port());
  one->monitor = std::make_unique<Monitor>(*one->process);
  servers_.push_back(std::move(one));
}

void Lab::open_links(const std::string& client) {
  const auto actor = static_cast<history::ActorId>(names_.actors.find(client));
  std::vector<std::string> reached = scenario_.lock.nodes;
  reached.emplace_back(workload::kGuardedServer);
  for (const auto& name : reached) {
    ProxyLink& link = proxy_->open(client + "->" + name, find(name).address, Carries::commands);
    links_.push_back({actor, client, name, &link, name});
  }
}

Lab::Server& Lab::find(const std::string& name) {
  for (auto& one : servers_) {
    if (one->name == name) return *one;
  }
  throw EnvironmentFailure("there is no server " + name + " in this lab");
}

RedisProcess& Lab::server(const std::string& name) {
  Server& one = find(name);
  if (one.process == nullptr) throw EnvironmentFailure(name + " is not ours to strike");
  return *one.process;
}

Lab::Link& Lab::find_link(const std::string& client, const std::string& address) {
  for (auto& one : links_) {
    if (one.client == client && one.address == address) return one;
  }
  throw EnvironmentFailure("client " + client + " has no link to " + address);
}

ProxyLink& Lab::link(const std::string& client, const std::string& address) {
  return *find_link(client, address).link;
}

bool Lab::may_pass(const Link& link) const {
  const std::pair<std::string, std::string> pair{link.client, link.behind};
  return !link.refused && std::find(blocked_.begin(), blocked_.end(), pair) == blocked_.end();
}

Proof Lab::refuse(const std::string& client, const std::string& address) {
  Link& one = find_link(client, address);
  one.refused = true;
  return one.link->refuse();
}

Proof Lab::accept(const std::string& client, const std::string& address) {
  Link& one = find_link(client, address);
  one.refused = false;
  return one.link->accept();
}

void Lab::keep_clients_out(const std::string& server) {
  for (auto& one : links_) {
    if (one.behind == server) one.link->refuse();
  }
}

void Lab::let_clients_in(const std::string& server) {
  for (auto& one : links_) {
    if (one.behind == server && may_pass(one)) one.link->accept();
  }
}

ProxyLink& Lab::replication_link(const std::string& replica) {
  Server& one = find(replica);
  if (one.replication == nullptr) throw EnvironmentFailure(replica + " is no replica");
  return *one.replication;
}

std::vector<ClientOrders::Address> Lab::addresses(const std::string& client) {
  std::vector<ClientOrders::Address> all;
  for (const auto& one : links_) {
    if (one.client == client) all.push_back({one.address, "127.0.0.1", one.link->port()});
  }
  return all;
}

void Lab::redirect(const std::string& address, const std::string& replica) {
  for (auto& one : links_) {
    if (one.address != address) continue;
    one.behind = replica;
    if (!may_pass(one)) one.link->refuse();
    one.link->retarget(server(replica).port());
  }
}

bool Lab::is_address(const std::string& name) const {
  return std::any_of(links_.begin(), links_.end(),
                     [&](const Link& one) { return one.address == name; });
}

Proof Lab::block(const std::string& client, const std::string& server) {
  const Instant begun = host_now();
  blocked_.emplace_back(client, server);
  for (auto& one : links_) {
    if (one.client == client && one.behind == server) one.link->refuse();
  }
  return {begun, host_now(), "no link of " + client + " leads to " + server};
}

void Lab::stopped_watching(const std::string& name) {
  Server& one = find(name);
  if (!one.monitor) return;
  one.pieces.push_back({one.monitor->lines(), {}});
  one.monitor.reset();
}

void Lab::watch_again(const std::string& name) {
  Server& one = find(name);
  one.monitor = std::make_unique<Monitor>(*one.process);
}

void Lab::look_at_keys(const std::string& name, history::DropCause when_gone) {
  Server& one = find(name);
  Server::Piece piece;
  for (const auto& lock : names_.setup.locks) {
    const std::string& key = names_.resources[lock.resource];
    Command get;
    get.add("GET").add(key);
    const Reply value = one.process->ask(get);
    Command pttl;
    pttl.add("PTTL").add(key);
    const Reply ttl = one.process->ask(pttl);
    piece.found.push_back({key, value.text, ttl.integer, host_now(), when_gone});
  }
  one.pieces.push_back(std::move(piece));
}

void Lab::step_clock(const std::string& name, Duration by) {
  Server& one = find(name);
  const Instant before = host_now();
  one.clock->step(by, *one.process);
  one.times->bent(before, one.clock->offset(), one.clock->rate_ppm());
}

void Lab::set_clock_rate(const std::string& name, std::int64_t ppm) {
  Server& one = find(name);
  const Instant before = host_now();
  const Duration ahead = one.clock->offset();
  one.clock->set_rate(ppm, *one.process);
  one.times->bent(before, ahead, ppm);
}

std::optional<std::string> Lab::died() {
  for (auto& one : servers_) {
    if (one->process != nullptr) {
      if (auto how = one->process->died()) return how;
    } else if (one->monitor->ended()) {
      return "the Redis server of " + one->name + " has closed the connection of MONITOR";
    }
  }
  return std::nullopt;
}

history::ActorId Lab::actor_of(const std::string& client_address) const {
  const auto colon = client_address.rfind(':');
  if (colon == std::string::npos) return 0;
  unsigned port = 0;
  std::from_chars(client_address.data() + colon + 1, client_address.data() + client_address.size(),
                  port);
  for (const auto& one : links_) {
    if (one.link->source_ports().contains(static_cast<std::uint16_t>(port))) return one.actor;
  }
  return 0;
}

// The log of the guarded resource is a list: its RPUSHes, seen inside the access script, are the
// accesses in execution order.
void Lab::tell_accesses(LiveHistory& history) {
  Server& guarded = find(std::string(workload::kGuardedServer));
  const auto node = static_cast<history::NodeId>(names_.nodes.find(workload::kGuardedServer));
  for (const MonitorLine& line : guarded.monitor->lines()) {
    if (!line.in_script() || line.arguments.size() != 3 || line.arguments[0] != "rpush") continue;
    const auto access = workload::parse_logged_access(line.arguments[2]);
    if (!access) continue;
    Event event;
    event.kind = Kind::access_executed;
    event.flag = static_cast<std::uint8_t>((access->write ? 1 : 0) | (access->accepted ? 2 : 0));
    event.actor = workload::actor_of(access->grant);
    event.node = node;
    for (const auto resource : names_.setup.guarded) {
      if (workload::log_key(names_.resources[resource]) == line.arguments[1]) {
        event.resource = resource;
      }
    }
    event.grant = access->grant;
    event.a = access->value;
    event.b = access->fencing_token;
    history.add(guarded.times->host_before(line.server_time, line.arrived), event);
  }
}

void Lab::tell(LiveHistory& history, Instant end) {
  bool whole = true;
  for (auto& one : servers_) {
    if (!one->monitor) continue;
    bool caught_up = false;
    if (one->process != nullptr) {
      one->process->cont();  // it may have been left stopped
      caught_up = one->monitor->catch_up(*one->process, kPatience);
    } else {
      caught_up = one->monitor->catch_up(*one->commands, kPatience) &&
                  read_clock(*one->commands).agrees_with(one->clock_reading);
    }
    whole = whole && caught_up && one->monitor->malformed().empty();
  }
  tell_accesses(history);
  for (auto& one : servers_) {
    if (one->name == workload::kGuardedServer) continue;
    if (one->monitor) one->pieces.push_back({one->monitor->lines(), {}});
    const auto node = static_cast<history::NodeId>(names_.nodes.find(one->name));
    WatchedKeys keys(node, names_, history,
                     [this](const std::string& client) { return actor_of(client); });
    for (const auto& piece : one->pieces) {
      keys.follow(piece.lines, *one->times);
      for (const auto& found : piece.found) {
        keys.found(found.key, found.value, found.ttl_ms, found.at, *one->times, found.when_gone);
      }
    }
    keys.finish(end, *one->times);
  }
  names_.setup.evidence.server_keys = whole;
  names_.setup.evidence.resource = whole;
}

}  // namespace holdfast::live
