#include "scenarios/main/run_scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <thread>
#include <utility>
#include <vector>

#include "scenarios/live/live_run.h"
#include "scenarios/main/command_line.h"
#include "scenarios/runner/batch.h"
#include "scenarios/runner/tally.h"
#include "scenarios/runner/witness_runs.h"

namespace holdfast::program {

using runner::Tally;
using scenario::Scenario;

namespace {

constexpr std::uint64_t kDefaultSeeds = 1000;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::string command(const Scenario& scenario) {
  return fmt::format("{} run {}", called_as, scenario.file);
}

std::string reproduce_simulated(const Scenario& scenario, std::uint64_t seed) {
  return fmt::format("{} --seed {} --seeds 1 --explain", command(scenario), seed);
}

// Without a seed: it would not bring back what real time did.
std::string run_live_again(const Scenario& scenario, const RunOptions& options) {
  std::string text = command(scenario) + " --world live";
  if (options.scale) text += fmt::format(" --scale {}", *options.scale);
  for (std::size_t i = 0; i < options.redis.size(); ++i) {
    text += (i == 0 ? " --redis " : ",") + options.redis[i].text();
  }
  return text + " --explain";
}

void mark_interrupted(report::ScenarioResult& result) {
  result.interrupted = true;
  result.met = false;
  result.not_met_because.clear();
  result.verdict_text = result.runs == 0 ? "interrupted" : "interrupted; " + result.verdict_text;
}

// Each worker takes every jobs-th seed; tallies add up in any order.
Tally run_on_workers(const Scenario& scenario, const RunOptions& options) {
  const std::uint64_t seeds = options.seeds.value_or(kDefaultSeeds);
  unsigned jobs =
      options.jobs > 0 ? options.jobs : std::max(1U, std::thread::hardware_concurrency());
  jobs = static_cast<unsigned>(std::min<std::uint64_t>(jobs, seeds));
  std::vector<Tally> tallies(jobs);
  std::vector<std::thread> workers;
  for (unsigned job = 0; job < jobs; ++job) {
    const std::uint64_t count = seeds / jobs + (job < seeds % jobs ? 1 : 0);
    workers.emplace_back([&, job, count] {
      tallies[job] = runner::run_seeds(scenario, options.seed + job, count, jobs, interrupted);
    });
  }
  for (auto& worker : workers) worker.join();
  Tally all;
  for (const auto& tally : tallies) all.add(tally);
  return all;
}

// Live runs cannot be run again: those that may be shown are kept.
class LiveRecords {
 public:
  void keep(live::LiveResult&& one, std::string reproduce) {
    if (one.judgement.verdict != judge::RunVerdict::violated) return;
    bool news = std::exchange(kinds_[static_cast<std::size_t>(one.judgement.blame)], true) == false;
    for (std::size_t i = 0; i < judge::kInvariants; ++i) {
      const bool violated = one.judgement.findings[i].state == judge::State::violated;
      if (violated && !std::exchange(invariants_[i], true)) news = true;
    }
    if (!news) return;
    report::ViolationRun run;
    run.seed = one.history.setup.seed;
    run.reproduce = std::move(reproduce);
    run.history = std::move(one.history);
    run.judgement = std::move(one.judgement);
    runs_.push_back(std::move(run));
  }
  report::ViolationRun take(std::uint64_t seed) {
    const auto found = std::find_if(runs_.begin(), runs_.end(),
                                    [seed](const auto& run) { return run.seed == seed; });
    return std::move(*found);
  }

 private:
  std::array<bool, judge::kBlames> kinds_{};
  std::array<bool, judge::kInvariants> invariants_{};
  std::vector<report::ViolationRun> runs_;
};

// An environment that failed before there was a verdict says nothing about the scenario: once more,
// in a fresh lab. `first_failure` says that it was so and why.
live::LiveResult run_live_once(const Scenario& scenario, const live::LiveOptions& options,
                               std::string& first_failure) {
  live::LiveResult one = live::run_live(scenario, options, interrupted);
  if (one.judgement.verdict != judge::RunVerdict::environment_failure || interrupted) return one;
  if (first_failure.empty()) {
    const std::string& why = one.environment_failure;  // a server's log may follow
    first_failure = why.substr(0, why.find('\n'));
  }
  return live::run_live(scenario, options, interrupted);
}

}  // namespace

report::ScenarioResult run_simulated(const Scenario& scenario, const RunOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  const Tally tally = run_on_workers(scenario, options);
  auto result = runner::conclude(scenario, "sim", options.seed, tally);
  result.violations = runner::witness_runs(result, [&](std::uint64_t seed) {
    return runner::record_violation(scenario, seed, reproduce_simulated(scenario, seed));
  });
  if (tally.runs < options.seeds.value_or(kDefaultSeeds)) mark_interrupted(result);
  result.seconds = seconds_since(start);
  return result;
}

report::ScenarioResult run_live(const Scenario& scenario, const RunOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  live::LiveOptions live_options;
  live_options.scale = options.scale.value_or(scenario.live_scale.value_or(1.0));
  live_options.redis = options.redis;
  Tally tally;
  LiveRecords records;
  std::string first_failure;
  const std::uint64_t seeds = options.seeds && !options.sim ? *options.seeds : 1;
  for (std::uint64_t i = 0; i < seeds && !interrupted; ++i) {
    live_options.seed = options.seed + i;
    live::LiveResult one = run_live_once(scenario, live_options, first_failure);
    // Ctrl-C reaches the servers and clients too: whatever failed then, it failed by that.
    if (!one.environment_failure.empty() && interrupted) break;
    tally.add(one.history, one.judgement);
    if (!one.environment_failure.empty()) tally.environment_failure = one.environment_failure;
    records.keep(std::move(one), run_live_again(scenario, options));
  }
  auto result = runner::conclude(scenario, "live", options.seed, tally);
  result.violations =
      runner::witness_runs(result, [&](std::uint64_t seed) { return records.take(seed); });
  if (!result.environment_failure.starts_with(first_failure)) {
    result.second_attempt = first_failure;
  }
  if (tally.runs < seeds) mark_interrupted(result);
  result.seconds = seconds_since(start);
  return result;
}

}  // namespace holdfast::program
