// SimRun: one scenario in the simulated world, one seed after the other. A run is a pure function
// of (scenario, seed); the object keeps its memory between runs.
#pragma once

#include <cstdint>
#include <memory>

#include "reports/history/history.h"
#include "reports/judge/verdict.h"
#include "scenarios/format/model.h"

namespace holdfast::runner {

// A run that needs more kernel events than this is cut short: "out of budget".
inline constexpr std::uint64_t kEventBudget = 10'000'000;

class SimRun {
 public:
  // The scenario outlives the object.
  explicit SimRun(const scenario::Scenario& scenario);
  ~SimRun();
  SimRun(const SimRun&) = delete;
  SimRun& operator=(const SimRun&) = delete;

  // Runs the seed and judges it. The references are good until the next run.
  const judge::Judgement& run(std::uint64_t seed);
  const history::History& history() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace holdfast::runner
