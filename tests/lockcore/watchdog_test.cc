// Loss and watchdog (DESIGN §4, rules 3, 6 and 7).
#include <gtest/gtest.h>

#include "tests/lockcore/lock_lab.h"

namespace holdfast::test {
namespace {

UsePlan plan_for(bool watchdog, Duration work) {
  UsePlan plan;
  plan.options.ttl = 9s;
  plan.options.watchdog = watchdog;
  plan.options.node_deadline = 250ms;
  plan.work = work;
  return plan;
}

constexpr Duration kDrift = 92ms;  // of 9 s

bool sorted_like(const std::vector<Kind>& story, const std::vector<Kind>& wanted) {
  auto next = story.begin();
  for (Kind kind : wanted) {
    next = std::find(next, story.end(), kind);
    if (next == story.end()) return false;
  }
  return true;
}

TEST(Watchdog, RenewsEveryThirdOfTheTtlUntilTheRelease) {
  LockLab lab(1);
  UsePlan plan = plan_for(true, 25s);
  plan.check_held = true;
  lab.play(lab.a, plan);
  lab.run();
  const auto renewed = lab.a.all(Kind::renewed);
  ASSERT_EQ(renewed.size(), 8u);
  for (std::size_t i = 0; i < renewed.size(); ++i) {
    EXPECT_NEAR(static_cast<double>(renewed[i].when.count()), 3e9 * static_cast<double>(i + 1),
                5e7);
    EXPECT_GT(renewed[i].left, 9s - kDrift - 20ms);
  }
  for (const auto& [when, held] : lab.a.use().held) ASSERT_TRUE(held) << when.count();
  EXPECT_EQ(lab.a.use().released, ReleaseOutcome::released);
  EXPECT_EQ(lab.executed.back().verb, "release");  // no renewal behind it
  EXPECT_EQ(lab.executed_count("extend", kA), 8u);
  EXPECT_TRUE(sorted_like(
      lab.a.story(), {Kind::acquired, Kind::renewal_sent, Kind::validity_checked, Kind::renewed}));
}

TEST(Watchdog, EachMoveOfTheLeaseIsToldAlsoInARoundThatFails) {
  LockLab lab(3);
  lab.play(lab.a, plan_for(true, 8s));
  const auto refuse = [&](history::NodeId node) {
    lab.world.cut(kA, node, Direction::both, CutMode::refuse);
  };
  lab.at(2s, [&] {
    refuse(kN2);
    refuse(kN3);
  });
  lab.at(3500ms, [&] {  // n1 alone has confirmed the renewal of 3.0
    lab.world.heal(kA, kN2);
    refuse(kN1);
  });
  lab.at(4500ms, [&] {  // n2 alone has confirmed the one of 3.9: together they are a quorum
    lab.world.heal(kA, kN1);
    lab.world.heal(kA, kN3);
  });
  lab.run();
  EXPECT_EQ(lab.a.count(Kind::renewal_failed), 2u);
  const auto moved = lab.a.all(Kind::valid_until_moved);
  const auto between = std::find_if(moved.begin(), moved.end(), [](const SeenEvent& one) {
    return one.when > 3900ms && one.when < 4s;
  });
  ASSERT_NE(between, moved.end());
  EXPECT_NEAR(static_cast<double>((between->when + between->left).count()), 12e9 - 92e6, 2e6);
}

TEST(Watchdog, WithoutItTheLossIsToldWhenTheLeaseEnds) {
  LockLab lab(1);
  UsePlan plan = plan_for(false, 25s);
  plan.obey_loss = true;
  lab.play(lab.a, plan);
  lab.run();
  const auto acquired = lab.a.all(Kind::acquired).at(0);
  const auto lost = lab.a.all(Kind::lost).at(0);
  EXPECT_EQ(lost.loss, LossReason::expired);
  EXPECT_EQ(lost.when, acquired.when + acquired.left);
  EXPECT_EQ(lab.a.use().left_at, lost.when);
  EXPECT_EQ(lab.executed_count("extend", kA), 0u);
  EXPECT_EQ(lab.a.count(Kind::lost), 1u);
}

TEST(Watchdog, ALeaseThatIsOverIsNeverHeldAgain) {
  LockLab lab(1);
  UsePlan plan = plan_for(false, 12s);
  plan.check_held = true;
  lab.play(lab.a, plan);
  lab.run();
  bool was_lost = false;
  for (const auto& [when, held] : lab.a.use().held) {
    EXPECT_EQ(held, when < 9s - kDrift);
    was_lost = was_lost || !held;
  }
  EXPECT_TRUE(was_lost);
}

TEST(Watchdog, APausedProcessLearnsOfTheLossInItsFirstStep) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    LockLab lab(1, 0, seed);
    UsePlan plan = plan_for(true, 30s);
    plan.obey_loss = true;
    lab.play(lab.a, plan);
    lab.at(1s, [&] { lab.world.process(kA).pause(std::nullopt); });
    lab.at(16s, [&] { lab.world.process(kA).resume(std::nullopt); });
    lab.run();
    ASSERT_EQ(lab.a.count(Kind::lost), 1u);
    EXPECT_EQ(lab.a.all(Kind::lost)[0].when, 16s);
    EXPECT_EQ(lab.a.use().left_at, 16s);
    EXPECT_EQ(lab.executed_count("extend", kA), 0u);
    EXPECT_NE(lab.a.use().released, ReleaseOutcome::released);
  }
}

