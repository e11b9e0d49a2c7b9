// FIDELITY section 1, row by row, on one simulated server.
#include "tests/sim/redis_fixture.h"

namespace holdfast::sim {

class RedisExpiry : public RedisFixture {};

TEST_F(RedisExpiry, E1AKeyIsDeadOnlyWhenTheClockIsBeyondItsDeadline) {
  EXPECT_EQ(run("SET", "k", "v", "PX", "100"), "+OK");
  at_ms(100);
  EXPECT_EQ(run("PTTL", "k"), ":0");
  EXPECT_EQ(run("GET", "k"), "v");
  at(milliseconds(101) - Duration(1));
  EXPECT_EQ(run("GET", "k"), "v");
  at_ms(101);
  EXPECT_EQ(run("GET", "k"), "nil");
}

TEST_F(RedisExpiry, E2TheTtlCountsFromTheFlooredMillisecondOfExecution) {
  at(microseconds(10'900));
  run("SET", "k", "v", "PX", "100");
  at(milliseconds(111) - Duration(1));
  EXPECT_EQ(run("GET", "k"), "v");
  at_ms(111);  // alive for 100.1 ms only: within (n, n + 1]
  EXPECT_EQ(run("GET", "k"), "nil");
}

TEST_F(RedisExpiry, E4NoKeyDiesInTheMiddleOfAScript) {
  run("SET", "k", "v", "PX", "100");
  at_ms(100);
  EXPECT_EQ(eval("local a = redis.call('get', 'k') local b = redis.call('get', 'k') return {a, b}"),
            "[v v]");
}

TEST_F(RedisExpiry, E5AScriptReadsTheClockOfItsInstant) {
  at_ms(1234);
  EXPECT_EQ(eval("redis.call('set', 'k', 'v', 'px', 50) return redis.call('pttl', 'k')"), ":50");
  EXPECT_EQ(eval("return redis.call('time')"), "[1700000001 234000]");
}

TEST_F(RedisExpiry, E6AScriptMayProlongAKeyThatIsAboutToDie) {
  run("SET", "lock", "v", "PX", "100");
  at(milliseconds(101) - Duration(1));
  EXPECT_EQ(eval("return redis.call('pexpire', 'lock', 50)"), ":1");
  at_ms(140);
  EXPECT_EQ(run("GET", "lock"), "v");
}

TEST_F(RedisExpiry, E7AndE9ADeadKeyIsCountedUntilItIsAccessedOrSwept) {
  run("SET", "k", "v", "PX", "10");
  at_ms(50);
  EXPECT_EQ(run("DBSIZE"), ":1");
  EXPECT_EQ(run("KEYS", "*"), "[]");
  EXPECT_EQ(run("EXISTS", "k"), ":0");
  EXPECT_EQ(run("DBSIZE"), ":0");
}

TEST_F(RedisExpiry, E8TheActiveCycleRemovesItWithinATenthOfASecond) {
  run("SET", "k", "v", "PX", "10");
  at(milliseconds(100) - Duration(1));
  EXPECT_EQ(node(1).keys(), 1u);
  at_ms(100);
  EXPECT_EQ(node(1).keys(), 0u);
  EXPECT_EQ(kernel.events(), 2u);  // this test's own: nobody had to be woken for it
}

TEST_F(RedisExpiry, E10ADeadKeyIsAbsentForEveryCommand) {
  const auto dead = [this] {
    run("DEL", "k");
    run("SET", "k", "v", "PXAT", "1");
  };
  dead();
  EXPECT_EQ(run("SET", "k", "w", "NX"), "+OK");
  dead();
  EXPECT_EQ(run("SETNX", "k", "w"), ":1");
  dead();
  EXPECT_EQ(run("SET", "k", "w", "XX"), "nil");
  dead();
  EXPECT_EQ(run("PEXPIRE", "k", "1000"), ":0");
  dead();
  EXPECT_EQ(run("PERSIST", "k"), ":0");
  dead();
  EXPECT_EQ(run("DEL", "k"), ":0");
  dead();
  EXPECT_EQ(run("SET", "k", "w", "KEEPTTL"), "+OK");
  EXPECT_EQ(run("PTTL", "k"), ":-1");
  dead();
  EXPECT_EQ(run("INCR", "k"), ":1");
  EXPECT_EQ(run("PTTL", "k"), ":-1");
  dead();
  EXPECT_EQ(run("HINCRBY", "k", "f", "1"), ":1");
  EXPECT_EQ(run("PTTL", "k"), ":-1");
}

TEST_F(RedisExpiry, E11WhichCommandsDropTheTtl) {
  run("SET", "k", "1", "PX", "1000");
  EXPECT_EQ(run("INCR", "k"), ":2");
  EXPECT_EQ(run("PTTL", "k"), ":1000");
  EXPECT_EQ(run("SETNX", "k", "x"), ":0");
  EXPECT_EQ(run("SET", "k", "x", "NX", "PX", "5"), "nil");
  EXPECT_EQ(run("PTTL", "k"), ":1000");
  EXPECT_EQ(run("GET", "k"), "2");
  EXPECT_EQ(run("GETSET", "k", "3"), "2");
  EXPECT_EQ(run("PTTL", "k"), ":-1");
  run("SET", "k", "1", "PX", "1000");
  run("SET", "k", "2");
  EXPECT_EQ(run("PTTL", "k"), ":-1");
  run("HSET", "h", "a", "1");
  run("PEXPIRE", "h", "1000");
  run("HSET", "h", "b", "1");
  run("HINCRBY", "h", "a", "1");
  run("HDEL", "h", "b");
  EXPECT_EQ(run("PTTL", "h"), ":1000");
}

TEST_F(RedisExpiry, E12TtlIsRoundedToNearestSecond) {
  EXPECT_EQ(run("PTTL", "k"), ":-2");
  EXPECT_EQ(run("PEXPIRETIME", "k"), ":-2");
  run("SET", "k", "v");
  EXPECT_EQ(run("TTL", "k"), ":-1");
  EXPECT_EQ(run("EXPIRETIME", "k"), ":-1");
  const std::pair<const char*, const char*> rounded[] = {
      {"499", ":0"}, {"500", ":1"}, {"1499", ":1"}, {"1501", ":2"}};
  for (const auto& [px, seconds_left] : rounded) {
    run("SET", "k", "v", "PX", px);
    EXPECT_EQ(run("TTL", "k"), seconds_left) << px;
  }
  run("SET", "k", "v", "PX", "1501");
  EXPECT_EQ(run("PEXPIRETIME", "k"), ":" + std::to_string(kEpochMs + 1501));
  EXPECT_EQ(run("EXPIRETIME", "k"), ":1700000002");
}

TEST_F(RedisExpiry, E13WhichOptionsOfSetExcludeEachOther) {
  EXPECT_EQ(run("SET", "k", "v", "NX", "XX"), "-ERR syntax error");
  EXPECT_EQ(run("SET", "k", "v", "EX", "1", "PX", "1"), "-ERR syntax error");
  EXPECT_EQ(run("SET", "k", "v", "KEEPTTL", "PXAT", "1"), "-ERR syntax error");
  EXPECT_EQ(run("SET", "k", "v", "PERSIST"), "-ERR syntax error");
  EXPECT_EQ(run("SET", "k", "v", "px", "10", "Px", "20"), "+OK");
  EXPECT_EQ(run("PTTL", "k"), ":20");
  EXPECT_EQ(run("SET", "k", "w", "nx", "get"), "v");
  EXPECT_EQ(run("GET", "k"), "v");
  EXPECT_EQ(run("SET", "new", "w", "XX", "GET"), "nil");
  EXPECT_EQ(run("EXISTS", "new"), ":0");
}

TEST_F(RedisExpiry, E14NilMeansAcquiredForSetNxGet) {
  EXPECT_EQ(run("SET", "k", "v", "NX", "GET"), "nil");
  EXPECT_EQ(run("GET", "k"), "v");
  run("HSET", "h", "f", "v");
  EXPECT_EQ(run("SET", "h", "v", "NX", "GET"),
            "-WRONGTYPE Operation against a key holding the wrong kind of value");
  EXPECT_EQ(run("TYPE", "h"), "+hash");
}

TEST_F(RedisExpiry, E15APastDeadlineStoresADeadKeyOrDeletes) {
  EXPECT_EQ(run("SET", "k", "v", "PXAT", "1000"), "+OK");
  EXPECT_EQ(node(1).keys(), 1u);
  EXPECT_EQ(run("GET", "k"), "nil");
  run("SET", "k", "v");
  EXPECT_EQ(run("PEXPIRE", "k", "0"), ":1");
  EXPECT_EQ(node(1).keys(), 0u);
  run("SET", "k", "v");
  EXPECT_EQ(run("PEXPIREAT", "k", "1000"), ":1");
  EXPECT_EQ(node(1).keys(), 0u);
  run("SET", "k", "v");
  EXPECT_EQ(run("EXPIRE", "k", "-5"), ":1");
  EXPECT_EQ(run("EXISTS", "k"), ":0");
}

TEST_F(RedisExpiry, E16InvalidTimesHaveTheirErrors) {
  const std::string invalid = "-ERR invalid expire time in 'set' command";
  for (const char* time : {"0", "-1", "9223372036854775807"}) {
    EXPECT_EQ(run("SET", "k", "v", "PX", time), invalid) << time;
    EXPECT_EQ(run("SET", "k", "v", "EX", time), invalid) << time;
  }
  EXPECT_EQ(run("SETEX", "k", "0", "v"), "-ERR invalid expire time in 'setex' command");
  EXPECT_EQ(run("PSETEX", "k", "-1", "v"), "-ERR invalid expire time in 'psetex' command");
  for (const char* time : {"1.5", "", " 5", "+5", "x", "9223372036854775808", "05"}) {
    EXPECT_EQ(run("SET", "k", "v", "PX", time), "-ERR value is not an integer or out of range");
  }
  EXPECT_EQ(run("SET", "k", "v", "PX"), "-ERR syntax error");
  run("SET", "k", "v");
  EXPECT_EQ(run("GETEX", "k", "PX", "0"), "-ERR invalid expire time in 'getex' command");
  EXPECT_EQ(run("PEXPIRE", "k", "9223372036854775807"),
            "-ERR invalid expire time in 'pexpire' command");
  EXPECT_EQ(run("EXPIRE", "k", "9223372036854775807"),
            "-ERR invalid expire time in 'expire' command");
}

TEST_F(RedisExpiry, E17ConditionsOfPexpire) {
  run("SET", "k", "v");
  EXPECT_EQ(run("PEXPIRE", "k", "1000", "XX"), ":0");
  EXPECT_EQ(run("PEXPIRE", "k", "1000", "GT"), ":0");
  EXPECT_EQ(run("PEXPIRE", "k", "1000", "LT"), ":1");
  EXPECT_EQ(run("PEXPIRE", "k", "1000", "NX"), ":0");
  EXPECT_EQ(run("PEXPIRE", "k", "900", "GT"), ":0");
  EXPECT_EQ(run("PEXPIRE", "k", "1100", "LT"), ":0");
  EXPECT_EQ(run("PEXPIRE", "k", "1100", "gt"), ":1");
  EXPECT_EQ(run("PEXPIRE", "k", "1", "NX", "GT"),
            "-ERR NX and XX, GT or LT options at the same time are not compatible");
  EXPECT_EQ(run("PEXPIRE", "k", "1", "GT", "LT"),
            "-ERR GT and LT options at the same time are not compatible");
  EXPECT_EQ(run("PEXPIRE", "k", "1", "FOO"), "-ERR Unsupported option FOO");
}

TEST_F(RedisExpiry, E18GetdelAndGetex) {
  EXPECT_EQ(run("GETDEL", "k"), "nil");
  run("SET", "k", "v");
  EXPECT_EQ(run("GETDEL", "k"), "v");
  EXPECT_EQ(run("EXISTS", "k"), ":0");
  EXPECT_EQ(run("GETEX", "k", "PX", "-5"), "nil");
  run("SET", "k", "v");
  EXPECT_EQ(run("GETEX", "k"), "v");
  EXPECT_EQ(run("PTTL", "k"), ":-1");
  EXPECT_EQ(run("GETEX", "k", "PX", "70"), "v");
  EXPECT_EQ(run("PTTL", "k"), ":70");
  EXPECT_EQ(run("GETEX", "k", "PERSIST"), "v");
  EXPECT_EQ(run("PTTL", "k"), ":-1");
  EXPECT_EQ(run("GETEX", "k", "PXAT", "1000"), "v");
  EXPECT_EQ(run("EXISTS", "k"), ":0");
}

TEST_F(RedisExpiry, E19ABackwardStepProlongsAndAForwardStepKills) {
  run("SET", "lock", "v", "PX", "3000");
  node(1).step_wall(seconds(-5));
  EXPECT_EQ(run("PTTL", "lock"), ":8000");
  node(1).step_wall(seconds(9));
  EXPECT_EQ(run("GET", "lock"), "nil");
}

TEST_F(RedisExpiry, E19ADeadKeyRevivesWhileNobodyHasRemovedIt) {
  run("SET", "lock", "v", "PX", "10");
  at_ms(50);
  watcher.take();
  node(1).step_wall(milliseconds(-45));
  EXPECT_EQ(watcher.take(), Lines{"50 n1 revived v by=0 until=56"});
  EXPECT_EQ(run("GET", "lock"), "v");
}

TEST_F(RedisExpiry, E19ASweptKeyDoesNotRevive) {
  run("SET", "lock", "v", "PX", "10");
  at_ms(150);
  watcher.take();
  node(1).step_wall(milliseconds(-145));
  EXPECT_EQ(watcher.take(), Lines{});
  EXPECT_EQ(run("GET", "lock"), "nil");
}

TEST_F(RedisExpiry, E20TheRateOfTheClockStretchesLives) {
  run("SET", "lock", "v", "PX", "2000");
  node(1).set_wall_rate(250'000);
  watcher.take();
  at_ms(3000);
  EXPECT_EQ(watcher.take(), Lines{"1600.800000 n1 expired v by=0"});
  node(1).set_wall_rate(-200'000);
  run("SET", "lock", "v", "PX", "2000");
  watcher.take();
  at_ms(6000);
  EXPECT_EQ(watcher.take(), Lines{"5501.250000 n1 expired v by=0"});
}

TEST_F(RedisExpiry, AFrozenClockKeepsKeysAlive) {
  run("SET", "lock", "v", "PX", "100");
  node(1).freeze_wall(true);
  watcher.take();
  at_ms(500);
  EXPECT_EQ(run("PTTL", "lock"), ":100");
  EXPECT_EQ(run("SET", "lock2", "v", "PX", "100"), "+OK");
  EXPECT_EQ(watcher.take(), Lines{"500 n1 set v by=3 until=-2"});
  node(1).freeze_wall(false);
  watcher.take();
  at_ms(700);
  EXPECT_EQ(watcher.take(), (Lines{"601 n1 expired v by=0", "601 n1 expired v by=0"}));
}

}  // namespace holdfast::sim
