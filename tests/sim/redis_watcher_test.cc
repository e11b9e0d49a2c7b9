// What a server tells the watcher of its keys, and when.
#include "tests/sim/redis_fixture.h"

namespace holdfast::sim {

class RedisWatcher : public RedisFixture {};

TEST_F(RedisWatcher, TellsOfExpiryAtTheInstantOfTheDeadline) {
  run("SET", "lock", "a", "NX", "PX", "100");
  EXPECT_EQ(watcher.take(true),
            (Lines{"0 n1 set a by=3 until=101", "0 n1 command  by=3 changed SET"}));
  at_ms(1000);
  EXPECT_EQ(watcher.take(true), Lines{"101 n1 expired a by=0"});
  EXPECT_EQ(run("GET", "lock"), "nil");
  EXPECT_EQ(watcher.take(true), Lines{"1000 n1 command  by=3 unchanged GET"});
}

TEST_F(RedisWatcher, FollowsRenewalsAndRemovals) {
  run("SET", "lock", "a", "PX", "100");
  at_ms(50);
  run("PEXPIRE", "lock", "100");
  at_ms(120);
  run("PERSIST", "lock");
  at_ms(500);
  run("SET", "lock", "b", "PX", "100");
  run("DEL", "lock");
  at_ms(900);
  EXPECT_EQ(watcher.take(), (Lines{"0 n1 set a by=3 until=101", "50 n1 ttl a by=3 until=151",
                                   "120 n1 ttl a by=3 until=-1",
                                   "500 n1 set b by=3 was=a until=601", "500 n1 deleted b by=3"}));
}

TEST_F(RedisWatcher, AnUnwatchedKeyCostsNeitherCallsNorEvents) {
  run("SET", "other", "a", "PX", "100");
  run("DEL", "other");
  run("SET", "other", "a", "PX", "100");
  at_ms(200);
  EXPECT_EQ(watcher.take(true), Lines{});
  EXPECT_EQ(watcher.asked, 1);
  EXPECT_EQ(kernel.events(), 1u);  // this test's own
}

TEST_F(RedisWatcher, ADeathIsToldBeforeTheCommandThatFindsIt) {
  run("SET", "lock", "a", "PX", "100");
  watcher.take();
  kernel.at(TrueTime(milliseconds(101)), {[](void* self, std::uint64_t) {
                                            static_cast<RedisWatcher*>(self)->run(
                                                "SET", "lock", "b", "NX", "PX", "100");
                                          },
                                          this, 0, 1});
  at_ms(150);
  EXPECT_EQ(watcher.take(), (Lines{"101 n1 expired a by=0", "101 n1 set b by=3 until=202"}));
}

TEST_F(RedisWatcher, ForwardStepsKillAndBackwardStepsMoveDeadlines) {
  run("SET", "lock", "a", "PX", "1000");
  at_ms(100);
  watcher.take();
  node(1).step_wall(milliseconds(-300));
  node(1).step_wall(milliseconds(2000));
  EXPECT_EQ(watcher.take(), (Lines{"100 n1 ttl a by=0 until=1301", "100 n1 expired a by=0"}));
}

TEST_F(RedisWatcher, TellsOfListElementsAlsoFromScripts) {
  run("RPUSH", "list", "x", "y");
  run("EVAL", "redis.call('lpush', KEYS[1], ARGV[1])", "1", "list", "z");
  EXPECT_EQ(watcher.take(),
            (Lines{"0 n1 appended  by=3 x", "0 n1 appended  by=3 y", "0 n1 appended  by=3 z"}));
  EXPECT_EQ(run("LRANGE", "list", "0", "-1"), "[z x y]");
}

TEST_F(RedisWatcher, TellsWhoDroppedAKeyThatNobodyReleased) {
  run("SET", "lock", "a");
  run("SET", "lock2", "b", "PX", "50");
  watcher.take();
  node(1).evict("lock");
  at_ms(51);
  node(1).flush();
  EXPECT_EQ(watcher.take(), (Lines{"0 n1 dropped a by=0 cause=2", "51 n1 expired b by=0"}));
  run("SET", "lock", "c");
  watcher.take();
  run("FLUSHALL");
  EXPECT_EQ(watcher.take(), Lines{"51 n1 dropped c by=3 cause=1"});
}

TEST_F(RedisWatcher, ACommandThatWasRefusedWasNotExecuted) {
  node(1).answer_error(kActor, "OOM command not allowed when used memory > 'maxmemory'.", true);
  EXPECT_EQ(run("SET", "lock", "a"), "-OOM command not allowed when used memory > 'maxmemory'.");
  EXPECT_EQ(run("SET", "lock"), "-ERR wrong number of arguments for 'set' command");
  EXPECT_EQ(watcher.take(true), Lines{});
  EXPECT_EQ(run("GET", "lock"), "nil");
  node(1).answer_error(kActor, "", true);
  EXPECT_EQ(run("SET", "lock", "a"), "+OK");
}

TEST_F(RedisWatcher, AKeyDiesOnTimeThoughItsServerIsFrozen) {
  run("SET", "lock", "a", "PX", "100");
  watcher.take();
  at_ms(50);
  node(1).pause();
  at_ms(300);
  EXPECT_EQ(watcher.take(), Lines{"101 n1 expired a by=0"});
  EXPECT_EQ(run("SET", "lock", "b", "NX"), "none");
  EXPECT_EQ(run("GET", "lock"), "none");
  node(1).resume();
  ASSERT_EQ(host.replies.size(), 3u);
  EXPECT_EQ(host.replies[1].text, "+OK");
  EXPECT_EQ(host.replies[2].text, "b");
}

}  // namespace holdfast::sim
