// FIDELITY section 2: what a master knows of its replicas' health (N1 to N5), and how they start,
// load, stop and stand in a chain (R10, R15, R16, R18). Each message takes 1 ms; n1's cron ticks at
// whole seconds, n2 acknowledges 2 ms after them.
#include "tests/sim/redis_fixture.h"

namespace holdfast::sim {

class RedisReplicas : public RedisFixture {
 public:
  RedisReplicas() {
    add(2, Persistence::none).replicate_from(node(1));
    at_ms(3);
    EXPECT_EQ(node(1).online_replicas(), 1);
  }
  void configure(history::NodeId id, std::string_view name, std::string_view value) {
    EXPECT_EQ(on(id, Command{"CONFIG", "SET", name, value}), "+OK");
  }
  void need_one_replica() {
    configure(1, "min-replicas-max-lag", "2");
    configure(1, "min-replicas-to-write", "1");
  }
  std::string field(history::NodeId id, const std::string& name) {
    const std::string info = on(id, Command{"INFO"});
    const std::size_t begin = info.find("\r\n" + name + ":");
    if (begin == std::string::npos) return "none";
    const std::size_t value = begin + name.size() + 3;
    return info.substr(value, info.find('\r', value) - value);
  }
  // About this many bytes in a thousand keys.
  void fill(std::size_t bytes) {
    const std::string value(bytes / 1000, 'x');
    for (int i = 0; i < 1000; ++i) run("SET", "key" + std::to_string(i), value);
  }

