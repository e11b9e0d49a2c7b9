// Scope: owns the root coroutines of one client process. Implementers of Env keep one and forward
// Env::spawn to it; nothing else should need it.
//
// A spawned task starts as an event of its own, through Env::arm, never inside the coroutine that
// spawned it. A root that has returned frees itself. Destroying the Scope (or clear()) destroys
// every frame that is left: the simulator's model of a dying process. Only destructors run then:
// awaiters deregister from the Env and its connections, which must both still be there; nothing is
// sent. Never destroy a Scope from inside one of its own coroutines.
#pragma once

#include <coroutine>
#include <cstddef>
#include <exception>
#include <utility>

#include "lockcore/env.h"
#include "lockcore/frame_pool.h"
#include "lockcore/task.h"

namespace holdfast {

class Scope {
 public:
  explicit Scope(Env& env) noexcept : env_(env) {}
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;
  ~Scope() { clear(); }

  // The start is armed with `lane` as the timer's own (Timer::own_lane), for now.
  void spawn(Task<void> task, Lane lane) {
    Promise& root = run(std::move(task)).promise();
    root.enter(*this);
    root.start.waiting = std::coroutine_handle<Promise>::from_promise(root);
    root.start.lane = lane;
    root.start.own_lane = true;
    env_.arm(root.start, env_.now());
  }

  // Destroys the frames of all roots, the youngest first.
  void clear() noexcept {
    while (newest_ != nullptr) {
      std::coroutine_handle<Promise>::from_promise(*newest_).destroy();
    }
  }

  // Roots that have not returned yet.
  std::size_t size() const noexcept { return size_; }

 private:
  struct Promise;
  struct Root {
    using promise_type = Promise;
    std::coroutine_handle<Promise> frame;
    Promise& promise() const noexcept { return frame.promise(); }
  };
  struct Promise {
    Scope* scope = nullptr;
    Promise* older = nullptr;
    Promise* newer = nullptr;
    Timer start;

    Promise() = default;
    Promise(const Promise&) = delete;
    Promise& operator=(const Promise&) = delete;
    ~Promise() {
      if (start.armed) scope->env_.disarm(start);
      leave();
    }
    static void* operator new(std::size_t bytes) { return detail::FramePool::take(bytes); }
    static void operator delete(void* frame, std::size_t bytes) noexcept {
      detail::FramePool::give(frame, bytes);
    }

    Root get_return_object() noexcept {
      return {std::coroutine_handle<Promise>::from_promise(*this)};
    }
    std::suspend_always initial_suspend() const noexcept { return {}; }
    std::suspend_never final_suspend() const noexcept { return {}; }  // frees the frame
    void return_void() const noexcept {}
    void unhandled_exception() const noexcept { std::terminate(); }

    void enter(Scope& owner) noexcept {
      scope = &owner;
      older = owner.newest_;
      if (older != nullptr) older->newer = this;
      owner.newest_ = this;
      ++owner.size_;
    }
    void leave() noexcept {
      if (scope == nullptr) return;
      (newer != nullptr ? newer->older : scope->newest_) = older;
      if (older != nullptr) older->newer = newer;
      --scope->size_;
    }
  };

  static Root run(Task<void> task) { co_await std::move(task); }

  Env& env_;
  Promise* newest_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace holdfast
