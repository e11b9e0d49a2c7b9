// Fencing tokens of a single instance (DESIGN §4, rule 12), and the acquire script itself.
#include <gtest/gtest.h>

#include "lockcore/scripts.h"
#include "tests/lockcore/lock_lab.h"

namespace holdfast::test {
namespace {

UsePlan plan_of(int times) {
  UsePlan plan;
  plan.options.ttl = 10s;
  plan.options.fencing = true;
  plan.options.wait = 60s;
  plan.work = 1s;
  plan.times = times;
  return plan;
}

TEST(Fencing, TokensGrowFromGrantToGrantOfWhomeverItIs) {
  LockLab lab(1);
  lab.play(lab.a, plan_of(5));
  lab.play(lab.b, plan_of(5));
  lab.run();
  std::vector<SeenEvent> grants = lab.a.all(Kind::acquired);
  const auto of_b = lab.b.all(Kind::acquired);
  grants.insert(grants.end(), of_b.begin(), of_b.end());
  ASSERT_EQ(grants.size(), 10u);
  std::sort(grants.begin(), grants.end(),
            [](const auto& one, const auto& other) { return one.when < other.when; });
  for (std::size_t i = 0; i < grants.size(); ++i) {
    EXPECT_GT(grants[i].fence, i == 0 ? 0 : grants[i - 1].fence);
  }
}

TEST(Fencing, EveryTryIsAScriptAndALosingOneTakesNoNumber) {
  LockLab lab(1);
  lab.play(lab.a, plan_of(1));
  lab.play(lab.b, plan_of(1));
  lab.run();
  EXPECT_EQ(lab.executed_count("SET", kA) + lab.executed_count("SET", kB), 0u);
  EXPECT_GT(lab.executed_count("acquire", kB) + lab.executed_count("acquire", kA), 2u);
  const auto fence_a = lab.a.all(Kind::acquired).at(0).fence;
  const auto fence_b = lab.b.all(Kind::acquired).at(0).fence;
  EXPECT_EQ(fence_a + fence_b, 3);  // 1 and 2
}

TEST(Fencing, IsZeroWhenNotAskedFor) {
  LockLab lab(1);
  UsePlan plan = plan_of(1);
  plan.options.fencing = false;
  lab.play(lab.a, plan);
  lab.run();
  EXPECT_EQ(lab.a.all(Kind::acquired).at(0).fence, 0);
}

// Runs scripts on one node in order and keeps the answers.
Task<void> run_scripts(Env& env, std::vector<ScriptCall> calls, std::vector<Reply>& replies) {
  const Endpoint endpoint = {"n1"};
  const auto client = env.connect(endpoint, Role::commands);
  for (const auto& call : calls) {
    const Replication none;
    const LateReply nobody;
    const Instant deadline = env.now() + 1s;
    const Written written = co_await eval(*client, call, none, deadline, nobody, kUntilTheDeadline);
    replies.push_back(written.result.reply);
  }
}

ScriptCall acquire(std::string_view token, std::string_view prefix) {
  return {&kAcquireScript, {kLock}, {token, prefix, "10000"}};
}

TEST(AcquireScript, TakesAFreeKeyAndItsOwnEarlierAttemptsAndNothingElse) {
  LockLab lab(1);
  std::vector<Reply> replies;
  const std::vector<ScriptCall> calls = {
      acquire("a:1", "a:"),   // free
      acquire("b:1", "b:"),   // foreign
      acquire("a:2", "a:"),   // its own earlier attempt
      acquire("a:1", "a:"),   // a late script of an earlier attempt
      acquire("a:2", "a:"),   // the same attempt
      acquire("a:10", "a:"),  // numbers, not texts
      {&kExtendScript, {kLock}, {"a:2", "10000"}},
      {&kExtendScript, {kLock}, {"a:10", "10000"}},
      {&kReleaseScript, {kLock}, {"a:2"}},
      {&kReleaseScript, {kLock}, {"a:10"}},
      {&kReleaseScript, {kLock}, {"a:10"}},
      {&kExtendScript, {kLock}, {"a:10", "10000"}},
  };
  lab.world.process(kA).start([&](Env& env) { return run_scripts(env, calls, replies); });
  lab.run();
  const std::vector<std::int64_t> expected = {1, 0, 1, 0, 0, 1, -1, 1, -1, 1, 0, 0};
  ASSERT_EQ(replies.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_TRUE(replies[i].is_integer(expected[i])) << i << ": " << replies[i].integer;
  }
}

Task<void> ask(Env& env, std::vector<Command> commands, std::vector<Reply>& replies) {
  const Endpoint endpoint = {"n1"};
  const auto client = env.connect(endpoint, Role::commands);
  const Instant start = env.now() + 20s;
  co_await Sleep(env, start);
  for (auto& command : commands) {
    const Instant deadline = env.now() + 1s;
    const CallResult result = co_await Call(*client, std::move(command), deadline);
    replies.push_back(result.reply);
  }
}

TEST(Fencing, TheCounterHasItsNameAndNoTtl) {
  LockLab lab(1);
  lab.play(lab.a, plan_of(2));
  std::vector<Reply> replies;
  const std::vector<Command> commands = {{"GET", "{jobs/42}:fence"}, {"PTTL", "{jobs/42}:fence"}};
  lab.world.process(kB).start([&](Env& env) { return ask(env, commands, replies); });
  lab.run();
  ASSERT_EQ(replies.size(), 2u);
  EXPECT_EQ(replies[0].text, "2");
  EXPECT_TRUE(replies[1].is_integer(-1));
}

}  // namespace
}  // namespace holdfast::test
