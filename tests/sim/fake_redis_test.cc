// The fake for unit tests: answers at once, time only by advance().
#include "sim/fake_redis.h"

#include <gtest/gtest.h>

#include <chrono>
#include <coroutine>
#include <stdexcept>

namespace holdfast::sim {
namespace {

using namespace std::chrono_literals;

TEST(FakeRedis, AnswersWithoutTimePassing) {
  FakeRedis redis;
  const Instant before = redis.env().now();
  EXPECT_TRUE(redis.call({"SET", "a", "1", "NX", "PX", "1000"}).is_ok());
  EXPECT_EQ(redis.call({"PTTL", "a"}).integer, 1000);
  EXPECT_TRUE(redis.call({"LPUSH", "a", "x"}).is_error());
  EXPECT_EQ(redis.env().now(), before);
}

TEST(FakeRedis, KeysDieWhenTheTestSaysSo) {
  FakeRedis redis;
  redis.call({"SET", "a", "1", "PX", "1000"});
  redis.advance(1000ms);
  EXPECT_EQ(redis.call({"GET", "a"}).text, "1");
  redis.advance(1ms);
  EXPECT_TRUE(redis.call({"GET", "a"}).is_nil());
}

Task<int> count_to_three(Env& env, std::shared_ptr<RedisClient> client) {
  Reply last;
  for (int i = 0; i < 3; ++i) {
    Command incr{"INCR", "counter"};
    const Instant deadline = env.now() + 1s;
    auto result = co_await Call(*client, std::move(incr), deadline);
    last = std::move(result.reply);
    const Instant next = env.now() + 10s;
    co_await Sleep(env, next);
  }
  co_return static_cast<int>(last.integer);
}

TEST(FakeRedis, RunsCoroutinesInVirtualTime) {
  FakeRedis redis;
  const Instant before = redis.env().now();
  EXPECT_EQ(redis.run(count_to_three(redis.env(), redis.client())), 3);
  EXPECT_EQ(redis.env().now() - before, 30s);
}

TEST(FakeRedis, ACrashedServerIsAnError) {
  FakeRedis redis;
  redis.call({"SET", "a", "1"});
  redis.server().crash(CrashKind::kill);
  EXPECT_TRUE(redis.call({"GET", "a"}).is_error());
  redis.server().restart(Persistence::none);
  EXPECT_TRUE(redis.call({"GET", "a"}).is_nil());
}

Task<void> wait_for_nothing() { co_await std::suspend_always(); }

TEST(FakeRedis, ACoroutineThatNeverEndsIsAMistakeOfTheTest) {
  FakeRedis redis;
  EXPECT_THROW(redis.run(wait_for_nothing()), std::logic_error);
}

}  // namespace
}  // namespace holdfast::sim
