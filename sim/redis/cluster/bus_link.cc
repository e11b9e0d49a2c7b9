#include "sim/redis/cluster/bus_link.h"

#include <utility>

#include "sim/fabric.h"
#include "sim/redis/cluster/cluster.h"
#include "sim/redis/instance.h"

namespace holdfast::sim::redis {

void BusLink::open() {
  Instance& server = cluster_.server();
  const history::ActorId self = node_actor(server.options().node);
  opened_ms_ = cluster_.now_ms();
  connection_ = &server.host().fabric()->open(*this, self, cluster_.map()[to_].node);
}

void BusLink::send(const std::string& message) {
  Command command{kBusWord, message};
  cluster_.server().host().fabric()->send(*connection_, {&command, 1});
}

void BusLink::close() {
  if (connection_ == nullptr) return;
  cluster_.server().host().fabric()->close(*std::exchange(connection_, nullptr));
  forget();
}

void BusLink::forget() {
  connection_ = nullptr;
  is_up_ = false;
  arrived_ = 0;
}

void BusLink::read() {
  while (connection_ != nullptr && arrived_ > 0 && !cluster_.server().busy()) take_one();
}

void BusLink::take_one() {
  --arrived_;
  Fabric& fabric = *cluster_.server().host().fabric();
  const Response response = fabric.read(*connection_);
  switch (response.kind) {
    case Response::Kind::accepted:
      is_up_ = true;
      return cluster_.link_is_up(to_);
    case Response::Kind::reply:
      return cluster_.heard(response.reply.text, true);
    case Response::Kind::push:
      return;
    case Response::Kind::refused:
    case Response::Kind::closed:
      fabric.forget(*std::exchange(connection_, nullptr));
      return forget();
  }
}

}  // namespace holdfast::sim::redis
