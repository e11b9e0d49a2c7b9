#include "sim/redis/shutdown.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "sim/redis/event_kinds.h"
#include "sim/redis/instance.h"

namespace holdfast::sim::redis {

namespace {

constexpr Duration kShutdownLook = std::chrono::milliseconds(100);  // the server's cron

}  // namespace

void Shutdown::reset() {
  pending_ = false;
  session_ = 0;
  tick_.forget();
  ++run_;
}

bool Shutdown::replicas_have_all() const {
  const Replication& replication = server_.replication();
  const auto& followers = replication.followers();
  return std::all_of(followers.begin(), followers.end(),
                     [&](const auto& follower) { return follower.acked == replication.offset(); });
}

bool Shutdown::begin(SessionId session, const Plan& plan) {
  if (!server_.running()) return true;
  plan_ = plan;
  const std::int64_t timeout = server_.config().number(Setting::shutdown_timeout);
  if (plan.now || timeout == 0 || replicas_have_all()) return finish();
  session_ = session;
  if (session != 0) server_.sessions()[session].blocked = true;
  if (std::exchange(pending_, true)) return true;
  until_ = server_.data().wall_now() + std::chrono::seconds(timeout);
  server_.pausing().begin(ClientPause::Kind::writes, std::numeric_limits<std::int64_t>::max());
  arm();
  return true;
}

void Shutdown::arm() {
  const TrueTime now = server_.kernel().now();
  const TrueTime next =
      server_.started() + ((now - server_.started()) / kShutdownLook + 1) * kShutdownLook;
  tick_.arm(server_.kernel(), next, {&Shutdown::on_tick, this, run_, kShutdownTick});
}

void Shutdown::on_tick(void* self, std::uint64_t run) {
  auto& shutdown = *static_cast<Shutdown*>(self);
  if (run != shutdown.run_ || !shutdown.pending_) return;
  shutdown.tick_.fired();
  const bool over = shutdown.server_.data().wall_now() >= shutdown.until_;
  const bool ends = !shutdown.server_.busy() && (over || shutdown.replicas_have_all());
  if (!ends) return shutdown.arm();
  if (!shutdown.finish()) shutdown.wait_is_over();
}

bool Shutdown::finish() {
  Disk& disk = server_.disk();
  const bool saves = plan_.saves == Saves::yes ||
                     (plan_.saves == Saves::when_configured && disk.has_save_points());
  if (!disk.shut_down(saves && !server_.loading()) && !plan_.force) return false;
  server_.shut_down();
  return true;
}

// The server goes on.
void Shutdown::wait_is_over() {
  pending_ = false;
  tick_.stop(server_.kernel());
  server_.pausing().end();
  const SessionId session = std::exchange(session_, 0);
  if (session == 0) return;
  server_.unblock(session, Reply::error("ERR Errors trying to SHUTDOWN. Check logs."));
}

bool Shutdown::abort() {
  if (!pending_) return false;
  wait_is_over();
  return true;
}

void Shutdown::forget(SessionId session) {
  if (session_ == session) session_ = 0;
}

}  // namespace holdfast::sim::redis
