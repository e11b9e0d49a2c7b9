// WAIT for replicas (DESIGN §4, rule 9).
#include <gtest/gtest.h>

#include "tests/lockcore/lock_lab.h"

namespace holdfast::test {
namespace {

UsePlan plan_of(Duration work, int replicas) {
  UsePlan plan;
  plan.options.ttl = 9s;
  plan.options.node_deadline = 500ms;
  plan.options.replicas = replicas;
  plan.work = work;
  return plan;
}

TEST(Replicas, AnAcquireThatTheReplicaConfirmedSucceedsAndIsThere) {
  LockLab lab(1, 1);
  lab.play(lab.a, plan_of(20s, 1));
  lab.run(1s);
  ASSERT_TRUE(lab.a.use().ok());
  EXPECT_TRUE(lab.holds(kN2, lab.a.all(Kind::acquired)[0].token));
  lab.run();
  EXPECT_EQ(lab.a.use().released, ReleaseOutcome::released);
  EXPECT_EQ(lab.a.count(Kind::lost), 0u);
  EXPECT_GE(lab.a.count(Kind::renewed), 6u);
}

TEST(Replicas, WithoutTheirAnswerTheAcquireFailsAndLeavesNothing) {
  LockLab lab(1, 1);
  lab.world.server(kN2).hold_stream(true);
  lab.play(lab.a, plan_of(20s, 1));
  lab.run(3s);
  EXPECT_EQ(lab.a.use().outcome(), AcquireOutcome::no_replica_ack);
  EXPECT_EQ(lab.a.use().acquired->replicas_acknowledged, 0);
  EXPECT_LE(lab.a.use().acquired_at, 500ms);
  EXPECT_EQ(lab.nodes_holding(lab.a.all(Kind::attempt_sent)[0].token), 0u);
  EXPECT_EQ(lab.a.count(Kind::quorum_counted), 0u);
}

TEST(Replicas, FewerThanAskedForAreNotEnoughAndAreCounted) {
  LockLab lab(1, 2);
  lab.world.server(3).hold_stream(true);
  lab.play(lab.a, plan_of(20s, 2));
  lab.run(3s);
  EXPECT_EQ(lab.a.use().outcome(), AcquireOutcome::no_replica_ack);
  EXPECT_EQ(lab.a.use().acquired->replicas_acknowledged, 1);

  LockLab enough(1, 2);
  enough.world.server(3).hold_stream(true);
  enough.play(enough.a, plan_of(1s, 1));
  enough.run(3s);
  EXPECT_TRUE(enough.a.use().ok());
}

TEST(Replicas, AnUnconfirmedRenewalDoesNotMoveTheLease) {
  LockLab lab(1, 1);
  UsePlan plan = plan_of(20s, 1);
  plan.obey_loss = true;
  lab.play(lab.a, plan);
  lab.at(1s, [&] { lab.world.server(kN2).hold_stream(true); });
  lab.run();
  const auto acquired = lab.a.all(Kind::acquired).at(0);
  const auto lost = lab.a.all(Kind::lost).at(0);
  EXPECT_EQ(lost.loss, LossReason::expired);
  EXPECT_EQ(lost.when, acquired.when + acquired.left);
  EXPECT_GE(lab.executed_count("extend", kA), 2u);  // the master did prolong the key
  EXPECT_EQ(lab.a.count(Kind::renewed), 0u);
  EXPECT_GE(lab.a.count(Kind::renewal_failed), 1u);
}

TEST(Replicas, RenewalsThatNeedNoConfirmationDo) {
  LockLab lab(1, 1);
  UsePlan plan = plan_of(20s, 1);
  plan.options.confirm_renewals = false;
  lab.play(lab.a, plan);
  lab.at(1s, [&] { lab.world.server(kN2).hold_stream(true); });
  lab.run();
  EXPECT_EQ(lab.a.count(Kind::lost), 0u);
  EXPECT_GE(lab.a.count(Kind::renewed), 6u);
}

TEST(Replicas, T2IsReadAfterTheConfirmation) {
  LockLab lab(1, 1);
  lab.world.server(kN2).hold_stream(true);
  lab.at(200ms, [&] { lab.world.server(kN2).hold_stream(false); });
  UsePlan plan = plan_of(1s, 1);
  plan.options.node_deadline = 1s;
  lab.play(lab.a, plan);
  lab.run();
  ASSERT_TRUE(lab.a.use().ok());
  EXPECT_GE(lab.a.all(Kind::validity_checked).at(0).when, 200ms);
  const auto sent = lab.a.all(Kind::attempt_sent).at(0);
  const auto checked = lab.a.all(Kind::validity_checked).at(0);
  EXPECT_EQ(checked.when + checked.left, sent.when + 9s - 92ms);  // still from the sending
}

// On a lock's own connection the release queues behind a renewal's WAIT. Closing it by then would
// make the node drop the release.
TEST(Replicas, AReleaseThatIsLateBehindAWaitIsStillExecuted) {
  LockLab lab(1, 1);
  lab.play(lab.a, plan_of(6200ms, 1));
  lab.at(5900ms, [&] { lab.world.cut(kA, kN1, Direction::to_server, CutMode::hold); });
  lab.at(9s, [&] { lab.world.heal(kA, kN1); });
  lab.run(11s);
  EXPECT_EQ(lab.a.use().released, ReleaseOutcome::unknown);
  EXPECT_LE(lab.a.use().released_at, 6750ms);
  EXPECT_EQ(lab.executed_count("extend", kA), 2u);
  EXPECT_EQ(lab.nodes_holding(lab.a.all(Kind::acquired)[0].token), 0u);
}

}  // namespace
}  // namespace holdfast::test
