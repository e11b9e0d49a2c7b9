// What must happen in time: progress, late-loss, bounded-calls.
#include <gtest/gtest.h>

#include "tests/reports/history_builder.h"

namespace holdfast::judge {
namespace {

constexpr auto kProgress = Invariant::progress;
constexpr auto kLate = Invariant::late_loss;
constexpr auto kBounded = Invariant::bounded_calls;
const std::string kNone = "not judged: a waiter had no quorum within reach";
const std::string kNobody = "not judged: nobody got the lock, and no bound ended within the run";

// B waits from 1 s on and tries each second until `until_ms`, refused every time.
void waits(HistoryBuilder& h, std::int64_t until_ms) {
  h.at(1'000).calls("B");
  for (std::int64_t ms = 1'000; ms < until_ms; ms += 1'000) {
    h.at(ms).sends("B", "b" + std::to_string(ms)).key(Kind::command_executed, "n1", "B", "");
  }
}

// The bound of these histories: poll 1 s + 3 * (poll + 2 * 250 ms) = 5.5 s.
TEST(Progress, AFreeLockThatAWaiterDoesNotGetViolatesIt) {
  HistoryBuilder h;
  waits(h, 20'000);
  h.ends(20'000);
  const Judgement judgement = h.judged();
  ASSERT_EQ(state(judgement, kProgress), "violated");
  const auto& witness = judgement[kProgress].witnesses.at(0);
  EXPECT_EQ(h.history.actors[witness.first_actor], "B");
  EXPECT_EQ(witness.overlap.begin, 1'000 * kMs);
  EXPECT_EQ(witness.overlap.end, 6'500 * kMs);
  EXPECT_EQ(judgement[kProgress].witnesses.size(), 1u);
}

TEST(Progress, GettingItInTimeKeepsIt) {
  HistoryBuilder h;
  waits(h, 6'000);
  h.at(6'000).sends("B", "b").sets("B", "b", 60'000).returns("B").ends(20'000);
  EXPECT_EQ(state(h.judged(), kProgress), "held");
}

TEST(Progress, ALivePromiseAndALeftoverWithTtlExcuseTheWait) {
  HistoryBuilder h;
  h.at(0).acquires("A", "a1", 30'000);
  waits(h, 10'000);
  h.at(10'000).does(Kind::process_crashed, "A");
  for (std::int64_t ms = 10'000; ms < 34'000; ms += 1'000) {
    h.at(ms).sends("B", "c" + std::to_string(ms)).key(Kind::command_executed, "n1", "B", "");
    if (ms == 30'000) h.key(Kind::key_expired, "n1", "", "a1");
  }
  HistoryBuilder never = h;
  h.at(34'000).sends("B", "b").sets("B", "b", 60'000).returns("B").ends(40'000);
  EXPECT_EQ(state(h.judged(), kProgress), "held");
  for (std::int64_t ms = 34'000; ms < 37'000; ms += 1'000) {
    never.at(ms).sends("B", "d" + std::to_string(ms)).key(Kind::command_executed, "n1", "B", "");
  }
  EXPECT_EQ(state(never.ends(37'000).judged(), kProgress), "violated");
}

TEST(Progress, AKeyWithoutTtlExcusesOneLeaseAndNoMore) {
  for (const std::int64_t waited : {14'000, 31'000}) {
    HistoryBuilder h;
    h.at(0).calls("A").sends("A", "a1").sets("A", "a1", -1);
    h.at(1).does(Kind::process_crashed, "A");
    waits(h, waited);
    h.at(waited).returns("B", 1).ends(40'000);
    const Judgement judgement = h.judged();
    EXPECT_EQ(violated(judgement), waited == 31'000 ? "leak progress" : "leak");
  }
}

TEST(Progress, ALeftoverProlongedForEverExcusesNothing) {
  HistoryBuilder h;
  h.at(0).acquires("A", "a1", 10'000);
  waits(h, 2'000);
  h.at(2'000).releases("A").released("A", 3);
  for (std::int64_t ms = 3'000; ms < 40'000; ms += 3'000) {
    h.at(ms).key(Kind::key_ttl_changed, "n1", "A", "a1", (ms + 10'000) * kMs);
    h.sends("B", "b" + std::to_string(ms)).key(Kind::command_executed, "n1", "B", "");
  }
  EXPECT_EQ(state(h.ends(40'000).judged(), kProgress), "violated");
}

// The key of an attempt under way is no leftover; one of an attempt long ago is, its owner's too.
TEST(Progress, AnAttemptsOwnKeyExcusesTheWaitWhenItHasOutlivedARound) {
  for (const std::int64_t ms : {12'000, 20'000}) {
    HistoryBuilder h;
    waits(h, 2'000);
    h.at(1'001).sets("B", "b1000", 10'000);
    for (std::int64_t next = 2'000; next < ms; next += 1'000) {
      h.at(next).sends("B", "c" + std::to_string(next)).key(Kind::command_executed, "n1", "B", "");
      if (next == 11'000) h.key(Kind::key_expired, "n1", "", "b1000");
    }
    EXPECT_EQ(state(h.ends(ms).judged(), kProgress), ms == 12'000 ? kNobody : "violated");
  }
  HistoryBuilder lockstep({"n1", "n2"});  // two waiters who take one node each, for ever
  lockstep.at(0).calls("A").calls("B");
  for (std::int64_t ms = 0; ms < 12'000; ms += 500) {
    const std::string a = "a" + std::to_string(ms), b = "b" + std::to_string(ms);
    lockstep.at(ms).sends("A", a).sends("B", b);
    lockstep.sets("A", a, 10'000, {"n1"}).sets("B", b, 10'000, {"n2"});
    for (const char* node : {"n1", "n2"}) {
      lockstep.key(Kind::command_executed, node, "A", "")
          .key(Kind::command_executed, node, "B", "");
    }
    lockstep.at(ms + 10).key(Kind::key_deleted, "n1", "A", a);
    lockstep.key(Kind::key_deleted, "n2", "B", b);
  }
  EXPECT_EQ(state(lockstep.ends(12'000).judged(), kProgress), "violated");
}

TEST(Progress, AWaiterThatCannotReachAQuorumIsNotOwedAnything) {
  const auto blocked = [](auto&& fault) {
    HistoryBuilder h;
    h.at(0);
    fault(h);
    h.at(1'000).calls("B").at(2'000).sends("B", "b1").ends(30'000);
    return state(h.judged(), kProgress);
  };
  using H = HistoryBuilder;
  EXPECT_EQ(blocked([](H& h) { h.link(Kind::link_down, "B", "n1", 1); }), kNone);
  EXPECT_EQ(blocked([](H& h) { h.at_node(Kind::node_paused, "n1"); }), kNone);
  EXPECT_EQ(blocked([](H& h) { h.at_node(Kind::node_crashed, "n1"); }), kNone);
  EXPECT_EQ(blocked([](H& h) { h.at_node(Kind::node_demoted, "n1", h.node("n2")); }), kNone);
  EXPECT_EQ(blocked([](H& h) { h.does(Kind::process_paused, "B"); }), kNone);
  EXPECT_EQ(blocked([](H& h) { h.at_node(Kind::node_impaired, "n1", 1); }), kNone);
  EXPECT_EQ(blocked([](H& h) { h.lock().replicas = 1; }), kNone);
  // Tries that no server executed: it was not served, whatever the reason.
  EXPECT_EQ(blocked([](H&) {}), "not judged: no quorum executed a waiter's tries");
  // Of three nodes one may be away; then nothing excuses a waiter that does not even try.
  HistoryBuilder idle({"n1", "n2", "n3"});
  idle.at(0).at_node(Kind::node_crashed, "n2").at(1'000).calls("B").ends(30'000);
  EXPECT_EQ(state(idle.judged(), kProgress), "violated");
}

TEST(Progress, ImpairmentsThatOverlapLastUntilTheLastOfThemEnds) {
  for (const int ended : {1, 2}) {
    HistoryBuilder h;
    h.at(0).at_node(Kind::node_impaired, "n1", 1).at_node(Kind::node_impaired, "n1", 1);
    h.at(500);
    for (int i = 0; i < ended; ++i) h.at_node(Kind::node_impaired, "n1", 0);
    h.at(1'000).calls("B").ends(30'000);
    EXPECT_EQ(state(h.judged(), kProgress), ended == 2 ? "violated" : kNone);
  }
}

// A is dead; by its server's own clock its key lives on for an hour.
TEST(Progress, IsNotJudgedWhenTheBoundLiesBeyondTheRun) {
  for (const std::int64_t deadline : {3'610'000, -2}) {
    HistoryBuilder h;
    h.at(0).acquires("A", "a1", 10'000);
    h.at(1'000).calls("B").at(2'000).at_node(Kind::clock_stepped, "n1", -3'600'000 * kMs);
    if (deadline > 0) h.key(Kind::key_ttl_changed, "n1", "", "a1", deadline * kMs);
    h.at(3'000).does(Kind::process_crashed, "A");
    HistoryBuilder short_wait = h;
    short_wait.at(12'000).returns("B", 1).ends(20'000);
    EXPECT_EQ(state(short_wait.judged(), kProgress), "held") << "A got in, B waited a lease";
    HistoryBuilder got_in = h;
    h.at(121'000).returns("B", 1).ends(150'000);
    EXPECT_EQ(state(h.judged(), kProgress),
              deadline > 0 ? "not judged: the bound, 3,613 s, lies beyond the run"
                           : "not judged: the bound, whose end nobody knows, lies beyond the run");
    got_in.at(121'000).sends("B", "b").sets("B", "b", 10'000).returns("B").ends(150'000);
    EXPECT_EQ(state(got_in.judged(), kProgress), "held");
  }
}

TEST(Progress, IsNotHeldWhenNobodyGotInAndNoBoundEnded) {
  HistoryBuilder h;
  h.at(0).calls("A").at(3'000).returns("A", 4).ends(5'000);
  EXPECT_EQ(state(h.judged(), kProgress), kNobody);
}

TEST(Progress, IsNotJudgedWithoutAWaiterOrEvidence) {
  HistoryBuilder none;
  none.at(0).happens(Kind::fault_fired, 1).ends(10);
  const std::string nobody = "not judged: nobody asked for a lock whose promises are known";
  EXPECT_EQ(state(none.judged(), kProgress), nobody);
  HistoryBuilder h;
  waits(h, 20'000);
  h.ends(20'000).lock().belief = history::Belief::not_judged;
  EXPECT_EQ(state(h.judged(), kProgress), nobody);
  h.setup().evidence.server_keys = false;
  EXPECT_EQ(state(h.judged(), kProgress), "not judged: no record of the servers' keys");
}

// A's lease ends by time at 9.9 s.
HistoryBuilder expired() {
  HistoryBuilder h;
  h.at(0).acquires("A", "a1", 10'000);
  h.at(9'900).does(Kind::valid_until_reached, "A");
  return h;
}

TEST(LateLoss, MustBeToldAtOnce) {
  HistoryBuilder told = expired();
  told.does(Kind::lost_told, "A").ends(20'000);
  EXPECT_EQ(state(told.judged(), kLate), "held");
  HistoryBuilder late = expired();
  late.at(12'000).does(Kind::lost_told, "A").ends(20'000);
  const Judgement judgement = late.judged();
  ASSERT_EQ(state(judgement, kLate), "violated");
  EXPECT_EQ(judgement[kLate].witnesses.at(0).overlap.begin, 9'900 * kMs);
  EXPECT_EQ(judgement[kLate].witnesses.at(0).overlap.end, 12'000 * kMs);
  EXPECT_EQ(state(expired().ends(20'000).judged(), kLate), "violated");
  late.setup().slack = 3'000 * kMs;  // a live world's tolerance
  EXPECT_EQ(state(late.judged(), kLate), "held");
}

TEST(LateLoss, ALossThatWasToldBeforeTimeIsUpKeepsIt) {
  for (const std::int64_t reason : {1, 4}) {  // stolen; released, which is no loss
    HistoryBuilder h;
    h.at(0).acquires("A", "a1", 10'000).at(100).does(Kind::lost_told, "A", reason).ends(20'000);
    EXPECT_EQ(state(h.judged(), kLate), reason == 1 ? "held" : "not judged: no lease was lost");
  }
}

TEST(LateLoss, APauseOfEitherLanePostponesIt) {
  for (const std::int64_t lane : {0, 1, 2}) {
    for (const std::int64_t told : {15'000, 15'500}) {
      HistoryBuilder h;
      h.at(0).acquires("A", "a1", 10'000);
      h.at(5'000).does(Kind::process_paused, "A", lane);
      h.at(9'900).does(Kind::valid_until_reached, "A");
      h.at(15'000).does(Kind::process_resumed, "A", lane);
      h.at(told).does(Kind::lost_told, "A").ends(20'000);
      EXPECT_EQ(state(h.judged(), kLate), told == 15'000 ? "held" : "violated");
    }
  }
}

TEST(LateLoss, AHeldThatBeganAfterTheEndMustNotSayYes) {
  for (const bool began_before : {true, false}) {
    HistoryBuilder h = expired();
    h.does(Kind::lost_told, "A");
    h.at(10'000).does(Kind::held_returned, "A", 1, (began_before ? 9'800 : 9'950) * kMs);
    EXPECT_EQ(state(h.ends(20'000).judged(), kLate), began_before ? "held" : "violated");
  }
}

TEST(LateLoss, IsNotJudgedWhenNoLeaseEndedByTime) {
  const std::string none = "not judged: no lease was lost";
  HistoryBuilder released;
  released.at(0).acquires("A", "a1", 10'000).at(100).releases("A").ends(20'000);
  EXPECT_EQ(state(released.judged(), kLate), none);
  HistoryBuilder crashed;
  crashed.at(0).acquires("A", "a1", 10'000).at(100).does(Kind::process_crashed, "A");
  EXPECT_EQ(state(crashed.ends(20'000).judged(), kLate), none);
  HistoryBuilder protocol = expired();
  protocol.ends(20'000).lock().belief = history::Belief::ttl_from_send;
  EXPECT_EQ(state(protocol.judged(), kLate), none);
}

TEST(BoundedCalls, ACallThatTakesLongerThanItsBoundViolatesIt) {
  for (const std::int64_t took : {500, 600}) {
    HistoryBuilder h;
    h.at(0).calls("A", 500).at(took).returns("A", 1).ends(1'000);
    EXPECT_EQ(state(h.judged(), kBounded), took == 500 ? "held" : "violated");
    HistoryBuilder r;
    r.at(0).acquires("A", "a1", 10'000).releases("A").at(took).released("A").ends(1'000);
    EXPECT_EQ(state(r.judged(), kBounded), took == 500 ? "held" : "violated");
  }
}

TEST(BoundedCalls, ACallThatNeverReturnsViolatesItUnlessItsProcessDied) {
  HistoryBuilder open;
  open.at(0).calls("A", 500).ends(1'000);
  EXPECT_EQ(state(open.judged(), kBounded), "violated");
  HistoryBuilder died;
  died.at(0).calls("A", 500).at(400).does(Kind::process_crashed, "A").ends(1'000);
  EXPECT_EQ(state(died.judged(), kBounded), "held");
}

TEST(BoundedCalls, OnlyTimeInWhichTheProcessRanCounts) {
  for (const std::int64_t pause : {200, 50}) {
    HistoryBuilder h;
    h.at(0).calls("A", 500).at(100).does(Kind::process_paused, "A");
    h.at(100 + pause).does(Kind::process_resumed, "A").at(650).returns("A").ends(1'000);
    EXPECT_EQ(state(h.judged(), kBounded), pause == 200 ? "held" : "violated");
  }
}

TEST(BoundedCalls, IsNotJudgedWithoutABound) {
  HistoryBuilder h;
  h.at(0).calls("A", 0).at(600).returns("A", 1).ends(1'000);
  EXPECT_EQ(state(h.judged(), kBounded), "not judged: no call with a bound");
}

}  // namespace
}  // namespace holdfast::judge
