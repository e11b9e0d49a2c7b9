#include "scenarios/runner/witness_runs.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "reports/explain.h"

namespace holdfast::runner {

using judge::Blame;
using judge::Invariant;

namespace {

// Something that a run is to be shown for.
struct Exhibit {
  Invariant focus = Invariant::mutual_exclusion;
  Blame blame = Blame::none;  // none: any
  std::uint64_t seed = 0;     // of the first run that shows it
  bool expected = true;
};

const report::InvariantCount* count_of(const report::ScenarioResult& result, Invariant invariant) {
  for (const auto& count : result.invariants) {
    if (count.invariant == invariant) return &count;
  }
  return nullptr;
}

bool met(const report::ScenarioResult& result, Invariant invariant) {
  const auto* count = count_of(result, invariant);
  return count == nullptr || count->met;
}

std::vector<Exhibit> exhibits(const report::ScenarioResult& result) {
  std::vector<Exhibit> all;
  for (const auto& kind : result.kinds) {
    const bool met_each_other = kind.blame != Blame::lied_nobody_hurt;
    const Invariant focus = met_each_other ? Invariant::mutual_exclusion : Invariant::promise;
    all.push_back({focus, kind.blame, kind.first_seed, met(result, focus)});
  }
  for (const Invariant invariant : report::kByStrength) {
    const auto* count = count_of(result, invariant);
    if (count == nullptr || !count->first_violated_seed) continue;
    all.push_back({invariant, Blame::none, *count->first_violated_seed, count->met});
  }
  std::vector<Exhibit> worst_first;
  for (const bool expected : {false, true}) {
    std::copy_if(all.begin(), all.end(), std::back_inserter(worst_first),
                 [expected](const Exhibit& one) { return one.expected == expected; });
  }
  return worst_first;
}

bool shows(const report::ViolationRun& run, const Exhibit& exhibit) {
  if (exhibit.blame != Blame::none) return run.judgement.blame == exhibit.blame;
  return run.judgement[exhibit.focus].state == judge::State::violated;
}

}  // namespace

std::vector<report::ViolationRun> witness_runs(
    const report::ScenarioResult& result,
    const std::function<report::ViolationRun(std::uint64_t seed)>& record) {
  std::vector<report::ViolationRun> runs;
  for (const Exhibit& exhibit : exhibits(result)) {
    const bool shown =
        std::any_of(runs.begin(), runs.end(), [&](const auto& run) { return shows(run, exhibit); });
    if (shown || runs.size() == kMostWitnessRuns) continue;
    report::ViolationRun run = record(exhibit.seed);
    run.explanation = report::explain(run.history, run.judgement, exhibit.focus);
    runs.push_back(std::move(run));
  }
  return runs;
}

}  // namespace holdfast::runner
