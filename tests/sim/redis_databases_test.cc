// The numbered databases. Expected answers are those of redis-server 7.0.15.
#include "tests/sim/redis_fixture.h"

namespace holdfast::sim {

class RedisDatabases : public RedisFixture {};

TEST_F(RedisDatabases, EachHasItsOwnKeys) {
  EXPECT_EQ(run("set", "k", "zero"), "+OK");
  EXPECT_EQ(run("select", "3"), "+OK");
  EXPECT_EQ(run("get", "k"), "nil");
  EXPECT_EQ(run("set", "k", "three"), "+OK");
  EXPECT_EQ(run("dbsize"), ":1");
  EXPECT_EQ(run("select", "0"), "+OK");
  EXPECT_EQ(run("get", "k"), "zero");
  EXPECT_EQ(run("select", "16"), "-ERR DB index is out of range");
  EXPECT_EQ(run("select", "-1"), "-ERR DB index is out of range");
  EXPECT_EQ(run("select", "x"), "-ERR value is not an integer or out of range");
  EXPECT_EQ(run("select", "99999999999"),
            "-ERR value is out of range, value must between -2147483648 and 2147483647");
  EXPECT_EQ(run("get", "k"), "zero");
  EXPECT_EQ(run("flushdb"), "+OK");
  EXPECT_EQ(run("dbsize"), ":0");
  EXPECT_EQ(run("select", "3"), "+OK");
  EXPECT_EQ(run("get", "k"), "three");
  EXPECT_EQ(run("flushall"), "+OK");
  EXPECT_EQ(run("dbsize"), ":0");
  EXPECT_EQ(run("flushall", "now"), "-ERR syntax error");
}

TEST_F(RedisDatabases, KeysMoveBetweenThem) {
  EXPECT_EQ(run("set", "k", "v", "ex", "100"), "+OK");
  EXPECT_EQ(run("move", "k", "0"), "-ERR source and destination objects are the same");
  EXPECT_EQ(run("move", "k", "16"), "-ERR DB index is out of range");
  EXPECT_EQ(run("move", "k", "x"), "-ERR value is not an integer or out of range");
  EXPECT_EQ(run("move", "none", "1"), ":0");
  EXPECT_EQ(run("move", "k", "2"), ":1");
  EXPECT_EQ(run("exists", "k"), ":0");
  EXPECT_EQ(run("select", "2"), "+OK");
  EXPECT_EQ(run("get", "k"), "v");
  EXPECT_EQ(run("ttl", "k"), ":100");
  EXPECT_EQ(run("select", "0"), "+OK");
  EXPECT_EQ(run("set", "k", "w"), "+OK");
  EXPECT_EQ(run("move", "k", "2"), ":0");
  EXPECT_EQ(run("get", "k"), "w");
}

TEST_F(RedisDatabases, ContentsAreExchanged) {
  EXPECT_EQ(run("set", "k", "zero"), "+OK");
  EXPECT_EQ(run("select", "1"), "+OK");
  EXPECT_EQ(run("set", "k", "one"), "+OK");
  EXPECT_EQ(run("swapdb", "0", "1"), "+OK");
  EXPECT_EQ(run("get", "k"), "zero");
  EXPECT_EQ(run("select", "0"), "+OK");
  EXPECT_EQ(run("get", "k"), "one");
  EXPECT_EQ(run("swapdb", "0", "0"), "+OK");
  EXPECT_EQ(run("swapdb", "0", "16"), "-ERR DB index is out of range");
  EXPECT_EQ(run("swapdb", "x", "1"), "-ERR invalid first DB index");
  EXPECT_EQ(run("swapdb", "0", "y"), "-ERR invalid second DB index");
}

TEST_F(RedisDatabases, CopiesGoToAnyDatabase) {
  EXPECT_EQ(run("set", "k", "v", "ex", "100"), "+OK");
  EXPECT_EQ(run("copy", "k", "k"), "-ERR source and destination objects are the same");
  EXPECT_EQ(run("copy", "k", "k", "db", "1"), ":1");
  EXPECT_EQ(run("copy", "k", "k", "db", "1"), ":0");
  EXPECT_EQ(run("copy", "k", "k", "db", "1", "replace"), ":1");
  EXPECT_EQ(run("copy", "none", "other"), ":0");
  EXPECT_EQ(run("copy", "k", "other"), ":1");
  EXPECT_EQ(run("ttl", "other"), ":100");
  EXPECT_EQ(run("copy", "k", "other"), ":0");
  EXPECT_EQ(run("copy", "k", "k", "db", "16"), "-ERR DB index is out of range");
  EXPECT_EQ(run("copy", "k", "k", "db", "x"), "-ERR value is not an integer or out of range");
  EXPECT_EQ(run("copy", "k", "k", "nope"), "-ERR syntax error");
  EXPECT_EQ(run("rpush", "list", "a", "b"), ":2");
  EXPECT_EQ(run("copy", "list", "k"), ":0");
  EXPECT_EQ(run("copy", "list", "k", "replace"), ":1");
  EXPECT_EQ(run("lrange", "k", "0", "-1"), "[a b]");
  EXPECT_EQ(run("rpush", "k", "c"), ":3");
  EXPECT_EQ(run("lrange", "list", "0", "-1"), "[a b]");
}

TEST_F(RedisDatabases, TheStreamSaysWhichDatabaseItIsAbout) {
  RedisServer& replica = add(2, Persistence::none);
  run("SELECT", "5");
  run("SET", "early", "v");
  replica.replicate_from(node(1));
  at_ms(3);
  run("SET", "k", "five");
  run("SELECT", "6");
  run("SET", "k", "six");
  eval("redis.call('select', '7') redis.call('set', 'k', 'seven')");
  run("SET", "after", "six");
  at_ms(10);
  const auto at_replica = [this](std::string_view database, std::string_view key) {
    on(2, Command{"SELECT", database});
    return on(2, Command{"GET", key});
  };
  EXPECT_EQ(at_replica("5", "early"), "v");
  EXPECT_EQ(at_replica("5", "k"), "five");
  EXPECT_EQ(at_replica("6", "k"), "six");
  EXPECT_EQ(at_replica("6", "after"), "six");
  EXPECT_EQ(at_replica("7", "k"), "seven");
  EXPECT_EQ(at_replica("0", "k"), "nil");
}

TEST_F(RedisDatabases, SelectInsideAScriptEndsWithIt) {
  run("SELECT", "5");
  EXPECT_EQ(eval("redis.call('select', '7') return redis.call('set', 'k', 'v')"), "+OK");
  EXPECT_EQ(run("EXISTS", "k"), ":0");
  run("SELECT", "7");
  EXPECT_EQ(run("GET", "k"), "v");
}

TEST_F(RedisDatabases, AnotherSessionBeginsInDatabaseZero) {
  run("SELECT", "5");
  run("SET", "k", "five");
  const SessionId other = node(1).open_session(9);
  EXPECT_EQ(on(1, other, Command{"GET", "k"}), "nil");
  EXPECT_EQ(run("GET", "k"), "five");
}

TEST_F(RedisDatabases, TheAppendOnlyFileBringsAllBack) {
  servers.clear();
  kernel.reset(1);
  add(1, Persistence::aof_always);
  run("SELECT", "5");
  run("SET", "k", "five");
  run("SELECT", "6");
  run("SET", "k", "six");
  for (int starts = 0; starts < 2; ++starts) {  // from the file, then from its rewritten base
    node(1).crash(CrashKind::kill);
    node(1).restart(Persistence::aof_always);
    sessions[1] = node(1).open_session(kActor);
    EXPECT_EQ(run("DBSIZE"), ":0");
    run("SELECT", "5");
    EXPECT_EQ(run("GET", "k"), "five");
    run("SELECT", "6");
    EXPECT_EQ(run("GET", "k"), "six");
  }
}

TEST_F(RedisDatabases, KeysExpireInAllOfThem) {
  add(2, Persistence::none).replicate_from(node(1));
  at_ms(3);
  run("SELECT", "5");
  run("SET", "k", "v", "PX", "1000");
  run("SELECT", "0");
  at_ms(900);
  EXPECT_EQ(node(2).keys(), 1u);
  at_ms(1200);  // removed by the active cycle, told to the replica
  EXPECT_EQ(node(2).keys(), 0u);
}

TEST_F(RedisDatabases, WhatLeavesDatabaseZeroIsGoneForItsWatcher) {
  run("SET", "lock", "a", "PX", "1000");
  EXPECT_EQ(watcher.take(), Lines{"0 n1 set a by=3 until=1001"});
  run("SWAPDB", "0", "1");
  EXPECT_EQ(watcher.take(), Lines{"0 n1 deleted a by=3"});
  run("SWAPDB", "1", "0");
  EXPECT_EQ(watcher.take(), Lines{"0 n1 set a by=3 until=1001"});
  run("MOVE", "lock", "2");
  EXPECT_EQ(watcher.take(), Lines{"0 n1 deleted a by=3"});
  run("SELECT", "2");
  run("SET", "lock", "b");
  EXPECT_EQ(watcher.take(), Lines{});
}

}  // namespace holdfast::sim
