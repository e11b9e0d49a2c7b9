// Whole histories like those of the catalogue, with everything that must and must not be violated.
#include <gtest/gtest.h>

#include "tests/reports/history_builder.h"

namespace holdfast::judge {
namespace {

void tries(HistoryBuilder& h, const std::string& who, const std::string& token) {
  h.sends(who, token).key(Kind::command_executed, "n1", who, token);
}

// A stops for 15 s before its second write; B comes in at 10.1 s and writes.
HistoryBuilder gc_pause(bool fenced) {
  HistoryBuilder h;
  h.lock().poll = 1'500 * kMs;
  h.at(0).calls("A", 500).sends("A", "a1").sets("A", "a1", 10'000);
  h.at(1).does(Kind::validity_checked, "A", 9'898 * kMs, 0, "a1").returns("A");
  h.at(2).does(Kind::write_sent, "A", 1).writes("A");
  h.at(2'000).does(Kind::process_paused, "A");
  h.at(1'000 + 1'001).calls("B", 60'000);
  for (int i = 2; i < 10; ++i) {
    h.at(i * 1'000 + 5);
    tries(h, "B", "b" + std::to_string(i));
  }
  h.at(9'898).does(Kind::valid_until_reached, "A");
  h.at(10'001).key(Kind::key_expired, "n1", "", "a1");
  h.at(10'100);
  tries(h, "B", "b10");
  h.sets("B", "b10", 10'000);
  h.at(10'101).does(Kind::validity_checked, "B", 19'998 * kMs, 0, "b10").returns("B");
  h.at(10'102).writes("B");
  h.at(17'000).does(Kind::process_resumed, "A").does(Kind::lost_told, "A");
  h.at(17'001).writes("A", !fenced);
  h.at(17'002).releases("A").at(17'003).released("A", 1);
  h.at(18'000).writes("B").releases("B").key(Kind::key_deleted, "n1", "B", "b10");
  h.at(18'001).released("B").does(Kind::client_done, "B").does(Kind::client_done, "A");
  h.ends(20'000);
  return h;
}

TEST(Scenario, AGcPauseIsTheApplicationsFaultAndTheLockKeptItsPromise) {
  HistoryBuilder h = gc_pause(false);
  const Judgement judgement = h.judged();
  EXPECT_EQ(violated(judgement), "mutual-exclusion stale-write");
  EXPECT_EQ(judgement.blame, Blame::application_outlived_lease);
  for (const auto kept :
       {Invariant::promise, Invariant::backed, Invariant::foreign_touch, Invariant::leak,
        Invariant::progress, Invariant::late_loss, Invariant::validity, Invariant::bounded_calls}) {
    EXPECT_EQ(state(judgement, kept), "held") << name(kept);
  }
  const auto& overlap = judgement[Invariant::mutual_exclusion].witnesses.at(0).overlap;
  EXPECT_EQ(overlap.begin, 10'101 * kMs);
  EXPECT_EQ(overlap.end, 17'002 * kMs);
  EXPECT_EQ(judgement[Invariant::stale_write].witnesses.size(), 2u);  // A after B, B after A again
}

TEST(Scenario, FencingKeepsTheStaleWriteOutButNotTheClient) {
  HistoryBuilder h = gc_pause(true);
  const Judgement judgement = h.judged();
  EXPECT_EQ(violated(judgement), "mutual-exclusion");
  EXPECT_EQ(state(judgement, Invariant::stale_write), "held");
}

// A's key never reached the replica that takes over.
TEST(Scenario, LosingTheKeyInAFailoverIsTheLocksLie) {
  HistoryBuilder h;
  h.setup().nodes.push_back({h.node("n1r"), h.node("n1"), false});
  h.at(0).at_node(Kind::replication_held, "n1r");
  h.calls("A", 500).sends("A", "a1").sets("A", "a1", 10'000);
  h.at(1).does(Kind::validity_checked, "A", 9'898 * kMs, 0, "a1").returns("A");
  h.at(2).writes("A");
  h.at(10).at_node(Kind::node_crashed, "n1").key(Kind::key_dropped, "n1", "", "a1", 3);
  h.at(100).at_node(Kind::node_promoted, "n1r");
  h.at_node(Kind::master_changed, "n1r", h.node("n1"));
  h.key(Kind::write_lost, "n1r", "", "a1", 5);
  h.at(500).acquires("B", "b1", 10'000, {"n1r"});
  h.at(501).writes("B");
  h.at(600).writes("A");
  h.at(1'000).releases("A").at(1'001).released("A", 2);
  h.at(2'000).releases("B").key(Kind::key_deleted, "n1r", "B", "b1").released("B").ends(4'000);
  const Judgement judgement = h.judged();
  EXPECT_EQ(violated(judgement), "mutual-exclusion promise backed stale-write");
  EXPECT_EQ(judgement.blame, Blame::lock_lied);
  const auto& backed = judgement[Invariant::backed].witnesses.at(0);
  EXPECT_EQ(backed.overlap.begin, 100 * kMs);
  EXPECT_EQ(backed.overlap.end, 1'000 * kMs);
}

// A Redlock of five of which A holds exactly three; one of them comes back empty.
TEST(Scenario, ARestartOfOneOfExactlyThreeNodesIsTheLocksLie) {
  for (const bool four : {false, true}) {
    HistoryBuilder h({"n1", "n2", "n3", "n4", "n5"});
    std::vector<std::string> mine = {"n1", "n2", "n3"};
    if (four) mine.push_back("n4");
    h.at(0).acquires("A", "a1", 10'000, mine).writes("A");
    h.at(1'000).at_node(Kind::node_crashed, "n3").key(Kind::key_dropped, "n3", "", "a1", 3);
    h.at(1'050).at_node(Kind::node_started, "n3", 0, 2);
    if (four) {
      h.at(1'100).calls("B").sends("B", "b1").sets("B", "b1", 10'000, {"n3", "n5"});
      h.at(1'200).key(Kind::key_deleted, "n3", "B", "b1").key(Kind::key_deleted, "n5", "B", "b1");
      h.returns("B", 1);
    } else {
      h.at(1'100).acquires("B", "b1", 10'000, {"n3", "n4", "n5"}).writes("B");
      h.at(1'200).writes("A");
    }
    for (const auto& node : mine) {
      if (node != "n3") h.at(2'000).key(Kind::key_deleted, node, "A", "a1");
    }
    h.releases("A").released("A").ends(2'100);
    EXPECT_EQ(violated(h.judged()), four ? "" : "mutual-exclusion promise backed stale-write");
  }
}

// SETNX, then the client dies before EXPIRE; B waits three leases.
TEST(Scenario, SetnxThenExpireLeavesAKeyForEver) {
  HistoryBuilder h;
  h.lock().belief = history::Belief::until_release;
  h.at(0).calls("A", 60'000).sends("A", "a1").sets("A", "a1", -1);
  h.at(1).does(Kind::process_crashed, "A");
  h.at(500).calls("B", 31'000);
  for (int i = 1; i <= 30; ++i) {
    h.at(i * 1'000);
    tries(h, "B", "b" + std::to_string(i));
  }
  h.at(30'500).returns("B", 1).does(Kind::client_done, "B").ends(31'500);
  EXPECT_EQ(violated(h.judged()), "leak progress");
}

// A is late with its bare DEL and takes B's key away; C comes in.
TEST(Scenario, ABareDelRemovesAnothersKey) {
  HistoryBuilder h;
  h.lock().belief = history::Belief::ttl_from_send;
  h.at(0).acquires("A", "a1", 10'000).writes("A");
  h.at(5'000).does(Kind::section_left, "A").does(Kind::release_called, "A", 500 * kMs);
  h.does(Kind::process_paused, "A");
  h.at(9'000).calls("B", 60'000);
  tries(h, "B", "b1");
  h.at(10'001).key(Kind::key_expired, "n1", "", "a1");
  h.at(10'100);
  tries(h, "B", "b2");
  h.sets("B", "b2", 10'000).returns("B").writes("B");
  h.at(15'000).does(Kind::process_resumed, "A").does(Kind::release_sent, "A");
  h.key(Kind::key_deleted, "n1", "A", "b2").released("A");
  h.at(15'100).acquires("C", "c1", 10'000).writes("C");
  h.at(16'000).writes("B").at(17'000).writes("C");
  h.at(20'100).does(Kind::valid_until_reached, "B").at(25'100);
  h.does(Kind::valid_until_reached, "C").key(Kind::key_expired, "n1", "", "c1").ends(26'000);
  EXPECT_EQ(violated(h.judged()), "mutual-exclusion promise backed stale-write foreign-touch");
}

}  // namespace
}  // namespace holdfast::judge
