// The sentence and the chain of causes: of whole stories, and of each invariant alone.
#include "reports/explain.h"

#include <gtest/gtest.h>

#include "tests/reports/stories.h"

namespace holdfast::report {
namespace {

using judge::Invariant;
using judge::Witness;

std::string text_of(const std::vector<Cause>& causes) {
  std::string text;
  for (const Cause& cause : causes) text += cause.text + "\n";
  return text;
}

Explanation explained(HistoryBuilder builder) {
  const judge::Judgement judgement = builder.judged();
  return explain(builder.history, judgement);
}

// Only `invariant` violated, by this witness.
Explanation explained_as(const HistoryBuilder& builder, Invariant invariant, Witness witness) {
  judge::Judgement judgement;
  judgement[invariant].state = judge::State::violated;
  judgement[invariant].witnesses.push_back(std::move(witness));
  return explain(builder.history, judgement);
}

TEST(Explain, TheSentenceNamesBothHoldersTheOverlapAndTheLateWrite) {
  const Explanation why = explained(gc_pause());
  EXPECT_EQ(why.sentence,
            "At 10.900 s two clients held jobs/42: A (since 0.200 s) and B (since 10.900 s); "
            "overlap 6.304 s; at 17.202 s A wrote value 3 after B's write had been accepted");
  EXPECT_EQ(why.invariant, Invariant::mutual_exclusion);
  EXPECT_EQ(why.blame, judge::Blame::application_outlived_lease);
  EXPECT_NE(why.blame_text.find("the application outlived its lease"), std::string::npos);
}

TEST(Explain, FencingTokensStandInTheSentenceAndARefusedWriteIsNoDamage) {
  const Explanation why = explained(gc_pause(true));
  EXPECT_NE(why.sentence.find("A (token 7, since 0.200 s) and B (token 8, since 10.900 s)"),
            std::string::npos)
      << why.sentence;
  EXPECT_NE(why.sentence.find(
                "at 17.202 s A's late write was refused: its fencing token 7 is older than 8"),
            std::string::npos)
      << why.sentence;
}

TEST(Explain, WithoutALateWriteTheSentenceEndsWithTheOverlap) {
  HistoryBuilder h = gc_pause();
  std::erase_if(h.history.events,
                [](const history::Event& e) { return e.kind == Kind::access_executed; });
  const Explanation why = explained(std::move(h));
  EXPECT_EQ(why.sentence,
            "At 10.900 s two clients held jobs/42: A (since 0.200 s) and B (since 10.900 s); "
            "overlap 6.304 s");
}

TEST(Explain, TheChainLeadsFromTheInjectedPauseToTheLateWrite) {
  const Explanation why = explained(gc_pause());
  ASSERT_EQ(why.causes.size(), 7u) << text_of(why.causes);
  EXPECT_EQ(why.causes[1].text,
            "A stopped running until 17.202 s (F1: pause A for 15 s when it passes before_write "
            "(2nd time))");
  EXPECT_EQ(why.causes[1].fault, 1u);
  EXPECT_EQ(why.causes[3].text,
            "A's key expired on n1 when its TTL of 10 s was over; no watchdog renewed it, and A "
            "was stopped");
  EXPECT_EQ(why.causes[4].text, "B acquired jobs/42 while A was still inside its section");
  EXPECT_EQ(why.causes[6].text, "stock accepted A's write of value 3, after B's");
  for (std::size_t i = 1; i < why.causes.size(); ++i) {
    EXPECT_LE(why.causes[i - 1].at, why.causes[i].at);
  }
}

TEST(Explain, EachCausePointsToTheEventOfItsTime) {
  for (const HistoryBuilder& builder : {gc_pause(), clock_step(), bare_del(), failover()}) {
    HistoryBuilder copy = builder;
    const Explanation why = explained(copy);
    ASSERT_GE(why.causes.size(), 3u);
    ASSERT_LE(why.causes.size(), 7u);
    for (const Cause& cause : why.causes) {
      ASSERT_LT(cause.event, builder.history.events.size());
      EXPECT_EQ(builder.history.events[cause.event].at, cause.at);
    }
  }
}

TEST(Explain, AClockStepIsTheCauseOfAnEarlyExpiry) {
  const std::string chain = text_of(explained(clock_step()).causes);
  EXPECT_NE(chain.find("A acquired jobs/42 on n1, n2 and n3"), std::string::npos) << chain;
  EXPECT_NE(chain.find("A was cut off from n4 and n5 (F1 and F2)"), std::string::npos) << chain;
  EXPECT_NE(chain.find("n3's clock jumped by +10.1 s (F3: step the clock of n3 by 10.1 s)"),
            std::string::npos)
      << chain;
  EXPECT_NE(chain.find("A's key expired on n3 by the server's own clock, 9.1 s before its TTL of "
                       "10 s was over"),
            std::string::npos)
      << chain;
}

TEST(Explain, AForeignDeletionIsTracedToThePauseThatMadeItLate) {
  const std::string chain = text_of(explained(bare_del()).causes);
  EXPECT_NE(chain.find("F1: pause A for 10 s when it passes before_release"), std::string::npos);
  EXPECT_NE(chain.find("A's key expired on n1"), std::string::npos) << chain;
  EXPECT_NE(chain.find("A deleted B's key on n1"), std::string::npos) << chain;
  EXPECT_NE(chain.find("C acquired jobs/42 while B was still inside its section"),
            std::string::npos)
      << chain;
}

TEST(Explain, AFailoverIsTracedToTheHeldReplicationAndTheDeadMaster) {
  const std::string chain = text_of(explained(failover()).causes);
  EXPECT_NE(chain.find("replication to n1r stopped (F1: "), std::string::npos) << chain;
  EXPECT_NE(chain.find("n1 died (F2: "), std::string::npos) << chain;
  EXPECT_NE(chain.find("n1r became master without A's key, which had never reached it (F3: "),
            std::string::npos)
      << chain;
}

TEST(Explain, AKeyThatAnOldMasterTookAfterItCameBackIsTracedToTheFailover) {
  HistoryBuilder h = story({"n1"}, "zombie");
  h.setup().nodes.push_back({h.node("n1r"), h.node("n1"), false});
  fault(h, "pause n1 for 1 s at 100 ms");
  strikes(h, 1, 100);
  h.at_node(Kind::node_paused, "n1");
  h.at(200).at_node(Kind::node_promoted, "n1r");
  h.at_node(Kind::master_changed, "n1r", h.node("n1"));
  h.at(300).calls("A", 1'000);
  acquires(h, "A", "A1:1", 300, {"n1r"});
  h.at(1'100).at_node(Kind::node_resumed, "n1");
  h.at(1'200).calls("B", 1'000);
  acquires(h, "B", "B1:1", 1'200, {"n1"});
  access(h, "B", 1, 0, kAcceptedWrite, 1'202);
  access(h, "A", 2, 0, kAcceptedWrite, 2'000);
  h.at(3'000).releases("A").at(3'001).released("A");
  h.at(3'500).releases("B").at(3'501).released("B");
  h.ends(3'501);
  const std::string chain = text_of(explained(h).causes);
  EXPECT_NE(chain.find("n1 stopped running until 1.100 s (F1: "), std::string::npos) << chain;
  EXPECT_NE(chain.find("n1r was promoted to master"), std::string::npos) << chain;
  EXPECT_NE(chain.find("n1 took B's key, though n1r was the master by then"), std::string::npos)
      << chain;
  // Where nothing was promoted nobody is blamed for it.
  EXPECT_EQ(text_of(explained(gc_pause()).causes).find("was the master by then"),
            std::string::npos);
}

TEST(Explain, AFaultThatNothingCameOfIsNotBlamedInPlaceOfTheOneThatDid) {
  HistoryBuilder h = gc_pause();
  h.history.fault_text.push_back("step the clock of B by 1 s");
  history::Event idle;
  idle.kind = Kind::fault_fired;
  idle.at = 2'000 * kMs;
  idle.a = 2;
  h.history.events.insert(h.history.events.begin() + 9, idle);
  const Explanation why = explained(std::move(h));
  const std::string chain = text_of(why.causes);
  EXPECT_NE(chain.find("A stopped running until 17.202 s (F1: "), std::string::npos) << chain;
}

TEST(Explain, ARunThatViolatesNothingHasNoCauses) {
  HistoryBuilder h = story({"n1"}, "quiet");
  h.at(0).acquires("A", "a1", 10'000).ends(1'000);
  const Explanation why = explained(std::move(h));
  EXPECT_EQ(why.sentence, "No invariant was violated.");
  EXPECT_TRUE(why.causes.empty());
}

TEST(Explain, AFocusThatWasViolatedIsTheHeadlineAndTheRestIsNamed) {
  HistoryBuilder h = gc_pause();
  const judge::Judgement judgement = h.judged();
  const Explanation why = explain(h.history, judgement, Invariant::stale_write);
  EXPECT_EQ(why.invariant, Invariant::stale_write);
  EXPECT_EQ(why.sentence.find("At 17.202 s stock accepted A's write"), 0U) << why.sentence;
  ASSERT_FALSE(why.also.empty());
  EXPECT_EQ(why.also[0].invariant, Invariant::mutual_exclusion);
  EXPECT_EQ(why.also[0].sentence, explain(h.history, judgement).sentence);
  EXPECT_EQ(explain(h.history, judgement, Invariant::foreign_touch).invariant,
            Invariant::mutual_exclusion);
}

// A and B: the lock lied. Before them, C outlived its lease.
TEST(Explain, ThePairThatIsToldOfIsTheOneThatTheVerdictIsAbout) {
  HistoryBuilder h = story({"n1"}, "two-pairs");
  h.actor("C");
  h.at(0).calls("C");
  acquires(h, "C", "C1:1", 0);
  h.at(5'000).does(Kind::lost_told, "C", 0).key(Kind::key_dropped, "n1", "", "C1:1", 1);
  h.at(6'000).calls("A");
  acquires(h, "A", "A1:1", 6'000);
  h.at(7'000).does(Kind::section_left, "C");
  h.at(8'000).key(Kind::key_dropped, "n1", "", "A1:1", 1).calls("B");
  acquires(h, "B", "B1:1", 8'000);
  h.ends(9'000);
  const Explanation why = explained(h);
  EXPECT_EQ(why.blame, judge::Blame::lock_lied);
  EXPECT_NE(why.sentence.find("A (since 6.000 s) and B (since 8.000 s)"), std::string::npos)
      << why.sentence;
}

// A is stopped in its work and told when it wakes; it looks, is told again, and writes.
HistoryBuilder told_and_writes(bool on_its_way) {
  HistoryBuilder h = story({"n1"}, "told");
  h.at(0).calls("A");
  acquires(h, "A", "A1:1", 0);
  if (on_its_way) h.at(1'999).does(Kind::point_passed, "A", 3, 1);
  h.at(2'000).does(Kind::process_paused, "A");
  h.at(9'898).does(Kind::valid_until_reached, "A");
  h.at(10'001).key(Kind::key_expired, "n1", "", "A1:1");
  h.at(12'000).calls("B");
  acquires(h, "B", "B1:1", 12'000);
  access(h, "B", 2, 0, kAcceptedWrite, 12'002);
  h.at(22'000).does(Kind::process_resumed, "A").does(Kind::lost_told, "A", 0);
  access(h, "A", 3, 0, kAcceptedWrite, 22'001);
  return h.ends(23'000);
}

TEST(Explain, ALossThatWasToldAndIgnoredIsNamedInVerdictAndChain) {
  const Explanation why = explained(told_and_writes(false));
  EXPECT_EQ(why.blame_text,
            "the application outlived its lease: its promise had ended, its code went on; it "
            "ignored the loss that it was told of at 22.000 s (obey_loss is off)");
  EXPECT_NE(text_of(why.causes)
                .find("A was told that it had lost jobs/42 (expired), and wrote all "
                      "the same at 22.001 s"),
            std::string::npos)
      << text_of(why.causes);
}

TEST(Explain, AWriteThatWasOnItsWayIgnoredNothing) {
  const Explanation why = explained(told_and_writes(true));
  EXPECT_EQ(why.blame_text,
            "the application outlived its lease: its promise had ended, its code went on");
  EXPECT_EQ(text_of(why.causes).find("all the same"), std::string::npos);
}

TEST(Explain, AKeyThatTheServerLostBeforeTheApplicationOutlivedIsHalfOfTheVerdict) {
  HistoryBuilder h = story({"n1"}, "both");
  h.at(0).calls("A");
  acquires(h, "A", "A1:1", 0);
  h.at(2'000).key(Kind::key_dropped, "n1", "", "A1:1", 3);
  h.at(3'000).does(Kind::lost_told, "A", 1);
  h.at(4'000).calls("B");
  acquires(h, "B", "B1:1", 4'000);
  h.ends(6'000);
  EXPECT_EQ(explained(h).blame_text,
            "servers lost its key, which was not backed from 2.000 s until 3.000 s; then the "
            "application outlived its lease: its promise had ended, its code went on");
}

TEST(Strongest, MutualExclusionComesBeforeAllAndBoundedCallsLast) {
  judge::Judgement judgement;
  EXPECT_EQ(strongest(judgement), judge::kInvariants);
  judgement[Invariant::bounded_calls].state = judge::State::violated;
  EXPECT_EQ(strongest(judgement), static_cast<std::size_t>(Invariant::bounded_calls));
  judgement[Invariant::foreign_touch].state = judge::State::violated;
  EXPECT_EQ(strongest(judgement), static_cast<std::size_t>(Invariant::foreign_touch));
  judgement[Invariant::stale_write].state = judge::State::violated;
  EXPECT_EQ(strongest(judgement), static_cast<std::size_t>(Invariant::stale_write));
  judgement[Invariant::mutual_exclusion].state = judge::State::violated;
  EXPECT_EQ(strongest(judgement), static_cast<std::size_t>(Invariant::mutual_exclusion));
}

// -- the sentences of the other invariants, each from a story in which a judge would find it

Witness of(const HistoryBuilder& h, const std::string& first, const std::string& second,
           std::int64_t from_ms, std::int64_t to_ms) {
  HistoryBuilder copy = h;
  Witness witness;
  witness.resource = copy.resource("jobs/42");
  witness.first_actor = copy.actor(first);
  witness.first_grant = copy.grant(first);
  if (!second.empty()) {
    witness.second_actor = copy.actor(second);
    witness.second_grant = copy.grant(second);
  }
  witness.overlap = {from_ms * kMs, to_ms * kMs};
  return witness;
}

std::uint32_t first_event(const HistoryBuilder& h, Kind kind) {
  for (std::uint32_t i = 0; i < h.history.events.size(); ++i) {
    if (h.history.events[i].kind == kind) return i;
  }
  return 0;
}

TEST(ExplainSentence, PromiseSaysThatTwoHadIt) {
  const HistoryBuilder h = clock_step();
  Witness witness = of(h, "A", "B", 1'100, 3'104);
  witness.first = {100 * kMs, 3'104 * kMs};
  witness.second = {1'100 * kMs, 4'100 * kMs};
  EXPECT_EQ(explained_as(h, Invariant::promise, witness).sentence,
            "At 1.100 s jobs/42 was promised to two clients at once: A (since 0.100 s) and B "
            "(since 1.100 s); overlap 2.004 s; at 3.102 s A wrote value 3 after B's write had been "
            "accepted");
}

TEST(ExplainSentence, StaleWriteNamesBothWritesInTheOrderOfTheResource) {
  const HistoryBuilder h = gc_pause();
  Witness witness = of(h, "A", "B", 17'202, 17'202);
  HistoryBuilder copy = h;
  witness.resource = copy.resource("stock");
  EXPECT_EQ(explained_as(h, Invariant::stale_write, witness).sentence,
            "At 17.202 s stock accepted A's write of value 3, although it had accepted B's write "
            "of value 2 at 10.902 s; A had acquired at 0.200 s, B at 10.900 s");
}

TEST(ExplainSentence, BackedCountsTheServersThatStillHeldTheKey) {
  const HistoryBuilder h = clock_step();
  EXPECT_EQ(explained_as(h, Invariant::backed, of(h, "A", "", 1'000, 3'104)).sentence,
            "From 1.000 s until 3.104 s A believed that it holds jobs/42, but 2 of 5 servers held "
            "its key (3 needed); missing on n3, n4 and n5");
  const HistoryBuilder one = failover();
  EXPECT_EQ(explained_as(one, Invariant::backed, of(one, "A", "", 300, 3'000)).sentence,
            "From 0.300 s until 3.000 s A believed that it holds jobs/42, but n1r, the server that "
            "clients were told to ask, did not hold its key");
}

TEST(ExplainSentence, ForeignTouchSaysWhoseKeyWasDeletedByWhom) {
  const HistoryBuilder h = bare_del();
  Witness witness = of(h, "A", "B", 15'000, 15'000);
  witness.events = {first_event(h, Kind::key_deleted)};
  const Explanation why = explained_as(h, Invariant::foreign_touch, witness);
  EXPECT_EQ(why.sentence,
            "At 15.000 s A deleted the key jobs/42 on n1, which was B's since 10.150 s");
  EXPECT_NE(text_of(why.causes).find("F1: pause A for 10 s"), std::string::npos);
}

TEST(ExplainSentence, LeakTellsAKeyWithoutTtlFromOneThatStayed) {
  HistoryBuilder h = story({"n1"}, "leak");
  fault(h, "crash A when it passes protocol_step");
  h.at(100).calls("A").sends("A", "a1").sets("A", "a1", -1);
  strikes(h, 1, 101);
  h.does(Kind::process_crashed, "A").ends(30'000);
  Witness witness = of(h, "A", "", 351, 30'000);
  witness.node = h.node("n1");
  witness.events = {first_event(h, Kind::key_set)};
  const Explanation why = explained_as(h, Invariant::leak, witness);
  EXPECT_EQ(why.sentence,
            "At 0.351 s n1 held jobs/42 with A's token and no TTL: nothing would ever remove it; "
            "still there at the run's end, 30.000 s");
  EXPECT_NE(text_of(why.causes).find("A crashed (F1: crash A when it passes protocol_step)"),
            std::string::npos)
      << text_of(why.causes);
  EXPECT_NE(text_of(why.causes).find("n1 took A's key, without TTL"), std::string::npos)
      << text_of(why.causes);
  h.history.events[witness.events[0]].a = 10'100 * kMs;
  EXPECT_EQ(explained_as(h, Invariant::leak, witness).sentence,
            "At 0.351 s n1 still held jobs/42 with A's token, after A had given it up");
}

TEST(ExplainSentence, ProgressSaysWhoWaitedAndWhatStoodInTheWay) {
  HistoryBuilder h = story({"n1"}, "stuck");
  h.at(100).calls("A").sends("A", "a1").sets("A", "a1", -1).does(Kind::process_crashed, "A");
  h.at(1'000).calls("B", 60'000).ends(61'000);
  Witness witness = of(h, "B", "", 1'000, 31'000);
  EXPECT_EQ(explained_as(h, Invariant::progress, witness).sentence,
            "From 1.000 s to 31.000 s B waited 30 s for jobs/42 and nobody got it, although nobody "
            "held a promise; in the way: A's token without TTL on n1");
  std::erase_if(h.history.events, [](const history::Event& e) { return e.kind == Kind::key_set; });
  EXPECT_NE(explained_as(h, Invariant::progress, witness).sentence.find("no key stood in the way"),
            std::string::npos);
}

TEST(ExplainSentence, LateLossTellsAFalseAnswerFromSilence) {
  HistoryBuilder h = story({"n1"}, "late-loss");
  h.at(0).acquires("A", "a1", 10'000);
  h.at(9'900).does(Kind::valid_until_reached, "A");
  h.at(12'000).does(Kind::held_called, "A").does(Kind::held_returned, "A", 1, 12'000 * kMs);
  h.ends(13'000);
  Witness witness = of(h, "A", "", 12'000, 12'000);
  witness.events = {first_event(h, Kind::held_returned)};
  EXPECT_EQ(explained_as(h, Invariant::late_loss, witness).sentence,
            "At 12.000 s A was told that it still holds jobs/42, although its promise had ended at "
            "9.900 s");
  witness.events.clear();
  EXPECT_EQ(explained_as(h, Invariant::late_loss, witness).sentence,
            "At 12.000 s A ran on without being told that jobs/42 was lost: its promise had ended "
            "at 9.900 s");
}

TEST(ExplainSentence, ValidityNamesWhatWasClaimed) {
  HistoryBuilder h = story({"n1"}, "validity");
  acquires(h.calls("A"), "A", "a1", 200);
  h.history.events[first_event(h, Kind::key_set)].a = 8'000 * kMs;
  Witness witness = of(h, "A", "", 200, 200);
  witness.events = {first_event(h, Kind::validity_checked)};
  EXPECT_EQ(explained_as(h, Invariant::validity, witness).sentence,
            "At 0.200 s A's lease of jobs/42 was said to last until 10.098 s, longer than a quorum "
            "of servers would keep its key by their own clocks: n1 until 8.000 s");
}

TEST(ExplainSentence, ZombieRenewalNamesTheReleaseBeforeIt) {
  HistoryBuilder h = story({"n1"}, "zombie");
  h.at(0).acquires("A", "a1", 10'000).at(4'000).releases("A").released("A");
  h.at(5'000).does(Kind::renewal_sent, "A", 0, 0, "a1").ends(6'000);
  Witness witness = of(h, "A", "", 5'000, 5'000);
  witness.events = {first_event(h, Kind::renewal_sent)};
  EXPECT_EQ(
      explained_as(h, Invariant::zombie_renewal, witness).sentence,
      "At 5.000 s A sent a renewal of jobs/42, although it had begun to release it at 4.000 s");
}

TEST(ExplainSentence, BoundedCallsNamesTheBound) {
  HistoryBuilder h = story({"n1"}, "hang");
  h.at(1'000).calls("A", 750).at(9'000).returns("A", 4).ends(9'000);
  Witness witness = of(h, "A", "", 1'750, 9'000);
  witness.events = {first_event(h, Kind::acquire_called)};
  EXPECT_EQ(explained_as(h, Invariant::bounded_calls, witness).sentence,
            "A's acquire of jobs/42, called at 1.000 s, had not returned within its bound of 750 "
            "ms at 1.750 s");
}

TEST(ExplainSentence, ADamagedHistoryIsExplainedWithoutTouchingWhatIsNotThere) {
  const HistoryBuilder h = gc_pause();
  for (std::size_t i = 0; i < judge::kInvariants; ++i) {
    Witness witness;
    witness.resource = 999;
    witness.node = 999;
    witness.first_actor = 999;
    witness.first_grant = 4'000'000'000;
    witness.second_actor = 998;
    witness.second_grant = 12;
    witness.events = {0, 4'000'000'000};
    const Explanation why = explained_as(h, static_cast<Invariant>(i), witness);
    EXPECT_FALSE(why.sentence.empty());
  }
}

}  // namespace
}  // namespace holdfast::report
