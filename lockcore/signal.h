// Signal: wakes the coroutines that wait on it, like a condition variable for one event loop.
// Waiters look at their condition again when they go on.
#pragma once

#include <coroutine>

#include "lockcore/env.h"

namespace holdfast {

class Wait;

class Signal {
 public:
  explicit Signal(Env& env) noexcept : env_(env) {}
  Signal(const Signal&) = delete;
  Signal& operator=(const Signal&) = delete;

  // Every present waiter goes on, each as an event of its own at this instant and in its own lane.
  // Never resumes from inside this call.
  void notify();

 private:
  friend class Wait;
  Env& env_;
  Wait* waiters_ = nullptr;  // newest first
};

// co_await Wait(signal, until) -> bool: true when notified, false when `until` passed before.
// The signal outlives it.
class Wait {
 public:
  Wait(Signal& signal, Instant until) noexcept : signal_(signal), until_(until) {}
  Wait(const Wait&) = delete;
  Wait& operator=(const Wait&) = delete;
  ~Wait() {
    leave();
    if (timer_.armed) signal_.env_.disarm(timer_);
  }

  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> coroutine) {
    timer_.waiting = coroutine;
    next_ = signal_.waiters_;
    if (next_ != nullptr) next_->previous_ = this;
    signal_.waiters_ = this;
    listed_ = true;
    signal_.env_.arm(timer_, until_);
  }
  bool await_resume() noexcept {
    leave();
    return notified_;
  }

 private:
  friend class Signal;
  void leave() noexcept {
    if (!listed_) return;
    (previous_ != nullptr ? previous_->next_ : signal_.waiters_) = next_;
    if (next_ != nullptr) next_->previous_ = previous_;
    listed_ = false;
  }

  Signal& signal_;
  Instant until_;
  Timer timer_;
  Wait* previous_ = nullptr;
  Wait* next_ = nullptr;
  bool listed_ = false;
  bool notified_ = false;
};

inline void Signal::notify() {
  const Instant now = waiters_ != nullptr ? env_.now() : Instant();
  while (waiters_ != nullptr) {
    Wait& waiter = *waiters_;
    waiter.leave();
    waiter.notified_ = true;
    env_.disarm(waiter.timer_);
    waiter.timer_.own_lane = true;  // not the lane of whoever notifies
    env_.arm(waiter.timer_, now);
  }
}

}  // namespace holdfast
