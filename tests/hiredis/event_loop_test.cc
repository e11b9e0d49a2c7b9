// The loop without any server: clocks, timers, order, threads.
#include "lockcore/hiredis/event_loop.h"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "lockcore/env.h"

namespace holdfast {
namespace {

using namespace std::chrono_literals;

Task<void> note_at(Env& env, Instant at, int number, std::vector<int>& order) {
  co_await Sleep(env, at);
  EXPECT_GE(env.now(), at);
  order.push_back(number);
}

TEST(EventLoop, TimersFireInTheOrderOfTheirInstantsNeverEarly) {
  EventLoop loop;
  std::vector<int> order;
  const Instant start = loop.now();
  loop.spawn(note_at(loop, start + 6ms, 3, order), Lane::caller);
  loop.spawn(note_at(loop, start + 2ms, 1, order), Lane::watchdog);
  loop.spawn(note_at(loop, start + 4ms, 2, order), Lane::caller);
  loop.spawn(note_at(loop, start - 1s, 0, order), Lane::caller);
  loop.run();
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3}));
}

Task<void> note(int number, std::vector<int>& order) {
  order.push_back(number);
  co_return;
}

Task<void> spawn_between(Env& env, std::vector<int>& order) {
  order.push_back(1);
  env.spawn(note(3, order), Lane::caller);
  order.push_back(2);
  co_return;
}

TEST(EventLoop, ASpawnedTaskStartsAfterItsSpawnerHasSuspended) {
  EventLoop loop;
  std::vector<int> order;
  loop.spawn(spawn_between(loop, order), Lane::caller);
  EXPECT_TRUE(order.empty());
  loop.run();
  EXPECT_EQ(order, (std::vector<int>{1, 2, 3}));
}

TEST(EventLoop, RunOfATaskLeavesTheOthersSuspended) {
  EventLoop loop;
  std::vector<int> order;
  loop.spawn(note_at(loop, loop.now() + 1h, 9, order), Lane::caller);
  loop.run(note(1, order));
  EXPECT_EQ(order, std::vector<int>{1});
}

TEST(EventLoop, StopFromAnotherThreadEndsRun) {
  EventLoop loop;
  std::vector<int> order;
  loop.spawn(note_at(loop, loop.now() + 1h, 9, order), Lane::caller);
  std::thread other([&loop] { loop.stop(); });
  loop.run();
  other.join();
  EXPECT_TRUE(order.empty());
}

TEST(EventLoop, WhatOtherThreadsPostRunsOnTheLoop) {
  EventLoop loop;
  std::vector<int> order;
  loop.spawn(note_at(loop, loop.now() + 1h, 9, order), Lane::caller);
  std::thread::id ran_on;
  std::thread other([&] {
    loop.post([&] {
      ran_on = std::this_thread::get_id();
      loop.stop();
    });
  });
  loop.run();
  other.join();
  EXPECT_EQ(ran_on, std::this_thread::get_id());
}

Task<void> go_past(Env& env, Point point, std::vector<int>& order) {
  co_await Checkpoint(env, point);
  order.push_back(static_cast<int>(point));
}

TEST(EventLoop, TheHookSeesEachPointAndMayDelayTheCoroutineByAnEvent) {
  EventLoop loop;
  std::vector<int> order;
  std::vector<Point> seen;
  loop.on_pass([&seen](Point point) {
    seen.push_back(point);
    return point != Point::acquired;
  });
  loop.spawn(go_past(loop, Point::acquired, order), Lane::caller);
  loop.spawn(go_past(loop, Point::released, order), Lane::caller);
  loop.run();
  EXPECT_EQ(seen, (std::vector<Point>{Point::acquired, Point::released}));
  EXPECT_EQ(order, (std::vector<int>{static_cast<int>(Point::released),
                                     static_cast<int>(Point::acquired)}));
}

TEST(EventLoop, RandomBytesDiffer) {
  EventLoop loop;
  std::array<std::byte, 16> one{}, two{};
  loop.random(one);
  loop.random(two);
  EXPECT_NE(one, two);
  EXPECT_NE(one, (std::array<std::byte, 16>{}));
}

struct SaysWhenDestroyed {
  explicit SaysWhenDestroyed(bool& destroyed) : destroyed_(destroyed) {}
  ~SaysWhenDestroyed() { destroyed_ = true; }
  bool& destroyed_;
};

Task<void> hold(Env& env, bool& destroyed) {
  const SaysWhenDestroyed guard(destroyed);
  co_await Sleep(env, env.now() + 1h);
}

TEST(EventLoop, ItsEndDestroysWhatIsStillSuspended) {
  bool destroyed = false;
  std::vector<int> order;
  {
    EventLoop loop;
    loop.spawn(hold(loop, destroyed), Lane::caller);
    loop.run(note_at(loop, loop.now() + 1ms, 1, order));
    EXPECT_FALSE(destroyed);
  }
  EXPECT_TRUE(destroyed);
}

}  // namespace
}  // namespace holdfast
