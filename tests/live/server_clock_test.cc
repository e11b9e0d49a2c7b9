// A real server's wall clock, bent; and what that does to a lock.
#include "scenarios/live/server_clock.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>

#include "scenarios/live/environment_failure.h"
#include "tests/live/one_redis.h"

namespace holdfast::live {
namespace {

using namespace std::chrono_literals;

struct BentServer {
  test::Servers servers;
  ServerClock clock{servers.folder().path() / "clock",
                    std::filesystem::path(HOLDFAST_BINARY_DIR) / "holdfast-clock-shim.so"};
  std::unique_ptr<RedisProcess> redis;

  explicit BentServer(bool preload = true) {
    RedisOptions options = servers.options("n1");
    if (preload) options.environment = clock.environment();
    redis = servers.start(options);
  }
  std::int64_t pttl() { return redis->ask({"PTTL", "lock"}).integer; }
  void take_lock(const std::string& milliseconds) {
    ASSERT_TRUE(redis->ask({"SET", "lock", "A", "NX", "PX", milliseconds}).is_ok());
  }
};

TEST(ServerClock, AStepForwardsKillsALockAtOnce) {
  BentServer bent;
  bent.take_lock("3000");
  EXPECT_GT(bent.pttl(), 0);
  const Proof proof = bent.clock.step(10s, *bent.redis);
  EXPECT_NE(proof.seen.find("ahead of the host's"), std::string::npos);
  EXPECT_TRUE(bent.redis->ask({"GET", "lock"}).is_nil());
}

TEST(ServerClock, AStepBackwardsLetsItLiveLonger) {
  BentServer bent;
  bent.take_lock("1000");
  bent.clock.step(-10s, *bent.redis);
  EXPECT_GT(bent.pttl(), 9'000);
  EXPECT_LE(bent.pttl(), 11'000);
}

TEST(ServerClock, AFastClockShortensALockByItsRate) {
  BentServer bent;
  bent.clock.set_rate(250'000, *bent.redis);
  bent.take_lock("60000");
  const Instant begin = host_now();
  const std::int64_t first = bent.pttl();
  while (host_now() - begin < 400ms) {
  }
  const std::int64_t passed_by_server = first - bent.pttl();
  const auto passed = std::chrono::ceil<std::chrono::milliseconds>(host_now() - begin).count();
  EXPECT_GE(passed_by_server, 400 * 5 / 4 - 2);
  EXPECT_LE(passed_by_server, passed * 5 / 4 + 2);
  bent.clock.prove(*bent.redis);
}

TEST(ServerClock, AFrozenClockKeepsALockForEver) {
  BentServer bent;
  bent.take_lock("50");
  bent.clock.set_rate(-1'000'000, *bent.redis);
  const std::int64_t left = bent.pttl();
  const Instant begin = host_now();
  while (host_now() - begin < 100ms) {
  }
  EXPECT_EQ(bent.pttl(), left);
  EXPECT_EQ(bent.redis->ask({"GET", "lock"}), Reply::bulk("A"));
  bent.clock.set_rate(0, *bent.redis);
  EXPECT_LE(bent.pttl(), left) << "it goes on from where it stood";
}

TEST(ServerClock, AnOffsetFromTheStartIsThereWhenTheServerIs) {
  test::Servers servers;
  ServerClock clock(servers.folder().path() / "clock",
                    std::filesystem::path(HOLDFAST_BINARY_DIR) / "holdfast-clock-shim.so");
  clock.bend(12s, 0);
  RedisOptions options = servers.options("n1");
  options.environment = clock.environment();
  const auto redis = servers.start(options);
  clock.prove(*redis);
  EXPECT_GT(clock.offset(), 11s);
}

TEST(ServerClock, TheShimIsFoundNearTheProgram) {
  EXPECT_TRUE(std::filesystem::equivalent(
      find_clock_shim(), std::filesystem::path(HOLDFAST_BINARY_DIR) / "holdfast-clock-shim.so"));
}

TEST(ServerClock, AServerWithoutTheShimIsFoundOut) {
  BentServer straight(false);
  EXPECT_THROW(straight.clock.step(10s, *straight.redis), EnvironmentFailure);
}

}  // namespace
}  // namespace holdfast::live
