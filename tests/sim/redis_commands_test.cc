// Commands beside time: counters, hashes, lists, connection, errors (FIDELITY section 7).
#include "tests/sim/redis_fixture.h"

namespace holdfast::sim {

class RedisCommands : public RedisFixture {};

TEST_F(RedisCommands, CountersRefuseTextAndOverflow) {
  EXPECT_EQ(run("INCR", "n"), ":1");
  EXPECT_EQ(run("INCRBY", "n", "41"), ":42");
  EXPECT_EQ(run("DECRBY", "n", "2"), ":40");
  EXPECT_EQ(run("DECR", "n"), ":39");
  run("SET", "n", "9223372036854775807");
  EXPECT_EQ(run("INCR", "n"), "-ERR increment or decrement would overflow");
  EXPECT_EQ(run("DECRBY", "n", "-9223372036854775808"), "-ERR decrement would overflow");
  run("SET", "n", "abc");
  EXPECT_EQ(run("INCR", "n"), "-ERR value is not an integer or out of range");
}

TEST_F(RedisCommands, HashesCountAndVanishWhenEmpty) {
  EXPECT_EQ(run("HSET", "h", "a", "1", "b", "2"), ":2");
  EXPECT_EQ(run("HSET", "h", "a", "3"), ":0");
  EXPECT_EQ(run("HGETALL", "h"), "[a 3 b 2]");
  EXPECT_EQ(run("HINCRBY", "h", "a", "2"), ":5");
  EXPECT_EQ(run("HEXISTS", "h", "c"), ":0");
  EXPECT_EQ(run("HLEN", "h"), ":2");
  EXPECT_EQ(run("HDEL", "h", "a", "b", "c"), ":2");
  EXPECT_EQ(run("EXISTS", "h"), ":0");
  EXPECT_EQ(run("HSET", "h", "a"), "-ERR wrong number of arguments for 'hset' command");
  run("HSET", "h", "t", "text");
  EXPECT_EQ(run("HINCRBY", "h", "t", "1"), "-ERR hash value is not an integer");
  EXPECT_EQ(run("GET", "h"), "-WRONGTYPE Operation against a key holding the wrong kind of value");
}

TEST_F(RedisCommands, ListsPushAndPopAtBothEnds) {
  EXPECT_EQ(run("RPUSH", "l", "b", "c"), ":2");
  EXPECT_EQ(run("LPUSH", "l", "a"), ":3");
  EXPECT_EQ(run("LRANGE", "l", "0", "-1"), "[a b c]");
  EXPECT_EQ(run("LRANGE", "l", "-2", "5"), "[b c]");
  EXPECT_EQ(run("LINDEX", "l", "-1"), "c");
  EXPECT_EQ(run("LPOP", "l"), "a");
  EXPECT_EQ(run("RPOP", "l", "5"), "[c b]");
  EXPECT_EQ(run("EXISTS", "l"), ":0");
  EXPECT_EQ(run("LPOP", "l"), "nil");
}

TEST_F(RedisCommands, KeysAreListedInTheirOrderByPattern) {
  for (int i = 0; i < 40; ++i) run("SET", "k" + std::to_string(i), "v");
  run("DEL", "k3");
  EXPECT_EQ(run("KEYS", "k[2-4]"), "[k2 k4]");
  EXPECT_EQ(run("KEYS", "?1*"), "[k1 k10 k11 k12 k13 k14 k15 k16 k17 k18 k19]");
  EXPECT_EQ(run("KEYS", "k\\*"), "[]");
  EXPECT_EQ(run("DBSIZE"), ":39");
  EXPECT_EQ(run("TYPE", "k1"), "+string");
  EXPECT_EQ(run("FLUSHALL"), "+OK");
  EXPECT_EQ(run("DBSIZE"), ":0");
}

TEST_F(RedisCommands, ManyKeysComeAndGo) {
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 2000; ++i) run("SET", "k" + std::to_string(i), std::to_string(i));
    for (int i = 0; i < 2000; ++i) {
      ASSERT_EQ(run("GET", "k" + std::to_string(i)), std::to_string(i));
      run("DEL", "k" + std::to_string(i));
    }
    EXPECT_EQ(node(1).keys(), 0u);
  }
}

TEST_F(RedisCommands, Section7ErrorsOfTheConnection) {
  EXPECT_EQ(run("GET"), "-ERR wrong number of arguments for 'get' command");
  EXPECT_EQ(run("NOSUCH", "a", "b c"),
            "-ERR unknown command 'NOSUCH', with args beginning with: 'a' 'b c' ");
  EXPECT_EQ(run("CLIENT", "NOPE"), "-ERR unknown subcommand 'NOPE'. Try CLIENT HELP.");
  EXPECT_EQ(run("SELECT", "0"), "+OK");
  EXPECT_EQ(run("SELECT", "99"), "-ERR DB index is out of range");
  EXPECT_EQ(run("CLIENT", "SETNAME", "me"), "+OK");
  EXPECT_EQ(run("CLIENT", "GETNAME"), "me");
  EXPECT_EQ(run("CLIENT", "ID"), ":1");
  EXPECT_EQ(run("PING"), "+PONG");
  EXPECT_EQ(run("ECHO", "x"), "x");
  EXPECT_EQ(run("TIME"), "[1700000000 0]");
}

