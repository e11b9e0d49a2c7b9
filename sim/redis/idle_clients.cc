#include "sim/redis/idle_clients.h"

#include "sim/redis/event_kinds.h"
#include "sim/redis/instance.h"

namespace holdfast::sim::redis {

namespace {

constexpr Duration kIdleLook = std::chrono::milliseconds(100);  // the server's cron

}  // namespace

void IdleClients::reset() {
  timer_.forget();
  ++run_;
}

// It is accepted, told, and sent away.
void IdleClients::opened(SessionId session) {
  const std::int64_t most = server_.config().number(Setting::maxclients);
  if (server_.sessions().open_count() > most) {
    server_.sessions()[session].blocked = true;
    const std::uint64_t both = run_ << 32 | session;
    server_.kernel().after({}, {&IdleClients::on_too_many, this, both, kTooManyClients});
  }
  look();
}

void IdleClients::on_too_many(void* self, std::uint64_t both) {
  auto& clients = *static_cast<IdleClients*>(self);
  if (both >> 32 != (clients.run_ & 0xffffffff)) return;
  const auto session = static_cast<SessionId>(both);
  clients.server_.reply(session, Reply::error("ERR max number of clients reached"));
  clients.server_.disconnect(session);
}

void IdleClients::look() {
  if (server_.config().number(Setting::timeout) == 0 || server_.sessions().open_count() == 0)
    return;
  const TrueTime now = server_.kernel().now();
  const TrueTime next = server_.started() + ((now - server_.started()) / kIdleLook + 1) * kIdleLook;
  timer_.arm(server_.kernel(), next, {&IdleClients::on_look, this, run_, kIdleClients});
}

void IdleClients::on_look(void* self, std::uint64_t run) {
  auto& clients = *static_cast<IdleClients*>(self);
  if (run != clients.run_) return;
  clients.timer_.fired();
  if (!clients.server_.busy()) clients.close_idle();
  clients.look();
}

// By whole seconds of the wall clock, as it is now. Who waits, or listens to channels, is not idle.
void IdleClients::close_idle() {
  constexpr Duration kSecond = std::chrono::seconds(1);
  const std::int64_t timeout = server_.config().number(Setting::timeout);
  const TrueTime now = server_.kernel().now();
  const std::int64_t second = server_.data().wall_now() / kSecond;
  for (SessionId id = 1; id <= server_.sessions().size(); ++id) {
    const Session& session = server_.sessions()[id];
    if (!session.open || session.blocked || session.is(kSubscribed)) continue;
    const std::int64_t active = (server_.data().wall_now() - (now - session.active)) / kSecond;
    if (second - active > timeout) server_.disconnect(id);
  }
}

}  // namespace holdfast::sim::redis
