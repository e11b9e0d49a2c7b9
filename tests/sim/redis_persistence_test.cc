// FIDELITY section 3, row by row: what a crash leaves.
#include "tests/sim/redis_fixture.h"

namespace holdfast::sim {

class RedisPersistence : public RedisFixture {
 public:
  void start(Persistence persistence) {
    servers.clear();
    kernel.reset(1);
    add(1, persistence);
  }
  void crash_and_restart(Persistence persistence, CrashKind kind) {
    node(1).crash(kind);
    node(1).restart(persistence);
    sessions[1] = node(1).open_session(kActor);
  }
};

TEST_F(RedisPersistence, WithoutPersistenceEverythingIsGone) {
  run("SET", "lock", "v");
  at_ms(5000);
  crash_and_restart(Persistence::none, CrashKind::kill);
  EXPECT_EQ(run("GET", "lock"), "nil");
}

TEST_F(RedisPersistence, P1AKilledServerLosesNothingFromItsAof) {
  for (const Persistence mode :
       {Persistence::aof_no, Persistence::aof_everysec, Persistence::aof_always}) {
    start(mode);
    run("SET", "lock", "v", "PX", "60000");
    run("HSET", "h", "f", "1");
    run("RPUSH", "l", "a", "b");
    eval("redis.call('incr', 'n') redis.call('incr', 'n')");
    crash_and_restart(mode, CrashKind::kill);
    EXPECT_EQ(run("GET", "lock"), "v");
    EXPECT_EQ(run("PTTL", "lock"), ":60000");
    EXPECT_EQ(run("HGET", "h", "f"), "1");
    EXPECT_EQ(run("LRANGE", "l", "0", "-1"), "[a b]");
    EXPECT_EQ(run("GET", "n"), "2");
    crash_and_restart(mode, CrashKind::kill);  // and once more from the rewritten file
    EXPECT_EQ(run("GET", "lock"), "v");
  }
}

TEST_F(RedisPersistence, P3EverysecPostponesWritesWhileASlowFsyncRuns) {
  start(Persistence::aof_everysec);
  node(1).freeze_fsync(seconds(3));
  at_ms(1500);
  run("SET", "first", "v");  // its fsync runs until 4.5 s
  at_ms(1600);
  run("SET", "second", "v");  // acknowledged, not even written
  crash_and_restart(Persistence::aof_everysec, CrashKind::kill);
  EXPECT_EQ(run("GET", "first"), "v");
  EXPECT_EQ(run("GET", "second"), "nil");
}

TEST_F(RedisPersistence, P3APostponedWriteIsDoneAfterTwoSeconds) {
  start(Persistence::aof_everysec);
  node(1).freeze_fsync(seconds(10));
  at_ms(1500);
  run("SET", "first", "v");
  at_ms(1600);
  run("SET", "second", "v");
  at_ms(3700);
  run("SET", "third", "v");
  crash_and_restart(Persistence::aof_everysec, CrashKind::kill);
  EXPECT_EQ(run("GET", "third"), "v");
}

TEST_F(RedisPersistence, P4APowerLossTakesWhatEverysecHadNotSynced) {
  start(Persistence::aof_everysec);
  run("SET", "lock", "v");
  at_ms(999);
  crash_and_restart(Persistence::aof_everysec, CrashKind::power_loss);
  EXPECT_EQ(run("GET", "lock"), "nil");
  run("SET", "lock", "v");
  at_ms(2500);
  crash_and_restart(Persistence::aof_everysec, CrashKind::power_loss);
  EXPECT_EQ(run("GET", "lock"), "v");
}

TEST_F(RedisPersistence, P4AlwaysLosesNothingAndNoLosesWhatTheKernelHeld) {
  start(Persistence::aof_always);
  run("SET", "lock", "v");
  crash_and_restart(Persistence::aof_always, CrashKind::power_loss);
  EXPECT_EQ(run("GET", "lock"), "v");
  start(Persistence::aof_no);
  run("SET", "lock", "v");
  at_ms(20'000);
  crash_and_restart(Persistence::aof_no, CrashKind::power_loss);
  EXPECT_EQ(run("GET", "lock"), "nil");
  run("SET", "lock", "v");
  at_ms(60'000);
  crash_and_restart(Persistence::aof_no, CrashKind::power_loss);
  EXPECT_EQ(run("GET", "lock"), "v");
}

TEST_F(RedisPersistence, ASlowDiskHoldsTheReplyBackUnderAlways) {
  start(Persistence::aof_always);
  node(1).freeze_fsync(milliseconds(300));
  EXPECT_EQ(run("SET", "lock", "v"), "none");
  EXPECT_EQ(run("GET", "lock"), "none");  // nobody is served meanwhile
  at_ms(299);
  EXPECT_TRUE(host.replies.empty());
  at_ms(300);
  ASSERT_EQ(host.replies.size(), 2u);
  EXPECT_EQ(host.replies[0].text, "+OK");
  EXPECT_EQ(host.replies[1].text, "v");
  run("SET", "lock", "w");
  at_ms(400);
  crash_and_restart(Persistence::aof_always, CrashKind::power_loss);
  EXPECT_EQ(run("GET", "lock"), "v");  // w was never acknowledged
}

TEST_F(RedisPersistence, P7AnRdbSnapshotKeepsWhatItSaw) {
  start(Persistence::rdb);
  run("SET", "lock", "v");
  at_ms(1500);
  run("SET", "lock2", "v");
  crash_and_restart(Persistence::rdb, CrashKind::kill);
  EXPECT_EQ(run("GET", "lock"), "v");
  EXPECT_EQ(run("GET", "lock2"), "nil");
  at_ms(1600);
  run("SET", "lock2", "v");
  at_ms(3000);
  crash_and_restart(Persistence::rdb, CrashKind::power_loss);
  EXPECT_EQ(run("GET", "lock2"), "v");
}

TEST_F(RedisPersistence, P8AnRdbLoadDropsDeadKeysAnAofLoadKeepsThem) {
  start(Persistence::rdb);
  run("SET", "k", "v", "PX", "2000");
  at_ms(1500);
  node(1).crash(CrashKind::kill);
  at_ms(4000);
  node(1).restart(Persistence::rdb);
  EXPECT_EQ(node(1).keys(), 0u);
  start(Persistence::aof_always);
  run("SET", "k", "v", "PX", "2000");
  node(1).crash(CrashKind::kill);
  at_ms(4000);
  node(1).restart(Persistence::aof_always);
  sessions[1] = node(1).open_session(kActor);
  EXPECT_EQ(run("GET", "k"), "nil");
}

TEST_F(RedisPersistence, P9ARestartGivesANewRunId) {
  const std::string before = node(1).run_id();
  crash_and_restart(Persistence::none, CrashKind::kill);
  EXPECT_EQ(before.size(), 40u);
  EXPECT_NE(node(1).run_id(), before);
}

TEST_F(RedisPersistence, E22TheTtlRunsOnWhileTheServerIsDown) {
  start(Persistence::aof_always);
  run("SET", "lock", "v", "PX", "60000");
  node(1).crash(CrashKind::kill);
  at_ms(10'000);
  node(1).step_wall(seconds(-3600));
  node(1).restart(Persistence::aof_always);
  sessions[1] = node(1).open_session(kActor);
  EXPECT_EQ(run("PTTL", "lock"), ":3650000");
  node(1).crash(CrashKind::kill);
  node(1).step_wall(seconds(7200));
  node(1).restart(Persistence::aof_always);
  sessions[1] = node(1).open_session(kActor);
  EXPECT_EQ(run("GET", "lock"), "nil");
}

TEST_F(RedisPersistence, TheWatcherSeesKeysGoWithTheCrashAndComeWithTheLoad) {
  start(Persistence::aof_always);
  run("SET", "lock", "v", "PX", "60000");
  run("SET", "lock2", "v", "PX", "100");
  watcher.take();
  at_ms(10);
  node(1).crash(CrashKind::kill);
  EXPECT_EQ(watcher.take(),
            (Lines{"10 n1 dropped v by=0 cause=3", "10 n1 dropped v by=0 cause=3"}));
  EXPECT_FALSE(node(1).holds("lock", "v"));
  at_ms(500);
  EXPECT_EQ(watcher.take(), Lines{});
  node(1).restart(Persistence::aof_always);
  EXPECT_EQ(watcher.take(), Lines{"500 n1 set v by=0 until=60001"});
  EXPECT_TRUE(node(1).holds("lock", "v"));
}

TEST_F(RedisPersistence, ACrashClosesSessionsAndForgetsWhatHadArrived) {
  start(Persistence::none);
  node(1).pause();
  run("SET", "k", "v");
  node(1).crash(CrashKind::kill);
  EXPECT_EQ(host.closed, std::vector<SessionId>{sessions[1]});
  node(1).restart(Persistence::none);
  sessions[1] = node(1).open_session(kActor);
  EXPECT_EQ(run("GET", "k"), "nil");
  EXPECT_TRUE(node(1).running());
  EXPECT_FALSE(node(1).paused());
}

TEST_F(RedisPersistence, WhichFileIsLoadedHangsOnTheNewConfiguration) {
  start(Persistence::aof_always);
  run("SET", "k", "v");
  crash_and_restart(Persistence::none, CrashKind::kill);  // appendonly no: the AOF is not read
  EXPECT_EQ(run("GET", "k"), "nil");
  start(Persistence::rdb);
  run("SET", "k", "v");
  at_ms(1500);
  crash_and_restart(Persistence::none, CrashKind::kill);  // dump.rdb is
  EXPECT_EQ(run("GET", "k"), "v");
}

TEST_F(RedisPersistence, P5ATornTailIsDropped) {
  start(Persistence::aof_everysec);
  run("SET", "a", "1");
  run("SET", "lock", "v");
  node(1).crash(CrashKind::kill);
  node(1).tear_file(5);
  crash_and_restart(Persistence::aof_everysec, CrashKind::kill);
  EXPECT_EQ(run("GET", "a"), "1");
  EXPECT_EQ(run("GET", "lock"), "nil");
}

TEST_F(RedisPersistence, P5OfATransactionNothingIsKept) {
  start(Persistence::aof_everysec);
  run("SET", "a", "1");
  eval("redis.call('incr', 'n') redis.call('incr', 'm')");
  node(1).crash(CrashKind::kill);
  node(1).tear_file(5);
  crash_and_restart(Persistence::aof_everysec, CrashKind::kill);
  EXPECT_EQ(run("DBSIZE"), ":1");
}

TEST_F(RedisPersistence, P5AServerMayRefuseATornFile) {
  ServerOptions options;
  options.name = "n1";
  options.node = 1;
  options.persistence = Persistence::aof_everysec;
  options.load_truncated = false;
  for (const bool torn : {false, true}) {
    kernel.reset(1);
    node(1).reset(options, Clock(milliseconds(kEpochMs), 0));
    sessions[1] = node(1).open_session(kActor);
    run("SET", "lock", "v");
    node(1).crash(torn ? CrashKind::power_loss : CrashKind::kill);
    node(1).restart(Persistence::aof_everysec);
    EXPECT_EQ(node(1).running(), !torn);
    EXPECT_EQ(node(1).holds("lock", "v"), !torn);
  }
}

TEST_F(RedisPersistence, P10AFailedSaveStopsWrites) {
  start(Persistence::rdb);
  run("SET", "k", "v");
  at_ms(1500);
  node(1).fail_saves(true);
  EXPECT_EQ(run("SET", "k", "w"), "+OK");
  at_ms(3500);
  const std::string refused = run("SET", "k", "x");
  EXPECT_TRUE(refused.starts_with("-MISCONF Redis is configured to save RDB snapshots, but it's"));
  EXPECT_EQ(run("PING"), refused);
  EXPECT_EQ(run("GET", "k"), "w");
  EXPECT_TRUE(eval("return redis.call('set', 'k', 'x')").starts_with(refused + " script: "));
  EXPECT_EQ(run("SAVE"), "-ERR");
  EXPECT_EQ(run("SHUTDOWN"), "-ERR Errors trying to SHUTDOWN. Check logs.");
  run("CONFIG", "SET", "stop-writes-on-bgsave-error", "no");
  EXPECT_EQ(run("SET", "k", "y"), "+OK");
  run("CONFIG", "SET", "stop-writes-on-bgsave-error", "yes");
  EXPECT_EQ(run("PING"), refused);
  node(1).fail_saves(false);
  at_ms(8500);  // tried again after five seconds
  EXPECT_EQ(run("SET", "k", "z"), "+OK");
  crash_and_restart(Persistence::rdb, CrashKind::kill);
  EXPECT_EQ(run("GET", "k"), "y");
}

TEST_F(RedisPersistence, SavesByCommand) {
  EXPECT_EQ(run("LASTSAVE"), ":" + std::to_string(kEpochMs / 1000));
  run("SET", "k", "v");
  at_ms(2000);
  EXPECT_EQ(run("SAVE"), "+OK");
  EXPECT_EQ(run("LASTSAVE"), ":" + std::to_string(kEpochMs / 1000 + 2));
  run("SET", "k", "w");
  EXPECT_EQ(run("BGSAVE"), "+Background saving started");
  run("SET", "k", "x");
  crash_and_restart(Persistence::rdb, CrashKind::kill);
  EXPECT_EQ(run("GET", "k"), "w");
  EXPECT_EQ(run("BGREWRITEAOF"), "+Background append only file rewriting started");
}

TEST_F(RedisPersistence, WhatConfigSetSaysOfTheDiskHolds) {
  run("SET", "k", "v");
  run("CONFIG", "SET", "appendonly", "yes");
  run("SET", "l", "v");
  run("CONFIG", "SET", "appendfsync", "no");
  run("SET", "m", "v");
  node(1).crash(CrashKind::power_loss);  // the file was whole when it was begun
  crash_and_restart(Persistence::aof_no, CrashKind::kill);
  EXPECT_EQ(run("DBSIZE"), ":1");
  run("CONFIG", "SET", "appendfsync", "always");
  run("SET", "l", "v");
  crash_and_restart(Persistence::aof_always, CrashKind::power_loss);
  EXPECT_EQ(run("DBSIZE"), ":2");
  run("CONFIG", "SET", "appendonly", "no");
  run("SET", "m", "v");
  crash_and_restart(Persistence::aof_always, CrashKind::kill);
  EXPECT_EQ(run("DBSIZE"), ":2");
  run("CONFIG", "SET", "appendonly", "no", "save", "10 2");
  run("SET", "m", "v");
  at_ms(20'000);
  run("SET", "n", "v");  // the second change; now a snapshot is due
  at_ms(20'100);
  run("SET", "o", "v");
  crash_and_restart(Persistence::none, CrashKind::kill);
  EXPECT_EQ(run("DBSIZE"), ":4");
}

}  // namespace holdfast::sim
