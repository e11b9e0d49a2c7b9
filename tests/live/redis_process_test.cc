// The faults that strike a whole server, each on a real one.
#include "scenarios/live/redis_process.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "scenarios/live/command_connection.h"
#include "scenarios/live/environment_failure.h"
#include "tests/live/one_redis.h"

namespace holdfast::live {
namespace {

using namespace std::chrono_literals;
using scenario::Persistence;
using test::Servers;

const Command kTakeLock = {"SET", "lock", "A", "NX", "PX", "30000"};
const Command kReadLock = {"GET", "lock"};

bool exists(pid_t pid) { return std::filesystem::exists("/proc/" + std::to_string(pid)); }

TEST(RedisProcess, AnswersAndLeavesNothingBehind) {
  pid_t pid = 0;
  std::filesystem::path folder;
  {
    Servers servers;
    const auto redis = servers.start("n1");
    pid = redis->pid();
    folder = servers.folder().path();
    EXPECT_TRUE(redis->ask(kTakeLock).is_ok());
    EXPECT_EQ(redis->ask(kReadLock), Reply::bulk("A"));
    EXPECT_TRUE(exists(pid));
  }
  EXPECT_FALSE(exists(pid));
  EXPECT_FALSE(std::filesystem::exists(folder));
}

TEST(RedisProcess, LeavesNothingBehindAfterAnExceptionToo) {
  pid_t pid = 0;
  std::filesystem::path folder;
  try {
    Servers servers;
    const auto redis = servers.start("n1");
    pid = redis->pid();
    folder = servers.folder().path();
    redis->stop();
    throw std::runtime_error("stop");
  } catch (const std::runtime_error&) {
  }
  EXPECT_FALSE(exists(pid));
  EXPECT_FALSE(std::filesystem::exists(folder));
}

TEST(RedisProcess, ATakenPortIsOneClearError) {
  Servers servers;
  const auto first = servers.start("n1");
  RedisOptions options = servers.options("n2");
  options.port = first->port();
  try {
    servers.start(options);
    FAIL() << "it started";
  } catch (const EnvironmentFailure& failure) {
    const std::string text = failure.what();
    EXPECT_NE(text.find("redis-server n2"), std::string::npos) << text;
    EXPECT_NE(text.find("Address already in use"), std::string::npos) << text;
  }
}

TEST(RedisProcess, OneThatDiesByItselfIsNoticed) {
  Servers servers;
  const auto redis = servers.start("n1");
  EXPECT_EQ(redis->died(), std::nullopt);
  EXPECT_THROW(redis->ask({"DEBUG", "SEGFAULT"}), EnvironmentFailure);
  const Instant end = host_now() + 10s;
  while (!redis->died() && host_now() < end) {
  }
  ASSERT_TRUE(redis->died());
  EXPECT_NE(redis->died()->find("ended by itself: signal 11"), std::string::npos);
  EXPECT_THROW(redis->ask({"PING"}), EnvironmentFailure);
}

TEST(RedisProcess, WhileStoppedALockExpiresAndQueuedCommandsRunAtTheThaw) {
  Servers servers;
  const auto redis = servers.start("n1");
  ASSERT_TRUE(redis->ask({"SET", "lock", "A", "PX", "200"}).is_ok());
  CommandConnection other("127.0.0.1", redis->port());
  ASSERT_TRUE(other.try_ask({"PING"}, 10s));
  redis->stop();
  EXPECT_EQ(other.try_ask({"SET", "lock", "B", "NX", "PX", "30000"}, 250ms), std::nullopt);
  redis->cont();
  EXPECT_EQ(redis->ask(kReadLock), Reply::bulk("B"));
}

TEST(RedisProcess, WithoutPersistenceARestartLosesTheLock) {
  Servers servers;
  const auto redis = servers.start("n1");
  const std::uint16_t port = redis->port();
  const std::string before = redis->info("server", "run_id");
  ASSERT_TRUE(redis->ask(kTakeLock).is_ok());
  redis->kill_hard();
  EXPECT_EQ(redis->died(), std::nullopt) << "we killed it";
  redis->restart(Persistence::none, std::nullopt);
  EXPECT_EQ(redis->port(), port);
  EXPECT_NE(redis->info("server", "run_id"), before);
  EXPECT_TRUE(redis->ask(kReadLock).is_nil());
}

class RestartFromAof : public testing::TestWithParam<Persistence> {};

TEST_P(RestartFromAof, KeepsTheLock) {
  Servers servers;
  RedisOptions options = servers.options("n1");
  options.persistence = GetParam();
  const auto redis = servers.start(options);
  ASSERT_TRUE(redis->ask(kTakeLock).is_ok());
  redis->kill_hard();
  redis->restart(GetParam(), std::nullopt);
  EXPECT_EQ(redis->ask(kReadLock), Reply::bulk("A"));
  EXPECT_GT(redis->ask({"PTTL", "lock"}).integer, 0);
}

TEST_P(RestartFromAof, WithoutPersistenceLosesIt) {
  Servers servers;
  RedisOptions options = servers.options("n1");
  options.persistence = GetParam();
  const auto redis = servers.start(options);
  ASSERT_TRUE(redis->ask(kTakeLock).is_ok());
  redis->kill_hard();
  redis->restart(Persistence::none, std::nullopt);
  EXPECT_TRUE(redis->ask(kReadLock).is_nil());
}

INSTANTIATE_TEST_SUITE_P(Policies, RestartFromAof,
                         testing::Values(Persistence::aof_no, Persistence::aof_everysec,
                                         Persistence::aof_always));

TEST(RedisProcess, ASnapshotKeepsWhatWasThereWhenItWasTaken) {
  Servers servers;
  RedisOptions options = servers.options("n1");
  options.persistence = Persistence::rdb;
  options.extra = {"--save", ""};  // only the snapshot that the test asks for
  const auto redis = servers.start(options);
  ASSERT_TRUE(redis->ask(kTakeLock).is_ok());
  redis->save_snapshot();
  ASSERT_TRUE(redis->ask({"SET", "later", "x"}).is_ok());
  redis->kill_hard();
  redis->restart(Persistence::rdb, std::nullopt);
  EXPECT_EQ(redis->ask(kReadLock), Reply::bulk("A"));
  EXPECT_TRUE(redis->ask({"GET", "later"}).is_nil());
}

TEST(RedisProcess, AReplicaFollowsIsPromotedAndTheOldMasterFollowsIt) {
  Servers servers;
  const auto master = servers.start("n1");
  RedisOptions options = servers.options("n1r");
  options.replica_of = MasterAddress{"127.0.0.1", master->port()};
  const auto replica = servers.start(options);
  ASSERT_TRUE(master->ask(kTakeLock).is_ok());
  master->wait_for_replicas(1, 10s);
  EXPECT_EQ(replica->ask(kReadLock), Reply::bulk("A"));
  EXPECT_EQ(replica->replication_offset(), master->replication_offset());
  EXPECT_EQ(replica->ask({"DEL", "lock"}).text,
            "READONLY You can't write against a read only replica.");

  const Proof promoted = replica->promote();
  EXPECT_EQ(promoted.seen.substr(0, 19), "ROLE answers master");
  EXPECT_TRUE(replica->ask({"DEL", "lock"}).is_integer(1));
  master->follow({"127.0.0.1", replica->port()});
  replica->wait_for_replicas(1, 10s);
  EXPECT_TRUE(master->ask(kReadLock).is_nil()) << "its own history is discarded (FID-R8)";
}

TEST(RedisProcess, WaitingForMoreReplicasThanThereAreIsAnError) {
  Servers servers;
  const auto redis = servers.start("n1");
  EXPECT_THROW(redis->wait_for_replicas(1, 10ms), EnvironmentFailure);
}

}  // namespace
}  // namespace holdfast::live
