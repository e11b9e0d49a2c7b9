// The connection against a real redis-server.
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "lockcore/env.h"
#include "lockcore/hiredis/event_loop.h"
#include "lockcore/redis_client.h"
#include "tests/hiredis/redis_under_test.h"

namespace holdfast {
namespace {

using namespace std::chrono_literals;
using test::RedisUnderTest;

constexpr Duration kPatience = 10s;  // far beyond what a healthy server needs
constexpr Duration kShort = 50ms;

using Commands = std::vector<Command>;
using Results = std::vector<CallResult>;

// Runs the commands one after the other, each after the answer to the one before.
Task<void> in_turn(Env& env, Endpoint endpoint, Commands commands, Duration patience,
                   Results& results) {
  const auto client = env.connect(endpoint, Role::commands);
  for (Command& command : commands) {
    const Instant deadline = env.now() + patience;
    CallResult result = co_await Call(*client, std::move(command), deadline);
    results.push_back(std::move(result));
  }
}

// One command of words, with a long patience.
Task<CallResult> say(Env& env, RedisClient& client, std::string words) {
  Command command;
  std::istringstream in(words);
  for (std::string word; in >> word;) command.add(word);
  co_return co_await Call(client, std::move(command), env.now() + kPatience);
}

Task<void> kill_after(Env& env, RedisUnderTest& redis, Duration delay) {
  co_await Sleep(env, env.now() + delay);
  redis.kill_hard();
}

Results ask(EventLoop& loop, const Endpoint& endpoint, Commands commands,
            Duration patience = kPatience) {
  Results results;
  loop.run(in_turn(loop, endpoint, std::move(commands), patience, results));
  return results;
}

TEST(Connection, SetGetAndScriptsAnswerByPort) {
  RedisUnderTest redis;
  EventLoop loop;
  const Results results = ask(loop, redis.by_port(),
                              {{"SET", "k", "v", "NX", "PX", "10000"},
                               {"SET", "k", "w", "NX", "PX", "10000"},
                               {"GET", "k"},
                               {"EVAL", "return {1, ARGV[1], false}", "0", "x"},
                               {"EVALSHA", "ffffffffffffffffffffffffffffffffffffffff", "0"}});
  ASSERT_EQ(results.size(), 5u);
  EXPECT_TRUE(results[0].reply.is_ok());
  EXPECT_TRUE(results[1].answered() && results[1].reply.is_nil());
  EXPECT_EQ(results[2].reply, Reply::bulk("v"));
  EXPECT_EQ(results[3].reply, Reply::array({Reply::number(1), Reply::bulk("x"), Reply()}));
  EXPECT_EQ(results[4].known, Known::not_executed);
  EXPECT_EQ(results[4].reply.text.substr(0, 8), "NOSCRIPT");
}

TEST(Connection, AUnixSocketWorksTheSame) {
  RedisUnderTest redis;
  EventLoop loop;
  const Results results = ask(loop, redis.by_socket(), {{"SET", "k", "v"}, {"GET", "k"}});
  EXPECT_EQ(results.at(1).reply, Reply::bulk("v"));
}

TEST(Connection, ANamedEndpointIsLookedUp) {
  RedisUnderTest redis;
  EventLoop loop;
  loop.name(redis.by_port());
  EXPECT_TRUE(ask(loop, {"n1"}, {{"PING"}}).at(0).answered());
}

TEST(Connection, BinaryAndEmptyArgumentsArriveUnchanged) {
  RedisUnderTest redis;
  EventLoop loop;
  const std::string bytes("a\0\r\n\xff", 5);
  const Results results = ask(loop, redis.by_port(),
                              {{"SET", "k", bytes}, {"GET", "k"}, {"SET", "e", ""}, {"GET", "e"}});
  EXPECT_EQ(results.at(1).reply, Reply::bulk(bytes));
  EXPECT_EQ(results.at(3).reply, Reply::bulk(""));
}

Task<void> pipeline(Env& env, Endpoint endpoint, Commands commands, Results& results) {
  const auto client = env.connect(endpoint, Role::commands);
  const Instant deadline = env.now() + kPatience;
  results = co_await Pipeline(*client, std::move(commands), deadline, LateReply());
}

TEST(Connection, APipelineIsAnsweredInOrder) {
  RedisUnderTest redis;
  EventLoop loop;
  Commands commands;
  for (int i = 0; i < 1000; ++i) commands.push_back({"INCR", "n"});
  Results results;
  loop.run(pipeline(loop, redis.by_port(), std::move(commands), results));
  ASSERT_EQ(results.size(), 1000u);
  for (int i = 0; i < 1000; ++i)
    EXPECT_TRUE(results[static_cast<std::size_t>(i)].reply.is_integer(i + 1));
}

TEST(Connection, ManyCoroutinesShareOneConnectionAndGetTheirOwnAnswers) {
  RedisUnderTest redis;
  EventLoop loop;
  std::vector<Results> results(100);
  for (std::size_t i = 0; i < results.size(); ++i) {
    const std::string key = "k" + std::to_string(i);
    const Commands commands = {{"SET", key, key}, {"GET", key}};
    loop.spawn(in_turn(loop, redis.by_port(), commands, kPatience, results[i]), Lane::caller);
  }
  loop.run();
  for (std::size_t i = 0; i < results.size(); ++i) {
    EXPECT_EQ(results[i].at(1).reply, Reply::bulk("k" + std::to_string(i)));
  }
  EXPECT_EQ(loop.connect(redis.by_port(), Role::commands)->generation(), 1u);
}

TEST(Connection, ExclusiveConnectionsAreFreshAndTheCommandConnectionIsShared) {
  EventLoop loop;
  const Endpoint nowhere{"n1", "127.0.0.1", 1};
  EXPECT_EQ(loop.connect(nowhere, Role::commands), loop.connect(nowhere, Role::commands));
  EXPECT_NE(loop.connect(nowhere, Role::commands), loop.connect(nowhere, Role::subscriber));
  EXPECT_NE(loop.connect(nowhere, Role::exclusive), loop.connect(nowhere, Role::exclusive));
}

struct LateRecorder : LateListener {
  std::vector<std::uint32_t> tags;
  Results results;
  void on_late(std::uint32_t tag, const CallResult& result) override {
    tags.push_back(tag);
    results.push_back(result);
  }
};

Task<void> give_up_then_hear_late(Env& env, RedisUnderTest& redis, Results& results,
                                  std::shared_ptr<LateRecorder> late) {
  const auto client = env.connect(redis.by_port(), Role::commands);
  co_await say(env, *client, "PING");
  redis.freeze();
  Command command = {"INCR", "n"};
  LateReply to_late = {late, 7};
  const Instant deadline = env.now() + kShort;
  CallResult given_up = co_await Call(*client, std::move(command), deadline, std::move(to_late));
  results.push_back(std::move(given_up));
  redis.thaw();
  CallResult next = co_await say(env, *client, "INCR n");
  results.push_back(std::move(next));
}

TEST(Connection, ADeadlineGivesUpTheCallNotTheConnection) {
  RedisUnderTest redis;
  EventLoop loop;
  Results results;
  const auto late = std::make_shared<LateRecorder>();
  loop.run(give_up_then_hear_late(loop, redis, results, late));
  EXPECT_EQ(results.at(0).known, Known::maybe_executed);
  EXPECT_TRUE(results.at(1).reply.is_integer(2)) << "the answer owed was taken for this one's";
  EXPECT_EQ(late->tags, std::vector<std::uint32_t>{7});
  EXPECT_TRUE(late->results.at(0).reply.is_integer(1));
  EXPECT_EQ(loop.connect(redis.by_port(), Role::commands)->generation(), 1u);
}

Task<void> pass_a_deadline_twice(Env& env, Endpoint endpoint, Results& results) {
  const auto client = env.connect(endpoint, Role::commands);
  co_await say(env, *client, "PING");
  Command command = {"SET", "k", "v"};
  CallResult overdue = co_await Call(*client, std::move(command), env.now() - 1ns);
  results.push_back(std::move(overdue));
  CallResult stored = co_await say(env, *client, "GET k");
  results.push_back(std::move(stored));
}

TEST(Connection, ACallWhoseDeadlineHasPassedIsNotSent) {
  RedisUnderTest redis;
  EventLoop loop;
  Results results;
  loop.run(pass_a_deadline_twice(loop, redis.by_port(), results));
  EXPECT_EQ(results.at(0).known, Known::not_executed);
  EXPECT_TRUE(results.at(1).answered() && results.at(1).reply.is_nil());
}

TEST(Connection, ARefusedConnectionLetsCallsWaitUntilTheirDeadlineAndSendsNothing) {
  EventLoop loop;
  const Instant before = loop.now();
  const Results results = ask(loop, {"n1", "127.0.0.1", test::free_port()}, {{"PING"}}, kShort);
  EXPECT_GE(loop.now() - before, kShort);
  EXPECT_EQ(results.at(0).known, Known::not_executed);
  EXPECT_NE(results.at(0).reply.text.find("refused"), std::string::npos) << results[0].reply.text;
}

Task<void> lose_one_sent_and_reconnect(Env& env, RedisUnderTest& redis, Results& results) {
  const auto client = env.connect(redis.by_port(), Role::commands);
  co_await say(env, *client, "PING");
  redis.freeze();
  env.spawn(kill_after(env, redis, kShort), Lane::caller);
  CallResult lost = co_await say(env, *client, "SET k v");
  results.push_back(std::move(lost));
  Command ping = {"PING"};
  CallResult down = co_await Call(*client, std::move(ping), env.now() + kShort);
  results.push_back(std::move(down));
  redis.start();
  CallResult again = co_await say(env, *client, "GET k");
  results.push_back(std::move(again));
}

TEST(Connection, AKilledServerLeavesWhatWasSentUnknownAndTheConnectionComesBack) {
  RedisUnderTest redis;
  EventLoop loop;
  Results results;
  loop.run(lose_one_sent_and_reconnect(loop, redis, results));
  EXPECT_EQ(results.at(0).known, Known::maybe_executed) << results[0].reply.text;
  EXPECT_EQ(results.at(1).known, Known::not_executed) << results[1].reply.text;
  EXPECT_TRUE(results.at(2).answered() && results.at(2).reply.is_nil());
  EXPECT_EQ(loop.connect(redis.by_port(), Role::commands)->generation(), 2u);
}

// More than the sockets' buffers hold, so that the tail cannot have been written.
Task<void> fill_a_frozen_server(Env& env, RedisUnderTest& redis, Results& results) {
  const auto client = env.connect(redis.by_port(), Role::commands);
  co_await say(env, *client, "PING");
  redis.freeze();
  const std::string megabyte(1 << 20, 'x');
  Commands commands;
  for (int i = 0; i < 32; ++i) commands.push_back({"SET", std::to_string(i), megabyte});
  env.spawn(kill_after(env, redis, kShort), Lane::caller);
  // The broken connection ends the calls; building them alone takes seconds under a sanitizer.
  const Instant deadline = env.now() + 12 * kPatience;
  results = co_await Pipeline(*client, std::move(commands), deadline, LateReply());
}

TEST(Connection, WhatWasNotWrittenWhenTheConnectionBrokeIsKnownNotToHaveRun) {
  RedisUnderTest redis;
  EventLoop loop;
  Results results;
  loop.run(fill_a_frozen_server(loop, redis, results));
  ASSERT_EQ(results.size(), 32u);
  EXPECT_EQ(results.front().known, Known::maybe_executed);
  EXPECT_EQ(results.back().known, Known::not_executed);
}

Task<void> ping(Env& env, RedisClient& client, CallResult& result) {
  result = co_await say(env, client, "PING");
}

TEST(Connection, AClosedOneSendsNothingAndTheNextConnectIsFresh) {
  RedisUnderTest redis;
  EventLoop loop;
  ask(loop, redis.by_port(), {{"PING"}});
  const auto closed = loop.connect(redis.by_port(), Role::commands);
  closed->close();
  CallResult result;
  loop.run(ping(loop, *closed, result));
  EXPECT_EQ(result.known, Known::not_executed);
  EXPECT_TRUE(ask(loop, redis.by_port(), {{"PING"}}).at(0).answered());
}

TEST(Connection, ADestroyedCallIsForgottenAndItsReplyIsStillConsumed) {
  RedisUnderTest redis;
  EventLoop loop;
  ask(loop, redis.by_port(), {{"PING"}});
  const auto client = loop.connect(redis.by_port(), Role::commands);
  redis.freeze();
  {
    Call call(*client, Command({"INCR", "n"}), loop.now() + kPatience);
    call.await_suspend(std::noop_coroutine());
  }
  redis.thaw();
  EXPECT_TRUE(ask(loop, redis.by_port(), {{"INCR", "n"}}).at(0).reply.is_integer(2));
}

}  // namespace
}  // namespace holdfast
