// The catalogue: every file meets its expectations in the simulated world, and the broken form that
// it names fails there.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

#include "reports/judge/verdict.h"
#include "scenarios/format/parse.h"
#include "scenarios/runner/batch.h"
#include "scenarios/runner/sim_run.h"
#include "scenarios/runner/tally.h"

namespace holdfast {
namespace {

using scenario::Kill;
using scenario::Scenario;

std::vector<std::string> catalogue() {
  std::vector<std::string> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(HOLDFAST_SOURCE_DIR "/scenarios/catalogue")) {
    if (entry.path().extension() == ".json") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

Scenario parse(const std::string& file, const std::map<std::string, std::string>& set = {}) {
  auto parsed = scenario::parse_file(file, set);
  if (auto* errors = std::get_if<std::vector<scenario::ParseError>>(&parsed)) {
    ADD_FAILURE() << errors->front().text();
    return {};
  }
  return std::move(std::get<Scenario>(parsed));
}

std::string in_words(const report::ScenarioResult& result) {
  std::string text = result.verdict_text + "; " + result.not_met_because;
  if (!result.vacuous_because.empty()) text += "; vacuous: " + result.vacuous_because;
  return text;
}

class Catalogue : public testing::TestWithParam<std::string> {};

TEST_P(Catalogue, MeetsItsExpectationsInTheSimulatedWorld) {
  const Scenario scenario = parse(GetParam());
  if (!scenario.sim) return;
  const std::atomic<bool> stop{false};
  const auto tally = runner::run_seeds(scenario, 1, 200, 1, stop);
  const auto result = runner::conclude(scenario, "sim", 1, tally);
  EXPECT_TRUE(result.met) << in_words(result);
}

TEST_P(Catalogue, TheBrokenFormsThatItNamesFail) {
  const Scenario scenario = parse(GetParam());
  EXPECT_FALSE(scenario.kills.empty()) << "names no broken form that must fail here";
  const std::atomic<bool> stop{false};
  for (const Kill& kill : scenario.kills) {
    if (!kill.mutant.empty()) continue;  // mutants of the lock core have their own test
    const Scenario broken = parse(GetParam(), kill.set);
    const auto tally = runner::run_seeds(broken, 1, 50, 1, stop);
    EXPECT_FALSE(kill.violates.empty()) << kill.name;
    for (const auto& invariant : kill.violates) {
      const std::size_t index = judge::find_invariant(invariant);
      ASSERT_LT(index, judge::kInvariants) << invariant;
      EXPECT_GT(tally.invariants[index].violated, 0U)
          << kill.name << " must violate " << invariant << "; judged " << tally.judged << " of "
          << tally.runs << "; " << tally.vacuous_because;
    }
  }
}

TEST_P(Catalogue, IsAPureFunctionOfScenarioAndSeed) {
  const Scenario scenario = parse(GetParam());
  if (!scenario.sim) return;
  runner::SimRun fresh(scenario);
  runner::SimRun used(scenario);
  used.run(1);
  used.run(2);
  for (const std::uint64_t seed : {3U, 4U}) {
    fresh.run(seed);
    used.run(seed);
    EXPECT_EQ(fresh.history().fingerprint, used.history().fingerprint) << "seed " << seed;
    EXPECT_EQ(fresh.history().events, used.history().events) << "seed " << seed;
  }
  const std::uint64_t third = fresh.history().fingerprint;
  fresh.run(5);
  EXPECT_NE(fresh.history().fingerprint, third) << "the seed changes nothing";
}

INSTANTIATE_TEST_SUITE_P(All, Catalogue, testing::ValuesIn(catalogue()), [](const auto& file) {
  std::string name = std::filesystem::path(file.param).stem().string();
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
});

}  // namespace
}  // namespace holdfast
