// Whole runs per second and core: simulated servers, clients on the real lock core, judge with
// `backed`, fingerprint on. The workloads are frozen: they never change.
//
// Where a run of gc_pause spends its 410,000 instructions (g++ 12, -O3), by whose code they are:
//   Lua, in 16 scripts      28 %    network                            6 %
//   our side of the scripts  5 %    event kernel                       4 %
//   simulated server        11 %    history and fingerprint            5 %
//   lock core, coroutines   15 %    judge                              3 %
//   client process: alarms,         `requires`                         2 %
//     calls, clocks         13 %    libc: copies, comparisons, malloc  7 %
// The reset of the world is 1.8 %, counted above with what it calls. Counted, not timed:
//   valgrind --tool=callgrind --toggle-collect='holdfast::runner::SimRun::run(unsigned long)'
//     holdfast_bench --benchmark_filter=GcPause   and   callgrind_annotate callgrind.out.*
#include <benchmark/benchmark.h>

#include <string>

#include "scenarios/format/parse.h"
#include "scenarios/runner/sim_run.h"

namespace holdfast {
namespace {

void run_workload(benchmark::State& state, const std::string& file) {
  const auto parsed = scenario::parse_file(HOLDFAST_SOURCE_DIR "/tests/bench/workloads/" + file);
  if (!std::holds_alternative<scenario::Scenario>(parsed)) {
    state.SkipWithError(("cannot read " + file).c_str());
    return;
  }
  const auto& workload = std::get<scenario::Scenario>(parsed);
  runner::SimRun run(workload);
  std::uint64_t seed = 0;
  std::uint64_t kernel_events = 0;
  std::uint64_t history_events = 0;
  std::uint64_t violated = 0;
  for (auto _ : state) {
    const auto& judgement = run.run(++seed);
    kernel_events += run.history().kernel_events;
    history_events += run.history().events.size();
    if (judgement.verdict == judge::RunVerdict::violated) ++violated;
  }
  const auto runs = static_cast<double>(seed);
  state.counters["runs/s"] = benchmark::Counter(runs, benchmark::Counter::kIsRate);
  state.counters["events/run"] = static_cast<double>(kernel_events) / runs;
  state.counters["history/run"] = static_cast<double>(history_events) / runs;
  state.counters["violated"] = static_cast<double>(violated) / runs;
}

void BM_GcPause(benchmark::State& state) { run_workload(state, "gc_pause.json"); }
void BM_Redlock5ClockStep(benchmark::State& state) {
  run_workload(state, "redlock5_clock_step.json");
}
BENCHMARK(BM_GcPause);
BENCHMARK(BM_Redlock5ClockStep);

}  // namespace
}  // namespace holdfast
