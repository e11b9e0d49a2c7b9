// FIDELITY section 6, row by row, on one simulated server.
#include "sim/redis/sha1.h"
#include "tests/sim/redis_fixture.h"

namespace holdfast::sim {

class RedisScripting : public RedisFixture {
 protected:
  static std::string suffix(std::string_view body, int line = 1) {
    return " script: " + redis::sha1_hex(body) + ", on @user_script:" + std::to_string(line) + ".";
  }
  void expect_error(std::string_view body, const std::string& text, int line = 1) {
    EXPECT_EQ(eval(body), "-" + text + suffix(body, line));
  }
};

TEST(Sha1, KnownDigests) {
  EXPECT_EQ(redis::sha1_hex(""), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
  EXPECT_EQ(redis::sha1_hex("abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(redis::sha1_hex("return 1"), "e0e1f9fabfc9d4800c877a703b823ac0578ff8db");
  EXPECT_EQ(redis::sha1_hex(std::string(1000, 'a')), "291e9a6c66994949b57ba5e650361e98fc36b1ba");
}

TEST_F(RedisScripting, L1AFailingScriptKeepsWhatItDid) {
  run("HSET", "h", "f", "v");
  const std::string body =
      "redis.call('set','a','1') redis.call('incr','h') redis.call('set','b','1')";
  expect_error(body, "WRONGTYPE Operation against a key holding the wrong kind of value");
  EXPECT_EQ(run("GET", "a"), "1");
  EXPECT_EQ(run("GET", "b"), "nil");
}

TEST_F(RedisScripting, L2AnUnknownHashIsNoScript) {
  const std::string none = "-NOSCRIPT No matching script. Please use EVAL.";
  const std::string sha = redis::sha1_hex("return 7");
  EXPECT_EQ(run("EVALSHA", sha, "0"), none);
  EXPECT_EQ(run("EVALSHA", "short", "x"), none);
  EXPECT_EQ(eval("return 7"), ":7");
  EXPECT_EQ(run("EVALSHA", sha, "0"), ":7");
  std::string capitals = sha;
  for (char& letter : capitals) letter = static_cast<char>(std::toupper(letter));
  EXPECT_EQ(run("EVALSHA", capitals, "0"), ":7");
  EXPECT_EQ(run("SCRIPT", "EXISTS", sha, none), "[:1 :0]");
  EXPECT_EQ(run("SCRIPT", "FLUSH"), "+OK");
  EXPECT_EQ(run("EVALSHA", sha, "0"), none);
  EXPECT_EQ(run("SCRIPT", "LOAD", "return 7"), sha);
  EXPECT_EQ(run("EVALSHA", sha, "0"), ":7");
  node(1).crash(CrashKind::kill);
  node(1).restart(Persistence::none);
  sessions[1] = node(1).open_session(kActor);
  EXPECT_EQ(run("EVALSHA", sha, "0"), none);
}

TEST_F(RedisScripting, L3AnErrorCarriesTheScriptAndTheLine) {
  run("RPUSH", "l", "x");
  expect_error("\n\nreturn redis.call('get', 'l')",
               "WRONGTYPE Operation against a key holding the wrong kind of value", 3);
  EXPECT_EQ(eval("return redis.pcall('get', 'l')"),
            "-WRONGTYPE Operation against a key holding the wrong kind of value");
  EXPECT_EQ(eval("return redis.error_reply('MY error')"), "-MY error");
  EXPECT_EQ(run("EVAL", "return 1"), "-ERR wrong number of arguments for 'eval' command");
}

TEST_F(RedisScripting, L4TextsOfErrors) {
  expect_error("redis.call('nosuch')", "ERR Unknown Redis command called from script");
  expect_error("redis.call('get')", "ERR Wrong number of args calling Redis command from script");
  expect_error("redis.call('get', {})",
               "ERR Lua redis lib command arguments must be strings or integers");
  expect_error("redis.call()", "ERR Please specify at least one argument for this redis lib call");
  expect_error("redis.call('wait', 0, 0)", "ERR This Redis command is not allowed from script");
  expect_error("return foo",
               "ERR user_script:1: Script attempted to access nonexistent global variable 'foo'");
  expect_error("foo = 1", "ERR user_script:1: Attempt to modify a readonly table");
  expect_error("string.x = 1", "ERR user_script:1: Attempt to modify a readonly table");
  expect_error("error({err='MY own'})", "MY own");
  expect_error("error('plain')", "ERR user_script:1: plain");
  expect_error("local x = nil return x.y",
               "ERR user_script:1: attempt to index local 'x' (a nil value)");
  EXPECT_EQ(eval("return (").substr(0, 62),
            "-ERR Error compiling script (new function): user_script:1: une");
  EXPECT_EQ(run("EVAL", "return 1", "2", "k"),
            "-ERR Number of keys can't be greater than number of args");
  EXPECT_EQ(run("EVAL", "return 1", "-1"), "-ERR Number of keys can't be negative");
  EXPECT_EQ(run("EVAL", "return 1", "x"), "-ERR value is not an integer or out of range");
  const std::string writing = "return redis.call('set', 'k', 'v')";
  EXPECT_EQ(run("EVAL_RO", writing, "0"),
            "-ERR Write commands are not allowed from read-only scripts." + suffix(writing));
}

TEST_F(RedisScripting, L5PcallAndTheMakersOfReplies) {
  run("RPUSH", "l", "x");
  EXPECT_EQ(eval("local r = redis.pcall('nosuch') return r.err"),
            "ERR Unknown Redis command called from script");
  EXPECT_EQ(eval("local r = redis.pcall('get', 'l') return r['err']"),
            "WRONGTYPE Operation against a key holding the wrong kind of value");
  EXPECT_EQ(eval("return redis.error_reply('oops')"), "-ERR oops");
  EXPECT_EQ(eval("return redis.status_reply('FINE')"), "+FINE");
  EXPECT_EQ(eval("return {ok='FINE'}"), "+FINE");
  EXPECT_EQ(eval("return {err='X y'}"), "-X y");
}

TEST_F(RedisScripting, L6RepliesAsLuaSeesThem) {
  EXPECT_EQ(eval("return type(redis.call('get', 'none'))"), "boolean");
  EXPECT_EQ(eval("return tostring(redis.call('get', 'none') == nil)"), "false");
  EXPECT_EQ(eval("if redis.call('get', 'none') then return 1 else return 2 end"), ":2");
  EXPECT_EQ(eval("return type(redis.call('incr', 'n'))"), "number");
  EXPECT_EQ(eval("return redis.call('set', 'k', 'v').ok"), "OK");
  EXPECT_EQ(eval("return redis.call('set', 'k', 'v')"), "+OK");
}

TEST_F(RedisScripting, L7LuaValuesAsRepliesShowThem) {
  EXPECT_EQ(eval("return 1.9"), ":1");
  EXPECT_EQ(eval("return -1.9"), ":-1");
  EXPECT_EQ(eval("return true"), ":1");
  EXPECT_EQ(eval("return false"), "nil");
  EXPECT_EQ(eval("return nil"), "nil");
  EXPECT_EQ(eval("return"), "nil");
  EXPECT_EQ(eval("return {1, 2, nil, 4, x = 5}"), "[:1 :2]");
  EXPECT_EQ(eval("return {}"), "[]");
  EXPECT_EQ(eval("return {{1, 'a'}, false}"), "[[:1 a] nil]");
  EXPECT_EQ(eval("return function() end"), "nil");
  EXPECT_EQ(eval("return 1e20"), ":-9223372036854775808");
}

TEST_F(RedisScripting, L8NumbersAsArgumentsKeep17Digits) {
  EXPECT_EQ(eval("redis.call('set', 'k', 0.1) return redis.call('get', 'k')"),
            "0.10000000000000001");
  EXPECT_EQ(eval("redis.call('set', 'k', 9007199254740992) return redis.call('get', 'k')"),
            "9007199254740992");
  EXPECT_EQ(eval("redis.call('set', 'k', 1e17) return redis.call('get', 'k')"), "1e+17");
  EXPECT_EQ(eval("redis.call('set', 'k', -0.0) return redis.call('get', 'k')"), "-0");
  EXPECT_EQ(eval("return tostring(9007199254740992)"), "9.007199254741e+15");
}

TEST_F(RedisScripting, L9WhatAScriptFindsInItsWorld) {
  for (const char* absent : {"os", "io", "debug", "require", "print", "dofile", "loadfile"}) {
    const std::string body = std::string("return ") + absent;
    expect_error(body, std::string("ERR user_script:1: Script attempted to access nonexistent "
                                   "global variable '") +
                           absent + "'");
  }
  EXPECT_EQ(eval("return redis.sha1hex('abc')"), "a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(eval("return {bit.band(12, 10), bit.tohex(255, 4), bit.lshift(1, 4), bit.bnot(0)}"),
            "[:8 00ff :16 :-1]");
  EXPECT_EQ(eval("return redis.replicate_commands()"), ":1");
  EXPECT_EQ(eval("return ('x'):rep(3) .. table.concat({1, 2}, ',')"), "xxx1,2");
  expect_error("rawset(_G, 'x', 1)", "ERR Attempt to modify a readonly table");
  expect_error("redis.call = nil", "ERR user_script:1: Attempt to modify a readonly table");
}

TEST_F(RedisScripting, L9EachFreshServerDrawsTheSameNumbers) {
  const std::string body =
      "return {math.random(1000000), math.random(1000000), math.random(1000000)}";
  const std::string first = eval(body);
  EXPECT_EQ(first, "[:396465 :840486 :353337]");
  EXPECT_NE(eval(body), first);  // and goes on from there
  ServerOptions options;
  options.node = 1;
  node(1).reset(options, Clock());
  sessions[1] = node(1).open_session(kActor);
  EXPECT_EQ(eval(body), first);
}

TEST_F(RedisScripting, TablesAreNumberedNotShownByAddress) {
  EXPECT_EQ(eval("local t = {} return {tostring(t), tostring({}), tostring(t)}"),
            "[table: 0x00000001 table: 0x00000002 table: 0x00000001]");
}

TEST_F(RedisScripting, L10WhatMayBeCalled) {
  EXPECT_EQ(eval("return redis.call('publish', 'c', 'm')"), ":0");
  EXPECT_EQ(eval("return redis.call('set', 'k', 'v', 'nx', 'px', 5)"), "+OK");
  for (const char* name : {"eval", "script', 'exists", "client', 'id", "role", "exec", "auth"}) {
    const std::string body = std::string("return redis.call('") + name + "', 'a', 0, 'b')";
    const std::string reply = eval(body);
    EXPECT_TRUE(reply.find("not allowed from script") != std::string::npos ||
                reply.find("Wrong number of args") != std::string::npos)
        << reply;
  }
}

TEST_F(RedisScripting, L11UndeclaredKeysWork) {
  EXPECT_EQ(eval("redis.call('set', 'undeclared', 1) return redis.call('get', 'undeclared')"), "1");
}

constexpr const char* kBusy =
    "-BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.";
constexpr const char* kEndless = "while true do pcall(function() while true do end end) end";

TEST_F(RedisScripting, L12AnEndlessScriptKeepsAllWaitingUntilItIsBusyAndIsKilled) {
  const SessionId other = node(1).open_session(kActor);
  EXPECT_EQ(eval(kEndless), "none");
  EXPECT_EQ(call(Command{"PING"}), "none");  // behind it on its own connection
  EXPECT_EQ(on(1, other, Command{"SET", "k", "v"}), "none");
  at_ms(4999);
  EXPECT_TRUE(host.replies.empty());
  at_ms(5000);
  ASSERT_EQ(host.replies.size(), 1U);
  EXPECT_EQ(host.replies[0].text, kBusy);
  EXPECT_EQ(host.replies[0].at, TrueTime(seconds(5)));
  at_ms(60'000);
  EXPECT_EQ(on(1, other, Command{"GET", "k"}), kBusy);
  EXPECT_EQ(on(1, other, Command{"MULTI"}), "+OK");
  EXPECT_EQ(on(1, other, Command{"GET", "k"}), kBusy);
  EXPECT_EQ(on(1, other, Command{"EXEC"}),
            "-EXECABORT Transaction discarded because of: " + std::string(kBusy).substr(1));
  EXPECT_EQ(on(1, other, Command{"SCRIPT", "KILL"}), "+OK");
  host.replies.clear();
  at_ms(60'000);
  ASSERT_EQ(host.replies.size(), 2U);
  EXPECT_EQ(host.replies[0].text,
            "-ERR Script killed by user with SCRIPT KILL..." + suffix(kEndless));
  EXPECT_EQ(host.replies[1].text, "+PONG");
  EXPECT_EQ(on(1, other, Command{"GET", "k"}), "nil");
  EXPECT_EQ(on(1, other, Command{"SCRIPT", "KILL"}), "-NOTBUSY No scripts in execution right now.");
}

TEST_F(RedisScripting, L12AScriptThatHasWrittenIsNotKilledAndEndsByItsClock) {
  const std::string body =
      "redis.call('rpush', 'l', 1)\n"
      "local t = redis.call('time')\n"
      "local function ms(t) return t[1] * 1000 + t[2] / 1000 end\n"
      "while ms(redis.call('time')) < ms(t) + 150 do end\n"
      "redis.call('rpush', 'l', 2) return redis.call('llen', 'l')";
  run("CONFIG", "SET", "busy-reply-threshold", "100");
  const SessionId other = node(1).open_session(kActor);
  const SessionId waiting = node(1).open_session(kActor);
  EXPECT_EQ(on(1, waiting, Command{"BLPOP", "l", "0"}), "none");
  EXPECT_EQ(run("MULTI"), "+OK");
  EXPECT_EQ(eval(body), "+QUEUED");
  EXPECT_EQ(run("EXEC"), "none");
  at_ms(120);
  EXPECT_EQ(on(1, other, Command{"SCRIPT", "KILL"}).substr(0, 18), "-UNKILLABLE Sorry ");
  EXPECT_EQ(on(1, other, Command{"SHUTDOWN"}), kBusy);
  host.replies.clear();
  at_ms(200);
  ASSERT_EQ(host.replies.size(), 2U);
  EXPECT_EQ(host.replies[0].text, "[:2]");
  EXPECT_EQ(host.replies[0].at, TrueTime(milliseconds(150)));
  EXPECT_EQ(host.replies[1].text, "[l 1]");
}

TEST_F(RedisScripting, L12AServerMayStopOrDieInTheMiddleOfAScript) {
  eval(kEndless);
  at_ms(50);
  node(1).pause();
  at_ms(7000);
  const SessionId other = node(1).open_session(kActor);
  EXPECT_EQ(on(1, other, Command{"PING"}), "none");
  node(1).resume();
  ASSERT_EQ(host.replies.size(), 1U);
  EXPECT_EQ(host.replies[0].text, kBusy);
  node(1).close_session(sessions[1]);
  EXPECT_EQ(on(1, other, Command{"SHUTDOWN", "NOSAVE"}), "none");
  at_ms(7000);
  EXPECT_FALSE(node(1).running());
  node(1).restart(Persistence::none);
  sessions[1] = node(1).open_session(kActor);
  EXPECT_EQ(eval("return 1"), ":1");
  EXPECT_EQ(eval("for i = 1, 1000 do redis.call('ping') end return 2"), "none");  // takes 1 ms
  at_ms(7001);
  EXPECT_EQ(host.replies.back().text, ":2");
  EXPECT_EQ(eval(kEndless), "none");  // and the world ends
}

TEST_F(RedisScripting, WhatIsCutShortTakesNothingWithIt) {
  run("SET", "k", "v");
  EXPECT_EQ(eval("for i = 1, 900 do redis.call('incr', 'n') end return redis.call('get', 'k')"),
            "v");  // and no time
  EXPECT_EQ(eval("local s = 'x' while true do s = s .. s end"),
            "-ERR Error running script " +
                redis::sha1_hex("local s = 'x' while true do s = s .. s end") +
                ", not enough memory");
  EXPECT_EQ(eval("local function f() return f() + 1 end return f()").substr(0, 35),
            "-ERR user_script:1: stack overflow ");
  EXPECT_EQ(run("GET", "k"), "v");
}

TEST_F(RedisScripting, KeysAndArgumentsArriveInTheirTables) {
  EXPECT_EQ(run("EVAL", "return {KEYS[1], KEYS[2], ARGV[1], #KEYS, #ARGV}", "2", "a", "b", "c"),
            "[a b c :2 :1]");
  EXPECT_EQ(eval("return {#KEYS, #ARGV}"), "[:0 :0]");
}

TEST_F(RedisScripting, TheWatcherIsToldOfAScriptOnceAndOfItsChanges) {
  const std::string release =
      "if redis.call('get',KEYS[1]) == ARGV[1] then return redis.call('del',KEYS[1]) "
      "else return 0 end";
  run("SET", "lock", "a", "PX", "1000");
  watcher.take();
  EXPECT_EQ(run("EVAL", release, "1", "lock", "b"), ":0");
  EXPECT_EQ(watcher.take(true), Lines{"0 n1 command a by=3 unchanged EVAL"});
  EXPECT_EQ(run("EVAL", release, "1", "lock", "a"), ":1");
  EXPECT_EQ(watcher.take(true), (Lines{"0 n1 deleted a by=3", "0 n1 command a by=3 changed EVAL"}));
  EXPECT_EQ(run("EVAL", release, "1", "lock", "a"), ":0");
  EXPECT_EQ(watcher.take(true), Lines{"0 n1 command  by=3 unchanged EVAL"});
}

}  // namespace holdfast::sim
