#include "lockcore/hiredis/loop_core.h"

#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace holdfast::detail {
namespace {

void check(int uv_result, const char* what) {
  if (uv_result < 0) throw std::system_error(-uv_result, std::generic_category(), what);
}

}  // namespace

Instant boottime_now() {
  timespec now{};
  clock_gettime(CLOCK_BOOTTIME, &now);
  return Instant(std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec));
}

LoopCore::LoopCore() {
  check(uv_loop_init(&loop_), "uv_loop_init");
  // A timer of libuv counts CLOCK_MONOTONIC in milliseconds; leases need the clock that goes on in
  // suspend, and a finer one.
  timer_fd_ = timerfd_create(CLOCK_BOOTTIME, TFD_NONBLOCK | TFD_CLOEXEC);
  if (timer_fd_ < 0) {
    const int error = errno;
    uv_loop_close(&loop_);
    throw std::system_error(error, std::generic_category(), "timerfd_create");
  }
  turn_.data = alarm_.data = wake_.data = this;
  check(uv_prepare_init(&loop_, &turn_), "uv_prepare_init");
  check(uv_poll_init(&loop_, &alarm_, timer_fd_), "uv_poll_init");
  check(uv_async_init(&loop_, &wake_, [](uv_async_t*) {}), "uv_async_init");
  uv_prepare_start(&turn_,
                   [](uv_prepare_t* turn) { static_cast<LoopCore*>(turn->data)->advance(); });
  uv_poll_start(&alarm_, UV_READABLE, [](uv_poll_t* alarm, int, int) {
    std::uint64_t expirations = 0;
    const auto* core = static_cast<LoopCore*>(alarm->data);
    // What is due is found by advance(); reading only quiets the descriptor.
    if (read(core->timer_fd_, &expirations, sizeof expirations) < 0) return;
  });
}

LoopCore::~LoopCore() {
  uv_close(reinterpret_cast<uv_handle_t*>(&turn_), nullptr);
  uv_close(reinterpret_cast<uv_handle_t*>(&alarm_), nullptr);
  uv_close(reinterpret_cast<uv_handle_t*>(&wake_), nullptr);
  uv_run(&loop_, UV_RUN_DEFAULT);  // lets the handles finish closing
  uv_loop_close(&loop_);
  close(timer_fd_);
}

LoopCore::Key LoopCore::at(Instant at, Action action) {
  const Key key{at, ++sequence_};
  timers_.emplace(key, std::move(action));
  return key;
}

void LoopCore::cancel(Key& key) noexcept {
  if (key.sequence != 0) timers_.erase(key);
  key = Key();
}

void LoopCore::soon(Action action) { ready_.push_back(std::move(action)); }

void LoopCore::post(Action action) {
  {
    const std::lock_guard lock(mutex_);
    posted_.push_back(std::move(action));
  }
  uv_async_send(&wake_);
}

void LoopCore::stop() {
  {
    const std::lock_guard lock(mutex_);
    stop_posted_ = true;
  }
  uv_async_send(&wake_);
}

void LoopCore::run(const std::function<bool()>& finished) {
  finished_ = &finished;
  stopping_ = false;
  uv_run(&loop_, UV_RUN_DEFAULT);
  finished_ = nullptr;
  const std::lock_guard lock(mutex_);
  stop_posted_ = false;
}

// One turn: everything that is due at its beginning, replies that the last poll brought before
// timers, so that an answer which is there counts although its deadline has passed in the meantime.
void LoopCore::advance() {
  if (finished_ == nullptr) return;
  {
    const std::lock_guard lock(mutex_);
    for (auto& action : posted_) ready_.push_back(std::move(action));
    posted_.clear();
  }
  const Instant until = boottime_now();
  std::size_t budget = ready_.size() + timers_.size() + 64;  // sockets get their turn, too
  while (budget-- > 0) {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = stopping_ || stop_posted_;
    }
    if (stopping_ || (*finished_)()) {
      uv_stop(&loop_);
      return;
    }
    if (!step(until)) break;
  }
  arm_timer_descriptor();
}

bool LoopCore::step(Instant until) {
  if (!ready_.empty()) {
    const Action action = std::move(ready_.front());
    ready_.pop_front();
    action();
    return true;
  }
  if (timers_.empty() || timers_.begin()->first.at > until) return false;
  const auto due = timers_.extract(timers_.begin());
  due.mapped()();
  return true;
}

void LoopCore::arm_timer_descriptor() {
  itimerspec spec{};
  if (!ready_.empty()) {
    spec.it_value.tv_nsec = 1;  // long past: the next poll returns at once
  } else if (!timers_.empty()) {
    const auto nanoseconds =
        std::max<std::int64_t>(timers_.begin()->first.at.time_since_epoch().count(), 1);
    spec.it_value.tv_sec = static_cast<time_t>(nanoseconds / 1'000'000'000);
    spec.it_value.tv_nsec = static_cast<long>(nanoseconds % 1'000'000'000);
  }
  timerfd_settime(timer_fd_, TFD_TIMER_ABSTIME, &spec, nullptr);
}

}  // namespace holdfast::detail
