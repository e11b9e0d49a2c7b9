#include "sim/redis/client_pause.h"

#include <algorithm>
#include <utility>

#include "sim/redis/event_kinds.h"
#include "sim/redis/instance.h"
#include "sim/redis/wall_timeout.h"

namespace holdfast::sim::redis {

void ClientPause::reset() {
  kind_ = Kind::none;
  held_.clear();
  timer_ = {};
  ++run_;
}

void ClientPause::begin(Kind kind, std::int64_t for_ms) {
  kind_ = kind;
  constexpr std::int64_t kLongest = 7'000'000'000'000;  // an instant holds no more
  until_ = end_of_timeout(server_.data().wall_now(), std::min(for_ms, kLongest));
  server_.data().hold_removals(true);
  server_.review();
  arm();
}

void ClientPause::arm() {
  if (kind_ == Kind::none) return;
  Kernel& kernel = server_.kernel();
  kernel.cancel(timer_);
  const auto end = server_.data().wall().when(until_, kernel.now());
  if (end) timer_ = kernel.at(*end, {&ClientPause::on_end, this, run_, kPauseEnds});
}

void ClientPause::on_end(void* self, std::uint64_t run) {
  auto& pause = *static_cast<ClientPause*>(self);
  if (run == pause.run_ && !pause.server_.busy()) pause.check();
}

void ClientPause::check() {
  if (kind_ != Kind::none && server_.data().wall_now() >= until_) end();
}

void ClientPause::end() {
  if (kind_ == Kind::none) return;
  kind_ = Kind::none;
  server_.kernel().cancel(timer_);
  server_.data().hold_removals(false);
  server_.review();
  for (const SessionId session : std::exchange(held_, {})) server_.release(session);
  server_.replication().arm_inbox();
}

void ClientPause::hold(SessionId session) {
  server_.sessions()[session].blocked = true;
  held_.push_back(session);
}

void ClientPause::forget(SessionId session) { std::erase(held_, session); }

}  // namespace holdfast::sim::redis
