// holdfast run: every file in every wanted world, one table, one report a violation.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <thread>
#include <utility>

#include "reports/render/json.h"
#include "reports/render/junit.h"
#include "reports/render/write.h"
#include "scenarios/format/parse.h"
#include "scenarios/format/scale.h"
#include "scenarios/live/existing_servers.h"
#include "scenarios/live/live_run.h"
#include "scenarios/main/command_line.h"
#include "scenarios/main/print_report.h"
#include "scenarios/main/run_options.h"
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

std::string reproduce(const Scenario& scenario, const std::string& world, std::uint64_t seed,
                      const RunOptions& options) {
  std::string command =
      fmt::format("{} run {} --seed {} --seeds 1", called_as, scenario.file, seed);
  if (world == "live") {
    command += " --world live";
    if (options.scale) command += fmt::format(" --scale {}", *options.scale);
    for (std::size_t i = 0; i < options.redis.size(); ++i) {
      command += (i == 0 ? " --redis " : ",") + options.redis[i].text();
    }
  }
  return command + " --explain";
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

report::ScenarioResult run_simulated(const Scenario& scenario, const RunOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  const Tally tally = run_on_workers(scenario, options);
  auto result = runner::conclude(scenario, "sim", options.seed, tally);
  result.violations = runner::witness_runs(result, [&](std::uint64_t seed) {
    return runner::record_violation(scenario, seed, reproduce(scenario, "sim", seed, options));
  });
  result.seconds = seconds_since(start);
  return result;
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
    tally.add(one.history, one.judgement);
    if (!one.environment_failure.empty()) tally.environment_failure = one.environment_failure;
    records.keep(std::move(one), reproduce(scenario, "live", live_options.seed, options));
  }
  auto result = runner::conclude(scenario, "live", options.seed, tally);
  result.violations =
      runner::witness_runs(result, [&](std::uint64_t seed) { return records.take(seed); });
  if (!result.environment_failure.starts_with(first_failure)) {
    result.second_attempt = first_failure;
  }
  result.seconds = seconds_since(start);
  return result;
}

void progress(const std::string& text) {
  if (isatty(STDERR_FILENO)) std::fprintf(stderr, "\r\033[K%s", text.c_str());
}

bool write_file(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  return static_cast<bool>(file);
}

// Parses everything before anything runs: an invalid file means that nothing is half-done.
std::optional<std::vector<Scenario>> parse_all(const std::vector<std::string>& files) {
  std::vector<Scenario> scenarios;
  bool failed = false;
  for (const auto& file : files) {
    auto result = scenario::parse_file(file);
    if (auto* errors = std::get_if<std::vector<scenario::ParseError>>(&result)) {
      for (const auto& error : *errors) std::fprintf(stderr, "%s\n", error.text().c_str());
      failed = true;
    } else {
      scenarios.push_back(std::move(std::get<Scenario>(result)));
    }
  }
  if (failed) return std::nullopt;
  return scenarios;
}

// Contradictions between what the files are and what the options want. False: told, nothing to run.
bool agree(const std::vector<Scenario>& scenarios, const RunOptions& options) {
  bool good = true;
  bool any = false;
  for (const auto& scenario : scenarios) {
    any = any || (options.sim && scenario.sim) || (options.live && scenario.live);
    if (!options.live || !scenario.live) continue;
    if (!options.redis.empty()) {
      for (const auto& error : live::refused_on_existing_servers(scenario, options.redis)) {
        std::fprintf(stderr, "%s\n", error.text().c_str());
        good = false;
      }
    }
    if (!options.scale) continue;
    if (const auto why = scenario::refuse_scale(scenario, *options.scale)) {
      std::fprintf(stderr, "%s: --scale %g: %s\n", scenario.file.c_str(), *options.scale,
                   why->c_str());
      good = false;
    }
  }
  if (any) return good;
  bad_input(fmt::format("nothing to run: no file has \"{}\" among its \"worlds\"",
                        options.live ? "live" : "sim"));
  return false;
}

// Live scenarios wait more than they work: two at a time.
void run_all_live(const std::vector<Scenario>& scenarios, const RunOptions& options,
                  std::vector<report::ScenarioResult>& results) {
  std::vector<const Scenario*> wanted;
  for (const auto& scenario : scenarios) {
    if (scenario.live) wanted.push_back(&scenario);
  }
  std::vector<std::optional<report::ScenarioResult>> done(wanted.size());
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < wanted.size() && !interrupted; i = next++) {
      done[i] = run_live(*wanted[i], options);
    }
  };
  const unsigned jobs = options.jobs > 0 ? options.jobs : 2;
  std::vector<std::thread> workers;
  workers.reserve(jobs);
  for (unsigned job = 0; job < jobs; ++job) workers.emplace_back(work);
  for (auto& worker : workers) worker.join();
  for (auto& result : done) {
    if (result) results.push_back(std::move(*result));
  }
}

int exit_code(const report::Report& report, bool write_failed) {
  if (report.interrupted) return kInterrupted;
  int code = write_failed ? kWorldFailed : kOk;
  for (const auto& result : report.scenarios) {
    if (result.environment_failures > 0) return kWorldFailed;
    if (!result.met && code == kOk) code = kNotMet;
  }
  return code;
}

int write_everything(report::Report& report, const RunOptions& options) {
  bool failed = false;
  if (const auto problem = report::write_reports(report, options.out)) {
    std::fprintf(stderr, "holdfast: %s\n", problem->c_str());
    failed = true;
  }
  progress("");
  print_report(report, options.explain);
  if (!options.junit.empty() && !write_file(options.junit, render_junit(report))) {
    std::fprintf(stderr, "holdfast: cannot write %s\n", options.junit.c_str());
    failed = true;
  }
  if (!options.json.empty() && !write_file(options.json, render_json(report))) {
    std::fprintf(stderr, "holdfast: cannot write %s\n", options.json.c_str());
    failed = true;
  }
  return exit_code(report, failed);
}

}  // namespace

int run_command(const Arguments& arguments) {
  const auto parsed = parse_run_options(arguments);
  if (const int* code = std::get_if<int>(&parsed)) return *code;
  const auto& options = std::get<RunOptions>(parsed);
  std::string problem;
  const auto files = scenario_files(options.paths, problem);
  if (!problem.empty()) return bad_input(problem);
  const auto scenarios = parse_all(files);
  if (!scenarios || !agree(*scenarios, options)) return kBadInput;

  report::Report report;
  report.program_version = HOLDFAST_VERSION;
  if (options.sim) {
    for (const auto& scenario : *scenarios) {
      if (!scenario.sim || interrupted) continue;
      progress("simulating " + scenario.name);
      report.scenarios.push_back(run_simulated(scenario, options));
    }
  }
  if (options.live) {
    progress("running on real Redis servers");
    run_all_live(*scenarios, options, report.scenarios);
  }
  report.interrupted = interrupted;
  return write_everything(report, options);
}

}  // namespace holdfast::program
