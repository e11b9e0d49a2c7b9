#include "sim/redis/waiting.h"

#include "sim/redis/event_kinds.h"
#include "sim/redis/instance.h"
#include "sim/redis/wall_timeout.h"

namespace holdfast::sim::redis {

void Waiting::reset() {
  waiters_.clear();
  ++run_;
}

void Waiting::add(SessionId session, std::int64_t offset, std::int64_t need,
                  std::int64_t timeout_ms) {
  Waiter waiter{session, offset, need, {}, !is_for_ever(timeout_ms), {}};
  if (waiter.timed) waiter.until = end_of_timeout(server_.data().wall_now(), timeout_ms);
  arm(waiter);
  waiters_.push_back(waiter);
  server_.sessions()[session].blocked = true;
}

void Waiting::arm(Waiter& waiter) {
  if (!waiter.timed) return;
  Kernel& kernel = server_.kernel();
  kernel.cancel(waiter.timeout);
  const auto end = server_.data().wall().when(waiter.until, kernel.now());
  if (end) waiter.timeout = kernel.at(*end, {&Waiting::on_timeout, this, run_, kWaitEnds});
}

void Waiting::on_timeout(void* self, std::uint64_t run) {
  auto& waiting = *static_cast<Waiting*>(self);
  if (run == waiting.run_ && !waiting.server_.busy()) waiting.check_timeouts();
}

// Ends the waits for which over(waiter) holds, in the order in which they began.
template <class Over>
void Waiting::finish(Over over) {
  std::vector<Waiter> finished;
  std::erase_if(waiters_, [&](const Waiter& waiter) {
    const bool is_over = over(waiter);
    if (is_over) finished.push_back(waiter);
    return is_over;
  });
  for (Waiter& waiter : finished) {
    server_.kernel().cancel(waiter.timeout);
    server_.unblock(waiter.session, Reply::number(server_.replication().acked(waiter.offset)));
  }
}

void Waiting::check_acks() {
  finish([this](const Waiter& waiter) {
    return server_.replication().acked(waiter.offset) >= waiter.need;
  });
}

void Waiting::check_timeouts() {
  const Duration wall = server_.data().wall_now();
  finish([wall](const Waiter& waiter) { return waiter.timed && wall >= waiter.until; });
}

void Waiting::clock_changed() {
  for (Waiter& waiter : waiters_) arm(waiter);
}

void Waiting::forget(SessionId session) {
  std::erase_if(waiters_, [&](Waiter& waiter) {
    if (waiter.session != session) return false;
    server_.kernel().cancel(waiter.timeout);
    return true;
  });
}

bool Waiting::end(SessionId session, const Reply& answer) {
  for (const Waiter& waiter : waiters_) {
    if (waiter.session != session) continue;
    const std::int64_t acked = server_.replication().acked(waiter.offset);
    forget(session);
    server_.unblock(session, answer.is_nil() ? Reply::number(acked) : answer);
    return true;
  }
  return false;
}

void Waiting::disconnect_all() {
  std::vector<Waiter> waiters;
  waiters.swap(waiters_);
  for (Waiter& waiter : waiters) {
    server_.kernel().cancel(waiter.timeout);
    server_.force_unblocked(waiter.session);
  }
}

}  // namespace holdfast::sim::redis