TEST_F(RedisCommands, TheOrderOfChecksIsExistsArityInjectedReadonly) {
  node(1).answer_error(0, "LOADING Redis is loading the dataset in memory", false);
  EXPECT_EQ(run("NOSUCH").rfind("-ERR unknown command", 0), 0u);
  EXPECT_EQ(run("GET"), "-ERR wrong number of arguments for 'get' command");
  EXPECT_EQ(run("GET", "k"), "-LOADING Redis is loading the dataset in memory");
  node(1).answer_error(0, "", false);
  EXPECT_EQ(run("GET", "k"), "nil");
}

TEST_F(RedisCommands, AnInjectedErrorOfWritesMeetsScriptsAtTheirWrite) {
  const SessionId other = node(1).open_session(9);
  node(1).answer_error(9, "OOM command not allowed when used memory > 'maxmemory'.", true);
  EXPECT_EQ(run("SET", "k", "v"), "+OK");
  EXPECT_EQ(on(1, other, Command{"GET", "k"}), "v");
  const std::string reply =
      on(1, other, Command{"EVAL", "redis.call('get','k') redis.call('del','k')", "0"});
  EXPECT_EQ(reply.rfind("-OOM command not allowed when used memory > 'maxmemory'. script: ", 0), 0u)
      << reply;
  EXPECT_EQ(run("GET", "k"), "v");
}

TEST_F(RedisCommands, X1WhatHasArrivedIsExecutedThoughItsClientIsGone) {
  node(1).pause();
  const SessionId gone = node(1).open_session(5);
  node(1).receive(gone, Command{"SET", "lock", "a"});
  node(1).close_session(gone);
  at_ms(100);
  node(1).resume();
  EXPECT_TRUE(host.replies.empty());
  EXPECT_EQ(run("GET", "lock"), "a");
  EXPECT_EQ(watcher.take(), Lines{"100 n1 set a by=5 until=-1"});
}

TEST_F(RedisCommands, X4ArrivalsOfAllSessionsRunInTheirOrder) {
  const SessionId other = node(1).open_session(5);
  node(1).pause();
  node(1).receive(sessions[1], Command{"SET", "k", "first", "NX"});
  node(1).receive(other, Command{"SET", "k", "second", "NX"});
  node(1).receive(sessions[1], Command{"GET", "k"});
  node(1).resume();
  ASSERT_EQ(host.replies.size(), 3u);
  EXPECT_EQ(host.replies[0].text, "+OK");
  EXPECT_EQ(host.replies[1].text, "nil");
  EXPECT_EQ(host.replies[2].text, "first");
}

TEST_F(RedisCommands, InfoAndRoleShowWhatAClientNeeds) {
  at_ms(12'345);
  const std::string info = run("INFO");
  EXPECT_NE(info.find("run_id:" + node(1).run_id()), std::string::npos);
  EXPECT_NE(info.find("uptime_in_seconds:12"), std::string::npos);
  EXPECT_NE(info.find("role:master"), std::string::npos);
  EXPECT_NE(info.find("connected_slaves:0"), std::string::npos);
  EXPECT_NE(info.find("master_repl_offset:0"), std::string::npos);
  EXPECT_EQ(run("INFO", "replication").find("run_id"), std::string::npos);
  EXPECT_EQ(run("ROLE"), "[master :0 []]");
}

TEST_F(RedisCommands, AResetServerIsAsFresh) {
  run("SET", "lock", "a", "PX", "100");
  eval("return 7");
  kernel.reset(1);
  watcher.take();
  ServerOptions options;
  options.node = 1;
  node(1).reset(options, Clock(milliseconds(kEpochMs), 0));
  EXPECT_EQ(node(1).keys(), 0u);
  at_ms(1000);
  EXPECT_EQ(watcher.take(), Lines{});
  EXPECT_EQ(node(1).open_session(1), 1u);
}

TEST_F(RedisCommands, TheSameRunGivesTheSameFingerprint) {
  const auto fingerprint = [this](std::string_view token) {
    kernel.reset(7);
    servers.clear();
    add(1, Persistence::none);
    run("SET", "lock", token, "NX", "PX", "100");
    eval("return tostring({})");
    at_ms(300);
    return kernel.fingerprint();
  };
  const std::uint64_t first = fingerprint("a");
  EXPECT_EQ(fingerprint("a"), first);
  run("GET", "lock");
  EXPECT_NE(kernel.fingerprint(), first);
}

}  // namespace holdfast::sim
