// How a sentinel keeps in contact with what it looks after: connections, PING, INFO, hello.
#include <algorithm>
#include <utility>

#include "sim/redis/instance.h"
#include "sim/redis/sentinel/sentinel.h"

namespace holdfast::sim::redis {

namespace {

constexpr WallMs kPingPeriod = 1000;
constexpr WallMs kInfoPeriod = 10'000;
constexpr WallMs kInfoPeriodInNeed = 1000;
constexpr WallMs kHelloPeriod = 2000;
constexpr int kMostPending = 100;

}  // namespace

void Sentinel::close(Contact& contact) {
  contact.commands.close();
  contact.events.close();
  contact.pending = 0;
  contact.disconnected = true;
}

void Sentinel::reconnect(Monitored& instance) {
  Contact& contact = instance.contact;
  const WallMs time = now();
  if (!contact.disconnected || time - contact.tried < kPingPeriod) return;
  contact.tried = time;
  if (!contact.commands.is_open()) {
    contact.commands.open();
    if (contact.commands.is_open()) {
      contact.pending = 0;
      contact.commands_opened = time;
      contact.commands.send(Command{"CLIENT", "SETNAME", "sentinel-" + id_.substr(0, 8) + "-cmd"},
                            Asked::nothing);
      ping(instance);
    }
  }
  const bool wants_events = !instance.is_sentinel();
  if (wants_events && !contact.events.is_open()) {
    contact.events.open();
    if (contact.events.is_open()) {
      contact.events_opened = time;
      contact.events.send(Command{"CLIENT", "SETNAME", "sentinel-" + id_.substr(0, 8) + "-pubsub"},
                          Asked::nothing);
      contact.events.send(Command{"SUBSCRIBE", kHelloChannel}, Asked::nothing);
    }
  }
  contact.disconnected = !contact.commands.is_open() || (wants_events && !contact.events.is_open());
}

void Sentinel::link_lost(Monitored& at, const Uplink& link) {
  at.contact.disconnected = true;
  if (&link == &at.contact.commands) at.contact.pending = 0;
}

void Sentinel::ask(Monitored& instance, Command command, Asked asked) {
  instance.contact.commands.send(std::move(command), asked);
  ++instance.contact.pending;
}

void Sentinel::ping(Monitored& instance) {
  Contact& contact = instance.contact;
  ask(instance, Command{"PING"}, Asked::ping);
  contact.pinged = now();
  if (contact.unanswered_since == 0) contact.unanswered_since = contact.pinged;
}

// While an answer is out, INFO and hello are sent again with each tick, as Redis does.
void Sentinel::converse(Monitored& instance) {
  Contact& contact = instance.contact;
  if (contact.disconnected || contact.pending >= kMostPending) return;
  const WallMs time = now();
  const MasterSet& set = instance.set;
  const bool in_need = instance.is_replica() && (set.master.is(kObjectivelyDown | kFailingOver) ||
                                                 instance.master_link_down != 0);
  const WallMs info_period = in_need ? kInfoPeriodInNeed : kInfoPeriod;
  if (!instance.is_sentinel() &&
      (instance.refreshed == 0 || time - instance.refreshed > info_period)) {
    ask(instance, Command{"INFO"}, Asked::info);
  }
  const WallMs ping_period = std::min(set.down_after(), kPingPeriod);
  if (time - contact.ponged > ping_period && time - contact.pinged > ping_period / 2) {
    ping(instance);
  }
  if (time - instance.published > kHelloPeriod) say_hello(instance);
}

void Sentinel::answered(Monitored& from, Asked asked, const Reply& reply) {
  if (asked == Asked::nothing) return;
  --from.contact.pending;
  switch (asked) {
    case Asked::ping:
      return ponged(from, reply);
    case Asked::info:
      if (reply.type == Reply::Type::bulk) take_info(from, reply.text);
      return;
    case Asked::publish:
      if (!reply.is_error()) from.published = now();
      return;
    case Asked::master_down:
      return take_master_down(from, reply);
    case Asked::other:
    case Asked::nothing:
      return;
  }
}

// A server that loads, or whose master is down, is there.
void Sentinel::ponged(Monitored& instance, const Reply& reply) {
  Contact& contact = instance.contact;
  const std::string_view text = reply.text;
  if (text == "PONG" || text.starts_with("LOADING") || text.starts_with("MASTERDOWN")) {
    contact.available = now();
    contact.unanswered_since = 0;
  }
  contact.ponged = now();
}

void Sentinel::heard(Monitored& from, const Reply& message) {
  from.contact.event_heard = now();
  if (message.elements.size() == 3 && message.elements[0].text == "message") {
    take_hello(message.elements[2].text);
  }
}

void Sentinel::say_hello(Monitored& instance) {
  if (instance.contact.disconnected) return;
  const MasterSet& set = instance.set;
  const NodeAddress self = server_.options().address();
  const NodeAddress& master = set.current();
  const std::string hello = self.host + "," + std::to_string(self.port) + "," + id_ + "," +
                            std::to_string(epoch_) + "," + set.options.name + "," + master.host +
                            "," + std::to_string(master.port) + "," +
                            std::to_string(set.config_epoch);
  ask(instance, Command{"PUBLISH", kHelloChannel, hello}, Asked::publish);
}

void Sentinel::say_hello_soon(MasterSet& set) {
  const auto hurry = [](Monitored& instance) { instance.published -= kHelloPeriod + 1; };
  hurry(set.master);
  for (const auto& replica : set.replicas) hurry(*replica);
  for (const auto& sentinel : set.sentinels) hurry(*sentinel);
}

}  // namespace holdfast::sim::redis
