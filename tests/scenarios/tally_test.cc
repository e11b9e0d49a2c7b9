// What many runs come to, held against a file's expectations.
#include "scenarios/runner/tally.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace holdfast::runner
