#include "lockcore/task.h"

#include <gtest/gtest.h>

#include <memory>

#include "tests/lockcore/manual_env.h"

namespace holdfast {
namespace {

using test::ManualEnv;
using test::milliseconds;
using test::Running;

// Counts its own lives.
struct Guest {
  explicit Guest(int& alive) : alive_(&alive) { ++*alive_; }
  Guest(const Guest& other) : alive_(other.alive_) { ++*alive_; }
  Guest& operator=(const Guest&) = delete;
  ~Guest() { --*alive_; }
  int* alive_;
};

Task<int> number(int value) { co_return value; }

Task<int> sum_to(int limit) {
  int sum = 0;
  for (int value = 1; value <= limit; ++value) {
    const int next = co_await number(value);
    sum += next;
  }
  co_return sum;
}

Task<int> deep(int depth) {
  if (depth == 0) co_return 0;
  const int below = co_await deep(depth - 1);
  co_return below + 1;
}

Task<int> sleeper(Env& env, Guest guest) {
  const Instant until = env.now() + milliseconds(5);
  co_await Sleep(env, until);
  co_return *guest.alive_;
}

Task<int> parent(Env& env, Guest guest) {
  const int alive = co_await sleeper(env, guest);
  co_return alive;
}

TEST(Task, IsLazy) {
  int alive = 0;
  {
    ManualEnv env;
    const Task<int> task = sleeper(env, Guest(alive));
    EXPECT_EQ(alive, 1);
    EXPECT_EQ(env.pending_timers(), 0u);
  }
  EXPECT_EQ(alive, 0);
}

TEST(Task, ReturnsTheValueOfItsChild) {
  ManualEnv env;
  Running<int> running(env, sum_to(100));
  env.settle();
  EXPECT_EQ(running.value(), 5050);
}

TEST(Task, UsesNoStackForDepthOrLength) {
  ManualEnv env;
  Running<int> long_one(env, sum_to(50'000));
  Running<int> deep_one(env, deep(5'000));
  env.settle();
  EXPECT_TRUE(long_one.done());
  EXPECT_EQ(deep_one.value(), 5'000);
}

TEST(Task, FreesItsFrameWhenItIsDone) {
  int alive = 0;
  ManualEnv env;
  Running<int> running(env, parent(env, Guest(alive)));
  env.run_until(test::at(milliseconds(4)));
  EXPECT_GT(alive, 0);
  EXPECT_FALSE(running.done());
  env.run_until(test::at(milliseconds(5)));
  EXPECT_TRUE(running.done());
  EXPECT_EQ(alive, 0);
  EXPECT_EQ(env.scope().size(), 0u);
}

TEST(Task, DestroyingASuspendedOneRunsDestructorsAndNothingElse) {
  int alive = 0;
  ManualEnv env;
  Running<int> running(env, parent(env, Guest(alive)));
  env.settle();
  EXPECT_EQ(env.pending_timers(), 1u);
  env.scope().clear();
  EXPECT_EQ(alive, 0);
  EXPECT_EQ(env.pending_timers(), 0u);
  env.run_until(test::at(milliseconds(50)));
  EXPECT_FALSE(running.done());
}

Task<CallResult> ping(RedisClient& client) {
  Command command = {"PING"};
  co_return co_await Call(client, std::move(command), Instant());
}

TEST(Task, DestroyingOneThatWaitsForAReplyAbandonsTheCall) {
  ManualEnv env;
  test::ManualClient client;
  Running<CallResult> running(env, ping(client));
  env.settle();
  EXPECT_EQ(client.sent.size(), 1u);
  env.scope().clear();
  EXPECT_EQ(client.abandoned, 1u);
  EXPECT_EQ(client.sent.size(), 1u);
}

TEST(Task, MovesWithoutRunning) {
  int alive = 0;
  ManualEnv env;
  Task<int> one = parent(env, Guest(alive));
  Task<int> other = parent(env, Guest(alive));
  EXPECT_EQ(alive, 2);
  one = std::move(other);
  EXPECT_EQ(alive, 1);
}

}  // namespace
}  // namespace holdfast
