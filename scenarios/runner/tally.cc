#include "scenarios/runner/tally.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "reports/explain.h"

namespace holdfast::runner {

using judge::Invariant;
using judge::RunVerdict;
using judge::State;
using report::InvariantCount;
using report::ScenarioResult;
using scenario::Expectation;
using scenario::Scenario;

namespace {

using Seed = std::optional<std::uint64_t>;

// Whether `seed` comes before what was first so far; it is first then.
bool comes_first(Seed& first, Seed seed) {
  if (!seed || (first && *first <= *seed)) return false;
  first = seed;
  return true;
}

void count_finding(Tally::Count& count, const judge::Finding& finding, std::uint64_t seed) {
  switch (finding.state) {
    case State::held:
      ++count.held;
      return;
    case State::violated:
      ++count.violated;
      comes_first(count.first_violated_seed, seed);
      return;
    case State::not_judged:
      ++count.not_judged;
      if (comes_first(count.first_not_judged_seed, seed)) count.why_not_judged = finding.why;
      return;
  }
}

}  // namespace

void Tally::add(const history::History& history, const judge::Judgement& judgement) {
  const std::uint64_t seed = history.setup.seed;
  ++runs;
  kernel_events += history.kernel_events;
  fingerprints += history.fingerprint * 0x9e3779b97f4a7c15ULL + seed;
  if (judgement.verdict == RunVerdict::environment_failure) {
    ++environment_failures;
    return;
  }
  if (judgement.verdict == RunVerdict::out_of_budget) {
    ++out_of_budget;
    return;
  }
  const bool proves_nothing = !judgement.vacuous_because.empty();
  if (proves_nothing && comes_first(first_vacuous_seed, seed)) {
    vacuous_because = judgement.vacuous_because;
  }
  if (judgement.verdict == RunVerdict::vacuous) {
    ++vacuous;
    return;
  }
  // A violation is one whether or not the run proves what the file wants: it counts as judged.
  ++judged;
  if (proves_nothing) ++runs_unproved;
  grants += judgement.grants;
  contended_grants += judgement.contended_grants;
  if (judgement.verdict == RunVerdict::violated) {
    ++runs_violated;
    comes_first(first_violated_seed, seed);
  }
  Kind& kind = kinds[static_cast<std::size_t>(judgement.blame)];
  ++kind.runs;
  comes_first(kind.first_seed, seed);
  for (std::size_t i = 0; i < judge::kInvariants; ++i) {
    count_finding(invariants[i], judgement.findings[i], seed);
  }
}

void Tally::add(const Tally& other) {
  runs += other.runs;
  judged += other.judged;
  vacuous += other.vacuous;
  out_of_budget += other.out_of_budget;
  environment_failures += other.environment_failures;
  runs_violated += other.runs_violated;
  runs_unproved += other.runs_unproved;
  grants += other.grants;
  contended_grants += other.contended_grants;
  kernel_events += other.kernel_events;
  fingerprints += other.fingerprints;
  for (std::size_t i = 0; i < judge::kInvariants; ++i) {
    Count& mine = invariants[i];
    const Count& more = other.invariants[i];
    mine.held += more.held;
    mine.violated += more.violated;
    mine.not_judged += more.not_judged;
    comes_first(mine.first_violated_seed, more.first_violated_seed);
    if (comes_first(mine.first_not_judged_seed, more.first_not_judged_seed)) {
      mine.why_not_judged = more.why_not_judged;
    }
  }
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    kinds[i].runs += other.kinds[i].runs;
    comes_first(kinds[i].first_seed, other.kinds[i].first_seed);
  }
  comes_first(first_violated_seed, other.first_violated_seed);
  if (comes_first(first_vacuous_seed, other.first_vacuous_seed)) {
    vacuous_because = other.vacuous_because;
  }
  if (environment_failure.empty()) environment_failure = other.environment_failure;
}

