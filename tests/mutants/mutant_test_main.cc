// Runs, on the lock core that it is linked with, the scenarios whose "kills" name a mutant.
//   caught NAME     each invariant that a kill lists is violated in some run: for the mutant
//   silent NAME     none of them is, unless the scenario itself expects it: for the core as it is
//   named NAMES...  the catalogue names exactly these mutants
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "reports/judge/verdict.h"
#include "scenarios/format/catalogue_files.h"
#include "scenarios/format/parse.h"
#include "scenarios/runner/batch.h"
#include "scenarios/runner/tally.h"

namespace {

using namespace holdfast;
using scenario::Kill;
using scenario::Scenario;

constexpr std::uint64_t kSeeds = 50;

bool fail(const std::string& text) {
  std::printf("FAILED: %s\n", text.c_str());
  return false;
}

std::variant<Scenario, std::string> parse(const std::string& file,
                                          const std::map<std::string, std::string>& set) {
  auto parsed = scenario::parse_file(file, set);
  if (const auto* errors = std::get_if<std::vector<scenario::ParseError>>(&parsed)) {
    return errors->front().text();
  }
  return std::move(std::get<Scenario>(parsed));
}

bool expects(const Scenario& scenario, const std::string& invariant) {
  const auto found = scenario.expect.find(invariant);
  return found != scenario.expect.end() && found->second != scenario::Expectation::holds;
}

// The broken form must break what it says; the same schedule on the core as it is must not.
// `requires` facts often need the bug (B acquired while A ...): without it they are not asked for.
bool hold_against(const Kill& kill, Scenario scenario, bool mutated) {
  if (!mutated) scenario.requires_facts.clear();
  const std::atomic<bool> stop{false};
  const runner::Tally tally = runner::run_seeds(scenario, 1, kSeeds, 1, stop);
  bool good = true;
  bool distinguishes = false;
  std::printf("%s: %s: %llu of %llu runs judged\n", scenario.name.c_str(), kill.name.c_str(),
              static_cast<unsigned long long>(tally.judged),
              static_cast<unsigned long long>(tally.runs));
  if (tally.judged == 0) good = fail("no run was judged: " + tally.vacuous_because);
  for (const std::string& invariant : kill.violates) {
    const auto& count = tally.invariants[judge::find_invariant(invariant)];
    std::printf("  %s: violated in %llu, held in %llu; %s\n", invariant.c_str(),
                static_cast<unsigned long long>(count.violated),
                static_cast<unsigned long long>(count.held), count.why_not_judged.c_str());
    const bool expected = expects(scenario, invariant);
    distinguishes = distinguishes || (!expected && (mutated || count.held > 0));
    if (mutated && count.violated == 0) good = fail("the bug does not violate " + invariant);
    if (!mutated && !expected && count.violated > 0) {
      good = fail(invariant + " is violated without the bug, too");
    }
  }
  if (!distinguishes) good = fail("lists no invariant that holds without the bug");
  return good;
}

bool run_all(const std::string& mutant, bool mutated) {
  bool good = true;
  int scenarios = 0;
  for (const std::string& file : scenario::catalogue_files(HOLDFAST_CATALOGUE)) {
    const auto whole = parse(file, {});
    if (const auto* error = std::get_if<std::string>(&whole)) return fail(*error);
    for (const Kill& kill : std::get<Scenario>(whole).kills) {
      if (kill.mutant != mutant) continue;
      ++scenarios;
      auto broken = parse(file, kill.set);
      if (const auto* error = std::get_if<std::string>(&broken)) return fail(*error);
      good = hold_against(kill, std::move(std::get<Scenario>(broken)), mutated) && good;
    }
  }
  if (scenarios == 0) good = fail("no scenario names the mutant " + mutant);
  return good;
}

bool all_named(std::span<char* const> names) {
  std::set<std::string> written(names.begin(), names.end());
  std::set<std::string> named;
  for (const std::string& file : scenario::catalogue_files(HOLDFAST_CATALOGUE)) {
    const auto whole = parse(file, {});
    if (const auto* error = std::get_if<std::string>(&whole)) return fail(*error);
    for (const Kill& kill : std::get<Scenario>(whole).kills) {
      if (!kill.mutant.empty()) named.insert(kill.mutant);
    }
  }
  bool good = !written.empty();
  for (const std::string& name : written) {
    if (!named.contains(name)) good = fail("no scenario names the mutant " + name);
  }
  for (const std::string& name : named) {
    if (!written.contains(name)) good = fail("there is no mutant " + name);
  }
  return good;
}

}  // namespace

int main(int argc, char** argv) {
  const std::span<char* const> arguments(argv, static_cast<std::size_t>(argc));
  const std::string_view what = argc > 1 ? arguments[1] : "";
  if (what == "named") return all_named(arguments.subspan(2)) ? 0 : 1;
  if (argc == 3 && what == "caught") return run_all(arguments[2], true) ? 0 : 1;
  if (argc == 3 && what == "silent") return run_all(arguments[2], false) ? 0 : 1;
  fail("expected: caught NAME | silent NAME | named NAMES...");
  return 2;
}
