// FIDELITY section 2, row by row: a master n1 and replicas n2, n3. Each message takes 1 ms.
#include <algorithm>

#include "tests/sim/redis_fixture.h"

namespace holdfast::sim {

class RedisReplication : public RedisFixture {
 public:
  // n2 follows n1 and is in sync when it returns, at 3 ms.
  RedisServer& attach(Duration wall_ahead = {}) {
    RedisServer& replica = add(2, Persistence::none, wall_ahead);
    replica.replicate_from(node(1));
    at_ms(3);
    EXPECT_EQ(node(1).online_replicas(), 1);
    return replica;
  }
  // The effects that the commands on n1 send, as a replica's own replica would see them.
  std::string grown(std::int64_t before) { return std::to_string(node(1).offset() - before); }
};

TEST_F(RedisReplication, R1TheReplyDoesNotWaitForAReplica) {
  attach();
  EXPECT_EQ(run("SET", "k", "v"), "+OK");
  EXPECT_EQ(on(2, Command{"GET", "k"}), "nil");
  at_ms(4);
  EXPECT_EQ(on(2, Command{"GET", "k"}), "v");
}

TEST_F(RedisReplication, R1ReplicasAcknowledgeOnceASecond) {
  attach();
  run("SET", "k", "v");
  const auto acked = [this] {
    const std::string info = run("INFO", "replication");
    const std::size_t begin = info.find(",offset=") + 8;
    return std::stoll(info.substr(begin, info.find(',', begin) - begin));
  };
  at_ms(900);
  EXPECT_LT(acked(), node(1).offset());
  at_ms(1100);
  EXPECT_EQ(acked(), node(1).offset());
}

TEST_F(RedisReplication, R2RelativeTimesTravelAsAbsoluteOnes) {
  attach();
  run("SET", "first", "v");  // the stream's SELECT is out
  const auto sent = [this](Command command, const Command& effect) {
    std::string wire = "*" + std::to_string(effect.size()) + "\r\n";
    for (std::size_t i = 0; i < effect.size(); ++i) {
      wire += "$" + std::to_string(effect[i].size()) + "\r\n" + std::string(effect[i]) + "\r\n";
    }
    const std::int64_t before = node(1).offset();
    call(std::move(command));
    EXPECT_EQ(node(1).offset() - before, effect.empty() ? 0 : static_cast<int>(wire.size()))
        << show(Reply::bulk(effect.empty() ? "nothing" : effect[0]));
  };
  const std::string at = std::to_string(kEpochMs + 5003);
  sent({"SET", "k", "v", "NX", "PX", "5000"}, {"SET", "k", "v", "PXAT", at});
  sent({"SET", "k", "v", "NX", "PX", "5000"}, {});
  sent({"SETEX", "k", "5", "v"}, {"SET", "k", "v", "PXAT", at});
  sent({"PSETEX", "k", "5000", "v"}, {"SET", "k", "v", "PXAT", at});
  sent({"SET", "k2", "v", "NX"}, {"SET", "k2", "v", "NX"});
  sent({"SET", "k2", "v", "GET"}, {"SET", "k2", "v"});
  sent({"PEXPIRE", "k", "5000"}, {"PEXPIREAT", "k", at});
  sent({"EXPIRE", "k", "5", "LT"}, {});
  sent({"EXPIRE", "k", "4", "LT"}, {"PEXPIREAT", "k", at, "LT"});
  sent({"GETEX", "k", "PX", "5000"}, {"PEXPIREAT", "k", at});
  sent({"PEXPIRE", "k", "-1"}, {"DEL", "k"});
  sent({"INCR", "n"}, {"INCR", "n"});
  sent({"HINCRBY", "h", "f", "1"}, {"HINCRBY", "h", "f", "1"});
  sent({"GETSET", "n", "5"}, {"SET", "n", "5"});
  sent({"GETDEL", "n"}, {"DEL", "n"});
  sent({"DEL", "missing"}, {});
  sent({"GET", "k2"}, {});
  sent({"PUBLISH", "c", "m"}, {"PUBLISH", "c", "m"});
  sent({"SCRIPT", "LOAD", "return 1"}, {});
}

TEST_F(RedisReplication, R2ExpiryTravelsAsADeletion) {
  attach();
  run("SET", "k", "v", "PX", "20");
  at_ms(90);
  const std::int64_t before = node(1).offset();
  EXPECT_EQ(node(2).keys(), 1u);
  at_ms(102);  // the cycle at 100 ms removes it
  EXPECT_GT(node(1).offset(), before);
  EXPECT_EQ(node(2).keys(), 0u);
}

TEST_F(RedisReplication, R3ScriptsSendTheirEffectsTogether) {
  attach();
  run("SET", "first", "v");
  std::int64_t before = node(1).offset();
  eval("redis.call('set', 'a', 1)");
  EXPECT_EQ(grown(before), "27");
  before = node(1).offset();
  eval("redis.call('set', 'a', 1) redis.call('set', 'b', 1)");
  EXPECT_EQ(grown(before), std::to_string(15 + 27 + 27 + 14));  // MULTI ... EXEC
  before = node(1).offset();
  eval("return redis.call('get', 'a')");
  EXPECT_EQ(grown(before), "0");
  eval("redis.call('set', 'c', 1) redis.call('hget', 'c', 'x')");
  at_ms(5);
  EXPECT_EQ(on(2, Command{"GET", "c"}), "1");
  EXPECT_EQ(on(2, Command{"GET", "b"}), "1");
}

TEST_F(RedisReplication, R4AReplicaHidesADeadKeyAndDoesNotRemoveIt) {
  attach(milliseconds(500));
  run("SET", "lock", "v", "PX", "400");
  watcher.take();
  at_ms(5);
  EXPECT_EQ(watcher.take(), (Lines{"4 n2 set v by=0 until=4", "4 n2 expired v by=0"}));
  EXPECT_EQ(on(2, Command{"GET", "lock"}), "nil");
  EXPECT_EQ(on(2, Command{"EXISTS", "lock"}), ":0");
  EXPECT_EQ(on(2, Command{"PTTL", "lock"}), ":-2");
  EXPECT_EQ(on(2, Command{"DBSIZE"}), ":1");
  EXPECT_EQ(run("GET", "lock"), "v");
  run("PEXPIRE", "lock", "2000");
  at_ms(6);
  EXPECT_EQ(on(2, Command{"GET", "lock"}), "v");
  EXPECT_EQ(watcher.take(), (Lines{"5 n1 ttl v by=3 until=2006", "6 n2 revived v by=0 until=1506",
                                   "6 n2 ttl v by=0 until=1506"}));
}

TEST_F(RedisReplication, R5ASkewedReplicaShowsTheSkew) {
  attach(seconds(-3));
  run("SET", "k", "v", "PX", "500");
  at_ms(4);
  EXPECT_EQ(on(2, Command{"PTTL", "k"}), ":3499");
}

TEST_F(RedisReplication, TheWatcherIsToldOfTheReplicasKeysToo) {
  attach();
  run("SET", "lock", "v", "PX", "100");
  run("DEL", "lock");
  at_ms(200);
  EXPECT_EQ(watcher.take(), (Lines{"3 n1 set v by=3 until=104", "3 n1 deleted v by=3",
                                   "4 n2 set v by=0 until=104", "4 n2 deleted v by=0"}));
}

TEST_F(RedisReplication, R6APromotedReplicaIsWritableAtOnce) {
  attach();
  node(2).promote();
  EXPECT_TRUE(node(2).is_master());
  EXPECT_EQ(on(2, Command{"SET", "k", "v"}), "+OK");
  EXPECT_EQ(on(2, Command{"ROLE"}), "[master :50 []]");  // SELECT 0 and the SET
  EXPECT_EQ(node(1).online_replicas(), 0);
}

TEST_F(RedisReplication, R6DeadKeysVanishAfterPromotion) {
  attach(milliseconds(500));
  run("SET", "k", "v", "PX", "400");
  at_ms(150);
  EXPECT_EQ(node(2).keys(), 1u);
  node(2).promote();
  at_ms(250);
  EXPECT_EQ(node(2).keys(), 0u);
}

TEST_F(RedisReplication, HeldWritesAreLostWithTheirMaster) {
  attach();
  node(2).hold_stream(true);
  run("SET", "lock", "a", "PX", "10000");
  at_ms(10);
  node(1).crash(CrashKind::kill);
  node(2).promote();
  EXPECT_EQ(on(2, Command{"SET", "lock", "b", "NX", "PX", "10000"}), "+OK");
  node(2).hold_stream(false);
  at_ms(50);
  EXPECT_EQ(on(2, Command{"GET", "lock"}), "b");
}

TEST_F(RedisReplication, HeldWritesArriveWhenTheHoldEnds) {
  attach();
  node(2).hold_stream(true);
  run("SET", "k", "a");
  at_ms(100);
  EXPECT_EQ(on(2, Command{"GET", "k"}), "nil");
  node(2).hold_stream(false);
  EXPECT_EQ(on(2, Command{"GET", "k"}), "a");
}

TEST_F(RedisReplication, WhatADyingMasterHadSentStillArrives) {
  attach();
  run("SET", "k", "a");
  node(1).crash(CrashKind::kill);
  EXPECT_EQ(on(2, Command{"GET", "k"}), "nil");
  at_ms(5);
  EXPECT_EQ(on(2, Command{"GET", "k"}), "a");
}

TEST_F(RedisReplication, R7AndR9ACleanSwapNeedsNoFullResync) {
  attach();
  run("SET", "lock", "a", "PX", "60000");
  at_ms(10);
  watcher.take();
  node(2).promote();
  node(1).replicate_from(node(2));
  EXPECT_FALSE(node(1).is_master());
  at_ms(15);
  EXPECT_EQ(node(2).online_replicas(), 1);
  on(2, Command{"SET", "k", "v"});
  at_ms(20);
  EXPECT_EQ(run("GET", "k"), "v");
  EXPECT_EQ(watcher.take(), Lines{});  // nothing was thrown away and loaded again
  const std::string info = run("INFO", "replication");
  EXPECT_NE(info.find("role:slave"), std::string::npos);
  EXPECT_NE(info.find("master_link_status:up"), std::string::npos);
}

TEST_F(RedisReplication, R8ADemotedMasterDiscardsWhatOnlyItHad) {
  attach();
  run("SET", "lock", "a", "PX", "60000");
  at_ms(10);
  node(2).promote();
  run("SET", "lock", "divergent", "PX", "60000");
  run("SET", "lock2", "divergent");
  on(2, Command{"SET", "lock3", "new"});
  watcher.take();
  node(1).replicate_from(node(2));
  EXPECT_EQ(run("GET", "lock"), "divergent");  // until the load
  EXPECT_EQ(run("SET", "lock", "x"), "-READONLY You can't write against a read only replica.");
  at_ms(20);
  EXPECT_EQ(run("GET", "lock"), "a");
  EXPECT_EQ(watcher.take(),
            (Lines{"12 n1 dropped divergent by=0 cause=4", "12 n1 dropped divergent by=0 cause=4",
                   "12 n1 set a by=0 until=60004", "12 n1 set new by=0 until=-1"}));
}

TEST_F(RedisReplication, R11AShortCutIsFollowedByAPartialResync) {
  attach();
  run("SET", "lock", "a");
  at_ms(10);
  watcher.take();
  node(2).cut_stream(true);
  EXPECT_EQ(node(1).online_replicas(), 0);
  run("SET", "lock", "b");
  at_ms(200);
  EXPECT_EQ(on(2, Command{"GET", "lock"}), "a");
  node(2).cut_stream(false);
  at_ms(1000);
  EXPECT_EQ(on(2, Command{"GET", "lock"}), "a");  // tried again a second after the cut
  at_ms(1020);
  EXPECT_EQ(on(2, Command{"GET", "lock"}), "b");
  EXPECT_EQ(watcher.take(),
            (Lines{"10 n1 set b by=3 was=a until=-1", "1012 n2 set b by=0 was=a until=-1"}));
}

TEST_F(RedisReplication, R11BeyondTheBacklogTheResyncIsFull) {
  attach();
  run("SET", "lock", "a");
  at_ms(10);
  node(2).cut_stream(true);
  run("DEL", "lock");
  const std::string big(200'000, 'x');
  for (int i = 0; i < 7; ++i) run("SET", "big", big);
  node(2).cut_stream(false);
  watcher.take();
  at_ms(1100);
  EXPECT_EQ(watcher.take(), Lines{"1012 n2 dropped a by=0 cause=4"});
}

TEST_F(RedisReplication, R12AnEmptyRestartOfTheMasterEmptiesTheReplica) {
  attach();
  run("SET", "lock", "a");
  at_ms(10);
  node(1).crash(CrashKind::kill);
  at_ms(500);
  EXPECT_EQ(on(2, Command{"GET", "lock"}), "a");
  node(1).restart(Persistence::none);
  watcher.take();
  at_ms(1009);
  EXPECT_EQ(on(2, Command{"GET", "lock"}), "a");
  at_ms(1100);
  EXPECT_EQ(watcher.take(), Lines{"1012 n2 dropped a by=0 cause=4"});
  EXPECT_EQ(on(2, Command{"GET", "lock"}), "nil");
}

TEST_F(RedisReplication, R13DemotionDisconnectsClientsThatWait) {
  attach();
  node(2).hold_stream(true);
  run("SET", "k", "v");
  EXPECT_EQ(run("WAIT", "1", "0"), "none");
  add(3, Persistence::none);
  node(1).replicate_from(node(3));
  EXPECT_EQ(host.replies.back().text,
            "-UNBLOCKED force unblock from blocking operation, instance state changed (master -> "
            "replica?)");
  EXPECT_EQ(host.closed, std::vector<SessionId>{sessions[1]});
}

TEST_F(RedisReplication, R14AReplicaRefusesWrites) {
  attach();
  const std::string refused = "READONLY You can't write against a read only replica.";
  EXPECT_EQ(on(2, Command{"SET", "k", "v"}), "-" + refused);
  EXPECT_EQ(on(2, Command{"DEL", "k"}), "-" + refused);
  EXPECT_EQ(on(2, Command{"EVAL", "return redis.call('set', 'k', 'v')", "0"})
                .rfind("-" + refused + " script: ", 0),
            0u);
  EXPECT_EQ(on(2, Command{"EVAL", "return redis.call('get', 'k')", "0"}), "nil");
  EXPECT_EQ(on(2, Command{"PUBLISH", "c", "m"}), ":0");
}

TEST_F(RedisReplication, AReplicaOfAReplicaFollowsToo) {
  attach();
  add(3, Persistence::none);
  node(3).replicate_from(node(2));
  at_ms(10);
  run("SET", "k", "v");
  at_ms(20);
  EXPECT_EQ(on(3, Command{"GET", "k"}), "v");
  EXPECT_EQ(node(3).offset(), node(1).offset());
}

TEST_F(RedisReplication, W1WaitCountsReplicasThatHaveTheConnectionsLastWrite) {
  attach();
  run("SET", "k", "v");
  EXPECT_EQ(run("WAIT", "1", "100"), "none");
  at_ms(50);
  ASSERT_EQ(host.replies.size(), 2u);
  EXPECT_EQ(host.replies[1].text, ":1");
  EXPECT_EQ(host.replies[1].at, TrueTime(milliseconds(5)));  // GETACK there, ACK back
}

TEST_F(RedisReplication, W3AWaitEndsAtItsTimeoutWithTheNumberThereIs) {
  attach();
  run("SET", "k", "v");
  EXPECT_EQ(run("WAIT", "2", "200"), "none");
  EXPECT_EQ(run("GET", "k"), "none");  // queues behind it
  at_ms(1000);
  ASSERT_EQ(host.replies.size(), 3u);
  EXPECT_EQ(host.replies[1].text, ":1");
  EXPECT_EQ(host.replies[1].at, TrueTime(milliseconds(204)));
  EXPECT_EQ(host.replies[2].text, "v");  // the write stays
}

TEST_F(RedisReplication, W3TheTimeoutFollowsTheWallClock) {
  run("SET", "k", "v");
  EXPECT_EQ(run("WAIT", "1", "1000"), "none");
  at_ms(100);
  node(1).step_wall(milliseconds(500));
  at_ms(2000);
  EXPECT_EQ(host.replies.back().text, ":0");
  EXPECT_EQ(host.replies.back().at, TrueTime(milliseconds(501)));
}

TEST_F(RedisReplication, W4EdgesOfWait) {
  EXPECT_EQ(run("WAIT", "0", "0"), ":0");
  EXPECT_EQ(run("WAIT", "0", "-1"), "-ERR timeout is negative");
  EXPECT_EQ(run("WAIT", "1", "0"), "none");
  at_ms(1'000'000);
  EXPECT_EQ(host.replies.size(), 2u);  // zero: for ever
}

TEST_F(RedisReplication, W5OnAFreshConnectionWaitIsSatisfiedAtOnce) {
  attach();
  node(2).hold_stream(true);
  run("SET", "k", "v");
  const SessionId fresh = node(1).open_session(kActor);
  EXPECT_EQ(on(1, fresh, Command{"WAIT", "1", "100"}), ":1");
  EXPECT_EQ(on(1, fresh, Command{"PING"}), "+PONG");
  EXPECT_EQ(on(1, fresh, Command{"WAIT", "1", "100"}), "none");
  at_ms(500);
  EXPECT_EQ(host.replies.back().text, ":0");
}

TEST_F(RedisReplication, W6WaitIsRefusedOnAReplica) {
  attach();
  EXPECT_EQ(on(2, Command{"WAIT", "1", "0"}).rfind("-ERR WAIT cannot be used with replica", 0), 0u);
}

TEST_F(RedisReplication, W7WaitaofIsUnknown) {
  EXPECT_EQ(run("WAITAOF", "0", "0", "0"),
            "-ERR unknown command 'WAITAOF', with args beginning with: '0' '0' '0' ");
}

TEST_F(RedisReplication, W8AConfirmedWriteIsLostWhenAnotherReplicaIsPromoted) {
  attach();
  add(3, Persistence::none);
  node(3).replicate_from(node(1));
  at_ms(10);
  node(3).hold_stream(true);
  run("SET", "lock", "a");
  EXPECT_EQ(run("WAIT", "1", "100"), "none");
  at_ms(20);
  EXPECT_EQ(host.replies.back().text, ":1");
  node(1).crash(CrashKind::kill);
  node(3).promote();
  EXPECT_EQ(on(3, Command{"SET", "lock", "b", "NX"}), "+OK");
}

TEST_F(RedisReplication, AFrozenReplicaAppliesEverythingOnThaw) {
  attach();
  node(2).pause();
  run("SET", "k", "v");
  EXPECT_EQ(run("WAIT", "1", "100"), "none");
  at_ms(500);
  EXPECT_EQ(host.replies.back().text, ":0");
  node(2).resume();
  EXPECT_EQ(on(2, Command{"GET", "k"}), "v");
}

TEST_F(RedisReplication, AFrozenMasterAcceptsItsReplicaOnThaw) {
  node(1).pause();
  add(2, Persistence::none).replicate_from(node(1));
  at_ms(500);
  EXPECT_EQ(node(1).online_replicas(), 0);
  node(1).resume();
  at_ms(510);
  EXPECT_EQ(node(1).online_replicas(), 1);
}

TEST_F(RedisReplication, ServersMayBeResetAndDestroyedInAnyOrder) {
  attach();
  run("SET", "k", "v");
  ServerOptions options;
  options.node = 1;
  kernel.reset(2);
  node(1).reset(options, Clock());
  EXPECT_TRUE(node(2).master() == nullptr);
  options.node = 2;
  node(2).reset(options, Clock());
  node(2).replicate_from(node(1));
  at_ms(10);
  EXPECT_EQ(node(1).online_replicas(), 1);
  servers.erase(1);
  EXPECT_TRUE(node(2).master() == nullptr);
  at_ms(5000);
}

}  // namespace holdfast::sim
