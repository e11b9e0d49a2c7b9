// The verdict on a run, and who is to blame.
#include <gtest/gtest.h>

#include "tests/reports/history_builder.h"

namespace holdfast::judge {
namespace {

// A sound run: A, then B.
HistoryBuilder sound() {
  HistoryBuilder h;
  h.at(0).acquires("A", "a1", 10'000).writes("A");
  h.at(1'000).releases("A").key(Kind::key_deleted, "n1", "A", "a1").released("A");
  h.at(2'000).acquires("B", "b1", 10'000).writes("B");
  h.at(3'000).releases("B").key(Kind::key_deleted, "n1", "B", "b1").released("B");
  return h;
}

// The same with two promises at once.
HistoryBuilder broken() {
  HistoryBuilder h;
  h.at(0).acquires("A", "a1", 10'000);
  h.at(1'000).key(Kind::key_dropped, "n1", "", "a1", 1).acquires("B", "b1", 10'000);
  return h;
}

TEST(Names, OfInvariantsAreThoseOfScenarioFiles) {
  for (std::size_t i = 0; i < kInvariants; ++i) {
    const auto invariant = static_cast<Invariant>(i);
    EXPECT_EQ(find_invariant(name(invariant)), i);
    EXPECT_FALSE(one_line(invariant).empty());
  }
  EXPECT_EQ(name(Invariant::mutual_exclusion), "mutual-exclusion");
  EXPECT_EQ(name(Invariant::bounded_calls), "bounded-calls");
  EXPECT_EQ(find_invariant("mutual_exclusion"), kInvariants);
  EXPECT_EQ(name(RunVerdict::no_violation), "no violation");
  EXPECT_EQ(name(RunVerdict::environment_failure), "environment failure");
}

TEST(Verdict, OfASoundRunIsNoViolation) {
  HistoryBuilder h = sound();
  const Judgement judgement = h.ends(5'000).judged();
  EXPECT_EQ(violated(judgement), "");
  EXPECT_EQ(judgement.verdict, RunVerdict::no_violation);
  EXPECT_EQ(judgement.vacuous_because, "");
  EXPECT_EQ(judgement.grants, 2u);
  EXPECT_EQ(judgement.contended_grants, 0u);
}

TEST(Verdict, WithoutUnconditionalFaultsProvedIsVacuous) {
  HistoryBuilder h = sound();
  h.history.fault_text.push_back("pause A for 15 s");
  h.setup().fault_unconditional = {true, false};
  HistoryBuilder never = h;
  EXPECT_EQ(never.ends(5'000).judged().verdict, RunVerdict::vacuous);
  EXPECT_EQ(never.judged().vacuous_because, "fault 1 (pause A for 15 s) did not fire");
  h.happens(Kind::fault_fired, 1);
  HistoryBuilder unproved = h;
  EXPECT_EQ(unproved.ends(5'000).judged().vacuous_because,
            "fault 1 (pause A for 15 s) was not proved to have taken effect");
  h.happens(Kind::fault_proved, 1).ends(5'000);
  EXPECT_EQ(h.judged().verdict, RunVerdict::no_violation);
}

TEST(Verdict, OfAFaultThatStruckWhenEveryClientWasDoneIsVacuous) {
  for (const std::int64_t ms : {3'000, 50'000}) {
    HistoryBuilder h = sound();
    h.history.fault_text.push_back("pause A for 15 s");
    h.setup().fault_unconditional = {true};
    h.at(1'000).does(Kind::client_done, "A").at(5'210).does(Kind::client_done, "B");
    h.at(ms).happens(Kind::fault_fired, 1).happens(Kind::fault_proved, 1).ends(60'000);
    EXPECT_EQ(h.judged().vacuous_because,
              ms == 3'000 ? ""
                          : "fault 1 (pause A for 15 s) struck at 50.000 s, after the last client "
                            "was done at 5.210 s");
  }
}

// Dead counts as done, unless it comes back; a client that hangs is never done.
TEST(Verdict, OfAFaultKnowsWhoIsStillThere) {
  const auto vacuous = [](auto&& what_b_does) {
    HistoryBuilder h = sound();
    h.setup().fault_unconditional = {true};
    h.at(3'000).does(Kind::client_done, "A");
    what_b_does(h);
    h.at(50'000).happens(Kind::fault_fired, 1).happens(Kind::fault_proved, 1).ends(60'000);
    return h.judged().verdict == RunVerdict::vacuous;
  };
  using H = HistoryBuilder;
  EXPECT_FALSE(vacuous([](H&) {}));
  EXPECT_TRUE(vacuous([](H& h) { h.does(Kind::process_crashed, "B"); }));
  EXPECT_FALSE(vacuous([](H& h) {
    h.does(Kind::process_crashed, "B").at(4'000).does(Kind::process_started, "B", 0, 2);
  }));
}

TEST(Verdict, WithoutARequiredFactIsVacuous) {
  HistoryBuilder h = sound();
  h.ends(5'000);
  const Judgement judgement = h.judged("B acquired while A is paused");
  EXPECT_EQ(judgement.verdict, RunVerdict::vacuous);
  EXPECT_EQ(judgement.vacuous_because, "did not occur: B acquired while A is paused");
}

TEST(Verdict, TheStrongestWins) {
  const std::string_view unmet = "A renewed";
  HistoryBuilder h = sound();
  h.at(4'000).happens(Kind::run_ended, 3);
  EXPECT_EQ(h.judged(unmet).verdict, RunVerdict::out_of_budget);
  h.happens(Kind::environment_failed);
  EXPECT_EQ(h.judged(unmet).verdict, RunVerdict::environment_failure);
  HistoryBuilder bad = broken();
  bad.at(4'000).happens(Kind::environment_failed).happens(Kind::run_ended, 3);
  EXPECT_EQ(bad.judged(unmet).verdict, RunVerdict::violated);
  EXPECT_EQ(bad.judged(unmet).vacuous_because, "did not occur: A renewed");
}

TEST(Verdict, AJudgeKeepsNothingOfTheLastRun) {
  Judge judge;
  HistoryBuilder bad = broken();
  bad.ends(5'000);
  HistoryBuilder good = sound();
  good.ends(5'000);
  for (int round = 0; round < 3; ++round) {
    const Judgement first = judge.judge(bad.history, "");
    EXPECT_EQ(first.verdict, RunVerdict::violated);
    EXPECT_EQ(first.blame, Blame::lock_lied);
    EXPECT_EQ(first[Invariant::promise].witnesses.size(), 1u);
    EXPECT_EQ(first[Invariant::promise].witnesses.at(0).events.size(), 2u);
    const Judgement second = judge.judge(good.history, "");
    EXPECT_EQ(second.verdict, RunVerdict::no_violation);
    EXPECT_EQ(second.blame, Blame::none);
    EXPECT_EQ(second[Invariant::promise].witnesses.size(), 0u);
    EXPECT_EQ(judge.judge(good.history, "x").verdict, RunVerdict::vacuous);
  }
}

TEST(Verdict, AnEmptyHistoryIsJudgedToo) {
  HistoryBuilder h;
  const Judgement judgement = h.judged();
  EXPECT_EQ(judgement.verdict, RunVerdict::no_violation);
  for (const Finding& finding : judgement.findings) EXPECT_EQ(finding.state, State::not_judged);
}

TEST(Verdict, KeepsTheEarliestEightWitnesses) {
  HistoryBuilder h;
  for (int i = 0; i < 12; ++i) {
    h.at(i * 10).acquires(std::string(1, static_cast<char>('A' + i)), "t" + std::to_string(i), 90);
  }
  const Judgement judgement = h.ends(1'000).judged();
  const auto& witnesses = judgement[Invariant::mutual_exclusion].witnesses;
  ASSERT_EQ(witnesses.size(), 8u);
  EXPECT_EQ(witnesses[0].overlap.begin, 10 * kMs);
}

TEST(Blame, IsDecidedPerPairAndTheWorstIsTheRuns) {
  HistoryBuilder h = broken();  // A and B: the lock lied
  h.at(2'000).does(Kind::lost_told, "A").does(Kind::lost_told, "B");
  h.at(3'000).key(Kind::key_dropped, "n1", "", "b1", 1).acquires("C", "c1", 10'000);
  const Judgement judgement = h.ends(4'000).judged();
  const auto& witnesses = judgement[Invariant::mutual_exclusion].witnesses;
  ASSERT_EQ(witnesses.size(), 3u);
  EXPECT_EQ(witnesses[0].blame, Blame::lock_lied);
  EXPECT_EQ(witnesses[1].blame, Blame::application_outlived_lease);
  EXPECT_EQ(witnesses[2].blame, Blame::application_outlived_lease);
  EXPECT_EQ(judgement.blame, Blame::lock_lied);
}

TEST(Contention, AGrantIsContendedWhenAnotherWantedOrHeldTheLockMeanwhile) {
  HistoryBuilder h = sound();
  h.at(3'500).acquires("A", "a2", 10'000);
  h.at(3'600).calls("B").at(3'700).returns("B", 1);
  const Judgement judgement = h.ends(5'000).judged();
  EXPECT_EQ(judgement.grants, 3u);
  EXPECT_EQ(judgement.contended_grants, 1u);
}

}  // namespace
}  // namespace holdfast::judge
