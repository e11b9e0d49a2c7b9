// What the servers' keys tell: foreign-touch, zombie-renewal, leak, validity.
#include <gtest/gtest.h>

#include "tests/reports/history_builder.h"

namespace holdfast::judge {
namespace {

constexpr auto kForeign = Invariant::foreign_touch;
constexpr auto kZombie = Invariant::zombie_renewal;
constexpr auto kLeak = Invariant::leak;
constexpr auto kValidity = Invariant::validity;
const std::string kNoKeys = "not judged: no record of the servers' keys";

// A's key is alive until 10 s; B asks for the lock at 1 s and goes on asking.
HistoryBuilder a_holds() {
  HistoryBuilder h;
  h.at(0).acquires("A", "a1", 10'000);
  h.at(1'000).calls("B").sends("B", "b1");
  return h;
}

TEST(ForeignTouch, DeletingOverwritingAndProlongingAnothersLiveKeyViolateIt) {
  for (const Kind kind : {Kind::key_deleted, Kind::key_set, Kind::key_ttl_changed}) {
    HistoryBuilder h = a_holds();
    const bool set = kind == Kind::key_set;
    h.at(2'000).key(kind, "n1", "B", set ? "b1" : "a1", 12'000 * kMs).ends(3'000);
    const Judgement judgement = h.judged();
    ASSERT_EQ(state(judgement, kForeign), "violated");
    const auto& witness = judgement[kForeign].witnesses.at(0);
    EXPECT_EQ(h.history.actors[witness.first_actor], "B");
    EXPECT_EQ(h.history.actors[witness.second_actor], "A");
    EXPECT_EQ(witness.overlap.begin, 2'000 * kMs);
  }
}

TEST(ForeignTouch, ADeadKeyAnOwnKeyAndACauseAreNoTouch) {
  HistoryBuilder dead = a_holds();
  dead.at(10'000).key(Kind::key_expired, "n1", "", "a1");
  dead.at(10'001).key(Kind::key_set, "n1", "B", "b1", 20'000 * kMs).ends(11'000);
  EXPECT_EQ(state(dead.judged(), kForeign), "held");
  HistoryBuilder own = a_holds();
  own.at(2'000).key(Kind::key_ttl_changed, "n1", "A", "a1", 12'000 * kMs);
  own.at(3'000).releases("A").key(Kind::key_deleted, "n1", "A", "a1").ends(4'000);
  EXPECT_EQ(state(own.judged(), kForeign), "held");
  HistoryBuilder cause = a_holds();
  cause.at(2'000).key(Kind::key_deleted, "n1", "operator", "a1");
  cause.at(2'001).key(Kind::key_set, "n1", "", "a1", 10'000 * kMs);
  cause.at(2'002).key(Kind::key_deleted, "n1", "", "a1").ends(4'000);
  EXPECT_EQ(state(cause.judged(), kForeign), "held");
}

TEST(ForeignTouch, ARetryOfTheSameAcquireIsNoTouchAndAnotherGrantOfTheActorIs) {
  HistoryBuilder retry = a_holds();
  retry.at(1'500).key(Kind::key_dropped, "n1", "", "a1", 1);
  retry.at(2'000).sets("B", "b1", 10'000).sends("B", "b2").sets("B", "b2", 10'000).returns("B");
  EXPECT_EQ(state(retry.ends(3'000).judged(), kForeign), "held");
  HistoryBuilder again = a_holds();
  again.at(2'000).calls("A").sends("A", "a2").sets("A", "a2", 10'000).ends(3'000);
  EXPECT_EQ(state(again.judged(), kForeign), "violated");
}

TEST(ForeignTouch, AConstantTokenHidesNothing) {
  HistoryBuilder h;
  h.at(0).acquires("A", "same", 10'000);
  h.at(1'000).calls("B").sends("B", "same");
  h.at(2'000).key(Kind::key_deleted, "n1", "B", "same").ends(3'000);
  EXPECT_EQ(state(h.judged(), kForeign), "violated");
}

TEST(ForeignTouch, IsNotJudgedWithoutKeysOrARival) {
  HistoryBuilder h = a_holds();
  h.ends(3'000).setup().evidence.server_keys = false;
  EXPECT_EQ(state(h.judged(), kForeign), kNoKeys);
  HistoryBuilder alone;
  alone.at(0).acquires("A", "a1", 10'000).ends(1);
  EXPECT_EQ(state(alone.judged(), kForeign), "not judged: no rival");
  HistoryBuilder empty;
  empty.at(0).calls("A").at(1).returns("A", 1).ends(1);
  EXPECT_EQ(state(empty.judged(), kForeign), "not judged: no lock key");
}

TEST(ZombieRenewal, SentAfterReleaseLossOrCrashViolatesIt) {
  for (const Kind end : {Kind::release_called, Kind::lost_told, Kind::process_crashed}) {
    for (const bool after : {true, false}) {
      HistoryBuilder h;
      h.at(0).acquires("A", "a1", 10'000);
      if (after) h.at(1'000).does(end, "A");
      h.at(1'000).does(Kind::renewal_sent, "A", 0, 0, "a1");
      if (!after) h.at(1'000).does(end, "A");
      EXPECT_EQ(state(h.ends(2'000).judged(), kZombie), after ? "violated" : "held");
    }
  }
}

TEST(ZombieRenewal, ChangingAKeyAfterReleasedReturnedViolatesItUnlessTheReleaseIsBehind) {
  for (const bool behind : {true, false}) {
    HistoryBuilder h({"n1", "n2", "n3"});
    h.at(0).acquires("A", "a1", 10'000);
    h.at(3'000).does(Kind::renewal_sent, "A", 0, 0, "a1");
    h.at(4'000).releases("A");
    h.key(Kind::key_deleted, "n1", "A", "a1").key(Kind::key_deleted, "n2", "A", "a1");
    h.released("A");
    h.at(5'000).key(Kind::key_ttl_changed, "n3", "A", "a1", 15'000 * kMs);
    if (behind) h.at(5'001).key(Kind::key_deleted, "n3", "A", "a1");
    EXPECT_EQ(state(h.ends(8'000).judged(), kZombie), behind ? "held" : "violated");
  }
}

// A node that was frozen, or a slow link: whatever was sent in time, with the release behind it.
TEST(ZombieRenewal, LateRenewalsWithTheirReleaseAtTheEndChangeNothingThatLasts) {
  for (const bool released : {true, false}) {
    HistoryBuilder h({"n1", "n2", "n3"});
    h.at(0).acquires("A", "a1", 10'000);
    h.at(3'000).does(Kind::renewal_sent, "A", 0, 0, "a1");
    h.at(3'300).does(Kind::renewal_sent, "A", 0, 0, "a1");
    h.at(4'000).releases("A");
    h.key(Kind::key_deleted, "n1", "A", "a1").key(Kind::key_deleted, "n2", "A", "a1");
    h.released("A");
    h.at(5'000).key(Kind::key_ttl_changed, "n3", "A", "a1", 15'000 * kMs);
    h.at(5'300).key(Kind::key_ttl_changed, "n3", "A", "a1", 15'300 * kMs);
    const Kind end = released ? Kind::key_deleted : Kind::key_expired;
    h.at(6'000).key(end, "n3", released ? "A" : "", "a1");
    EXPECT_EQ(state(h.ends(8'000).judged(), kZombie), released ? "held" : "violated");
  }
}

TEST(ZombieRenewal, IsNotJudgedWithoutARenewalOrTheKeys) {
  HistoryBuilder h;
  h.at(0).acquires("A", "a1", 10'000);
  EXPECT_EQ(state(h.judged(), kZombie), "not judged: no renewal");
  h.at(1'000).does(Kind::renewal_sent, "A", 0, 0, "a1");
  h.setup().evidence.server_keys = false;
  EXPECT_EQ(state(h.judged(), kZombie), kNoKeys);
  h.at(2'000).releases("A").does(Kind::renewal_sent, "A", 0, 0, "a1");
  EXPECT_EQ(state(h.judged(), kZombie), "violated");  // this much was seen
}

// A failed acquire whose SET executed on n1.
HistoryBuilder failed() {
  HistoryBuilder h;
  h.at(0).calls("A").sends("A", "a1").sets("A", "a1", 10'000);
  h.at(300).returns("A", 4);
  return h;
}

TEST(Leak, AKeyThatOutlivesAFailedAcquireOrAReleaseViolatesIt) {
  HistoryBuilder h = failed();
  h.at(10'000).key(Kind::key_expired, "n1", "", "a1").ends(11'000);
  const Judgement judgement = h.judged();
  ASSERT_EQ(state(judgement, kLeak), "violated");
  const auto& witness = judgement[kLeak].witnesses.at(0);
  EXPECT_EQ(witness.overlap.begin, 550 * kMs);
  EXPECT_EQ(witness.overlap.end, 10'000 * kMs);
  EXPECT_EQ(h.history.nodes[witness.node], "n1");
  HistoryBuilder released;
  released.at(0).acquires("A", "a1", 10'000).at(500).releases("A").released("A", 3).ends(5'000);
  EXPECT_EQ(state(released.judged(), kLeak), "violated");
}

TEST(Leak, ALateReleaseADeadConnectionACrashAndAShortRestKeepIt) {
  HistoryBuilder late = failed();
  late.at(5'000).key(Kind::key_deleted, "n1", "A", "a1").ends(11'000);
  EXPECT_EQ(state(late.judged(), kLeak), "held");
  HistoryBuilder lost = failed();
  lost.link(Kind::connection_lost, "A", "n1").ends(11'000);
  EXPECT_EQ(state(lost.judged(), kLeak), "held");
  HistoryBuilder crash = failed();
  crash.does(Kind::process_crashed, "A").ends(11'000);
  EXPECT_EQ(state(crash.judged(), kLeak), "held");
  HistoryBuilder rest = failed();
  rest.at(540).key(Kind::key_expired, "n1", "", "a1").ends(11'000);
  EXPECT_EQ(state(rest.judged(), kLeak), "held");
  HistoryBuilder promoted = failed();
  promoted.at_node(Kind::node_promoted, "n1").ends(11'000);
  EXPECT_EQ(state(promoted.judged(), kLeak), "held");
}

// min_hold, or a pause before anything is sent: the call's bound says how long that may be.
TEST(Leak, AReleaseThatIsStillToBeSentIsWaitedForWithinItsBound) {
  for (const bool long_ago : {false, true}) {
    HistoryBuilder h;
    h.at(0).acquires("A", "a1", 10'000);
    h.at(1'000).does(Kind::release_called, "A", 2'000 * kMs);
    h.ends(long_ago ? 4'000 : 2'900);
    EXPECT_EQ(state(h.judged(), kLeak),
              long_ago ? "violated" : "not judged: the bound, 9 s, lies beyond the run");
  }
}

TEST(Leak, WhatHappensWhenTheKeyShouldBeGoneExcusesNothing) {
  for (const std::int64_t when : {400, 5'000}) {
    HistoryBuilder lost = failed();
    lost.at(when).link(Kind::connection_lost, "A", "n1").ends(11'000);
    EXPECT_EQ(state(lost.judged(), kLeak), when < 550 ? "held" : "violated");
    HistoryBuilder crash = failed();
    crash.at(when).does(Kind::process_crashed, "A").ends(11'000);
    EXPECT_EQ(state(crash.judged(), kLeak), when < 550 ? "held" : "violated");
  }
}

TEST(Leak, ASlowLinkLosesNothing) {
  for (const bool slow : {true, false}) {
    HistoryBuilder h = failed();
    Event impaired;
    impaired.kind = Kind::node_impaired;
    impaired.actor = h.actor("A");
    impaired.node = h.node("n1");
    impaired.a = 1;
    impaired.b = slow ? 1 : 0;
    h.at(310).add(impaired);
    impaired.a = 0;
    h.at(2'000).add(impaired).ends(11'000);
    EXPECT_EQ(state(h.judged(), kLeak), slow ? "violated" : "held");
  }
}

TEST(Leak, IsNotJudgedWhileAKeyMayStayBeyondTheRun) {
  for (const std::int64_t ends : {5'000, 11'000}) {  // of a dead client: its TTL is the bound
    HistoryBuilder h;
    h.at(0).acquires("A", "a1", 10'000).at(2'000).does(Kind::process_crashed, "A");
    h.ends(ends);
    EXPECT_EQ(state(h.judged(), kLeak),
              ends == 11'000 ? "held" : "not judged: the bound, 8 s, lies beyond the run");
  }
  HistoryBuilder stepped;  // by the server's own clock it has an hour to go
  stepped.at(0).acquires("A", "a1", 10'000);
  stepped.at(1'000).at_node(Kind::clock_stepped, "n1", -3'600'000 * kMs);
  stepped.key(Kind::key_ttl_changed, "n1", "", "a1", 3'610'000 * kMs);
  stepped.at(2'000).does(Kind::process_crashed, "A").ends(150'000);
  EXPECT_EQ(state(stepped.judged(), kLeak), "not judged: the bound, 3,608 s, lies beyond the run");
  HistoryBuilder unknown;
  unknown.at(0).acquires("A", "a1", 10'000);
  unknown.at(1'000).at_node(Kind::clock_stepped, "n1", -3'600'000 * kMs);
  unknown.at(2'000).does(Kind::process_crashed, "A").ends(150'000);
  EXPECT_EQ(state(unknown.judged(), kLeak),
            "not judged: the bound, whose end nobody knows, lies beyond the run");
}

TEST(Leak, IsNotHeldByAKeyThatIsStillNeeded) {
  HistoryBuilder h;
  h.at(0).acquires("A", "a1", 10'000).ends(5'000);
  EXPECT_EQ(state(h.judged(), kLeak), "not judged: no grant with a key was over");
  HistoryBuilder over;
  over.at(0).acquires("A", "a1", 10'000).at(1'000).releases("A");
  over.key(Kind::key_deleted, "n1", "A", "a1").released("A").ends(5'000);
  EXPECT_EQ(state(over.judged(), kLeak), "held");
}

TEST(Leak, TimeOutOfReachDoesNotCount) {
  for (const bool leaves : {false, true}) {
    HistoryBuilder h = failed();
    h.at(310).link(Kind::link_down, "A", "n1", 1);
    h.at(6'000).link(Kind::link_up, "A", "n1");
    h.at(leaves ? 8'000 : 6'200).key(Kind::key_expired, "n1", "", "a1").ends(11'000);
    EXPECT_EQ(state(h.judged(), kLeak), leaves ? "violated" : "held");
    HistoryBuilder p = failed();
    p.at(310).does(Kind::process_paused, "A").at(6'000).does(Kind::process_resumed, "A");
    p.at(leaves ? 8'000 : 6'200).key(Kind::key_expired, "n1", "", "a1").ends(11'000);
    EXPECT_EQ(state(p.judged(), kLeak), leaves ? "violated" : "held");
  }
}

TEST(Leak, TheGrantsLastCommandStartsTheCountAgain) {
  for (const char* token : {"a1", "", "b1"}) {  // the last is another grant's
    HistoryBuilder h = failed();
    h.at(1'000).calls("B").sends("B", "b1");
    h.at(2'000).key(Kind::command_executed, "n1", "A", token);
    h.at(2'200).key(Kind::key_expired, "n1", "", "a1").ends(3'000);
    EXPECT_EQ(state(h.judged(), kLeak), std::string(token) == "b1" ? "violated" : "held");
  }
}

TEST(Leak, AKeyWithoutTtlWhoseWriterIsIdleViolatesItEvenAfterACrash) {
  for (const bool crash : {true, false}) {
    HistoryBuilder h;
    h.at(0).calls("A").sends("A", "a1").sets("A", "a1", -1);
    h.at(1);
    crash ? h.does(Kind::process_crashed, "A") : h.returns("A");
    EXPECT_EQ(state(h.ends(1'000).judged(), kLeak), "violated");
  }
  HistoryBuilder busy;
  busy.at(0).calls("A").sends("A", "a1").sets("A", "a1", -1);
  busy.at(5'000).key(Kind::key_ttl_changed, "n1", "A", "a1", 15'000 * kMs).returns("A");
  EXPECT_EQ(state(busy.ends(6'000).judged(), kLeak), "held");
}

// Whoever cannot be reached any more cannot take the key away: that is what makes it a leak.
TEST(Leak, AKeyWithoutTtlIsNotExcusedByADeadConnectionOrACut) {
  for (const Kind loss : {Kind::connection_lost, Kind::link_down}) {
    HistoryBuilder h;
    h.at(0).calls("A").sends("A", "a1").sets("A", "a1", -1);
    h.at(1).link(loss, "A", "n1", 1);
    h.at(300).returns("A", 4);
    const Judgement judgement = h.ends(20'000).judged();
    ASSERT_EQ(state(judgement, kLeak), "violated");
    EXPECT_EQ(judgement[kLeak].witnesses.at(0).overlap.begin, 550 * kMs);
  }
}

TEST(Leak, IsNotJudgedWithoutKeys) {
  HistoryBuilder h = failed();
  h.ends(11'000).setup().evidence.server_keys = false;
  EXPECT_EQ(state(h.judged(), kLeak), kNoKeys);
  HistoryBuilder none;
  none.at(0).calls("A").at(1).returns("A", 1).ends(5'000);
  EXPECT_EQ(state(none.judged(), kLeak), "not judged: no lock key");
}

TEST(Validity, AQuorumMustKeepTheKeyAsLongAsClaimed) {
  for (const std::int64_t claimed : {9'900, 8'000}) {
    HistoryBuilder h({"n1", "n2", "n3"});
    h.at(0).calls("A").sends("A", "a1");
    h.sets("A", "a1", 10'000, {"n1"}).sets("A", "a1", 8'000, {"n2"});  // n2's clock is fast
    h.at(2).does(Kind::validity_checked, "A", claimed * kMs, 0, "a1").returns("A").ends(100);
    EXPECT_EQ(state(h.judged(), kValidity), claimed == 8'000 ? "held" : "violated");
  }
}

TEST(Validity, ABentClockMakesADeadlineUnknownAndIsNoViolation) {
  for (const bool bent : {true, false}) {
    HistoryBuilder h;
    h.at(0).calls("A").sends("A", "a1").sets("A", "a1", 8'000);
    if (bent) h.at(1).at_node(Kind::clock_stepped, "n1", -5'000 * kMs);
    h.at(2).does(Kind::validity_checked, "A", 9'900 * kMs, 0, "a1").returns("A").ends(100);
    EXPECT_EQ(state(h.judged(), kValidity), bent ? "held" : "violated");
  }
}

TEST(Validity, RenewalsAreJudgedByTheProlongedKey) {
  for (const bool prolonged : {true, false}) {
    HistoryBuilder h;
    h.at(0).acquires("A", "a1", 10'000);
    if (prolonged) h.at(3'000).key(Kind::key_ttl_changed, "n1", "A", "a1", 13'000 * kMs);
    h.at(3'001).does(Kind::validity_checked, "A", 12'900 * kMs, 1, "a1").ends(4'000);
    EXPECT_EQ(state(h.judged(), kValidity), prolonged ? "held" : "violated");
  }
}

TEST(Validity, IsNotJudgedWhereNothingIsClaimedOrSeen) {
  HistoryBuilder h;
  h.at(0).acquires("A", "a1", 10'000);
  h.at(20'000).does(Kind::validity_checked, "A", 9'900 * kMs, 0, "a1").ends(20'001);  // too late
  EXPECT_EQ(state(h.judged(), kValidity), "not judged: no validity was claimed");
  h.setup().evidence.handle = false;
  EXPECT_EQ(state(h.judged(), kValidity),
            "not judged: no record of the servers' keys or of the handle");
}

}  // namespace
}  // namespace holdfast::judge
