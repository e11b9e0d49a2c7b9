// ManualEnv: the smallest Env there is, for tests of the lock core's own parts: virtual time that
// the test moves, timers in (time, order of arming), and connections whose answers the test gives.
// The lock's algorithms are tested in the simulated world, not here.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lockcore/env.h"
#include "lockcore/redis_client.h"
#include "lockcore/scope.h"

namespace holdfast::test {

using std::chrono::milliseconds;
using std::chrono::seconds;

inline Instant at(Duration since_start) { return Instant(since_start); }

// A connection that keeps what was submitted until the test answers it.
class ManualClient final : public RedisClient {
 public:
  void submit(Exchange& exchange) override;
  void abandon(Exchange& exchange) noexcept override;
  std::uint64_t generation() const noexcept override { return 1; }
  void close() noexcept override { closed = true; }

  // Answers the oldest exchange that has no answer yet.
  void answer(std::vector<CallResult> results);
  void answer(Reply reply) { answer({classify(std::move(reply))}); }

  std::vector<Command> sent;  // every command ever submitted
  std::size_t abandoned = 0;
  bool closed = false;

 private:
  std::deque<Exchange*> waiting_;
};

class ManualEnv final : public Env {
 public:
  ManualEnv() = default;
  ~ManualEnv() override { scope_.clear(); }

  Instant now() override { return now_; }
  WallInstant wall_now() override { return WallInstant(now_.time_since_epoch()); }
  void arm(Timer& timer, Instant until) override {
    if (!timer.own_lane) timer.lane = lane_;
    timer.armed = true;
    timer.world[0] = ++armed_;
    timers_.emplace(std::pair(std::max(until, now_), armed_), &timer);
  }
  void disarm(Timer& timer) noexcept override {
    if (!timer.armed) return;
    timer.armed = false;
    for (auto entry = timers_.begin(); entry != timers_.end(); ++entry) {
      if (entry->second == &timer) {
        timers_.erase(entry);
        return;
      }
    }
  }
  void spawn(Task<void> task, Lane lane) override { scope_.spawn(std::move(task), lane); }
  void random(std::span<std::byte> out) override {
    for (auto& byte : out) byte = static_cast<std::byte>(next_random_++);
  }
  std::shared_ptr<RedisClient> connect(const Endpoint&, Role) override { return nullptr; }
  bool pass(Point point) override {
    passed.push_back(point);
    return true;
  }

  // Runs all that is due up to `until`, which is then the time.
  void run_until(Instant until) {
    while (!timers_.empty() && timers_.begin()->first.first <= until) {
      const auto first = timers_.begin();
      Timer& timer = *first->second;
      now_ = first->first.first;
      timers_.erase(first);
      timer.armed = false;
      lane_ = timer.lane;
      resume(timer.waiting);
    }
    now_ = until;
  }
  // Runs what is due at this instant.
  void settle() { run_until(now_); }
  // All that is not time: the next arm() is in this lane.
  void run_in(Lane lane) { lane_ = lane; }
  Lane lane() const { return lane_; }
  std::size_t pending_timers() const { return timers_.size(); }
  Scope& scope() { return scope_; }

  std::vector<Point> passed;

 private:
  Instant now_ = Instant();
  std::uint64_t armed_ = 0;
  std::uint8_t next_random_ = 0;
  Lane lane_ = Lane::caller;
  std::map<std::pair<Instant, std::uint64_t>, Timer*> timers_;
  Scope scope_{*this};
};

inline void ManualClient::submit(Exchange& exchange) {
  for (auto& command : exchange.commands) sent.push_back(std::move(command));
  exchange.pending = true;
  waiting_.push_back(&exchange);
}
inline void ManualClient::abandon(Exchange& exchange) noexcept {
  ++abandoned;
  exchange.pending = false;
  std::erase(waiting_, &exchange);
}
inline void ManualClient::answer(std::vector<CallResult> results) {
  Exchange& exchange = *waiting_.front();
  waiting_.pop_front();
  std::move(results.begin(), results.end(), exchange.results.begin());
  exchange.pending = false;
  resume(exchange.waiting);
}

// Runs `task` to its end and keeps what it returned.
template <class T>
class Running {
 public:
  Running(Env& env, Task<T> task) : state_(std::make_shared<std::optional<T>>()) {
    env.spawn(keep(state_, std::move(task)), Lane::caller);
  }
  bool done() const { return state_->has_value(); }
  T& value() { return **state_; }

 private:
  static Task<void> keep(std::shared_ptr<std::optional<T>> state, Task<T> task) {
    T value = co_await std::move(task);
    state->emplace(std::move(value));
  }
  std::shared_ptr<std::optional<T>> state_;
};

}  // namespace holdfast::test
