// Tally: what many runs of one scenario came to, invariant by invariant; adds up in any order.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "reports/history/history.h"
#include "reports/judge/verdict.h"
#include "reports/report.h"
#include "scenarios/format/model.h"

namespace holdfast::runner {

struct Tally {
  struct Count {
    std::uint64_t held = 0, violated = 0, not_judged = 0;
    std::optional<std::uint64_t> first_violated_seed = {};
    std::optional<std::uint64_t> first_not_judged_seed = {};
    std::string why_not_judged = {};  // in that run
  };
  // Runs whose worst pair of holders is of one kind.
  struct Kind {
    std::uint64_t runs = 0;
    std::optional<std::uint64_t> first_seed = {};
  };
  std::uint64_t runs = 0, judged = 0, vacuous = 0, out_of_budget = 0, environment_failures = 0;
  std::uint64_t runs_violated = 0;
  std::uint64_t runs_unproved = 0;  // of the violated ones: not by what the file wants to show
  std::uint64_t grants = 0, contended_grants = 0, kernel_events = 0;
  std::array<Count, judge::kInvariants> invariants;
  std::array<Kind, judge::kBlames> kinds;  // by Blame
  std::optional<std::uint64_t> first_violated_seed = {};
  std::optional<std::uint64_t> first_vacuous_seed = {};  // unproved ones included
  std::string vacuous_because = {};                      // in that run
  std::string environment_failure = {};
  std::uint64_t fingerprints = 0;  // order-free sum over all runs

  void add(const history::History& history, const judge::Judgement& judgement);
  void add(const Tally& other);
};

// Holds the tally against the scenario's expectations. What the file names in `expect` (when it
// names nothing: mutual-exclusion) must also have been judged, in the share of runs that
// `min_judged` says.
report::ScenarioResult conclude(const scenario::Scenario& scenario, const std::string& world,
                                std::uint64_t first_seed, const Tally& tally);

}  // namespace holdfast::runner
