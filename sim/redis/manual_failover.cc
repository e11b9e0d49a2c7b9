#include "sim/redis/manual_failover.h"

#include <limits>

#include "sim/redis/event_kinds.h"
#include "sim/redis/instance.h"

namespace holdfast::sim::redis {

void ManualFailover::reset() {
  on_ = false;
  ++run_;
}

void ManualFailover::begin(const Plan& plan) {
  on_ = true;
  plan_ = plan;
  end_ms_ = server_.data().fresh_ms() + plan.timeout_ms.value_or(0);
  server_.pausing().begin(ClientPause::Kind::writes, std::numeric_limits<std::int64_t>::max());
  look_soon();
}

void ManualFailover::abort() {
  reset();
  server_.pausing().end();
}

// A real server looks before it sleeps, each time its event loop turns.
void ManualFailover::look_soon() {
  server_.kernel().after(std::chrono::milliseconds(1),
                         {&ManualFailover::on_look, this, run_, kFailoverLooks});
}

void ManualFailover::on_look(void* self, std::uint64_t run) {
  auto& failover = *static_cast<ManualFailover*>(self);
  if (run != failover.run_) return;
  failover.server_.busy() ? failover.look_soon() : failover.look();
}

void ManualFailover::look() {
  if (RedisServer* const to = ready()) return hand_over(*to);
  const bool late = plan_.timeout_ms && server_.data().fresh_ms() >= end_ms_;
  if (!late) return look_soon();
  RedisServer* const target =
      plan_.force ? server_.host().find_server(plan_.target->options().address()) : nullptr;
  target == nullptr || !target->running() ? abort() : hand_over(*target);
}

// A replica that has acknowledged the whole stream.
RedisServer* ManualFailover::ready() const {
  for (const Replication::Follower& follower : server_.replication().followers()) {
    Instance& replica = follower.replica->server();
    if (plan_.target != nullptr && &replica.facade() != plan_.target) continue;
    if (!follower.online || replica.busy()) continue;
    if (follower.acked == server_.replication().offset()) return &replica.facade();
  }
  return nullptr;
}

void ManualFailover::hand_over(RedisServer& to) {
  reset();
  ServerWatcher& watcher = server_.watcher();
  to.promote();
  watcher.role_changed(to.options().node, 0);
  server_.facade().replicate_from(to);
  watcher.role_changed(server_.options().node, to.options().node);
  server_.pausing().end();
}

}  // namespace holdfast::sim::redis
