// A quorum of independent nodes (DESIGN §4, rules 3, 4 and 6).
#include <gtest/gtest.h>

#include "tests/lockcore/lock_lab.h"

namespace holdfast::test {
namespace {

UsePlan plan_of(bool watchdog, Duration work, Duration ttl = 10s) {
  UsePlan plan;
  plan.options.ttl = ttl;
  plan.options.watchdog = watchdog;
  plan.options.node_deadline = 250ms;
  plan.options.retry = 1s;
  plan.work = work;
  return plan;
}

TEST(Redlock, AllNodesAreAskedAndTheLockIsOnAllOfThem) {
  LockLab lab(5);
  lab.play(lab.a, plan_of(false, 2s));
  lab.run(1s);
  ASSERT_TRUE(lab.a.use().ok());
  EXPECT_EQ(lab.nodes_holding(lab.a.all(Kind::acquired).at(0).token), 5u);
  lab.run();
  EXPECT_EQ(lab.a.use().released, ReleaseOutcome::released);
  EXPECT_EQ(lab.executed_count("release", kA), 5u);
}

TEST(Redlock, ADeadAndAFrozenNodeDelayNeitherAcquireNorRelease) {
  LockLab lab(5);
  lab.world.cut(kA, 4, Direction::both, CutMode::refuse);
  lab.world.server(5).pause();
  lab.play(lab.a, plan_of(false, 2s));
  lab.at(20s, [&] { lab.world.server(5).resume(); });
  lab.run(19s);
  ASSERT_TRUE(lab.a.use().ok());
  EXPECT_LT(lab.a.use().acquired_at, 50ms);
  EXPECT_EQ(lab.a.use().released, ReleaseOutcome::released);
  EXPECT_LT(lab.a.use().released_at - lab.a.use().release_called_at, 50ms);
  // After the thaw the frozen node executes the SET and, behind it, the release.
  lab.run(21s);
  std::vector<std::string> on_5;
  for (const auto& one : lab.executed) {
    if (one.node == 5) on_5.push_back(one.verb);
  }
  EXPECT_EQ(on_5, (std::vector<std::string>{"SET", "release"}));
  EXPECT_EQ(lab.nodes_holding(lab.a.all(Kind::acquired).at(0).token), 0u);
}

TEST(Redlock, AFailureReleasesAllNodesAlsoThoseThatHaveNotAnswered) {
  LockLab lab(5);
  for (history::NodeId node : {kN1, kN2, kN3}) lab.occupy(node);
  lab.world.server(5).pause();
  lab.play(lab.a, plan_of(false, 2s));
  lab.at(1s, [&] { lab.world.server(5).resume(); });
  lab.run(3s);
  EXPECT_EQ(lab.a.use().outcome(), AcquireOutcome::taken);
  EXPECT_LT(lab.a.use().acquired_at, 50ms);
  const std::string token = lab.a.all(Kind::attempt_sent).at(0).token;
  EXPECT_EQ(lab.executed_count("release", kA), 5u);
  EXPECT_EQ(lab.nodes_holding(token), 0u);
}

TEST(Redlock, TwoOfFiveIsUnreachableWhenTheOthersHang) {
  LockLab lab(5);
  for (history::NodeId node : {kN3, kN4, kN5}) lab.world.server(node).pause();
  lab.play(lab.a, plan_of(false, 2s));
  lab.run(3s);
  EXPECT_EQ(lab.a.use().outcome(), AcquireOutcome::unreachable);
  EXPECT_EQ(lab.a.use().acquired_at, 250ms);
  EXPECT_EQ(lab.nodes_holding(lab.a.all(Kind::attempt_sent).at(0).token), 0u);
}

TEST(Redlock, OneOfTwoRivalsAtMostWinsAndALoserComesInLater) {
  std::size_t split = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    LockLab lab(4, 0, seed);
    UsePlan plan = plan_of(false, 2s);
    plan.options.wait = 60s;
    plan.options.retry = 200ms;
    lab.play(lab.a, plan);
    lab.play(lab.b, plan);
    lab.run();
    ASSERT_TRUE(lab.a.use().ok());
    ASSERT_TRUE(lab.b.use().ok());
    const Use& first =
        lab.a.use().acquired_at < lab.b.use().acquired_at ? lab.a.use() : lab.b.use();
    const Use& second = &first == &lab.a.use() ? lab.b.use() : lab.a.use();
    EXPECT_GE(second.acquired_at, first.release_called_at);
    const auto tries = lab.a.count(Kind::attempt_sent) + lab.b.count(Kind::attempt_sent);
    if (first.acquired_at > 100ms && tries > 3) ++split;
  }
  EXPECT_GT(split, 0u);  // split votes did occur
}

// A holds exactly n1-n3 in time; n4 and n5 say yes after its acquire has returned.
LockLab& late_yes(LockLab& lab, bool late_nodes_answer) {
  for (history::NodeId node : {kN4, kN5}) {
    if (late_nodes_answer) {
      lab.at(900ms, [&lab, node] { lab.world.delay(kA, node, Direction::to_client, 400ms); });
      lab.at(1500ms, [&lab, node] { lab.world.delay(kA, node, Direction::to_client, 0s); });
    } else {
      lab.occupy(node);
    }
  }
  UsePlan plan = plan_of(true, 30s);
  plan.warm = true;
  plan.start = 1s;
  lab.play(lab.a, plan);
  lab.at(2s, [&lab] {
    lab.world.server(1).crash(sim::CrashKind::kill);
    lab.world.server(1).restart(sim::Persistence::none);
  });
  lab.run(20s);
  return lab;
}

TEST(Redlock, ALateYesAfterSuccessCounts) {
  LockLab lab(5);
  late_yes(lab, true);
  ASSERT_TRUE(lab.a.use().ok());
  EXPECT_LT(lab.a.use().acquired_at, 1050ms);
  EXPECT_EQ(lab.a.count(Kind::lost), 0u);
  EXPECT_GE(lab.a.count(Kind::renewed), 4u);
}

TEST(Redlock, WithoutItTheLossOfOneOfThreeIsTheLossOfTheLock) {
  LockLab lab(5);
  late_yes(lab, false);
  ASSERT_TRUE(lab.a.use().ok());
  ASSERT_EQ(lab.a.count(Kind::lost), 1u);
  EXPECT_EQ(lab.a.all(Kind::lost)[0].loss, LossReason::quorum_lost);
}

TEST(Redlock, ANodeThatIsKnownToHaveLostTheKeyCountsNoLonger) {
  LockLab lab(5);
  // n4 and n5 never answer: unknown. n1 loses the key: two confirmed nodes are no quorum, although
  // only one node has said that it is not ours.
  for (history::NodeId node : {kN4, kN5}) lab.world.cut(kA, node, Direction::both, CutMode::hold);
  lab.play(lab.a, plan_of(true, 30s));
  lab.at(2s, [&] { lab.world.server(1).flush(); });
  lab.run(20s);
  ASSERT_EQ(lab.a.count(Kind::lost), 1u);
  EXPECT_EQ(lab.a.all(Kind::lost)[0].loss, LossReason::quorum_lost);
  EXPECT_LT(lab.a.all(Kind::lost)[0].when, 3500ms);
}

TEST(Redlock, SurvivesTheLossOfTheSpareNodes) {
  LockLab lab(5);
  lab.play(lab.a, plan_of(true, 30s));
  for (history::NodeId node : {kN1, kN2})
    lab.at(2s, [&lab, node] { lab.world.server(node).flush(); });
  lab.run(20s);
  EXPECT_EQ(lab.a.count(Kind::lost), 0u);
  EXPECT_GE(lab.a.count(Kind::renewed), 5u);
}

TEST(Redlock, IsStolenWhenAnotherTokenIsOnTooManyNodes) {
  LockLab lab(5);
  lab.play(lab.a, plan_of(true, 30s));
  lab.at(2s, [&] {
    for (history::NodeId node : {kN1, kN2, kN3}) lab.set_key(node, "thief:1");
  });
  lab.run(20s);
  ASSERT_EQ(lab.a.count(Kind::lost), 1u);
  EXPECT_EQ(lab.a.all(Kind::lost)[0].loss, LossReason::stolen);
}

TEST(Redlock, AnEvenNumberNeedsMoreThanHalf) {
  LockLab lab(4);
  lab.occupy(1);
  lab.play(lab.a, plan_of(false, 1s));
  lab.run(500ms);
  EXPECT_TRUE(lab.a.use().ok());
  lab.run();
  EXPECT_EQ(lab.a.use().released, ReleaseOutcome::released);

  LockLab other(4);
  other.occupy(1);
  other.occupy(2);
  other.play(other.a, plan_of(false, 1s));
  other.run();
  EXPECT_EQ(other.a.use().outcome(), AcquireOutcome::taken);
}

}  // namespace
}  // namespace holdfast::test