TEST(Watchdog, APauseThatLeavesValidityIsFollowedByARenewal) {
  LockLab lab(1);
  lab.play(lab.a, plan_for(true, 30s));
  lab.at(1s, [&] { lab.world.process(kA).pause(std::nullopt); });
  lab.at(8s, [&] { lab.world.process(kA).resume(std::nullopt); });
  lab.run();
  EXPECT_EQ(lab.a.count(Kind::lost), 0u);
  EXPECT_EQ(lab.a.use().released, ReleaseOutcome::released);
}

TEST(Watchdog, WhileItAloneIsPausedTheOwnerLearnsOfTheLossByItself) {
  LockLab lab(1);
  UsePlan plan = plan_for(true, 30s);
  plan.obey_loss = true;
  lab.play(lab.a, plan);
  lab.at(1s, [&] { lab.world.process(kA).pause(Lane::watchdog); });
  lab.run(20s);
  ASSERT_TRUE(lab.a.use().left_at.has_value());
  EXPECT_LT(*lab.a.use().left_at, 9s);
  EXPECT_EQ(lab.a.all(Kind::lost).at(0).loss, LossReason::expired);
}

TEST(Watchdog, KeepsTheLockWhileTheWorkerAloneIsPaused) {
  LockLab lab(1);
  lab.play(lab.a, plan_for(true, 5s));
  lab.at(1s, [&] { lab.world.process(kA).pause(Lane::caller); });
  lab.at(31s, [&] { lab.world.process(kA).resume(Lane::caller); });
  lab.run();
  EXPECT_EQ(lab.a.count(Kind::renewed), 10u);
  EXPECT_EQ(lab.a.use().released, ReleaseOutcome::released);
}

TEST(Watchdog, RetriesWhatMayPassWhileValidityLasts) {
  LockLab lab(1);
  lab.play(lab.a, plan_for(true, 20s));
  lab.at(2s, [&] { lab.world.cut(kA, kN1, Direction::both, CutMode::refuse); });
  lab.at(6s, [&] { lab.world.heal(kA, kN1); });
  lab.run();
  EXPECT_GE(lab.a.count(Kind::renewal_failed), 2u);
  EXPECT_EQ(lab.a.count(Kind::lost), 0u);
  EXPECT_EQ(lab.a.use().released, ReleaseOutcome::released);
}

