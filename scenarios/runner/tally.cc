#include "scenarios/runner/tally.h"

#include <fmt/format.h>

#include <algorithm>
#include <locale>

namespace holdfast::runner {

using judge::Invariant;
using judge::RunVerdict;
using judge::State;
using report::InvariantCount;
using report::ScenarioResult;
using scenario::Expectation;
using scenario::Scenario;

void Tally::add(const history::History& history, const judge::Judgement& judgement) {
  const std::uint64_t seed = history.setup.seed;
  ++runs;
  kernel_events += history.kernel_events;
  fingerprints += history.fingerprint * 0x9e3779b97f4a7c15ULL + seed;
  if (judgement.verdict == RunVerdict::environment_failure) {
    ++environment_failures;
    return;
  }
  if (judgement.verdict == RunVerdict::out_of_budget) ++out_of_budget;
  if (judgement.verdict == RunVerdict::out_of_budget) return;
  const bool proves_nothing = !judgement.vacuous_because.empty();
  if (proves_nothing && (!first_vacuous_seed || seed < *first_vacuous_seed)) {
    first_vacuous_seed = seed;
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
    if (!first_violated_seed || seed < *first_violated_seed) first_violated_seed = seed;
  }
  for (std::size_t i = 0; i < judge::kInvariants; ++i) {
    const judge::Finding& finding = judgement.findings[i];
    Count& count = invariants[i];
    if (finding.state == State::held) ++count.held;
    if (finding.state == State::violated) ++count.violated;
    if (finding.state == State::not_judged) {
      ++count.not_judged;
      if (count.why_not_judged.empty()) count.why_not_judged = finding.why;
    }
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
    invariants[i].held += other.invariants[i].held;
    invariants[i].violated += other.invariants[i].violated;
    invariants[i].not_judged += other.invariants[i].not_judged;
    if (invariants[i].why_not_judged.empty()) {
      invariants[i].why_not_judged = other.invariants[i].why_not_judged;
    }
  }
  if (other.first_violated_seed &&
      (!first_violated_seed || *other.first_violated_seed < *first_violated_seed)) {
    first_violated_seed = other.first_violated_seed;
  }
  if (other.first_vacuous_seed &&
      (!first_vacuous_seed || *other.first_vacuous_seed < *first_vacuous_seed)) {
    first_vacuous_seed = other.first_vacuous_seed;
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

std::string verdict_text(const ScenarioResult& result, const Tally& tally) {
  if (tally.environment_failures > 0) return "environment failure";
  if (tally.runs_violated > 0) {
    return fmt::format("violated in {} of {}", grouped(tally.runs_violated), grouped(tally.runs));
  }
  if (tally.judged == 0 && tally.vacuous > 0) {
    return fmt::format("vacuous in {} of {}", grouped(tally.vacuous), grouped(tally.runs));
  }
  return fmt::format("no violation in {} run{}, {} judged, {} contended grant{}",
                     grouped(result.runs), result.runs == 1 ? "" : "s", grouped(result.judged),
                     grouped(result.contended_grants), result.contended_grants == 1 ? "" : "s");
}

void hold_against_expectations(const Scenario& scenario, const Tally& tally,
                               ScenarioResult& result) {
  result.met = true;
  const auto fail = [&](const std::string& why) {
    if (result.met) result.not_met_because = why;
    result.met = false;
  };
  if (tally.environment_failures > 0) {
    fail("the environment failed: " + tally.environment_failure);
  }
  const auto least = scenario.min_judged * static_cast<double>(tally.runs);
  if (static_cast<double>(tally.judged) < least) {
    std::string why = fmt::format("only {} of {} runs judged", tally.judged, tally.runs);
    if (tally.vacuous > 0) why += ": " + tally.vacuous_because;
    if (tally.out_of_budget > 0) why += fmt::format(", {} out of budget", tally.out_of_budget);
    fail(why);
  }
  for (std::size_t i = 0; i < judge::kInvariants; ++i) {
    InvariantCount count;
    count.invariant = static_cast<Invariant>(i);
    const auto found = scenario.expect.find(std::string(name(count.invariant)));
    const auto expected = found == scenario.expect.end() ? Expectation::holds : found->second;
    count.expected = word(expected);
    count.held = tally.invariants[i].held;
    count.violated = tally.invariants[i].violated;
    count.not_judged = tally.invariants[i].not_judged;
    count.why_not_judged = tally.invariants[i].why_not_judged;
    count.met = met(expected, tally.invariants[i], tally);
    if (!count.met) fail(not_met(expected, count, tally));
    result.invariants.push_back(std::move(count));
  }
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
  result.verdict_text = verdict_text(result, tally);
  return result;
}

}  // namespace holdfast::runner
