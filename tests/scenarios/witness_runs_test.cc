// Which runs are shown: what nobody expected first, then the worst, each once.
#include "scenarios/runner/witness_runs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace holdfast::runner {
namespace {

using judge::Blame;
using judge::Invariant;

// What the run of each seed violates, and its blame.
struct Shown {
  std::vector<Invariant> violated;
  Blame blame = Blame::none;
};
using Runs = std::map<std::uint64_t, Shown>;

std::vector<std::uint64_t> seeds_of(const Runs& runs, const std::vector<Invariant>& expected) {
  report::ScenarioResult result;
  for (const Blame blame :
       {Blame::lock_lied, Blame::application_outlived_lease, Blame::lied_nobody_hurt}) {
    for (const auto& [seed, run] : runs) {
      if (run.blame != blame) continue;
      result.kinds.push_back({blame, 1, seed});
      break;
    }
  }
  for (std::size_t i = 0; i < judge::kInvariants; ++i) {
    report::InvariantCount count;
    count.invariant = static_cast<Invariant>(i);
    for (const auto& [seed, run] : runs) {
      const auto& all = run.violated;
      if (std::find(all.begin(), all.end(), count.invariant) == all.end()) continue;
      if (!count.first_violated_seed) count.first_violated_seed = seed;
    }
    count.met = !count.first_violated_seed ||
                std::find(expected.begin(), expected.end(), count.invariant) != expected.end();
    result.invariants.push_back(count);
  }
  std::vector<std::uint64_t> seeds;
  for (const auto& run : witness_runs(result, [&](std::uint64_t seed) {
         report::ViolationRun record;
         record.seed = seed;
         record.judgement.blame = runs.at(seed).blame;
         for (const Invariant invariant : runs.at(seed).violated) {
           record.judgement[invariant].state = judge::State::violated;
         }
         return record;
       })) {
    seeds.push_back(run.seed);
  }
  return seeds;
}

constexpr auto kExclusion = Invariant::mutual_exclusion;
using Seeds = std::vector<std::uint64_t>;

TEST(WitnessRuns, ARunThatShowsAllIsEnough) {
  EXPECT_EQ(seeds_of({{1, {{kExclusion, Invariant::leak}, Blame::lock_lied}},
                      {2, {{kExclusion}, Blame::lock_lied}}},
                     {kExclusion, Invariant::leak}),
            Seeds{1});
}

TEST(WitnessRuns, EachKindOfVerdictHasOneTheWorstFirst) {
  EXPECT_EQ(seeds_of({{1, {{kExclusion}, Blame::application_outlived_lease}},
                      {2, {{Invariant::promise}, Blame::lied_nobody_hurt}},
                      {3, {{kExclusion, Invariant::promise}, Blame::lock_lied}}},
                     {kExclusion, Invariant::promise}),
            (Seeds{3, 1, 2}));
}

TEST(WitnessRuns, WhatWasNotExpectedComesBeforeWhatWas) {
  const Runs runs = {{1, {{kExclusion}, Blame::lock_lied}}, {2, {{Invariant::leak}}}};
  EXPECT_EQ(seeds_of(runs, {kExclusion}), (Seeds{2, 1}));
  EXPECT_EQ(seeds_of(runs, {kExclusion, Invariant::leak}), (Seeds{1, 2}));
}

TEST(WitnessRuns, AreAHandful) {
  Runs runs;
  for (std::size_t i = 0; i < judge::kInvariants; ++i) {
    runs[i + 1] = {{static_cast<Invariant>(i)}};
  }
  EXPECT_EQ(seeds_of(runs, {}).size(), kMostWitnessRuns);
  EXPECT_EQ(seeds_of({}, {}), Seeds{});
}

}  // namespace
}  // namespace holdfast::runner
