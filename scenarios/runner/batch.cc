#include "scenarios/runner/batch.h"

#include "scenarios/runner/sim_run.h"

namespace holdfast::runner {

Tally run_seeds(const scenario::Scenario& scenario, std::uint64_t first, std::uint64_t count,
                std::uint64_t stride, const std::atomic<bool>& stop) {
  Tally tally;
  SimRun run(scenario);
  for (std::uint64_t i = 0; i < count && !stop.load(std::memory_order_relaxed); ++i) {
    const judge::Judgement& judgement = run.run(first + i * stride);
    tally.add(run.history(), judgement);
  }
  return tally;
}

report::ViolationRun record_violation(const scenario::Scenario& scenario, std::uint64_t seed,
                                      std::string reproduce) {
  report::ViolationRun violation;
  violation.seed = seed;
  violation.reproduce = std::move(reproduce);
  SimRun run(scenario);
  violation.judgement = run.run(seed);
  violation.history = run.history();
  // A second world, from scratch: the same fingerprint shows that nothing of an earlier run leaked
  // in.
  SimRun again(scenario);
  again.run(seed);
  violation.rerun_identical = again.history().fingerprint == violation.history.fingerprint;
  return violation;
}

}  // namespace holdfast::runner
