// BLPOP and its relatives, CLIENT UNBLOCK, CLIENT PAUSE, DEBUG SLEEP (FIDELITY E21, X6, X13).
#include "tests/sim/redis_clients.h"

namespace holdfast::sim {

class RedisBlocking : public RedisClients {};

TEST_F(RedisBlocking, AListThatIsThereIsServedAtOnce) {
  run("RPUSH", "l", "1", "2", "3");
  EXPECT_EQ(run("BLPOP", "k", "l", "0"), "[l 1]");
  EXPECT_EQ(run("BRPOP", "k", "l", "0"), "[l 3]");
  EXPECT_EQ(run("BLMOVE", "l", "m", "LEFT", "RIGHT", "0"), "2");
  EXPECT_EQ(run("BRPOPLPUSH", "m", "l", "0"), "2");
  EXPECT_EQ(run("BLPOP", "k", "x"), "-ERR timeout is not a float or out of range");
  EXPECT_EQ(run("BLPOP", "k", "-1"), "-ERR timeout is negative");
  run("SET", "s", "1");
  EXPECT_EQ(run("BLPOP", "k", "s", "0"),
            "-WRONGTYPE Operation against a key holding the wrong kind of value");
}

TEST_F(RedisBlocking, WaitersAreServedInTheirOrderAfterTheWholeTransaction) {
  const SessionId third = node(1).open_session(5);
  EXPECT_EQ(by(other, "BLPOP", "k", "k2", "0"), "none");
  EXPECT_EQ(by(third, "BLPOP", "k", "0"), "none");
  run("MULTI");
  run("RPUSH", "k2", "x");
  run("RPUSH", "k", "y", "z");
  host.replies.clear();
  run("EXEC");
  Lines lines;
  for (const auto& sent : host.replies) lines.push_back(std::to_string(sent.session) + sent.text);
  EXPECT_EQ(lines, (Lines{"1[:1 :2]", "2[k2 x]", "3[k y]"}));
  EXPECT_EQ(run("LRANGE", "k", "0", "-1"), "[z]");
  EXPECT_EQ(by(other, "PING"), "+PONG");
}

TEST_F(RedisBlocking, WhatComesBehindAWaitRunsAfterIt) {
  by(other, "BLMOVE", "k", "z", "LEFT", "RIGHT", "0");
  EXPECT_EQ(by(other, "BLPOP", "q", "0"), "none");
  const SessionId third = node(1).open_session(5);
  EXPECT_EQ(by(third, "BLPOP", "q", "0"), "none");
  run("RPUSH", "k", "v1");
  EXPECT_EQ(run("LRANGE", "z", "0", "-1"), "[v1]");
  host.replies.clear();
  run("RPUSH", "q", "1", "2", "3");
  EXPECT_EQ(run("LRANGE", "q", "0", "-1"), "[3]");
  EXPECT_EQ(answered(other).size(), 1u);
}

TEST_F(RedisBlocking, TheWallClockEndsAWait) {
  by(other, "BLPOP", "k", "1.0");
  at_ms(1000);
  EXPECT_EQ(answered(other), Lines{});
  at_ms(1001);
  EXPECT_EQ(answered(other), Lines{"1001 nil*"});
  by(other, "BLPOP", "k", "1");
  node(1).step_wall(seconds(100));
  at_ms(1002);
  EXPECT_EQ(answered(other), Lines{"1001 nil*"});
  by(other, "BLPOP", "k", "1");
  node(1).step_wall(-seconds(5));
  at_ms(7002);
  EXPECT_EQ(answered(other), Lines{});
  at_ms(7003);
  EXPECT_EQ(answered(other), Lines{"7003 nil*"});
}

TEST_F(RedisBlocking, ClientUnblockEndsAWait) {
  EXPECT_EQ(run("CLIENT", "UNBLOCK", "2"), ":0");
  by(other, "BLPOP", "k", "0");
  host.replies.clear();
  EXPECT_EQ(run("CLIENT", "UNBLOCK", "2", "FOO"),
            "-ERR CLIENT UNBLOCK reason should be TIMEOUT or ERROR");
  host.replies.clear();
  node(1).receive(first(), Command{"CLIENT", "UNBLOCK", "2", "ERROR"});
  EXPECT_EQ(answered(other), Lines{"0 -UNBLOCKED client unblocked via CLIENT UNBLOCK"});
  by(other, "WAIT", "1", "0");
  node(1).receive(first(), Command{"CLIENT", "UNBLOCK", "2"});
  EXPECT_EQ(answered(other), Lines{"0 :0"});
}

TEST_F(RedisBlocking, BecomingAReplicaEndsWaits) {
  add(2, Persistence::none);
  by(other, "BLPOP", "k", "0");
  node(1).replicate_from(node(2));
  EXPECT_EQ(answered(other), Lines{"0 -UNBLOCKED force unblock from blocking operation, instance "
                                   "state changed (master -> replica?)"});
  EXPECT_EQ(host.closed, std::vector<SessionId>{other});
}

TEST_F(RedisBlocking, APopIsReplicatedAsAPop) {
  add(2, Persistence::none);
  node(2).replicate_from(node(1));
  at_ms(1000);
  by(other, "BLPOP", "k", "0");
  run("RPUSH", "k", "1", "2");
  at_ms(1010);
  EXPECT_EQ(on(2, Command{"LRANGE", "k", "0", "-1"}), "[2]");
}

TEST_F(RedisBlocking, APauseOfWritesHoldsWhatMayReplicate) {
  run("SET", "k", "v", "PX", "50");
  EXPECT_EQ(run("CLIENT", "PAUSE", "300", "WRITE"), "+OK");
  EXPECT_EQ(run("GET", "k"), "v");
  EXPECT_EQ(run("EVAL_RO", "return 1", "0"), ":1");
  const SessionId third = node(1).open_session(5);
  EXPECT_EQ(by(other, "SET", "a", "1"), "none");
  EXPECT_EQ(by(third, "EVAL", "return 1", "0"), "none");
  at_ms(300);
  EXPECT_EQ(run("GET", "k"), "nil");
  EXPECT_EQ(run("DBSIZE"), ":1");  // dead, hidden, not removed
  EXPECT_EQ(run("GET", "a"), "nil");
  host.replies.clear();
  at_ms(301);
  EXPECT_EQ(answered(other), Lines{"301 +OK"});
  EXPECT_EQ(run("GET", "a"), "1");
}

TEST_F(RedisBlocking, APauseOfAllHoldsEverythingAndFollowsTheWallClock) {
  run("CLIENT", "PAUSE", "5000");
  EXPECT_EQ(by(other, "PING"), "none");
  EXPECT_EQ(by(other, "PING"), "none");
  at_ms(100);
  node(1).step_wall(seconds(60));
  at_ms(101);
  EXPECT_EQ(answered(other), (Lines{"100 +PONG", "100 +PONG"}));
  run("CLIENT", "PAUSE", "1000", "WRITE");
  by(other, "SET", "a", "1");
  host.replies.clear();
  node(1).receive(first(), Command{"CLIENT", "UNPAUSE"});
  EXPECT_EQ(answered(other), Lines{"101 +OK"});
}

TEST_F(RedisBlocking, DebugSleepKeepsTheServerForExactlyThatLong) {
  EXPECT_EQ(run("DEBUG", "SLEEP", "0.5"), "none");
  EXPECT_EQ(by(other, "SET", "k", "v"), "none");
  at_ms(499);
  EXPECT_EQ(host.replies.size(), 0u);
  at_ms(500);
  EXPECT_EQ(answered(other), Lines{"500 +OK"});
}

}  // namespace holdfast::sim
