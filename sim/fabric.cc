#include "sim/fabric.h"

#include <algorithm>

#include "sim/event_kind.h"

namespace holdfast::sim {

void Fabric::clear() {
  for (std::size_t i = 0; i < made_; ++i) {
    Connection& connection = *pool_[i];
    kernel_.cancel(connection.requests.event);
    kernel_.cancel(connection.responses.event);
    connection.requests.clear();
    connection.responses.clear();
    connection.link = nullptr;
    connection.client = nullptr;
  }
  made_ = 0;
  free_.clear();
  for (Port& port : ports_) port.sessions.clear();
}

void Fabric::reset(const std::vector<history::ActorId>& clients,
                   const std::vector<RedisServer*>& servers, const LatencyTable& latency,
                   std::uint64_t seed) {
  clear();
  latency_ = &latency;
  fates_ = Random(seed, Purpose::faults, ~std::uint64_t{0});
  nodes_ = servers.size();
  ports_.resize(nodes_);
  behind_.resize(nodes_ + 1);
  for (std::size_t i = 0; i < nodes_; ++i) {
    ports_[i].server = servers[i];
    behind_[i + 1] = static_cast<history::NodeId>(i + 1);
  }
  links_.clear();
  for (std::size_t row = 0; row < clients.size(); ++row) {
    if (row_.size() <= clients[row]) row_.resize(std::size_t{clients[row]} + 1);
    row_[clients[row]] = static_cast<std::uint16_t>(row);
    for (std::size_t node = 1; node <= nodes_; ++node) {
      Link& made = links_.emplace_back();
      made.client = clients[row];
      made.node = static_cast<history::NodeId>(node);
      made.latency = Random(seed, Purpose::latency, row << 16 | node);
    }
  }
}

Link& Fabric::link(history::ActorId client, history::NodeId node) {
  return links_[row_[client] * nodes_ + node - 1];
}

TrueTime Fabric::due_at_server(Link& link) {
  return kernel_.now() + latency_->draw(link.latency) + link.extra_to_server;
}

TrueTime Fabric::due_at_client(Link& link) {
  return kernel_.now() + latency_->draw(link.latency) + link.extra_to_client;
}

// -- the client's side

Connection& Fabric::open(Caller& client, history::ActorId actor, history::NodeId address) {
  std::size_t index = made_;
  if (!free_.empty()) {
    index = free_.back();
    free_.pop_back();
  } else {
    if (made_ == pool_.size()) pool_.push_back(std::make_unique<Connection>());
    ++made_;
  }
  Connection& connection = *pool_[index];
  connection.index = static_cast<std::uint32_t>(index);
  connection.link = &link(actor, behind_[address]);
  connection.client = &client;
  connection.address = address;
  connection.session = 0;
  connection.server_done = false;
  connection.silent = connection.mute = false;
  connection.requests.push({due_at_server(*connection.link), Request::Kind::connect});
  schedule_request(connection);
  return connection;
}

void Fabric::send(Connection& connection, std::span<Command> commands) {
  const TrueTime due = due_at_server(*connection.link);  // together, as one write
  for (Command& command : commands) {
    connection.requests.push({due, Request::Kind::command, false, std::move(command)});
  }
  schedule_request(connection);
}

Response Fabric::read(Connection& connection) { return connection.responses.take(); }

void Fabric::close(Connection& connection) {
  connection.client = nullptr;
  kernel_.cancel(connection.responses.event);
  connection.responses.clear();
  if (!connection.server_done) {
    connection.requests.push({due_at_server(*connection.link), Request::Kind::close});
    schedule_request(connection);
  }
  release_if_over(connection);
}

void Fabric::forget(Connection& connection) {
  connection.client = nullptr;
  release_if_over(connection);
}

void Fabric::release_if_over(Connection& connection) {
  if (connection.client != nullptr || !connection.server_done) return;
  kernel_.cancel(connection.requests.event);
  kernel_.cancel(connection.responses.event);
  connection.requests.clear();
  connection.responses.clear();
  connection.link = nullptr;
  free_.push_back(connection.index);
}

// -- messages under way

void Fabric::schedule_request(Connection& connection) {
  Stream<Request>& stream = connection.requests;
  if (stream.event || !stream.in_flight()) return;
  const Link& link = *connection.link;
  stream.event = kernel_.at(stream.next_in_flight().due,
                            {&Fabric::request_due, this, connection.index,
                             event_kind(EventKind::request, link.client, link.node)});
}

void Fabric::schedule_response(Connection& connection) {
  Stream<Response>& stream = connection.responses;
  if (stream.event || !stream.in_flight()) return;
  const Link& link = *connection.link;
  stream.event = kernel_.at(stream.next_in_flight().due,
                            {&Fabric::response_due, this, connection.index,
                             event_kind(EventKind::response, link.client, link.node)});
}

// What meets a cut stays where it is; heal() sets it moving again.
void Fabric::request_due(void* self, std::uint64_t index) {
  auto& fabric = *static_cast<Fabric*>(self);
  Connection& connection = *fabric.pool_[index];
  Stream<Request>& stream = connection.requests;
  stream.event = {};
  if (connection.link->held_to_server && !stream.next_in_flight().through_cuts) return;
  stream.arrive();
  Request request = stream.take();
  fabric.schedule_request(connection);
  fabric.at_server(connection, std::move(request));
}

void Fabric::response_due(void* self, std::uint64_t index) {
  auto& fabric = *static_cast<Fabric*>(self);
  Connection& connection = *fabric.pool_[index];
  Stream<Response>& stream = connection.responses;
  stream.event = {};
  if (connection.link->held_to_client && !stream.next_in_flight().through_cuts) return;
  stream.arrive();
  fabric.schedule_response(connection);
  connection.client->arrived();
}

void Fabric::respond(Connection& connection, Response::Kind kind, Reply&& reply) {
  if (connection.client == nullptr) return;
  connection.responses.push({due_at_client(*connection.link), kind, false, std::move(reply)});
  schedule_response(connection);
}

// -- the server's side

void Fabric::at_server(Connection& connection, Request&& request) {
  switch (request.kind) {
    case Request::Kind::connect:
      return accept(connection);
    case Request::Kind::command:
      if (connection.session != 0) {
        RedisServer& server = *ports_[connection.link->node - 1U].server;
        server.receive(connection.session, std::move(request.command));
      }
      return;
    case Request::Kind::close:
      end_session(connection);
      connection.server_done = true;
      return release_if_over(connection);
  }
}

// A frozen server's kernel accepts connections; where no process listens they are refused (FID-X5).
void Fabric::accept(Connection& connection) {
  Port& port = ports_[connection.link->node - 1U];
  if (connection.link->refused || !port.server->running()) {
    connection.server_done = true;
    connection.requests.clear();
    kernel_.cancel(connection.requests.event);
    respond(connection, Response::Kind::refused, Reply::error("Connection refused"));
    return release_if_over(connection);
  }
  connection.session = port.server->open_session(connection.link->client);
  port.sessions.emplace_back(connection.session, &connection);
  respond(connection, Response::Kind::accepted, Reply());
}

void Fabric::end_session(Connection& connection) {
  if (connection.session == 0) return;
  const SessionId session = std::exchange(connection.session, 0);
  Port& port = ports_[connection.link->node - 1U];
  std::erase_if(port.sessions, [session](const auto& entry) { return entry.first == session; });
  port.server->close_session(session);
}

Connection* Fabric::find(history::NodeId node, SessionId session) {
  for (const auto& [id, connection] : ports_[node - 1U].sessions) {
    if (id == session) return connection;
  }
  return nullptr;
}

void Fabric::reply(history::NodeId node, SessionId session, Reply&& reply) {
  Connection* const connection = find(node, session);
  if (connection == nullptr || connection->client == nullptr || connection->silent) return;
  Link& link = *connection->link;
  if (link.lost_replies == 0 && !connection->mute) {
    return respond(*connection, Response::Kind::reply, std::move(reply));
  }
  connection->mute = true;
  if (const Action told = std::exchange(link.on_loss, Action()); told.run != nullptr) {
    told.run(told.self, told.argument);
  }
  if (link.lost_replies == 0 || --link.lost_replies > 0 || !link.then_reset) return;
  connection->silent = true;
  respond(*connection, Response::Kind::closed, Reply::error("Connection reset by peer"));
  connection->requests.push({kernel_.now(), Request::Kind::close});
  schedule_request(*connection);
}

// Nothing passes by a reply that was lost.
void Fabric::push(history::NodeId node, SessionId session, Reply&& message) {
  Connection* const connection = find(node, session);
  if (connection == nullptr || connection->silent || connection->mute) return;
  respond(*connection, Response::Kind::push, std::move(message));
}

void Fabric::closed_by_server(history::NodeId node, SessionId session) {
  Connection* const connection = find(node, session);
  if (connection == nullptr) return;
  std::erase_if(ports_[node - 1U].sessions,
                [session](const auto& entry) { return entry.first == session; });
  connection->session = 0;
  connection->server_done = true;
  connection->requests.clear();
  kernel_.cancel(connection->requests.event);
  if (!connection->silent) {
    respond(*connection, Response::Kind::closed, Reply::error("Server closed the connection"));
  }
  release_if_over(*connection);
}

// -- faults

void Fabric::redirect(history::NodeId address, history::NodeId node) {
  const history::NodeId before = std::exchange(behind_[address], node);
  if (before == node) return;
  for (std::size_t i = 0; i < made_; ++i) {
    Connection& connection = *pool_[i];
    if (connection.link != nullptr && connection.address == address) break_connection(connection);
  }
}

void Fabric::cut(history::ActorId client, history::NodeId node, Direction direction, CutMode mode) {
  Link& cut = link(client, node);
  if (mode == CutMode::refuse) {
    cut.refused = true;
    break_all(cut);
    return;
  }
  if (direction != Direction::to_client) cut.held_to_server = true;
  if (direction != Direction::to_server) cut.held_to_client = true;
}

void Fabric::heal(history::ActorId client, history::NodeId node) {
  Link& healed = link(client, node);
  healed.refused = false;
  healed.held_to_server = false;
  healed.held_to_client = false;
  for (std::size_t i = 0; i < made_; ++i) {
    Connection& connection = *pool_[i];
    if (connection.link != &healed) continue;
    if (!connection.requests.event && connection.requests.in_flight()) {
      connection.requests.next_in_flight().due = due_at_server(healed);
      schedule_request(connection);
    }
    if (!connection.responses.event && connection.responses.in_flight()) {
      connection.responses.next_in_flight().due = due_at_client(healed);
      schedule_response(connection);
    }
  }
}

bool Fabric::reset_connections(history::ActorId client, history::NodeId node) {
  return break_all(link(client, node));
}

bool Fabric::break_all(Link& link) {
  bool any = false;
  for (std::size_t i = 0; i < made_; ++i) {
    if (pool_[i]->link == &link) any = break_connection(*pool_[i]) || any;
  }
  return any;
}

// Of the requests in flight the first few, by seed, still reach the server; none do that wait at a
// cut. Replies in flight are lost. The client learns of it at once, whatever is cut.
bool Fabric::break_connection(Connection& connection) {
  if (connection.client == nullptr || connection.silent) return false;  // over already
  connection.silent = true;
  kernel_.cancel(connection.responses.event);
  connection.responses.clear();
  connection.client->unread_is_gone();
  connection.responses.push(
      {kernel_.now(), Response::Kind::closed, true, Reply::error("Connection reset by peer")});
  schedule_response(connection);
  if (connection.server_done) return true;

  Stream<Request>& requests = connection.requests;
  kernel_.cancel(requests.event);
  if (connection.session == 0) {  // was not accepted yet
    requests.clear();
    connection.server_done = true;
    return true;
  }
  std::size_t arriving = 0;
  if (!connection.link->held_to_server && !requests.empty()) {
    arriving = fates_.below(requests.size() + 1);
  }
  requests.truncate(arriving);
  requests.push({kernel_.now(), Request::Kind::close, true});
  schedule_request(connection);
  return true;
}

void Fabric::delay(history::ActorId client, history::NodeId node, Direction direction,
                   Duration extra) {
  Link& slow = link(client, node);
  if (direction != Direction::to_client) slow.extra_to_server = extra;
  if (direction != Direction::to_server) slow.extra_to_client = extra;
}

void Fabric::lose_replies(history::ActorId client, history::NodeId node, std::uint32_t count,
                          bool then_reset, Action on_loss) {
  Link& lossy = link(client, node);
  lossy.lost_replies = count;
  lossy.then_reset = then_reset;
  lossy.on_loss = on_loss;
}

}  // namespace holdfast::sim