namespace {

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3) {
    digits.insert(static_cast<std::size_t>(at), ",");
  }
  return digits;
}

std::string_view word(Expectation expectation) {
  switch (expectation) {
    case Expectation::violated:
      return "violated";
    case Expectation::can_be_violated:
      return "can-be-violated";
    default:
      return "holds";
  }
}

bool met(Expectation expectation, const Tally::Count& count, const Tally& tally) {
  switch (expectation) {
    case Expectation::violated:
      return tally.judged > 0 && count.violated == tally.judged && tally.runs_unproved == 0;
    case Expectation::can_be_violated:
      return count.violated > 0;
    default:
      return count.violated == 0;
  }
}

std::string not_met(Expectation expectation, const InvariantCount& count, const Tally& tally) {
  std::string text =
      fmt::format("{} expected {}, was violated in {} of {} judged runs", name(count.invariant),
                  word(expectation), grouped(count.violated), grouped(tally.judged));
  if (expectation == Expectation::violated && tally.runs_unproved > 0) {
    text += fmt::format(", in {} of them not as forced: {}", grouped(tally.runs_unproved),
                        tally.vacuous_because);
  }
  if (expectation == Expectation::holds) {
    text += fmt::format(" (seed {})", count.first_violated_seed.value_or(0));
  }
  if (count.not_judged > 0) {
    text += fmt::format(", not judged in {} ({})", grouped(count.not_judged), count.why_not_judged);
  }
  return text;
}

std::string expectation_text(const Scenario& scenario) {
  std::string violated;
  std::string possible;
  for (std::size_t i = 0; i < judge::kInvariants; ++i) {
    const std::string invariant(name(static_cast<Invariant>(i)));
    const auto found = scenario.expect.find(invariant);
    if (found == scenario.expect.end()) continue;
    std::string* list = nullptr;
    if (found->second == Expectation::violated) list = &violated;
    if (found->second == Expectation::can_be_violated) list = &possible;
    if (list != nullptr) *list += (list->empty() ? "" : ", ") + invariant;
  }
  if (violated.empty() && possible.empty()) return "all hold";
  std::string text = violated.empty() ? "" : "violated: " + violated;
  if (!possible.empty()) text += (text.empty() ? "" : "; ") + ("can be violated: " + possible);
  return text;
}

// "lied 47 (seed 3), outlived 53 (seed 1)"; nothing when all were of one kind.
std::string kinds_text(const std::vector<report::KindCount>& kinds) {
  std::string text;
  for (const auto& kind : kinds) {
    text += fmt::format("{}{} {} (seed {})", text.empty() ? "" : ", ",
                        report::blame_word(kind.blame), grouped(kind.runs), kind.first_seed);
  }
  return kinds.size() > 1 ? ": " + text : "";
}

std::string verdict_text(const ScenarioResult& result, const Tally& tally) {
  if (tally.environment_failures > 0) return "environment failure";
  if (tally.runs_violated > 0) {
    return fmt::format("violated in {} of {}{}", grouped(tally.runs_violated), grouped(tally.runs),
                       kinds_text(result.kinds));
  }
  if (tally.judged == 0 && tally.vacuous > 0) {
    return fmt::format("vacuous in {} of {}", grouped(tally.vacuous), grouped(tally.runs));
  }
  return fmt::format("no violation in {} run{}, {} judged, {} contended grant{}",
                     grouped(result.runs), result.runs == 1 ? "" : "s", grouped(result.judged),
                     grouped(result.contended_grants), result.contended_grants == 1 ? "" : "s");
}

// What the file is about must have been looked at: the invariants that it names, and when it names
// none what users mean by a lock.
bool must_be_judged(const Scenario& scenario, Invariant invariant) {
  if (scenario.expect.empty()) return invariant == Invariant::mutual_exclusion;
  return scenario.expect.contains(std::string(name(invariant)));
}

