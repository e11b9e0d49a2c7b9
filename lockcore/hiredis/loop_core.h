// LoopCore: the loop below EventLoop and its connections: a libuv loop for descriptors, an ordered
// list of timers on CLOCK_BOOTTIME, and a queue of events that are due now. Internal to this
// folder.
//
// Everything that may resume a coroutine runs from one place (advance), never from inside a libuv
// or hiredis callback: a completion is an event of its own.
#pragma once

#include <uv.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "lockcore/time.h"

namespace holdfast::detail {

Instant boottime_now();

class LoopCore {
 public:
  using Action = std::function<void()>;
  // A pending timer; sequence 0 is none.
  struct Key {
    Instant at{};
    std::uint64_t sequence = 0;
    friend auto operator<=>(const Key&, const Key&) = default;
  };

  LoopCore();
  ~LoopCore();
  LoopCore(const LoopCore&) = delete;
  LoopCore& operator=(const LoopCore&) = delete;

  uv_loop_t* uv() noexcept { return &loop_; }

  // Runs `action` at `at`, or at the next turn of the loop when that has passed.
  Key at(Instant at, Action action);
  // Forgets a pending timer and clears the key; harmless when it has fired.
  void cancel(Key& key) noexcept;
  // Runs `action` as the next event but those queued before.
  void soon(Action action);
  // As soon(), from any thread.
  void post(Action action);

  // Runs until `finished` says so (asked between events) or stop() is called (any thread).
  void run(const std::function<bool()>& finished);
  void stop();

 private:
  void advance();
  bool step(Instant until);
  void arm_timer_descriptor();

  uv_loop_t loop_{};
  uv_prepare_t turn_{};
  uv_poll_t alarm_{};
  uv_async_t wake_{};
  int timer_fd_ = -1;

  std::map<Key, Action> timers_;
  std::uint64_t sequence_ = 0;
  std::deque<Action> ready_;
  std::mutex mutex_;            // of the two below
  std::vector<Action> posted_;  // from other threads
  bool stop_posted_ = false;
  bool stopping_ = false;
  const std::function<bool()>* finished_ = nullptr;
};

}  // namespace holdfast::detail