  static constexpr auto kRefused = "-NOREPLICAS Not enough good replicas to write.";
  static constexpr auto kReadOnly = "-READONLY You can't write against a read only replica.";
  static constexpr auto kLoads = "-LOADING Redis is loading the dataset in memory";
};

TEST_F(RedisReplicas, N1EveryWriteIsRefusedWhereverItIs) {
  configure(1, "min-replicas-to-write", "2");
  EXPECT_EQ(run("SET", "k", "v"), kRefused);
  EXPECT_EQ(run("DEL", "none"), kRefused);
  EXPECT_EQ(run("GET", "k"), "nil");
  EXPECT_EQ(run("PUBLISH", "c", "m"), ":0");
  run("MULTI");
  EXPECT_EQ(run("SET", "k", "v"), kRefused);
  EXPECT_EQ(run("EXEC"), "-EXECABORT Transaction discarded because of previous errors.");
  EXPECT_EQ(eval("return redis.call('set', 'k', 'v')"),
            std::string(kRefused) +
                " script: 2d991be581da74a0c0c441c4beb92ae41c2e1eb9, on @user_script:1.");
  EXPECT_EQ(eval("return redis.pcall('set', 'k', 'v').err"),
            "NOREPLICAS Not enough good replicas to write.");
  EXPECT_EQ(eval("return redis.call('exists', 'k')"), ":0");
  configure(1, "min-replicas-to-write", "1");
  EXPECT_EQ(run("SET", "k", "v"), "+OK");
}

TEST_F(RedisReplicas, N2ASilentReplicaIsGoodForItsLagAndUpToTwoSeconds) {
  need_one_replica();
  at_ms(10'500);
  node(2).pause();
  at_ms(12'999);
  EXPECT_EQ(run("SET", "k", "v"), "+OK");
  at_ms(13'000);
  EXPECT_EQ(run("SET", "k", "v"), kRefused);
  at_ms(20'500);
  node(2).resume();
  at_ms(20'900);
  EXPECT_EQ(run("SET", "k", "v"), kRefused);
  at_ms(22'000);
  EXPECT_EQ(run("SET", "k", "v"), "+OK");
}

TEST_F(RedisReplicas, N2AcknowledgementsThatAreHeldCountForNothing) {
  need_one_replica();
  at_ms(10'500);
  node(2).hold_acks(true);
  at_ms(13'000);
  EXPECT_EQ(run("SET", "k", "v"), kRefused);
  node(2).hold_acks(false);
  at_ms(14'000);
  EXPECT_EQ(run("SET", "k", "v"), "+OK");
}

TEST_F(RedisReplicas, InfoShowsTheLagAndWhereAReplicaIsReached) {
  configure(2, "replica-announce-ip", "10.0.0.7");
  configure(2, "replica-announce-port", "7002");
  at_ms(10'500);
  EXPECT_TRUE(field(1, "slave0").starts_with("ip=10.0.0.7,port=7002,state=online,offset="));
  EXPECT_TRUE(field(1, "slave0").ends_with(",lag=0"));
  EXPECT_TRUE(run("ROLE").ends_with("[[10.0.0.7 7002 0]]]"));
  EXPECT_EQ(field(1, "min_slaves_good_slaves"), "none");
  need_one_replica();
  EXPECT_EQ(field(1, "min_slaves_good_slaves"), "1");
  node(2).pause();
  at_ms(15'500);
  EXPECT_TRUE(field(1, "slave0").ends_with(",lag=5"));
  EXPECT_EQ(field(1, "min_slaves_good_slaves"), "0");
}

TEST_F(RedisReplicas, N2AClosedLinkIsSeenAtOnce) {
  need_one_replica();
  at_ms(10'500);
  node(2).cut_stream(true);
  EXPECT_EQ(run("SET", "k", "v"), kRefused);
  node(2).cut_stream(false);
  at_ms(11'600);
  EXPECT_EQ(run("SET", "k", "v"), "+OK");
}

TEST_F(RedisReplicas, N3AWriteInsideTheLagIsAcknowledgedAndLost) {
  need_one_replica();
  node(2).hold_stream(true);
  EXPECT_EQ(run("SET", "lock", "a"), "+OK");
  node(1).crash(CrashKind::kill);
  node(2).promote();
  EXPECT_EQ(on(2, Command{"GET", "lock"}), "nil");
}

TEST_F(RedisReplicas, N4AJumpOfTheClockLooksLikeLag) {
  need_one_replica();
  at_ms(10'500);
  node(1).step_wall(seconds(5));
  EXPECT_EQ(run("SET", "k", "v"), "+OK");
  at_ms(11'000);
  EXPECT_EQ(run("SET", "k", "v"), kRefused);
  at_ms(11'999);
  EXPECT_EQ(run("SET", "k", "v"), kRefused);
  at_ms(12'000);
  EXPECT_EQ(run("SET", "k", "v"), "+OK");
}

TEST_F(RedisReplicas, N4AGreatJumpMakesEitherSideDropTheLink) {
  const std::string replid = field(2, "master_replid");
  for (history::NodeId jumps = 1; jumps <= 2; ++jumps) {
    const std::int64_t start = kernel.now().time_since_epoch() / milliseconds(1);
    const std::int64_t jump = start / 1000 * 1000 + 1500;
    at_ms(jump);
    EXPECT_EQ(node(1).online_replicas(), 1);
    node(jumps).step_wall(seconds(120));
    at_ms(jump + 499);
    EXPECT_TRUE(node(2).follows()) << jumps;
    at_ms(jump + 500);
    EXPECT_FALSE(node(2).follows()) << jumps;
    EXPECT_EQ(node(1).online_replicas(), 0) << jumps;
    run("SET", "k", std::to_string(jump));
    at_ms(jump + 510);
    EXPECT_EQ(node(1).online_replicas(), 1) << jumps;
    EXPECT_EQ(on(2, Command{"GET", "k"}), std::to_string(jump));
  }
  EXPECT_EQ(field(2, "master_replid"), replid);
}

TEST_F(RedisReplicas, N4ASmallerJumpDropsNothing) {
  at_ms(10'500);
  node(1).step_wall(seconds(40));
  node(2).step_wall(seconds(-100));
  at_ms(90'000);
  EXPECT_TRUE(node(2).follows());
  EXPECT_EQ(node(1).online_replicas(), 1);
}

TEST_F(RedisReplicas, ASilentPeerIsDroppedAfterReplTimeout) {
  at_ms(10'500);
  node(2).pause();
  at_ms(70'999);  // it was heard in second 10
  EXPECT_EQ(node(1).online_replicas(), 1);
  at_ms(71'000);
  EXPECT_EQ(node(1).online_replicas(), 0);
  run("SET", "k", "v");
  node(2).resume();
  at_ms(71'100);
  EXPECT_EQ(on(2, Command{"GET", "k"}), "v");
  EXPECT_EQ(node(1).online_replicas(), 1);
  node(2).hold_stream(true);
  at_ms(131'999);  // the link came up in second 71
  EXPECT_TRUE(node(2).follows());
  at_ms(132'000);
  EXPECT_FALSE(node(2).follows());
  EXPECT_EQ(node(1).online_replicas(), 0);
  node(2).hold_stream(false);
  at_ms(132'100);
  EXPECT_TRUE(node(2).follows());
}

TEST_F(RedisReplicas, N5APausedReplicaStaysGood) {
  need_one_replica();
  at_ms(1000);
  on(2, Command{"CLIENT", "PAUSE", "100000", "WRITE"});
  EXPECT_EQ(run("SET", "k", "v"), "+OK");
  run("WAIT", "1", "100");
  at_ms(60'000);
  EXPECT_EQ(host.replies.back().text, ":0");
  EXPECT_EQ(on(2, Command{"GET", "k"}), "nil");
  EXPECT_EQ(run("SET", "l", "v"), "+OK");
  on(2, Command{"CLIENT", "UNPAUSE"});
  at_ms(60'001);
  EXPECT_EQ(on(2, Command{"GET", "k"}), "v");
}

TEST_F(RedisReplicas, R10ADisklessSyncWaitsForMoreReplicas) {
  configure(1, "repl-diskless-sync-delay", "5");
  run("SET", "k", "v");
  at_ms(300);
  add(3, Persistence::none).replicate_from(node(1));
  at_ms(4999);
  EXPECT_FALSE(node(3).follows());
  run("SET", "k", "w");
  at_ms(5001);
  EXPECT_TRUE(node(3).follows());
  EXPECT_EQ(on(3, Command{"GET", "k"}), "w");
  configure(1, "repl-diskless-sync", "no");
  add(4, Persistence::none).replicate_from(node(1));
  at_ms(5004);
  EXPECT_TRUE(node(4).follows());
}

TEST_F(RedisReplicas, R15AStaleReplicaMayRefuse) {
  constexpr auto kDown =
      "-MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.";
  run("SET", "k", "v");
  at_ms(10);
  node(2).cut_stream(true);
  EXPECT_EQ(on(2, Command{"GET", "k"}), "v");
  configure(2, "replica-serve-stale-data", "no");
  EXPECT_EQ(on(2, Command{"GET", "k"}), kDown);
  EXPECT_EQ(on(2, Command{"PING"}), kDown);
  EXPECT_EQ(on(2, Command{"EVAL", "return 1", "0"}), kDown);
  EXPECT_EQ(on(2, Command{"SET", "k", "v"}), kReadOnly);
  EXPECT_EQ(on(2, Command{"MULTI"}), "+OK");
  EXPECT_EQ(on(2, Command{"DISCARD"}), "+OK");
  EXPECT_EQ(field(2, "master_link_status"), "down");
  node(2).cut_stream(false);
  at_ms(1100);
  EXPECT_EQ(on(2, Command{"GET", "k"}), "v");
}

TEST_F(RedisReplicas, R16AReplicaLoadsForAsLongAsItsDataAreLarge) {
  fill(1'000'000);  // and 60 bytes a key besides: 14 ns a byte
  at_ms(10);
  add(3, Persistence::none).replicate_from(node(1));
  at_ms(13);
  EXPECT_EQ(on(3, Command{"GET", "key1"}), kLoads);
  EXPECT_EQ(on(3, Command{"PING"}), kLoads);
  EXPECT_EQ(on(3, Command{"SET", "k", "v"}), kReadOnly);
  EXPECT_EQ(field(3, "loading"), "1");
  EXPECT_EQ(on(3, Command{"MULTI"}), "+OK");
  EXPECT_EQ(on(3, Command{"GET", "k"}), kLoads);
  EXPECT_EQ(on(3, Command{"EXEC"}), "-EXECABORT Transaction discarded because of previous errors.");
  run("SET", "late", "v");
  at_ms(25);
  EXPECT_EQ(on(3, Command{"PING"}), kLoads);
  EXPECT_FALSE(node(3).follows());
  at_ms(29);
  EXPECT_EQ(on(3, Command{"GET", "late"}), "v");
  EXPECT_TRUE(node(3).follows());
}

TEST_F(RedisReplicas, R16AServerLoadsBeforeItServes) {
  configure(1, "appendonly", "yes");
  fill(1'000'000);
  node(1).crash(CrashKind::kill);
  at_ms(100);
  node(1).restart(Persistence::aof_everysec);
  sessions[1] = node(1).open_session(kActor);
  EXPECT_EQ(run("GET", "key1"), kLoads);
  EXPECT_EQ(run("SET", "k", "v"), kLoads);
  EXPECT_EQ(run("CLIENT", "ID"), ":2");
  at_ms(120);
  EXPECT_EQ(run("SET", "k", "v"), "+OK");
  at_ms(2200);
  EXPECT_EQ(on(2, Command{"GET", "k"}), "v");
}

TEST_F(RedisReplicas, R18AShutdownWaitsForReplicasThatLag) {
  node(2).hold_acks(true);
  run("SET", "k", "v");
  at_ms(150);
  node(1).terminate();
  EXPECT_EQ(run("SET", "k", "w"), "none");  // held
  const SessionId other = node(1).open_session(4);
  EXPECT_EQ(on(1, other, Command{"GET", "k"}), "v");
  at_ms(10'190);
  EXPECT_TRUE(node(1).running());
  at_ms(10'200);
  EXPECT_FALSE(node(1).running());
}

TEST_F(RedisReplicas, R18AShutdownEndsWhenTheReplicasHaveAll) {
  run("SET", "k", "v");
  at_ms(150);
  const SessionId other = node(1).open_session(4);
  EXPECT_EQ(run("SHUTDOWN"), "none");
  at_ms(1099);
  EXPECT_TRUE(node(1).running());
  EXPECT_EQ(on(1, other, Command{"GET", "k"}), "v");
  at_ms(1100);
  EXPECT_FALSE(node(1).running());
}

TEST_F(RedisReplicas, AShutdownCanBeGivenUpOrHurried) {
  node(2).hold_acks(true);
  run("SET", "k", "v");
  const SessionId other = node(1).open_session(4);
  EXPECT_EQ(run("SHUTDOWN", "ABORT"), "-ERR No shutdown in progress.");
  EXPECT_EQ(run("SHUTDOWN", "ABORT", "NOW"), "-ERR syntax error");
  EXPECT_EQ(run("SHUTDOWN", "SAVE", "NOSAVE"), "-ERR syntax error");
  EXPECT_EQ(run("SHUTDOWN"), "none");
  const std::size_t before = host.replies.size();
  node(1).receive(other, Command{"SHUTDOWN", "ABORT"});
  ASSERT_EQ(host.replies.size(), before + 2);
  EXPECT_EQ(host.replies[before].text, "-ERR Errors trying to SHUTDOWN. Check logs.");
  EXPECT_EQ(host.replies[before + 1].text, "+OK");
  EXPECT_EQ(run("SET", "k", "w"), "+OK");
  EXPECT_EQ(run("SHUTDOWN", "NOW"), "none");
  at_ms(4);
  EXPECT_FALSE(node(1).running());
}

TEST_F(RedisReplicas, AReplicaInTheMiddleOfAChainIsPromoted) {
  add(3, Persistence::none).replicate_from(node(2));
  at_ms(10);
  run("SET", "k", "v");
  at_ms(20);
  const std::string old = field(3, "master_replid");
  EXPECT_EQ(field(1, "connected_slaves"), "1");
  EXPECT_EQ(on(3, Command{"GET", "k"}), "v");
  node(2).promote();
  EXPECT_EQ(on(2, Command{"SET", "k", "w"}), "+OK");
  at_ms(30);
  EXPECT_EQ(on(3, Command{"GET", "k"}), "w");
  EXPECT_EQ(field(3, "master_replid"), field(2, "master_replid"));
  EXPECT_EQ(field(3, "master_replid2"), old);
  EXPECT_EQ(node(3).offset(), node(2).offset());
  EXPECT_EQ(on(2, Command{"WAIT", "1", "100"}), ":1");
}

}  // namespace holdfast::sim