TEST(Watchdog, TellsTheLossInTimeAlsoWhileARenewalHangs) {
  LockLab lab(1);
  UsePlan plan = plan_for(true, 30s);
  plan.obey_loss = true;
  plan.options.node_deadline = 4s;  // the last renewal hangs across the end of the lease
  lab.play(lab.a, plan);
  lab.at(2s, [&] { lab.world.cut(kA, kN1, Direction::both, CutMode::hold); });
  lab.run(20s);
  const auto acquired = lab.a.all(Kind::acquired).at(0);
  ASSERT_EQ(lab.a.count(Kind::lost), 1u);
  EXPECT_EQ(lab.a.all(Kind::lost)[0].when, acquired.when + acquired.left);
  EXPECT_GT(lab.a.count(Kind::renewal_sent), 0u);
}

TEST(Watchdog, ALateConfirmationMovesValidUntilWhileThePromiseLasts) {
  LockLab lab(1);
  UsePlan plan = plan_for(true, 30s);
  plan.check_held = true;
  lab.play(lab.a, plan);
  // The replies to the renewals from 6 s on come at 10 s.
  lab.at(5500ms, [&] { lab.world.cut(kA, kN1, Direction::to_client, CutMode::hold); });
  lab.at(10s, [&] { lab.world.heal(kA, kN1); });
  lab.run();
  EXPECT_EQ(lab.a.count(Kind::lost), 0u);
  ASSERT_GE(lab.a.count(Kind::valid_until_moved), 1u);
  for (const auto& [when, held] : lab.a.use().held) ASSERT_TRUE(held) << when.count();
}

TEST(Watchdog, AConfirmationAfterTheEndIsAnsweredByARelease) {
  LockLab lab(1);
  UsePlan plan = plan_for(true, 100s);
  plan.check_held = true;
  lab.play(lab.a, plan);
  lab.at(5500ms, [&] { lab.world.cut(kA, kN1, Direction::to_client, CutMode::hold); });
  lab.at(13s, [&] { lab.world.heal(kA, kN1); });
  lab.run(14s);
  EXPECT_EQ(lab.a.all(Kind::lost).at(0).loss, LossReason::expired);
  EXPECT_GE(lab.executed_count("extend", kA), 2u);  // they did prolong the key
  ASSERT_GE(lab.executed_count("release", kA), 1u);
  EXPECT_EQ(lab.nodes_holding(lab.a.all(Kind::acquired)[0].token), 0u);
  for (const auto& [when, held] : lab.a.use().held) EXPECT_EQ(held, when < 12s - kDrift);
}

TEST(Watchdog, TheLockIsStolenWhenItsOnlyNodeHoldsAnotherToken) {
  LockLab lab(1);
  lab.play(lab.a, plan_for(true, 30s));
  lab.at(2s, [&] { lab.set_key(kN1, "thief:1"); });
  lab.run();
  const auto lost = lab.a.all(Kind::lost).at(0);
  EXPECT_EQ(lost.loss, LossReason::stolen);
  EXPECT_LT(lost.when, 3100ms);
  EXPECT_EQ(lab.a.use().released, ReleaseOutcome::not_owner);
  EXPECT_TRUE(lab.holds(kN1, "thief:1"));
  EXPECT_EQ(lab.executed_count("extend", kA), 1u);  // none after the loss
}

TEST(Watchdog, TheLockIsLostWhenItsOnlyNodeHasForgottenIt) {
  LockLab lab(1);
  lab.play(lab.a, plan_for(true, 30s));
  lab.at(2s, [&] { lab.world.server(kN1).flush(); });
  lab.run();
  EXPECT_EQ(lab.a.all(Kind::lost).at(0).loss, LossReason::quorum_lost);
  EXPECT_EQ(lab.a.use().released, ReleaseOutcome::already_expired);
}

