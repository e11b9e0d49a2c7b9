// Releasing (DESIGN §4, rule 10).
#include <gtest/gtest.h>

#include "tests/lockcore/lock_lab.h"

namespace holdfast::test {
namespace {

UsePlan plan_of(Duration work) {
  UsePlan plan;
  plan.options.ttl = 10s;
  plan.options.watchdog = false;
  plan.options.node_deadline = 250ms;
  plan.work = work;
  return plan;
}

TEST(Release, DeletesTheKeyAndSaysReleased) {
  LockLab lab(1);
  lab.play(lab.a, plan_of(2s));
  lab.run();
  EXPECT_EQ(lab.a.use().released, ReleaseOutcome::released);
  EXPECT_TRUE(lab.executed.back().changed);
  EXPECT_EQ(lab.a.count(Kind::lost), 0u);  // being released is no loss
}

TEST(Release, OfAnExpiredLeaseSaysSo) {
  LockLab lab(1);
  lab.play(lab.a, plan_of(12s));
  lab.run();
  EXPECT_EQ(lab.a.use().released, ReleaseOutcome::already_expired);
}

TEST(Release, BetweenTheEndOfTheLeaseAndTheEndOfTheKeyDeletesItButClaimsNothing) {
  LockLab lab(1);
  lab.play(lab.a, plan_of(9950ms));  // the lease ended at 9.898 s, the key lives until 10 s
  lab.run();
  EXPECT_EQ(lab.a.use().released, ReleaseOutcome::already_expired);
  EXPECT_TRUE(lab.executed.back().changed);
}

TEST(Release, NeverTouchesTheKeyOfAnotherOwner) {
  LockLab lab(1);
  lab.play(lab.a, plan_of(15s));
  UsePlan rival = plan_of(20s);
  rival.start = 11s;
  lab.play(lab.b, rival);
  lab.run(20s);
  EXPECT_EQ(lab.a.use().released, ReleaseOutcome::not_owner);
  EXPECT_EQ(lab.nodes_holding(lab.b.all(Kind::acquired).at(0).token), 1u);
}

TEST(Release, APauseBeforeAnythingIsSentChangesTheAnswerNotTheRival) {
  LockLab lab(1);
  lab.pause_at(kA, Point::before_release, 1, 10s);
  lab.play(lab.a, plan_of(5s));
  UsePlan rival = plan_of(20s);
  rival.start = 11s;
  lab.play(lab.b, rival);
  lab.run(40s);
  EXPECT_EQ(lab.a.use().released, ReleaseOutcome::not_owner);
  const auto called = lab.a.all(Kind::release_called).at(0);
  const auto sent = lab.a.all(Kind::release_sent).at(0);
  EXPECT_GE(sent.when - called.when, 10s);
  EXPECT_EQ(lab.b.use().outcome(), AcquireOutcome::acquired);
}

TEST(Release, WithoutAnAnswerTheOutcomeIsUnknownAfterTheNodeDeadline) {
  LockLab lab(1);
  lab.play(lab.a, plan_of(2s));
  lab.at(1s, [&] { lab.world.cut(kA, kN1, Direction::both, CutMode::hold); });
  lab.run();
  EXPECT_EQ(lab.a.use().released, ReleaseOutcome::unknown);
  EXPECT_EQ(lab.a.use().released_at - lab.a.use().release_called_at, 250ms);
}

// The second try goes by script. n1 answers that it does not know it only after the release.
TEST(Release, IsNotFollowedByTheAcquireOfANodeThatDidNotKnowTheScript) {
  LockLab lab(3);
  UsePlan plan = plan_of(60ms);
  plan.start = 500ms;
  plan.options.wait = 10s;
  plan.options.retry = 1s;
  plan.options.retry_jitter = 0.0;
  plan.warm = true;
  lab.occupy(kN2);
  lab.occupy(kN3);
  lab.play(lab.a, plan);
  lab.at(1s, [&] {
    lab.world.server(kN2).flush();
    lab.world.server(kN3).flush();
    lab.world.cut(kA, kN1, Direction::to_client, CutMode::hold);
  });
  lab.at(1600ms, [&] { lab.world.heal(kA, kN1); });
  lab.run(3s);
  ASSERT_TRUE(lab.a.use().ok());
  EXPECT_EQ(lab.a.use().released, ReleaseOutcome::released);
  EXPECT_LT(lab.a.use().released_at, 1600ms);
  EXPECT_EQ(lab.nodes_holding(lab.a.all(Kind::acquired).at(0).token), 0u);
}

TEST(Release, IsExecutedLaterWhenItsConnectionComesBack) {
  LockLab lab(1);
  lab.play(lab.a, plan_of(2s));
  lab.at(1s, [&] { lab.world.cut(kA, kN1, Direction::both, CutMode::hold); });
  lab.at(4s, [&] { lab.world.heal(kA, kN1); });
  lab.run(5s);
  EXPECT_EQ(lab.executed_count("release", kA), 1u);
  EXPECT_EQ(lab.nodes_holding(lab.a.all(Kind::acquired).at(0).token), 0u);
}

TEST(Release, AZeroOnARetryIsUnknownBecauseTheFirstTryMayHaveDeletedTheKey) {
  LockLab lab(1);
  lab.play(lab.a, plan_of(2s));
  lab.at(1s, [&] { lab.world.drop_replies(kA, kN1, 1, true); });
  lab.run();
  // The lost reply is that to EVALSHA or, where the script was unknown, to its first sending.
  EXPECT_GE(lab.executed_count("release", kA), 1u);
  EXPECT_NE(lab.a.use().released, ReleaseOutcome::not_owner);
  EXPECT_NE(lab.a.use().released, ReleaseOutcome::already_expired);
}

TEST(Release, AZeroAtTheFirstTryOfALivingLeaseIsNoClaimEither) {
  LockLab lab(1);
  lab.play(lab.a, plan_of(2s));
  lab.at(1s, [&] { lab.world.server(kN1).flush(); });
  lab.run();
  EXPECT_EQ(lab.a.use().released, ReleaseOutcome::unknown);
}

TEST(Release, WaitsForMinHold) {
  LockLab lab(1);
  UsePlan plan = plan_of(1s);
  plan.options.min_hold = 4s;
  lab.play(lab.a, plan);
  lab.run();
  EXPECT_EQ(lab.a.use().released, ReleaseOutcome::released);
  EXPECT_GE(lab.a.use().released_at, lab.a.use().acquired_at + 4s);
  EXPECT_LT(lab.a.use().release_called_at, 1100ms);
}

Task<void> release_twice(Env& env, LockLab& lab, std::vector<ReleaseOutcome>& outcomes) {
  LockClient locks(env, lab.endpoints(), lab.a);
  const std::string key = kLock;
  const LockOptions options;
  const std::stop_token never;
  AcquireResult result = co_await locks.acquire(key, options, never);
  for (int time = 0; time < 2; ++time) {
    const ReleaseOutcome outcome = co_await result.lease->release();
    outcomes.push_back(outcome);
  }
  EXPECT_EQ(result.lease->loss(), LossReason::released);
  EXPECT_TRUE(result.lease->lost().stop_requested());
  EXPECT_FALSE(result.lease->held());
}

TEST(Release, IsIdempotent) {
  LockLab lab(1);
  std::vector<ReleaseOutcome> outcomes;
  lab.world.process(kA).start([&](Env& env) { return release_twice(env, lab, outcomes); });
  lab.run();
  EXPECT_EQ(outcomes,
            (std::vector<ReleaseOutcome>{ReleaseOutcome::released, ReleaseOutcome::released}));
  EXPECT_EQ(lab.executed_count("release", kA), 1u);
}

TEST(Release, LettingTheLeaseGoSendsNothingAndEndsTheRenewals) {
  LockLab lab(1);
  UsePlan plan = plan_of(1s);
  plan.options.watchdog = true;
  plan.release = false;  // the lease dies with the step
  lab.play(lab.a, plan);
  lab.run();
  EXPECT_EQ(lab.executed.size(), 1u);
}

}  // namespace
}  // namespace holdfast::test
