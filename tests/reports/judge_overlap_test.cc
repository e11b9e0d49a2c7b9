// mutual-exclusion, promise and backed.
#include <gtest/gtest.h>

#include "tests/reports/history_builder.h"

namespace holdfast::judge {
namespace {

constexpr auto kMutual = Invariant::mutual_exclusion;
constexpr auto kPromise = Invariant::promise;
constexpr auto kBacked = Invariant::backed;

// A is in its section until 12 s although its promise ended at 9.9 s; B enters when A's key is
// gone.
HistoryBuilder outlived() {
  HistoryBuilder h;
  h.at(0).acquires("A", "a1", 10'000);
  h.at(9'000).calls("B").sends("B", "b1");
  h.at(9'900).does(Kind::valid_until_reached, "A").does(Kind::lost_told, "A");
  h.at(10'000).key(Kind::key_expired, "n1", "", "a1");
  h.at(10'100).sends("B", "b2").sets("B", "b2", 10'000).returns("B");
  return h;
}

TEST(MutualExclusion, SectionsOfTwoOwnersThatOverlapViolateIt) {
  HistoryBuilder h = outlived();
  h.at(12'000).releases("A").released("A", 1);
  h.at(13'000).releases("B").key(Kind::key_deleted, "n1", "B", "b2").released("B").ends(20'000);
  const Judgement judgement = h.judged();
  EXPECT_EQ(violated(judgement), "mutual-exclusion");
  const auto& witness = judgement[kMutual].witnesses.at(0);
  EXPECT_EQ(h.history.actors[witness.first_actor], "A");
  EXPECT_EQ(h.history.actors[witness.second_actor], "B");
  EXPECT_EQ(witness.overlap.begin, 10'100 * kMs);
  EXPECT_EQ(witness.overlap.end, 12'000 * kMs);
  EXPECT_EQ(witness.blame, Blame::application_outlived_lease);
  EXPECT_EQ(judgement.blame, Blame::application_outlived_lease);
  EXPECT_EQ(judgement.grants, 2u);
  EXPECT_EQ(judgement.contended_grants, 2u);
}

TEST(MutualExclusion, SectionsThatOnlyTouchKeepIt) {
  HistoryBuilder h;
  h.at(0).acquires("A", "a1", 10'000);
  h.at(1'000).releases("A").key(Kind::key_deleted, "n1", "A", "a1").acquires("B", "b1", 10'000);
  h.released("A").ends(2'000);
  const Judgement judgement = h.judged();
  EXPECT_EQ(state(judgement, kMutual), "held");
  EXPECT_EQ(state(judgement, kPromise), "held");
  EXPECT_EQ(judgement.blame, Blame::none);
}

TEST(MutualExclusion, ACrashEndsASectionAndAPauseDoesNot) {
  for (const bool crash : {true, false}) {
    HistoryBuilder h;
    h.at(0).acquires("A", "a1", 1'000);
    h.at(500).does(crash ? Kind::process_crashed : Kind::process_paused, "A");
    h.at(950).does(Kind::valid_until_reached, "A");
    h.at(1'000).key(Kind::key_expired, "n1", "", "a1");
    h.at(1'001).acquires("B", "b1", 1'000).ends(1'500);
    EXPECT_EQ(state(h.judged(), kMutual), crash ? "held" : "violated");
  }
}

TEST(MutualExclusion, LocksMeetOnTheResourceThatBothGuard) {
  for (const bool common : {true, false}) {
    HistoryBuilder h;
    h.add_lock("M", {"n1"});
    if (common) h.lock(1).guards.push_back(h.resource("stock"));
    h.at(0).acquires("A", "a1", 1'000);
    h.on("M").at(100).acquires("B", "b1", 1'000).ends(500);
    const Judgement judgement = h.judged();
    EXPECT_EQ(state(judgement, kMutual), common ? "violated" : "not judged: no rival");
    EXPECT_EQ(judgement.blame, Blame::none);
  }
}

TEST(MutualExclusion, IsNotJudgedWithoutAGrantOrARival) {
  HistoryBuilder nobody;
  nobody.at(0).calls("A").at(10).returns("A", 1).ends(20);
  EXPECT_EQ(state(nobody.judged(), kMutual), "not judged: nobody got a lock");
  HistoryBuilder alone;
  alone.at(0).acquires("A", "a1", 1'000).at(500).ends(600);
  EXPECT_EQ(state(alone.judged(), kMutual), "not judged: no rival");
}

TEST(MutualExclusion, ANestedAcquireIsPartOfTheOuterOne) {
  HistoryBuilder h;
  h.at(0).acquires("A", "a1", 10'000);
  const auto outer = h.grant("A");
  h.at(10).calls("A").sends("A", "a1").returns("A");
  h.at(20).releases("A").about("A", outer);
  h.at(30).calls("B").sends("B", "b1");
  h.at(40).returns("B", 1).ends(50);
  const Judgement judgement = h.judged();
  EXPECT_EQ(judgement.grants, 1u);
  EXPECT_EQ(state(judgement, kPromise), "held");
  EXPECT_EQ(state(judgement, kBacked), "held");
}

TEST(Promise, TwoLivePromisesViolateItEvenWhenNobodyIsHurt) {
  HistoryBuilder h;
  h.at(0).acquires("A", "a1", 10'000);
  h.at(1'000).does(Kind::section_left, "A").key(Kind::key_dropped, "n1", "", "a1", 1);
  h.at(2'000).acquires("B", "b1", 10'000);
  h.at(3'000).releases("A").released("A", 2).ends(4'000);
  const Judgement judgement = h.judged();
  EXPECT_EQ(violated(judgement), "promise backed");
  EXPECT_EQ(judgement.blame, Blame::lied_nobody_hurt);
  EXPECT_EQ(judgement[kPromise].witnesses.at(0).overlap.begin, 2'000 * kMs);
  EXPECT_EQ(judgement[kPromise].witnesses.at(0).overlap.end, 3'000 * kMs);
}

TEST(Promise, EndsWithTheFirstOfReleaseLossDenialCrashAndTime) {
  for (const Kind end : {Kind::release_called, Kind::lost_told, Kind::held_returned,
                         Kind::process_crashed, Kind::valid_until_reached}) {
    HistoryBuilder h;
    h.at(0).acquires("A", "a1", 10'000);
    h.at(1'000).does(end, "A", 0, 990 * kMs).key(Kind::key_dropped, "n1", "", "a1", 1);
    h.at(1'000).acquires("B", "b1", 10'000).ends(2'000);
    EXPECT_EQ(state(h.judged(), kPromise), "held") << static_cast<int>(end);
  }
}

TEST(Promise, AHeldThatSaidYesDoesNotEndIt) {
  HistoryBuilder h;
  h.at(0).acquires("A", "a1", 10'000);
  h.at(1'000).does(Kind::held_returned, "A", 1, 990 * kMs);
  h.at(1'000).key(Kind::key_dropped, "n1", "", "a1", 1).acquires("B", "b1", 10'000).ends(2'000);
  EXPECT_EQ(violated(h.judged()), "mutual-exclusion promise backed");
  EXPECT_EQ(h.judged().blame, Blame::lock_lied);
}

TEST(Promise, NeverBeginsWhenItsTimePassedBeforeTheCallReturned) {
  HistoryBuilder h;
  h.at(0).calls("A").sends("A", "a1").sets("A", "a1", 10'000).does(Kind::process_paused, "A");
  h.at(9'900).does(Kind::valid_until_reached, "A");
  h.at(10'000).key(Kind::key_expired, "n1", "", "a1");
  h.at(10'001).acquires("B", "b1", 10'000);
  h.at(11'000).does(Kind::process_resumed, "A").returns("A").ends(12'000);
  const Judgement judgement = h.judged();
  EXPECT_EQ(violated(judgement), "mutual-exclusion");
  EXPECT_EQ(judgement.blame, Blame::application_outlived_lease);
}

TEST(Promise, OfAProtocolThatSaysNothingOrOfAnUnseenHandleIsNotJudged) {
  HistoryBuilder h;
  h.at(0).acquires("A", "a1", 10'000);
  h.at(1'000).key(Kind::key_dropped, "n1", "", "a1", 1).acquires("B", "b1", 10'000).ends(2'000);
  h.setup().evidence.handle = false;
  const std::string unknown = "not judged: no promise whose end is known";
  EXPECT_EQ(state(h.judged(), kPromise), unknown);
  EXPECT_EQ(state(h.judged(), kBacked), unknown);
  EXPECT_EQ(h.judged().blame, Blame::none);
  h.lock().belief = history::Belief::until_release;  // needs no handle
  EXPECT_EQ(state(h.judged(), kPromise), "violated");
  h.lock().belief = history::Belief::not_judged;
  EXPECT_EQ(state(h.judged(), kPromise), unknown);
}

TEST(Backed, NeedsAQuorumAtEveryInstant) {
  HistoryBuilder h({"n1", "n2", "n3"});
  h.at(0).acquires("A", "a1", 10'000, {"n1", "n2"});
  h.at(1'000).key(Kind::key_dropped, "n2", "", "a1", 2);
  h.at(1'500).sets("A", "a1", 10'000, {"n3"});
  h.at(2'000).releases("A").ends(2'100);
  const Judgement judgement = h.judged();
  EXPECT_EQ(violated(judgement), "backed");
  const auto& witness = judgement[kBacked].witnesses.at(0);
  EXPECT_EQ(witness.overlap.begin, 1'000 * kMs);
  EXPECT_EQ(witness.overlap.end, 1'500 * kMs);
  EXPECT_EQ(h.history.nodes[witness.node], "n2");
}

TEST(Backed, AGapOfZeroLengthIsNone) {
  HistoryBuilder h;
  h.at(0).acquires("A", "a1", 10'000);
  h.at(1'000).key(Kind::key_dropped, "n1", "", "a1", 2).sets("A", "a1", 10'000);
  h.at(2'000).key(Kind::key_expired, "n1", "", "a1").releases("A").ends(3'000);
  EXPECT_EQ(state(h.judged(), kBacked), "held");
}

TEST(Backed, AnAttemptTokenOfAnEarlierTryOfTheSameGrantCounts) {
  HistoryBuilder h({"n1", "n2", "n3"});
  h.at(0).calls("A").sends("A", "a:1").sets("A", "a:1", 10'000, {"n1"});
  h.at(300).sends("A", "a:2").sets("A", "a:2", 10'000, {"n2"}).returns("A");
  h.at(1'000).releases("A").ends(3'000);
  EXPECT_EQ(state(h.judged(), kBacked), "held");
}

TEST(Backed, AConstantTokenCountsForItsWriterAlone) {
  HistoryBuilder h;
  h.at(0).acquires("A", "same", 10'000);
  h.at(1'000).key(Kind::key_deleted, "n1", "B", "same").acquires("B", "same", 10'000);
  h.at(2'000).releases("A").at(2'500).releases("B").ends(3'000);
  const Judgement judgement = h.judged();
  ASSERT_EQ(state(judgement, kBacked), "violated");
  EXPECT_EQ(judgement[kBacked].witnesses.size(), 1u);
  EXPECT_EQ(h.history.actors[judgement[kBacked].witnesses[0].first_actor], "A");
}

TEST(Backed, FollowsTheAddressToThePromotedReplica) {
  for (const bool replicated : {true, false}) {
    HistoryBuilder h;
    h.setup().nodes.push_back({h.node("n1r"), h.node("n1"), false});
    h.at(0).acquires("A", "a1", 10'000);
    if (replicated) h.at(1).key(Kind::key_set, "n1r", "", "a1", 10'000 * kMs);
    h.at(100).at_node(Kind::node_crashed, "n1");
    h.at(200).at_node(Kind::node_promoted, "n1r");
    h.at_node(Kind::master_changed, "n1r", h.node("n1"));
    h.at(1'000).releases("A").ends(2'000);
    EXPECT_EQ(state(h.judged(), kBacked), replicated ? "held" : "violated");
  }
}

TEST(Backed, ARestartThatLosesTheKeyBreaksItWhenTheNodeIsBack) {
  HistoryBuilder h;
  h.at(0).acquires("A", "a1", 10'000);
  h.at(1'000).at_node(Kind::node_crashed, "n1").key(Kind::key_dropped, "n1", "", "a1", 3);
  h.at(1'050).at_node(Kind::node_started, "n1", 0, 2);
  h.at(2'000).releases("A").ends(2'100);
  const Judgement judgement = h.judged();
  ASSERT_EQ(violated(judgement), "backed");
  EXPECT_EQ(judgement[kBacked].witnesses[0].overlap.begin, 1'050 * kMs);
}

TEST(Backed, ARestartThatKeepsTheKeyAndANodeThatStaysAwayBreakNothing) {
  HistoryBuilder kept;
  kept.at(0).acquires("A", "a1", 10'000);
  kept.at(1'000).at_node(Kind::node_crashed, "n1");
  kept.at(1'050).at_node(Kind::node_started, "n1", 0, 2);
  kept.key(Kind::key_set, "n1", "", "a1", 10'000 * kMs);
  kept.at(2'000).releases("A").ends(3'000);
  EXPECT_EQ(state(kept.judged(), kBacked), "held");
  HistoryBuilder away;
  away.at(0).acquires("A", "a1", 10'000);
  away.at(1'000).at_node(Kind::node_crashed, "n1").key(Kind::key_dropped, "n1", "", "a1", 3);
  away.at(2'000).releases("A").ends(3'000);
  EXPECT_EQ(state(away.judged(), kBacked), "held");
}

TEST(Backed, IsNotJudgedWhereNobodyWatchesTheServers) {
  HistoryBuilder h;
  h.at(0).acquires("A", "a1", 10'000).at(1).ends(2);
  h.setup().evidence.server_keys = false;
  EXPECT_EQ(state(h.judged(), kBacked), "not judged: no record of the servers' keys");
}

}  // namespace
}  // namespace holdfast::judge
