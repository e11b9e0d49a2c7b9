// What is different between the versions of Redis that a server can be (FIDELITY 10).
#include "tests/sim/redis_fixture.h"

namespace holdfast::sim {
namespace {

class RedisVersions : public RedisFixture {
 public:
  void become(RedisVersion version) {
    ServerOptions options;
    options.name = "n1";
    options.node = 1;
    options.version = version;
    node(1).reset(options, Clock(milliseconds(kEpochMs), 0));
    sessions[1] = node(1).open_session(kActor);
  }
};

constexpr auto kOk = "+OK";
constexpr auto kSyntaxError = "-ERR syntax error";

TEST_F(RedisVersions, SayWhoTheyAre) {
  become(RedisVersion::redis_7_2);
  EXPECT_NE(run("INFO", "server").find("redis_version:7.2.6\r\n"), std::string::npos);
  EXPECT_EQ(run("HELLO").find("[server redis version 7.2.6 "), 0U);
  become(RedisVersion::valkey_8);
  const std::string info = run("INFO", "server");
  EXPECT_NE(info.find("redis_version:7.2.4\r\n"), std::string::npos);
  EXPECT_NE(info.find("valkey_version:8.1.1\r\n"), std::string::npos);
  EXPECT_EQ(run("HELLO").find("[server valkey version 8.1.1 "), 0U);
}

TEST_F(RedisVersions, SevenNilKnowsWhatSixTwoDoesNot) {
  become(RedisVersion::redis_6_2);
  run("SET", "k", "v");
  EXPECT_EQ(run("EVAL_RO", "return 1", "0"),
            "-ERR unknown command `EVAL_RO`, with args beginning with: `return 1`, `0`, ");
  EXPECT_EQ(run("PEXPIRE", "k", "1000", "NX"),
            "-ERR wrong number of arguments for 'pexpire' command");
  EXPECT_EQ(run("SET", "k", "w", "NX", "GET"), kSyntaxError);
  EXPECT_EQ(run("SET", "k", "w", "XX", "GET"), "v");
  EXPECT_EQ(
      run("CLIENT", "NO-EVICT", "on"),
      "-ERR Unknown subcommand or wrong number of arguments for 'NO-EVICT'. Try CLIENT HELP.");
  become(RedisVersion::redis_7_0);
  run("SET", "k", "v");
  EXPECT_EQ(run("EVAL_RO", "return 1", "0"), ":1");
  EXPECT_EQ(run("PEXPIRE", "k", "1000", "NX"), ":1");
  EXPECT_EQ(run("SET", "k", "w", "NX", "GET"), "v");
  EXPECT_EQ(run("CLIENT", "NO-EVICT", "on"), kOk);
  EXPECT_EQ(run("CLIENT", "SETINFO", "lib-name", "x"),
            "-ERR unknown subcommand 'SETINFO'. Try CLIENT HELP.");
  become(RedisVersion::redis_7_2);
  EXPECT_EQ(run("CLIENT", "SETINFO", "lib-name", "x"), kOk);
  EXPECT_EQ(run("CLIENT", "SETINFO", "lib-name", "x y"),
            "-ERR lib-name cannot contain spaces, newlines or special characters.");
}

TEST_F(RedisVersions, ScriptsMeetTheSameCommands) {
  become(RedisVersion::redis_6_2);
  EXPECT_TRUE(eval("return redis.call('expiretime','k')").find("Unknown Redis command") !=
              std::string::npos);
  become(RedisVersion::redis_7_0);
  EXPECT_EQ(eval("return redis.call('expiretime','k')"), ":-2");
}

TEST_F(RedisVersions, CommandCountsWhatThereIs) {
  become(RedisVersion::redis_7_0);
  const std::string count = run("COMMAND", "COUNT");
  EXPECT_EQ(run("COMMAND", "INFO", "delex"), "[nil*]");
  become(RedisVersion::redis_8_4);
  EXPECT_NE(run("COMMAND", "COUNT"), count);
  EXPECT_NE(run("COMMAND", "INFO", "delex"), "[nil*]");
}

// FID-E5: 7.0 reads the clock anew in a script that takes time, later versions do not.
TEST_F(RedisVersions, TimeStandsStillInScriptsSinceSevenTwo) {
  constexpr auto kSlow =
      "redis.call('set','k','v','px','1000') local before = redis.call('time')[2] "
      "for i = 1, 5000000 do end "
      "return {before == redis.call('time')[2] and 'stands' or 'goes', redis.call('pttl','k')}";
  for (const auto& [version, seen] :
       {std::pair{RedisVersion::redis_7_0, "goes"}, std::pair{RedisVersion::redis_7_2, "stands"},
        std::pair{RedisVersion::valkey_8, "stands"}}) {
    become(version);
    call(Command{"EVAL", kSlow, "0"});
    const Duration begun = kernel.now().time_since_epoch();
    at(begun + seconds(10));
    ASSERT_FALSE(host.replies.empty());
    const std::string answer = host.replies.back().text;
    EXPECT_EQ(answer.find(std::string("[") + seen), 0U) << answer;
    EXPECT_EQ(answer.ends_with(" :1000]"), std::string_view(seen) == "stands") << answer;
  }
}

// FID-E15.
TEST_F(RedisVersions, ADeadlineInThePastDeletesAtOnceInValkey) {
  become(RedisVersion::redis_7_0);
  run("SET", "lock", "a");
  EXPECT_EQ(run("SET", "lock", "b", "PXAT", "1"), kOk);
  EXPECT_EQ(run("DBSIZE"), ":1");
  become(RedisVersion::valkey_8);
  run("SET", "lock", "a");
  watcher.take();
  EXPECT_EQ(run("SET", "lock", "b", "PXAT", "1"), kOk);
  EXPECT_EQ(run("DBSIZE"), ":0");
  EXPECT_EQ(watcher.take(), (Lines{"0 n1 deleted a by=3"}));
  run("SET", "lock", "a");
  EXPECT_EQ(run("SET", "lock", "b", "NX", "PXAT", "1"), "nil");
  EXPECT_EQ(run("SET", "lock", "b", "GET", "PXAT", "1"), "a");
  EXPECT_EQ(run("GET", "lock"), "nil");
}

TEST_F(RedisVersions, SetIfeqTakesALockOverOnlyFromItsHolder) {
  become(RedisVersion::redis_7_2);
  EXPECT_EQ(run("SET", "lock", "b", "IFEQ", "a"), kSyntaxError);
  for (const RedisVersion version : {RedisVersion::redis_8_4, RedisVersion::valkey_8}) {
    become(version);
    EXPECT_EQ(run("SET", "lock", "b", "IFEQ", "a"), "nil");  // there is none
    run("SET", "lock", "a");
    EXPECT_EQ(run("SET", "lock", "b", "IFEQ", "x", "PX", "1000"), "nil");
    EXPECT_EQ(run("PTTL", "lock"), ":-1");
    EXPECT_EQ(run("SET", "lock", "b", "IFEQ", "a", "PX", "1000"), kOk);
    EXPECT_EQ(run("PTTL", "lock"), ":1000");
    EXPECT_EQ(run("SET", "lock", "c", "GET", "IFEQ", "b"), "b");
    EXPECT_EQ(run("SET", "lock", "d", "NX", "IFEQ", "c"), kSyntaxError);
    EXPECT_EQ(run("SET", "lock", "d", "IFEQ"), kSyntaxError);
    run("RPUSH", "l", "1");
    EXPECT_TRUE(run("SET", "l", "d", "IFEQ", "1").starts_with("-WRONGTYPE"));
  }
  become(RedisVersion::valkey_8);
  EXPECT_EQ(run("SET", "lock", "b", "IFNE", "a"), kSyntaxError);
  become(RedisVersion::redis_8_4);
  EXPECT_EQ(run("SET", "lock", "b", "IFNE", "a"), kOk);
  EXPECT_EQ(run("SET", "lock", "c", "IFNE", "b"), "nil");
}

TEST_F(RedisVersions, CompareAndDeleteWithoutAScript) {
  become(RedisVersion::valkey_8);
  EXPECT_TRUE(run("DELIFEQ", "lock", "a").starts_with("-ERR unknown command"));
  become(RedisVersion::valkey_9);
  run("SET", "lock", "a");
  run("RPUSH", "l", "1");
  EXPECT_EQ(run("DELIFEQ", "lock", "b"), ":0");
  EXPECT_EQ(run("DELIFEQ", "none", "b"), ":0");
  EXPECT_TRUE(run("DELIFEQ", "l", "b").starts_with("-WRONGTYPE"));
  EXPECT_EQ(run("DELIFEQ", "lock", "a"), ":1");
  EXPECT_EQ(run("GET", "lock"), "nil");
  EXPECT_TRUE(run("DELEX", "lock").starts_with("-ERR unknown command"));
  become(RedisVersion::redis_8_4);
  run("SET", "lock", "a");
  run("RPUSH", "l", "1");
  EXPECT_EQ(run("DELEX", "lock", "IFEQ", "b"), ":0");
  EXPECT_EQ(run("DELEX", "lock", "IFNE", "a"), ":0");
  EXPECT_EQ(run("DELEX", "lock", "IFEQ"), "-ERR wrong number of arguments for 'delex' command");
  EXPECT_EQ(run("DELEX", "lock", "LIKE", "a"), kSyntaxError);
  EXPECT_EQ(run("DELEX", "l", "IFEQ", "a"),
            "-ERR Key should be of string type if conditions are specified");
  EXPECT_EQ(run("DELEX", "lock", "IFEQ", "a"), ":1");
  EXPECT_EQ(run("DELEX", "l"), ":1");
  EXPECT_EQ(run("DBSIZE"), ":0");
}

}  // namespace
}  // namespace holdfast::sim
