#include "sim/redis/sentinel/uplink.h"

#include <utility>

#include "sim/fabric.h"
#include "sim/redis/instance.h"
#include "sim/redis/sentinel/sentinel.h"

namespace holdfast::sim::redis {

void Uplink::open() {
  ServerHost& host = sentinel_.server().host();
  Fabric* const fabric = host.fabric();
  const RedisServer* const server = host.find_server(target_.address);
  if (fabric == nullptr || server == nullptr) return;
  const history::ActorId self = node_actor(sentinel_.server().options().node);
  connection_ = &fabric->open(*this, self, server->options().node);
}

void Uplink::send(Command command, Asked asked) {
  owed_.push_back(asked);
  sentinel_.server().host().fabric()->send(*connection_, {&command, 1});
}

void Uplink::close() {
  if (connection_ == nullptr) return;
  sentinel_.server().host().fabric()->close(*std::exchange(connection_, nullptr));
  arrived_ = 0;
  owed_.clear();
}

void Uplink::read() {
  while (connection_ != nullptr && arrived_ > 0 && !sentinel_.server().busy()) take_message();
}

void Uplink::take_message() {
  --arrived_;
  Response response = sentinel_.server().host().fabric()->read(*connection_);
  switch (response.kind) {
    case Response::Kind::accepted:
      return;
    case Response::Kind::reply:
      return sentinel_.answered(target_, owed_.pop_front(), response.reply);
    case Response::Kind::push:
      return sentinel_.heard(target_, response.reply);
    case Response::Kind::refused:
    case Response::Kind::closed:
      return lost();
  }
}

void Uplink::lost() {
  sentinel_.server().host().fabric()->forget(*std::exchange(connection_, nullptr));
  arrived_ = 0;
  owed_.clear();
  sentinel_.link_lost(target_, *this);
}

}  // namespace holdfast::sim::redis
