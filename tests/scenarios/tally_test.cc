// What many runs come to, held against a file's expectations.
#include "scenarios/runner/tally.h"

#include <gtest/gtest.h>

#include <map>

namespace holdfast::runner {
namespace {

using judge::Invariant;
using judge::Judgement;
using judge::RunVerdict;
using judge::State;
using scenario::Expectation;

struct RunOutcome {
  RunVerdict verdict = RunVerdict::violated;
  std::string vacuous_because = {};
};

report::ScenarioResult concluded(const std::vector<RunOutcome>& runs, Expectation expected) {
  scenario::Scenario scenario;
  scenario.expect["promise"] = expected;
  Tally tally;
  history::History history;
  for (const RunOutcome& run : runs) {
    ++history.setup.seed;
    Judgement judgement;
    judgement.verdict = run.verdict;
    judgement.vacuous_because = run.vacuous_because;
    const bool violated = run.verdict == RunVerdict::violated;
    judgement[Invariant::promise].state = violated ? State::violated : State::held;
    tally.add(history, judgement);
  }
  return conclude(scenario, "sim", 1, tally);
}

TEST(Tally, AForcedViolationIsMetWhenEveryRunShowsIt) {
  EXPECT_TRUE(concluded({{}, {}}, Expectation::violated).met);
  EXPECT_FALSE(concluded({{}, {RunVerdict::no_violation}}, Expectation::violated).met);
}

TEST(Tally, AForcedViolationThatCameAboutOtherwiseIsNotMet) {
  const std::string unmet = "did not occur: B acquired while A is paused";
  const auto result = concluded({{}, {RunVerdict::violated, unmet}}, Expectation::violated);
  EXPECT_FALSE(result.met);
  EXPECT_EQ(result.not_met_because,
            "promise expected violated, was violated in 2 of 2 judged runs, in 1 of them not as "
            "forced: " +
                unmet);
  EXPECT_EQ(result.judged, 2U);
  EXPECT_EQ(result.vacuous, 0U);
}

TEST(Tally, AViolationThatIsOnlyPossibleNeedsNoProof) {
  EXPECT_TRUE(concluded({{RunVerdict::violated, "x"}}, Expectation::can_be_violated).met);
  EXPECT_FALSE(concluded({{RunVerdict::violated, "x"}}, Expectation::holds).met);
}

TEST(Tally, RunsThatProveNothingAreNotJudged) {
  const RunOutcome vacuous{RunVerdict::vacuous, "fault 1 did not fire"};
  const auto result = concluded({vacuous, {RunVerdict::no_violation}}, Expectation::holds);
  EXPECT_EQ(result.judged, 1U);
  EXPECT_EQ(result.vacuous, 1U);
  EXPECT_EQ(result.not_met_because, "only 1 of 2 runs judged: fault 1 did not fire");
}

TEST(Tally, AddsUpInAnyOrder) {
  history::History history;
  Judgement judgement;
  judgement.verdict = RunVerdict::violated;
  Tally parts[2];
  for (std::uint64_t seed : {2U, 1U}) {
    history.setup.seed = seed;
    judgement.vacuous_because = seed == 1 ? "first" : "second";
    parts[seed - 1].add(history, judgement);
  }
  Tally forwards = parts[0], backwards = parts[1];
  forwards.add(parts[1]);
  backwards.add(parts[0]);
  for (const Tally& sum : {forwards, backwards}) {
    EXPECT_EQ(sum.runs_unproved, 2U);
    EXPECT_EQ(sum.vacuous_because, "first");
    EXPECT_EQ(sum.first_violated_seed, 1U);
  }
}

// Many runs of a file that names `expect`; each run by the states of its invariants.
report::ScenarioResult judged(const std::vector<std::map<Invariant, State>>& runs,
                              const std::map<std::string, Expectation>& expect,
                              const std::string& why = "no rival") {
  scenario::Scenario scenario;
  scenario.expect = expect;
  Tally tally;
  history::History history;
  for (const auto& states : runs) {
    ++history.setup.seed;
    Judgement judgement;
    judgement.verdict = RunVerdict::no_violation;
    for (auto& finding : judgement.findings) finding.why = why;
    for (const auto& [invariant, state] : states) {
      judgement[invariant].state = state;
      if (state == State::violated) judgement.verdict = RunVerdict::violated;
    }
    tally.add(history, judgement);
  }
  return conclude(scenario, "sim", 1, tally);
}

TEST(Tally, WhatAFileIsAboutMustHaveBeenJudged) {
  using Runs = std::vector<std::map<Invariant, State>>;
  const Runs nothing(20);
  const auto none = judged(nothing, {}, "nobody got a lock");
  EXPECT_FALSE(none.met);
  EXPECT_EQ(none.not_met_because,
            "mutual-exclusion was not judged in 20 of 20 runs: nobody got a lock");
  EXPECT_FALSE(none.invariants[0].met);
  EXPECT_TRUE(none.invariants[1].met) << "promise was not asked for";
  EXPECT_EQ(judged(nothing, {{"leak", Expectation::holds}}, "no lock key").not_met_because,
            "leak was not judged in 20 of 20 runs: no lock key");
}

TEST(Tally, ATenthOfTheRunsMayGoUnjudged) {
  std::vector<std::map<Invariant, State>> runs(20, {{Invariant::mutual_exclusion, State::held}});
  runs[0] = runs[1] = {};
  EXPECT_TRUE(judged(runs, {}).met);
  runs[2] = {};
  EXPECT_EQ(judged(runs, {}).not_met_because,
            "mutual-exclusion was not judged in 3 of 20 runs: no rival");
}

TEST(Tally, AllThatWasNotMetIsNamed) {
  const auto result =
      judged({{{Invariant::mutual_exclusion, State::held}},
              {{Invariant::mutual_exclusion, State::violated}, {Invariant::leak, State::violated}}},
             {{"mutual-exclusion", Expectation::holds}});
  EXPECT_EQ(result.not_met_because,
            "mutual-exclusion expected holds, was violated in 1 of 2 judged runs (seed 2); leak "
            "expected holds, was violated in 1 of 2 judged runs (seed 2), not judged in 1 (no "
            "rival)");
}

// Seeds 1 to 4 by who is to blame.
TEST(Tally, SaysHowManyRunsWereOfWhichKind) {
  Tally tally;
  history::History history;
  for (const auto blame : {judge::Blame::none, judge::Blame::application_outlived_lease,
                           judge::Blame::lock_lied, judge::Blame::application_outlived_lease}) {
    ++history.setup.seed;
    Judgement judgement;
    judgement.blame = blame;
    const bool violated = blame != judge::Blame::none;
    judgement.verdict = violated ? RunVerdict::violated : RunVerdict::no_violation;
    if (violated) judgement[Invariant::mutual_exclusion].state = State::violated;
    tally.add(history, judgement);
  }
  const auto result = conclude({}, "sim", 1, tally);
  EXPECT_EQ(result.verdict_text, "violated in 3 of 4: lied 1 (seed 3), outlived 2 (seed 2)");
  ASSERT_EQ(result.kinds.size(), 2U);
  EXPECT_EQ(result.kinds[0].blame, judge::Blame::lock_lied);
  EXPECT_EQ(result.invariants[0].first_violated_seed, 2U);
}

}  // namespace
}  // namespace holdfast::runner
