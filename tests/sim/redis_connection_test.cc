// HELLO, AUTH, CLIENT, CONFIG, and the order of checks (FIDELITY 7): a real 7.0.15's answers.
#include "tests/sim/redis_clients.h"

namespace holdfast::sim {

class RedisConnection : public RedisClients {};

TEST_F(RedisConnection, HelloChoosesTheProtocol) {
  EXPECT_EQ(run("HELLO", "4"), "-NOPROTO unsupported protocol version");
  EXPECT_EQ(run("HELLO", "x"), "-ERR Protocol version is not an integer or out of range");
  EXPECT_EQ(run("HELLO", "3", "FOO"), "-ERR Syntax error in HELLO option 'FOO'");
  EXPECT_EQ(run("HELLO", "3", "AUTH", "x"), "-ERR Syntax error in HELLO option 'AUTH'");
  EXPECT_EQ(run("HELLO"),
            "[server redis version 7.0.15 proto :2 id :1 mode standalone role master modules []]");
  EXPECT_TRUE(run("HELLO", "3", "SETNAME", "bob").starts_with("%[server redis"));
  EXPECT_EQ(run("CLIENT", "GETNAME"), "bob");
  EXPECT_EQ(run("GET", "nokey"), "_");
  EXPECT_EQ(run("CONFIG", "GET", "maxmemory"), "%[maxmemory 0]");
  EXPECT_EQ(run("RESET"), "+RESET");
  EXPECT_EQ(run("CONFIG", "GET", "maxmemory"), "[maxmemory 0]");
  EXPECT_EQ(run("CLIENT", "GETNAME"), "nil");
}

TEST_F(RedisConnection, APasswordIsAskedForFromThenOn) {
  EXPECT_EQ(run("AUTH", "foo"),
            "-ERR AUTH <password> called without any password configured for the default user. Are "
            "you sure your configuration is correct?");
  EXPECT_EQ(run("AUTH", "default", "any"), "+OK");
  run("CONFIG", "SET", "requirepass", "secret");
  EXPECT_EQ(run("PING"), "+PONG");  // it was connected before
  const SessionId late = node(1).open_session(5);
  EXPECT_EQ(by(late, "PING"), "-NOAUTH Authentication required.");
  EXPECT_EQ(by(late, "GET"), "-ERR wrong number of arguments for 'get' command");
  EXPECT_TRUE(by(late, "HELLO", "3").starts_with("-NOAUTH HELLO must be called with the client"));
  constexpr auto kWrong = "-WRONGPASS invalid username-password pair or user is disabled.";
  EXPECT_EQ(by(late, "AUTH", "bar"), kWrong);
  EXPECT_EQ(by(late, "HELLO", "3", "AUTH", "default", "bar"), kWrong);
  EXPECT_EQ(by(late, "AUTH", "bob", "secret"), kWrong);
  EXPECT_TRUE(by(late, "HELLO", "2", "AUTH", "default", "secret").starts_with("[server"));
  EXPECT_EQ(by(late, "ACL", "WHOAMI"), "default");
  EXPECT_EQ(by(late, "RESET"), "+RESET");
  EXPECT_EQ(by(late, "PING"), "-NOAUTH Authentication required.");
  run("CONFIG", "SET", "requirepass", "");
  EXPECT_EQ(by(late, "PING"), "+PONG");
}

TEST_F(RedisConnection, QuitAnswersAndCloses) {
  EXPECT_EQ(by(other, "QUIT"), "+OK");
  EXPECT_EQ(host.closed, std::vector<SessionId>{other});
}

TEST_F(RedisConnection, ClientListShowsEachConnection) {
  by(other, "SUBSCRIBE", "a");
  run("CLIENT", "SETNAME", "me");
  EXPECT_TRUE(run("CLIENT", "INFO")
                  .starts_with("id=1 addr=127.0.0.1:40001 laddr=127.0.0.1:6379 fd=8 name=me age=0 "
                               "idle=0 flags=N db=0 sub=0 psub=0 ssub=0 multi=-1 qbuf=26 "
                               "qbuf-free=20448 argv-mem=10 multi-mem=0"));
  EXPECT_NE(run("CLIENT", "LIST").find("\nid=2 "), std::string::npos);
  EXPECT_NE(run("CLIENT", "LIST", "TYPE", "pubsub").find("flags=P db=0 sub=1"), std::string::npos);
  EXPECT_EQ(run("CLIENT", "LIST", "ID", "0"), "");
  EXPECT_EQ(run("CLIENT", "LIST", "TYPE", "foo"), "-ERR Unknown client type 'foo'");
  EXPECT_EQ(run("CLIENT", "LIST", "FOO"), "-ERR syntax error");
  EXPECT_EQ(run("CLIENT", "SETINFO", "lib-name", "x"),
            "-ERR unknown subcommand 'SETINFO'. Try CLIENT HELP.");
}

TEST_F(RedisConnection, ClientKillClosesByIdTypeAndAddress) {
  EXPECT_EQ(run("CLIENT", "KILL", "ID", "99999"), ":0");
  EXPECT_EQ(run("CLIENT", "KILL", "ID", "0"), "-ERR client-id should be greater than 0");
  EXPECT_EQ(run("CLIENT", "KILL", "1.2.3.4:5"), "-ERR No such client");
  EXPECT_EQ(run("CLIENT", "KILL", "USER", "foo"), "-ERR No such user 'foo'");
  EXPECT_EQ(run("CLIENT", "KILL", "SKIPME", "foo"), "-ERR syntax error");
  EXPECT_EQ(run("CLIENT", "KILL", "TYPE", "foo"), "-ERR Unknown client type 'foo'");
  EXPECT_EQ(run("CLIENT", "KILL", "ID", "2"), ":1");
  EXPECT_EQ(host.closed, std::vector<SessionId>{2});
  const SessionId third = node(1).open_session(5);
  by(third, "SUBSCRIBE", "a");
  EXPECT_EQ(run("CLIENT", "KILL", "TYPE", "pubsub"), ":1");
  EXPECT_EQ(run("CLIENT", "KILL", "127.0.0.1:40001"), "+OK");  // itself, after the answer
  EXPECT_EQ(host.closed, (std::vector<SessionId>{2, 3, 1}));
}

TEST_F(RedisConnection, RepliesCanBeSwitchedOff) {
  EXPECT_EQ(run("CLIENT", "REPLY", "SKIP"), "none");
  EXPECT_EQ(run("PING"), "none");
  EXPECT_EQ(run("PING"), "+PONG");
  EXPECT_EQ(run("CLIENT", "REPLY", "OFF"), "none");
  EXPECT_EQ(run("PING"), "none");
  EXPECT_EQ(run("CLIENT", "REPLY", "ON"), "+OK");
}

TEST_F(RedisConnection, ConfigurationIsReadAndSetByName) {
  EXPECT_EQ(run("CONFIG", "GET", "foo"), "[]");
  EXPECT_EQ(run("CONFIG", "GET", "MAXMEMORY", "hz"), "[MAXMEMORY 0 hz 10]");
  EXPECT_EQ(run("CONFIG", "SET", "maxmemory", "100mb", "hz", "20"), "+OK");
  EXPECT_EQ(run("CONFIG", "GET", "maxmemory"), "[maxmemory 104857600]");
  EXPECT_EQ(run("CONFIG", "SET", "foo", "bar"),
            "-ERR Unknown option or number of arguments for CONFIG SET - 'foo'");
  const auto refused = [](const std::string& name, const std::string& why) {
    return "-ERR CONFIG SET failed (possibly related to argument '" + name + "') - " + why;
  };
  EXPECT_EQ(run("CONFIG", "SET", "hz", "5", "maxmemory", "foo"),
            refused("maxmemory", "argument must be a memory value"));
  EXPECT_EQ(run("CONFIG", "GET", "hz"), "[hz 20]");
  EXPECT_EQ(run("CONFIG", "SET", "databases", "3"),
            refused("databases", "can't set immutable config"));
  EXPECT_EQ(run("CONFIG", "SET", "timeout", "-1"),
            refused("timeout", "argument must be between 0 and 2147483647 inclusive"));
  EXPECT_EQ(run("CONFIG", "SET", "maxmemory", "0", "maxmemory", "0"),
            refused("maxmemory", "duplicate parameter"));
  EXPECT_EQ(
      run("CONFIG", "SET", "notify-keyspace-events", "foo"),
      refused("notify-keyspace-events", "Invalid event class character. Use 'Ag$lshzxeKEtmdn'."));
  run("CONFIG", "SET", "notify-keyspace-events", "xeKn");
  EXPECT_EQ(run("CONFIG", "GET", "notify-*"), "[notify-keyspace-events xenK]");
}

TEST_F(RedisConnection, WritesAreRefusedWithoutEnoughReplicas) {
  run("CONFIG", "SET", "min-slaves-to-write", "1");
  constexpr auto kRefused = "-NOREPLICAS Not enough good replicas to write.";
  EXPECT_EQ(run("SET", "a", "1"), kRefused);
  EXPECT_EQ(run("DEL", "nokey"), kRefused);
  EXPECT_EQ(run("PUBLISH", "a", "b"), ":0");
  EXPECT_TRUE(run("EVAL", "return redis.call('set','a',1)", "0").starts_with(kRefused));
  run("MULTI");
  EXPECT_EQ(run("SET", "a", "1"), kRefused);
  EXPECT_EQ(run("EXEC"), "-EXECABORT Transaction discarded because of previous errors.");
  add(2, Persistence::none);
  node(2).replicate_from(node(1));
  at_ms(1000);
  EXPECT_EQ(run("SET", "a", "1"), "+OK");
}

TEST_F(RedisConnection, MemoryThatIsFullRefusesWhatGrows) {
  run("RPUSH", "l", "1", "2");
  run("CONFIG", "SET", "maxmemory", "1kb");
  constexpr auto kFull = "-OOM command not allowed when used memory > 'maxmemory'.";
  EXPECT_EQ(run("BRPOPLPUSH", "l", "m", "0"), kFull);
  EXPECT_EQ(run("LLEN", "l"), ":2");
  EXPECT_EQ(run("PEXPIRE", "l", "100000"), ":1");
  EXPECT_EQ(run("EVAL", "return redis.call('rpop','l')", "0"), "2");
  run("MULTI");
  EXPECT_EQ(run("GET", "k3"), kFull);
  EXPECT_EQ(run("EXEC"), "-EXECABORT Transaction discarded because of previous errors.");
  EXPECT_EQ(run("DEL", "m"), ":0");
  run("CONFIG", "SET", "min-replicas-to-write", "1");
  EXPECT_EQ(run("SET", "m", "1"), kFull);  // the first check that fails answers
  run("CONFIG", "SET", "min-replicas-to-write", "0", "maxmemory", "10mb");
  EXPECT_EQ(run("BRPOPLPUSH", "l", "m", "0"), "1");
}

TEST_F(RedisConnection, AReplicaWithoutItsMasterMayRefuseToServe) {
  add(2, Persistence::none);
  node(2).replicate_from(node(1));
  at_ms(1000);
  node(2).cut_stream(true);
  EXPECT_EQ(on(2, Command{"GET", "a"}), "nil");
  on(2, Command{"CONFIG", "SET", "replica-serve-stale-data", "no"});
  constexpr auto kDown =
      "-MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.";
  EXPECT_EQ(on(2, Command{"GET", "a"}), kDown);
  EXPECT_EQ(on(2, Command{"PING"}), kDown);
  EXPECT_TRUE(on(2, Command{"SET", "a", "1"}).starts_with("-READONLY"));
  EXPECT_EQ(on(2, Command{"MULTI"}), "+OK");
}

TEST_F(RedisConnection, TheCommandTableDescribesItself) {
  EXPECT_EQ(run("COMMAND", "GETKEYS", "blmove", "a", "b", "left", "left", "0"), "[a b]");
  EXPECT_EQ(run("COMMAND", "GETKEYS", "eval", "x", "2", "a", "b", "c"), "[a b]");
  EXPECT_EQ(run("COMMAND", "GETKEYS", "foo", "bar"), "-ERR Invalid command specified");
  EXPECT_EQ(run("COMMAND", "FOO"), "-ERR unknown subcommand 'FOO'. Try COMMAND HELP.");
  EXPECT_TRUE(run("COMMAND", "INFO", "client|id")
                  .starts_with("[[client|id :2 [+noscript +loading "
                               "+stale] :0 :0 :0"));
}

TEST_F(RedisConnection, ShutdownEndsTheServer) {
  EXPECT_EQ(run("SHUTDOWN", "FOO"), "-ERR syntax error");
  EXPECT_EQ(run("SHUTDOWN", "NOSAVE"), "none");
  at_ms(1);
  EXPECT_FALSE(node(1).running());
  EXPECT_EQ(host.closed, (std::vector<SessionId>{1, 2}));
}

TEST_F(RedisConnection, X12IdleClientsAreSentAway) {
  const SessionId idle = node(1).open_session(4);
  const SessionId listens = node(1).open_session(5);
  on(1, listens, Command{"SUBSCRIBE", "c"});
  run("CONFIG", "SET", "timeout", "1");
  at_ms(1900);
  EXPECT_EQ(run("PING"), "+PONG");
  EXPECT_TRUE(host.closed.empty());
  at_ms(2100);
  EXPECT_EQ(host.closed, (std::vector<SessionId>{2, idle}));
  run("CONFIG", "SET", "timeout", "0");
  at_ms(60'000);
  EXPECT_EQ(run("PING"), "+PONG");
}

TEST_F(RedisConnection, X12AFullServerSaysSoAndCloses) {
  run("CONFIG", "SET", "maxclients", "2");
  node(1).close_session(2);
  const SessionId second = node(1).open_session(4);
  const SessionId third = node(1).open_session(4);
  at_ms(1);
  EXPECT_EQ(host.replies.back().session, third);
  EXPECT_EQ(host.replies.back().text, "-ERR max number of clients reached");
  EXPECT_EQ(host.closed, (std::vector<SessionId>{third}));
  EXPECT_EQ(on(1, second, Command{"PING"}), "+PONG");
}

TEST_F(RedisConnection, X14EvictionTakesALiveLock) {
  struct Case {
    const char* policy;
    const char* gone;
  };
  // The lock was used last, the others live longer or for ever.
  for (const Case& each : {Case{"volatile-ttl", "lock"}, Case{"allkeys-lru", "old"},
                           Case{"volatile-lru", "volatile"}, Case{"noeviction", ""}}) {
    run("FLUSHALL");
    run("CONFIG", "SET", "maxmemory", "0");
    run("SET", "old", "v");
    at(kernel.now().time_since_epoch() + milliseconds(2));
    run("SET", "volatile", "v", "EX", "1000");
    at(kernel.now().time_since_epoch() + milliseconds(2));
    run("SET", "lock", "v", "PX", "30000");
    run("SET", "filler", std::string(2000, 'x'));
    run("CONFIG", "SET", "maxmemory-policy", each.policy);
    const std::string info = run("INFO", "memory");
    const std::size_t begin = info.find("used_memory:") + 12;
    const std::string used = info.substr(begin, info.find('\r', begin) - begin);
    run("CONFIG", "SET", "maxmemory", std::to_string(std::stoll(used) - 1));
    const std::string answer = run("SET", "filler", std::string(2000, 'y'));
    EXPECT_EQ(answer == "+OK", *each.gone != 0) << each.policy << answer;
    for (const char* key : {"old", "volatile", "lock"}) {
      EXPECT_EQ(run("EXISTS", key), std::string_view(key) == each.gone ? ":0" : ":1")
          << each.policy << " " << key;
    }
  }
}

}  // namespace holdfast::sim