TEST(Watchdog, GivesTheLockUpAfterMaxHold) {
  LockLab lab(1);
  UsePlan plan = plan_for(true, 60s);
  plan.obey_loss = true;
  plan.options.max_hold = 20s;
  plan.release = false;
  lab.play(lab.a, plan);
  UsePlan rival = plan_for(false, 1s);
  rival.start = 1s;
  rival.options.wait = 60s;
  lab.play(lab.b, rival);
  lab.run();
  const auto lost = lab.a.all(Kind::lost).at(0);
  EXPECT_EQ(lost.loss, LossReason::max_hold);
  EXPECT_NEAR(static_cast<double>(lost.when.count()), 20e9, 5e7);
  EXPECT_EQ(lab.a.count(Kind::renewed), 6u);
  ASSERT_TRUE(lab.b.use().ok());  // once the TTL of the last renewal has run out
  EXPECT_LT(lab.b.use().acquired_at, 18s + 9s + 400ms);
}

TEST(Watchdog, ARestartedNodeThatForgotTheScriptsIsGivenTheirSource) {
  LockLab lab(1);
  lab.play(lab.a, plan_for(true, 10s));
  lab.run();
  std::size_t first_tries = 0;
  for (const auto& one : lab.executed) {
    if (one.verb == "extend") ++first_tries;
  }
  EXPECT_EQ(first_tries, 3u);  // the node had never seen the script, and no renewal failed
  EXPECT_EQ(lab.a.count(Kind::renewal_failed), 0u);
}

TEST(Crash, NothingIsSentByADyingProcessWhereverItStands) {
  for (Point point :
       {Point::acquire_sent, Point::quorum_counted, Point::acquired, Point::before_renew,
        Point::renewed, Point::before_release, Point::released}) {
    LockLab lab(5);
    Duration died{-1};
    lab.on_point(kA, point, 1, [&] {
      died = lab.now();
      return AtPoint::crash;
    });
    UsePlan plan = plan_for(true, 7s);
    plan.warm = true;
    plan.start = 1s;
    lab.play(lab.a, plan);
    lab.run();
    ASSERT_GE(died, 0s) << static_cast<int>(point);
    for (const auto& one : lab.executed) EXPECT_LT(one.when, died + 20ms) << one.verb;
    EXPECT_TRUE(lab.a.uses.empty() || !lab.a.use().released) << static_cast<int>(point);
    if (point == Point::acquire_sent) {
      EXPECT_EQ(lab.executed_count("SET", kA), 5u);  // they had been handed over
    }
    if (point == Point::before_release) {
      EXPECT_EQ(lab.executed_count("release", kA), 0u);
      EXPECT_EQ(lab.a.count(Kind::release_called), 1u);
    }
    if (point == Point::acquired) {
      EXPECT_EQ(lab.a.count(Kind::acquired), 0u);
    }
  }
}

TEST(Pause, AtAcquiredTheWatchdogAlreadyRunsAndTheLossIsToldAfterTheSuccess) {
  LockLab lab(1);
  lab.pause_at(kA, Point::acquired, 1, 15s);
  lab.play(lab.a, plan_for(true, 1s));
  lab.run();
  ASSERT_TRUE(lab.a.use().ok());
  EXPECT_TRUE(sorted_like(lab.a.story(), {Kind::acquired, Kind::lost, Kind::release_called}));
  EXPECT_EQ(lab.a.use().released, ReleaseOutcome::already_expired);

  LockLab other(1);
  other.on_point(kA, Point::acquired, 1, [&] {
    other.world.process(kA).pause(Lane::caller);
    return AtPoint::go_on;
  });
  other.at(20s, [&] { other.world.process(kA).resume(Lane::caller); });
  other.play(other.a, plan_for(true, 1s));
  other.run();
  EXPECT_EQ(other.a.use().released, ReleaseOutcome::released);
}

}  // namespace
}  // namespace holdfast::test
