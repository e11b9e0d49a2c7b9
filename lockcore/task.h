// Task<T>: the lazy, move-only coroutine of which every lock algorithm is made.
//
// Resumption goes through a one-slot trampoline instead of symmetric transfer, which overflows the
// stack on g++ 12 below -O2 and under the sanitizers (GCC PR 100897). The rules for co_await that
// keep g++ 12 from miscompiling (stand alone, no braces, no brackets) are checked by the tidy test.
//
// Destroying a Task destroys the frames it is suspended in, and nothing runs but destructors: this
// is how the simulator models the death of a process. No destructor may therefore send anything.
#pragma once

#include <coroutine>
#include <cstddef>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

#include "lockcore/frame_pool.h"

namespace holdfast {

namespace detail {

// The coroutine to resume as soon as the running one has suspended. One slot is enough: a coroutine
// suspends into at most one other (its child, or its awaiting parent).
inline constinit thread_local std::coroutine_handle<> resume_next;

struct FinalAwaiter {
  bool await_ready() const noexcept { return false; }
  template <class Promise>
  void await_suspend(std::coroutine_handle<Promise> finished) const noexcept {
    resume_next = finished.promise().continuation;
  }
  void await_resume() const noexcept {}
};

struct PromiseBase {
  std::coroutine_handle<> continuation;

  static void* operator new(std::size_t bytes) { return FramePool::take(bytes); }
  static void operator delete(void* frame, std::size_t bytes) noexcept {
    FramePool::give(frame, bytes);
  }

  std::suspend_always initial_suspend() const noexcept { return {}; }
  FinalAwaiter final_suspend() const noexcept { return {}; }
  // Expected outcomes are values; what would be thrown here is a programmer error.
  void unhandled_exception() const noexcept { std::terminate(); }
};

template <class T>
struct Promise : PromiseBase {
  std::optional<T> value;

  std::coroutine_handle<Promise> get_return_object() noexcept {
    return std::coroutine_handle<Promise>::from_promise(*this);
  }
  template <class U>
  void return_value(U&& result) {
    value.emplace(std::forward<U>(result));
  }
  T take() { return std::move(*value); }
};

template <>
struct Promise<void> : PromiseBase {
  std::coroutine_handle<Promise> get_return_object() noexcept {
    return std::coroutine_handle<Promise>::from_promise(*this);
  }
  void return_void() const noexcept {}
  void take() const noexcept {}
};

}  // namespace detail

// Runs `coroutine` and whatever it suspends into until all of them wait for the world. Called by
// event loops only, never from inside a coroutine: a completion is an event of its own.
inline void resume(std::coroutine_handle<> coroutine) {
  while (coroutine) {
    coroutine.resume();
    coroutine = std::exchange(detail::resume_next, nullptr);
  }
}

template <class T = void>
class [[nodiscard]] Task {
 public:
  using promise_type = detail::Promise<T>;

  Task(std::coroutine_handle<promise_type> frame) noexcept : frame_(frame) {}
  Task(Task&& other) noexcept : frame_(std::exchange(other.frame_, nullptr)) {}
  Task& operator=(Task&& other) noexcept {
    if (this != &other) {
      destroy();
      frame_ = std::exchange(other.frame_, nullptr);
    }
    return *this;
  }
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;
  ~Task() { destroy(); }

  // Starts the task; the awaiting coroutine goes on when it has returned. A task is awaited once.
  class Awaiter {
   public:
    explicit Awaiter(std::coroutine_handle<promise_type> frame) noexcept : frame_(frame) {}
    Awaiter(const Awaiter&) = delete;
    Awaiter& operator=(const Awaiter&) = delete;
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> parent) const noexcept {
      frame_.promise().continuation = parent;
      detail::resume_next = frame_;
    }
    T await_resume() const { return frame_.promise().take(); }

   private:
    std::coroutine_handle<promise_type> frame_;
  };
  Awaiter operator co_await() const& noexcept { return Awaiter(frame_); }
  Awaiter operator co_await() && noexcept { return Awaiter(frame_); }

 private:
  void destroy() noexcept {
    if (frame_) frame_.destroy();
  }

  std::coroutine_handle<promise_type> frame_;
};

}  // namespace holdfast