bool judged_enough(const Scenario& scenario, const Tally::Count& count, const Tally& tally) {
  const auto judged = static_cast<double>(count.held + count.violated);
  return judged >= scenario.min_judged * static_cast<double>(tally.judged);
}

InvariantCount count_of(const Scenario& scenario, Invariant invariant, const Tally& tally,
                        std::string& why) {
  const Tally::Count& counted = tally.invariants[static_cast<std::size_t>(invariant)];
  const auto found = scenario.expect.find(std::string(name(invariant)));
  const auto expected = found == scenario.expect.end() ? Expectation::holds : found->second;
  InvariantCount count;
  count.invariant = invariant;
  count.expected = word(expected);
  count.held = counted.held;
  count.violated = counted.violated;
  count.not_judged = counted.not_judged;
  count.why_not_judged = counted.why_not_judged;
  count.first_violated_seed = counted.first_violated_seed;
  count.met = met(expected, counted, tally);
  if (!count.met) {
    why = not_met(expected, count, tally);
  } else if (must_be_judged(scenario, invariant) && !judged_enough(scenario, counted, tally)) {
    count.met = false;
    why = fmt::format("{} was not judged in {} of {} runs: {}", name(invariant),
                      grouped(count.not_judged), grouped(tally.judged), count.why_not_judged);
  }
  return count;
}

void hold_against_expectations(const Scenario& scenario, const Tally& tally,
                               ScenarioResult& result) {
  const auto fail = [&](const std::string& why) {
    result.not_met_because += (result.not_met_because.empty() ? "" : "; ") + why;
  };
  if (tally.environment_failures > 0) {
    fail("the environment failed: " + tally.environment_failure);
  } else if (static_cast<double>(tally.judged) <
             scenario.min_judged * static_cast<double>(tally.runs)) {
    std::string why = fmt::format("only {} of {} runs judged", tally.judged, tally.runs);
    if (tally.vacuous > 0) why += ": " + tally.vacuous_because;
    if (tally.out_of_budget > 0) why += fmt::format(", {} out of budget", tally.out_of_budget);
    fail(why);
  }
  for (std::size_t i = 0; i < judge::kInvariants; ++i) {
    std::string why;
    result.invariants.push_back(count_of(scenario, static_cast<Invariant>(i), tally, why));
    // Of runs that were not judged, the reason for that says it all.
    if (!why.empty() && (tally.judged > 0 || result.not_met_because.empty())) fail(why);
  }
  result.met = result.not_met_because.empty();
}

std::vector<report::KindCount> kinds_of(const Tally& tally) {
  std::vector<report::KindCount> kinds;
  for (const judge::Blame blame : report::kBlamesByBadness) {
    const Tally::Kind& kind = tally.kinds[static_cast<std::size_t>(blame)];
    if (kind.runs > 0) kinds.push_back({blame, kind.runs, *kind.first_seed});
  }
  return kinds;
}

}  // namespace

ScenarioResult conclude(const Scenario& scenario, const std::string& world,
                        std::uint64_t first_seed, const Tally& tally) {
  ScenarioResult result;
  result.name = scenario.name;
  result.shows = scenario.shows;
  result.file = scenario.file;
  result.source = scenario.source;
  result.text = scenario.text;
  result.world = world;
  result.first_seed = first_seed;
  result.runs = tally.runs;
  result.judged = tally.judged;
  result.vacuous = tally.vacuous;
  result.out_of_budget = tally.out_of_budget;
  result.environment_failures = tally.environment_failures;
  result.environment_failure = tally.environment_failure;
  result.grants = tally.grants;
  result.contended_grants = tally.contended_grants;
  result.kernel_events = tally.kernel_events;
  result.vacuous_because = tally.vacuous_because;
  result.expectation_text = expectation_text(scenario);
  hold_against_expectations(scenario, tally, result);
  result.kinds = kinds_of(tally);
  result.verdict_text = verdict_text(result, tally);
  return result;
}

}  // namespace holdfast::runner
