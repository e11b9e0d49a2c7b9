#include "scenarios/serve/front.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace holdfast::serve {
namespace {

using detail::boottime_now;

constexpr std::size_t kMostClients = 10'000;  // a server's default maxclients
constexpr std::size_t kOtherFiles = 64;

Duration real_wall() { return std::chrono::system_clock::now().time_since_epoch(); }

}  // namespace

std::size_t raise_open_files() {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  getrlimit(RLIMIT_NOFILE, &limit);
  return limit.rlim_cur;
}

Front::Front(detail::LoopCore& core, const scenario::Scenario& scenario, sim::ServerWatcher& keys,
             TrafficWatcher& traffic, const FrontOptions& options)
    : core_(core),
      traffic_(traffic),
      addresses_(open_addresses(scenario, options.port)),
      cluster_(scenario, ports(), *this, keys, options.seed,
               options.wall_epoch == Duration::zero() ? real_wall() : options.wall_epoch),
      sessions_(cluster_.size()),
      most_clients_(kMostClients * cluster_.size()),
      started_(boottime_now()) {
  const std::size_t files = raise_open_files();
  if (files < most_clients_ + kOtherFiles) {
    most_clients_ = files > 2 * kOtherFiles ? files - kOtherFiles : files / 2;
  }
  turn_over_soon();
}

Front::Addresses Front::open_addresses(const scenario::Scenario& scenario, std::uint16_t port) {
  Addresses addresses;
  for (const std::string& name : node_names(scenario)) {
    const auto node = static_cast<NodeId>(addresses.size() + 1);
    const auto arrived_here = [this, node](uv_stream_t* listener) {
      arrived(address(node), listener);
    };
    addresses.push_back(std::make_unique<Address>(*core_.uv(), name, node, port, arrived_here));
    if (port != 0) ++port;
  }
  return addresses;
}

std::vector<std::uint16_t> Front::ports() const {
  std::vector<std::uint16_t> ports;
  for (const auto& address : addresses_) ports.push_back(address->port());
  return ports;
}

Front::~Front() {
  core_.cancel(wake_);
  for (auto& address : addresses_) address->listen(false);
  for (auto& [number, connection] : connections_) connection->close();
  while (!connections_.empty()) uv_run(core_.uv(), UV_RUN_NOWAIT);
}

// -- time

void Front::catch_up() {
  kernel().advance(sim::TrueTime(boottime_now() - started_ + skipped_));
  turn_over_soon();
}

void Front::skip(Duration by) {
  skipped_ += by;
  catch_up();
}

void Front::turn_over_soon() {
  if (turn_is_coming_) return;
  turn_is_coming_ = true;
  core_.soon([this] { turn_over(); });
}

// At the end of each turn of the loop in which something happened.
void Front::turn_over() {
  turn_is_coming_ = false;
  // What a flush makes others say, or lets the same client go on with, is for the next turn.
  flushing_.swap(to_flush_);
  for (Connection* client : flushing_) client->flush();
  flushing_.clear();
  core_.cancel(wake_);
  const auto next = kernel().next();
  if (!next) return;
  wake_ = core_.at(started_ + next->time_since_epoch() - skipped_, [this] {
    wake_ = {};
    catch_up();
  });
}

void Front::flush_later(Connection& client) {
  turn_over_soon();
  if (client.waits_for_flush) return;
  client.waits_for_flush = true;
  to_flush_.push_back(&client);
}

// -- clients

void Front::arrived(Address& address, uv_stream_t* listener) {
  catch_up();
  auto made = std::make_unique<Connection>(*this, address, ++last_number_);
  Connection& client = *made;
  connections_.emplace(client.number(), std::move(made));
  if (!client.accept(listener)) return;
  sim::RedisServer& server = cluster_.server(address.node);
  if (address.refused || !server.running()) return client.reset();
  if (is_full()) {
    client.send("-ERR max number of clients reached\r\n");
    return client.close_when_sent();
  }
  client.session = server.open_session(1);
  sessions_[address.node - 1U][client.session] = &client;
  ++open_;
  traffic_.opened(client, address.node);
  client.start();
}

