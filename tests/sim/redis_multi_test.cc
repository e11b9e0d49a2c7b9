// MULTI, EXEC, WATCH (FIDELITY X8, X9): what a real 7.0.15 answers.
#include "tests/sim/redis_clients.h"

namespace holdfast::sim {

class RedisMulti : public RedisClients {
 public:
  // WATCH k, something happens, MULTI, PING, EXEC.
  std::string exec_after(const std::vector<Command>& by_other) {
    run("WATCH", "k");
    for (const Command& command : by_other) on(1, other, command);
    run("MULTI");
    run("PING");
    return run("EXEC");
  }
};

TEST_F(RedisMulti, QueuedCommandsRunTogetherAndErrorsDoNotStopTheRest) {
  EXPECT_EQ(run("MULTI"), "+OK");
  EXPECT_EQ(run("SET", "a", "1"), "+QUEUED");
  EXPECT_EQ(run("INCR", "a"), "+QUEUED");
  EXPECT_EQ(run("LPUSH", "a", "1"), "+QUEUED");
  EXPECT_EQ(run("BLPOP", "zz", "0"), "+QUEUED");
  EXPECT_EQ(run("WAIT", "1", "0"), "+QUEUED");
  EXPECT_EQ(by(other, "GET", "a"), "nil");
  EXPECT_EQ(run("EXEC"),
            "[+OK :2 -WRONGTYPE Operation against a key holding the wrong kind of value nil* :0]");
  EXPECT_EQ(by(other, "GET", "a"), "2");
}

TEST_F(RedisMulti, ARefusedCommandSpoilsTheTransaction) {
  for (const Command& bad :
       {Command{"NOSUCH"}, Command{"GET"}, Command{"CLIENT", "NOPE"}, Command{"SHUTDOWN"}}) {
    run("MULTI");
    run("SET", "a", "1");
    EXPECT_TRUE(call(bad).starts_with("-ERR "));
    EXPECT_EQ(run("EXEC"), "-EXECABORT Transaction discarded because of previous errors.");
    EXPECT_EQ(run("GET", "a"), "nil");
  }
  run("MULTI");
  EXPECT_EQ(run("EXEC", "x"),
            "-EXECABORT Transaction discarded because of: wrong number of arguments for 'exec' "
            "command");
  EXPECT_EQ(run("EXEC"), "-ERR EXEC without MULTI");
}

TEST_F(RedisMulti, MultiAndWatchAreNotNested) {
  EXPECT_EQ(run("DISCARD"), "-ERR DISCARD without MULTI");
  run("MULTI");
  EXPECT_EQ(run("MULTI"), "-ERR MULTI calls can not be nested");
  EXPECT_EQ(run("WATCH", "a"), "-ERR WATCH inside MULTI is not allowed");
  EXPECT_EQ(run("DISCARD"), "+OK");
  run("MULTI");
  EXPECT_EQ(run("EXEC"), "[]");
}

TEST_F(RedisMulti, AWatchedKeyThatWasWrittenAborts) {
  EXPECT_EQ(exec_after({}), "[+PONG]");
  EXPECT_EQ(exec_after({{"SET", "unrelated", "v"}}), "[+PONG]");
  EXPECT_EQ(exec_after({{"SET", "k", "v"}}), "nil*");
  EXPECT_EQ(exec_after({{"SET", "k", "v"}}), "nil*");  // the same value
  EXPECT_EQ(exec_after({{"PEXPIRE", "k", "90000"}}), "nil*");
  EXPECT_EQ(exec_after({{"SET", "k", "w", "NX"}}), "[+PONG]");
  EXPECT_EQ(exec_after({{"DEL", "k"}}), "nil*");
  EXPECT_EQ(exec_after({{"SET", "k", "v"}, {"DEL", "k"}}), "nil*");
  EXPECT_EQ(exec_after({{"FLUSHALL"}}), "[+PONG]");  // there was nothing
  run("WATCH", "k");
  run("SET", "k", "own");
  run("MULTI");
  EXPECT_EQ(run("EXEC"), "nil*");
  run("WATCH", "k");
  by(other, "SET", "k", "v");
  EXPECT_EQ(run("UNWATCH"), "+OK");
  run("MULTI");
  EXPECT_EQ(run("EXEC"), "[]");
}

TEST_F(RedisMulti, AWatchedKeyOfAnotherDatabaseIsAnother) {
  EXPECT_EQ(exec_after({{"SELECT", "1"}, {"SET", "k", "v"}}), "[+PONG]");
  EXPECT_EQ(exec_after({{"SWAPDB", "0", "1"}}), "nil*");
}

TEST_F(RedisMulti, AWatchedKeyThatExpiredAborts) {
  run("SET", "k", "v", "PX", "50");
  run("DEBUG", "SET-ACTIVE-EXPIRE", "0");
  run("WATCH", "k");
  at_ms(51);
  run("MULTI");
  EXPECT_EQ(run("EXEC"), "nil*");  // not removed yet
  run("SET", "k", "v", "PX", "50");
  run("DEBUG", "SET-ACTIVE-EXPIRE", "1");
  run("WATCH", "k");
  at_ms(500);
  run("MULTI");
  EXPECT_EQ(run("EXEC"), "nil*");  // removed
}

TEST_F(RedisMulti, AKeyThatWasDeadWhenWatchedMayGo) {
  run("SET", "k", "v", "PXAT", "1");
  EXPECT_EQ(exec_after({{"GET", "k"}}), "[+PONG]");
  run("SET", "k", "v", "PXAT", "1");
  EXPECT_EQ(exec_after({{"SET", "k", "again"}}), "nil*");
}

TEST_F(RedisMulti, ATransactionIsOneUnitOfTheStream) {
  add(2, Persistence::none);
  node(2).replicate_from(node(1));
  at_ms(2000);
  run("MULTI");
  run("SET", "a", "1");
  run("PUBLISH", "c", "m");
  run("SET", "b", "2");
  const SessionId reader = node(2).open_session(5);
  on(2, reader, Command{"SUBSCRIBE", "c"});
  run("EXEC");
  at_ms(2010);
  EXPECT_EQ(on(2, Command{"MGET", "a", "b"}), "[1 2]");
  EXPECT_EQ(pushed(reader), Lines{"[message c m]"});
}

TEST_F(RedisMulti, WhoLeavesInsideMultiHasDoneNothing) {
  by(other, "MULTI");
  by(other, "SET", "a", "1");
  node(1).close_session(other);
  EXPECT_EQ(run("GET", "a"), "nil");
}

}  // namespace holdfast::sim
