// Acquiring: attempt tokens, validity, one instance or a quorum (DESIGN §4, rules 1-4 and 11).
#include <gtest/gtest.h>

#include <set>

#include "tests/lockcore/lock_lab.h"

namespace holdfast::test {
namespace {

LockOptions lease_of(Duration ttl) {
  LockOptions options;
  options.ttl = ttl;
  options.watchdog = false;
  options.node_deadline = 250ms;
  options.retry = 1s;
  return options;
}

UsePlan plan_of(LockOptions options, Duration start = 0s, Duration work = 1s) {
  UsePlan plan;
  plan.options = options;
  plan.start = start;
  plan.work = work;
  return plan;
}

TEST(Acquire, AFreeLockIsTakenByOnePlainSet) {
  LockLab lab(1);
  lab.play(lab.a, plan_of(lease_of(10s)));
  lab.run(500ms);
  ASSERT_TRUE(lab.a.use().ok());
  ASSERT_EQ(lab.executed.size(), 1u);
  EXPECT_EQ(lab.executed[0].verb, "SET");
  EXPECT_TRUE(lab.executed[0].token.ends_with(":1"));
  EXPECT_EQ(lab.executed[0].token.size(), 34u);
  EXPECT_EQ(lab.nodes_holding(lab.executed[0].token), 1u);
}

TEST(Acquire, EachStepIsToldInOrder) {
  LockLab lab(1);
  lab.play(lab.a, plan_of(lease_of(10s)));
  lab.run();
  EXPECT_EQ(lab.a.story(),
            (std::vector<Kind>{Kind::acquire_called, Kind::attempt_sent, Kind::quorum_counted,
                               Kind::validity_checked, Kind::acquired, Kind::release_called,
                               Kind::release_sent, Kind::released}));
  ASSERT_EQ(lab.a.count(Kind::node_answered), 1u);
  EXPECT_TRUE(lab.a.all(Kind::node_answered)[0].yes);
}

TEST(Acquire, TheLeaseIsValidFromTheSendingForTheTtlLessTheDrift) {
  LockLab lab(1);
  lab.world.delay(kA, 1, Direction::to_client, 100ms);
  lab.play(lab.a, plan_of(lease_of(10s)));
  lab.run();
  const auto sent = lab.a.all(Kind::attempt_sent).at(0);
  const auto acquired = lab.a.all(Kind::acquired).at(0);
  EXPECT_GT(acquired.when, sent.when + 100ms);
  EXPECT_EQ(acquired.when + acquired.left, sent.when + 10s - 102ms);
}

TEST(Acquire, AWallClockThatStepsMovesNoLease) {
  LockLab lab(1);
  UsePlan plan = plan_of(lease_of(10s), 0s, 9s);
  plan.check_held = true;
  lab.play(lab.a, plan);
  lab.at(2s, [&] { lab.world.process(kA).step_wall(-1h); });
  lab.at(3s, [&] { lab.world.process(kA).step_wall(2h); });
  lab.run();
  for (const auto& [when, held] : lab.a.use().held) EXPECT_TRUE(held) << when.count();
  EXPECT_EQ(lab.a.use().released, ReleaseOutcome::released);
}

TEST(Acquire, AHeldLockIsTakenAndNothingIsLeftToRelease) {
  LockLab lab(1);
  lab.play(lab.a, plan_of(lease_of(10s), 0s, 5s));
  lab.play(lab.b, plan_of(lease_of(10s), 1s));
  lab.run();
  EXPECT_EQ(lab.b.use().outcome(), AcquireOutcome::taken);
  EXPECT_EQ(lab.executed_count("release", kB), 0u);
  EXPECT_EQ(lab.a.use().released, ReleaseOutcome::released);
}

TEST(Acquire, RetriesCarryNewAttemptsOfOneIdUntilTheLockIsFree) {
  LockLab lab(1);
  lab.play(lab.a, plan_of(lease_of(10s), 0s, 5s));
  LockOptions waiting = lease_of(10s);
  waiting.wait = 60s;
  lab.play(lab.b, plan_of(waiting, 1s));
  lab.run();
  ASSERT_TRUE(lab.b.use().ok());
  EXPECT_GE(lab.b.use().acquired_at, 5s);
  EXPECT_LE(lab.b.use().acquired_at, 5s + 1500ms + 10ms);  // one jittered pause later at most
  std::set<std::string> tokens;
  std::set<std::string> ids;
  for (const auto& sent : lab.a.all(Kind::attempt_sent)) ids.insert(sent.token.substr(0, 32));
  for (const auto& sent : lab.b.all(Kind::attempt_sent)) {
    tokens.insert(sent.token);
    ids.insert(sent.token.substr(0, 32));
  }
  EXPECT_EQ(tokens.size(), lab.b.count(Kind::attempt_sent));
  EXPECT_EQ(ids.size(), 2u);  // one of A, one of B
  EXPECT_EQ(lab.executed_count("SET", kB), 1u);
  EXPECT_EQ(lab.executed_count("acquire", kB), tokens.size() - 1);
}

TEST(Acquire, GivesUpWhenItsTimeIsOverWithALastTryThen) {
  LockLab lab(1);
  lab.occupy(1);
  LockOptions waiting = lease_of(10s);
  waiting.wait = 5s;
  waiting.retry_jitter = 0.0;
  waiting.retry = 2s;
  lab.play(lab.b, plan_of(waiting));
  lab.run();
  EXPECT_EQ(lab.b.use().outcome(), AcquireOutcome::taken);
  EXPECT_EQ(lab.b.count(Kind::attempt_sent), 4u);  // 0, 2, 4, 5 s
  EXPECT_GE(lab.b.use().acquired_at, 5s);
  EXPECT_LT(lab.b.use().acquired_at, 5s + 250ms);
  EXPECT_NE(lab.b.use().acquired->text.find("n1: held by another owner"), std::string::npos);
  EXPECT_EQ(lab.b.story().back(), Kind::acquire_failed);
}

TEST(Acquire, StopsWhenItIsAskedTo) {
  LockLab lab(1);
  lab.occupy(1);
  std::stop_source stop;
  LockOptions waiting = lease_of(10s);
  waiting.wait = 60s;
  UsePlan plan = plan_of(waiting);
  plan.stop = stop.get_token();
  lab.play(lab.b, plan);
  lab.at(10s + 3ms, [&] { stop.request_stop(); });
  lab.run();
  EXPECT_EQ(lab.b.use().outcome(), AcquireOutcome::cancelled);
  EXPECT_LE(lab.b.use().acquired_at, 10s + 300ms);
}

TEST(Acquire, InvalidOptionsSendNothing) {
  LockLab lab(1);
  lab.play(lab.a, plan_of(lease_of(9ms)));
  lab.run();
  EXPECT_EQ(lab.a.use().outcome(), AcquireOutcome::invalid);
  EXPECT_FALSE(lab.a.use().acquired->text.empty());
  EXPECT_TRUE(lab.executed.empty());
  EXPECT_EQ(lab.a.story(), (std::vector<Kind>{Kind::acquire_called, Kind::acquire_failed}));
}

TEST(Acquire, APauseBeforeT2ThatEatsTheLeaseIsTooLate) {
  LockLab lab(1);
  lab.pause_at(kA, Point::quorum_counted, 1, 15s);
  lab.play(lab.a, plan_of(lease_of(10s)));
  lab.run();
  EXPECT_EQ(lab.a.use().outcome(), AcquireOutcome::too_late);
  EXPECT_EQ(lab.executed_count("release", kA), 1u);
  EXPECT_EQ(lab.a.count(Kind::acquired), 0u);
}

TEST(Acquire, APauseBeforeT2ThatLeavesEnoughIsNot) {
  LockLab lab(1);
  lab.pause_at(kA, Point::quorum_counted, 1, 9s);
  lab.play(lab.a, plan_of(lease_of(10s), 0s, 100ms));
  lab.run();
  ASSERT_TRUE(lab.a.use().ok());
  EXPECT_EQ(lab.a.use().released, ReleaseOutcome::released);
}

TEST(Acquire, AnUnknownAnswerIsReleasedBehindItsOwnSet) {
  LockLab lab(1);
  lab.world.drop_replies(kA, 1, 1, false);
  lab.play(lab.a, plan_of(lease_of(10s)));
  lab.run(5s);
  EXPECT_EQ(lab.a.use().outcome(), AcquireOutcome::unreachable);
  ASSERT_EQ(lab.executed.size(), 2u);
  EXPECT_EQ(lab.executed[0].verb, "SET");
  EXPECT_EQ(lab.executed[1].verb, "release");
  EXPECT_TRUE(lab.executed[1].changed);
  EXPECT_TRUE(lab.a.all(Kind::release_sent).at(0).cleanup);
}

TEST(Acquire, AConnectionThatDiedAfterTheSetIsFollowedByANewOneWithTheRelease) {
  LockLab lab(1);
  lab.world.drop_replies(kA, 1, 1, true);
  lab.play(lab.a, plan_of(lease_of(10s)));
  lab.run(5s);
  EXPECT_EQ(lab.a.use().outcome(), AcquireOutcome::unreachable);
  EXPECT_EQ(lab.executed_count("release", kA), 1u);
  EXPECT_TRUE(lab.executed.back().changed);
}

// The first attempt's command and release are under way on a slow connection when the second
// attempt wins: the late release must not free it.
TEST(Acquire, ALateReleaseOfTheFirstAttemptDoesNotFreeTheSecond) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    LockLab lab(1, 0, seed);
    lab.on_point(kA, Point::released, 1, [&] {  // of a first use, which opened the connection
      lab.world.delay(kA, 1, Direction::to_server, 600ms);
      lab.at(lab.now() + 500ms, [&] { lab.world.delay(kA, 1, Direction::to_server, 0ms); });
      return AtPoint::go_on;
    });
    LockOptions options = lease_of(10s);
    options.wait = 20s;
    options.retry = 400ms;
    UsePlan plan = plan_of(options, 0s, 5s);
    plan.times = 2;
    lab.play(lab.a, plan);
    lab.run(10s);
    ASSERT_TRUE(lab.a.use(1).ok());
    const std::string won = lab.a.all(Kind::acquired).at(1).token;
    EXPECT_FALSE(won.ends_with(":1"));
    EXPECT_EQ(lab.executed_count("release", kA), 1 + lab.a.count(Kind::release_sent) - 1);
    EXPECT_GE(lab.a.count(Kind::release_sent), 2u);
    EXPECT_TRUE(lab.holds(1, won));
  }
}

TEST(Acquire, ARefusalSaysWhatTheNodeSaid) {
  LockLab lab(1);
  lab.world.server(1).answer_error(0, "LOADING Redis is loading the dataset in memory", false);
  lab.play(lab.a, plan_of(lease_of(10s)));
  lab.run(5s);
  EXPECT_EQ(lab.a.use().outcome(), AcquireOutcome::refused);
  EXPECT_NE(lab.a.use().acquired->text.find("LOADING"), std::string::npos);
}

TEST(Acquire, ANodeThatIsNotThereIsUnreachableWithinTheNodeDeadline) {
  LockLab lab(1);
  lab.world.cut(kA, 1, Direction::both, CutMode::refuse);
  lab.play(lab.a, plan_of(lease_of(10s)));
  lab.run(5s);
  EXPECT_EQ(lab.a.use().outcome(), AcquireOutcome::unreachable);
  EXPECT_EQ(lab.a.use().acquired_at, 250ms);
}

}  // namespace
}  // namespace holdfast::test