void Front::leaves(Connection& client) {
  const SessionId session = std::exchange(client.session, 0);
  if (session == 0) return;
  const NodeId node = client.address().node;
  sessions_[node - 1U].erase(session);
  --open_;
  traffic_.left(client, node);
  cluster_.server(node).close_session(session);
}

void Front::closed(Connection& client) {
  std::erase(to_flush_, &client);
  connections_.erase(client.number());
}

bool Front::executes(const Connection& client) {
  const sim::RedisServer& server = cluster_.server(client.address().node);
  return server.running() && !server.paused() && !client.address().to_server.held;
}

void Front::execute(Connection& client, Command command) {
  const NodeId node = client.address().node;
  ++commands_;
  traffic_.commanded(client, node, command);
  cluster_.server(node).receive(client.session, std::move(command));
}

std::size_t Front::connections(const Address& address) const {
  return static_cast<std::size_t>(
      std::count_if(connections_.begin(), connections_.end(), [&](const auto& one) {
        return one.second->session != 0 && &one.second->address() == &address;
      }));
}

// -- the servers' side

Connection* Front::find(NodeId node, SessionId session) {
  const auto found = sessions_[node - 1U].find(session);
  return found == sessions_[node - 1U].end() ? nullptr : found->second;
}

bool Front::drops(Connection& client) {
  Address& address = client.address();
  if (client.muted()) return true;
  if (address.replies_to_drop == 0) return false;
  --address.replies_to_drop;
  client.mute();
  if (address.then_reset && address.replies_to_drop == 0) client.reset();
  return true;
}

void Front::send_reply(NodeId node, SessionId session, Reply reply) {
  Connection* const found = find(node, session);
  if (found == nullptr) return;
  Connection& client = *found;
  const bool told = !drops(client);
  if (told) client.reply(reply);
  traffic_.answered(client, node, reply, told && !client.address().to_client.held);
}

void Front::send_push(NodeId node, SessionId session, Reply message) {
  Connection* const found = find(node, session);
  if (found != nullptr) found->push(message);
}

std::string Front::client_address(NodeId node, SessionId session) {
  Connection* const found = find(node, session);
  return found == nullptr ? std::string() : found->peer();
}

void Front::close_session(NodeId node, SessionId session) {
  Connection* const found = find(node, session);
  if (found == nullptr) return;
  if (cluster_.server(node).running()) return found->close_when_sent();
  // The process has died: nobody listens any more either. As when the kernel closes its sockets, a
  // connection with unread requests is reset, an idle one sees the end (FID-X5).
  stop_listening(node);
  found->close();
}

// -- faults

void Front::stop_listening(NodeId node) {
  for (auto& address : addresses_) {
    if (address->node == node) address->listen(false);
  }
}

void Front::crash(NodeId node, sim::CrashKind kind) {
  stop_listening(node);
  cluster_.server(node).crash(kind);
  refresh();
}

void Front::restart(NodeId node, sim::Persistence persistence) {
  if (cluster_.server(node).running()) crash(node, sim::CrashKind::kill);
  cluster_.server(node).restart(persistence);
  refresh();
}

void Front::redirect(NodeId address_node, NodeId node) {
  Address& moved = address(address_node);
  if (moved.node == node) return refresh();
  reset_connections(moved);
  moved.node = node;
  refresh();
}

void Front::reset_connections(Address& address) {
  for (auto& [number, client] : connections_) {
    if (&client->address() == &address) client->reset();
  }
}

void Front::refresh() {
  for (auto& address : addresses_) {
    address->listen(!address->refused && cluster_.server(address->node).running());
  }
  for (auto& [number, client] : connections_) client->faults_changed();
  turn_over_soon();
}

}  // namespace holdfast::serve
