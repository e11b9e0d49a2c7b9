// holdfast run: every file in every wanted world, one table, one report a violation.
#include <fmt/format.h>

#include <cstdio>
#include <thread>
#include <utility>

#include "reports/render/json.h"
#include "reports/render/junit.h"
#include "reports/render/write.h"
#include "scenarios/format/parse.h"
#include "scenarios/format/scale.h"
#include "scenarios/live/existing_servers.h"
#include "scenarios/main/command_line.h"
#include "scenarios/main/output_paths.h"
#include "scenarios/main/print_report.h"
#include "scenarios/main/progress.h"
#include "scenarios/main/run_options.h"
#include "scenarios/main/run_scenario.h"

namespace holdfast::program {

using scenario::Scenario;

namespace {

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
    if (const auto refused = scenario::refuse_scale(scenario, *options.scale)) {
      std::fprintf(stderr, "%s\n", refused->text().c_str());
      good = false;
    }
  }
  if (any) return good;
  bad_input(
      fmt::format("nothing to run: no file has \"{}\" among its \"worlds\"; --world {} runs them",
                  options.live ? "live" : "sim", options.live ? "sim" : "live"));
  return false;
}

using Scenarios = std::vector<const Scenario*>;
using World = bool Scenario::*;

Scenarios of_world(const std::vector<Scenario>& scenarios, bool wanted, World world) {
  Scenarios of;
  for (const auto& scenario : scenarios) {
    if (wanted && scenario.*world) of.push_back(&scenario);
  }
  return of;
}

// Live scenarios wait more than they work: two at a time.
void run_all_live(const Scenarios& wanted, const RunOptions& options, Progress& progress,
                  std::vector<report::ScenarioResult>& results) {
  std::vector<std::optional<report::ScenarioResult>> done(wanted.size());
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < wanted.size() && !interrupted; i = next++) {
      progress.begins("running " + wanted[i]->name + " on real Redis servers");
      done[i] = run_live(*wanted[i], options);
      progress.done(*done[i]);
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

report::Report run_all(const std::vector<Scenario>& scenarios, const RunOptions& options) {
  const Scenarios simulated = of_world(scenarios, options.sim, &Scenario::sim);
  const Scenarios live = of_world(scenarios, options.live, &Scenario::live);
  report::Report report;
  report.program_version = HOLDFAST_VERSION;
  report.wanted = simulated.size() + live.size();
  Progress progress(report.wanted);
  for (const Scenario* scenario : simulated) {
    if (interrupted) break;
    progress.begins("simulating " + scenario->name);
    report.scenarios.push_back(run_simulated(*scenario, options));
    progress.done(report.scenarios.back());
  }
  run_all_live(live, options, progress, report.scenarios);
  progress.over();
  report.interrupted = interrupted;
  return report;
}

// Why some result could not be written, told before there is one.
std::optional<std::string> refuse_outputs(const RunOptions& options) {
  auto refused = refuse_folder(options.out);
  for (const std::string& file : {options.junit, options.json}) {
    if (!refused && !file.empty()) refused = refuse_file(file);
  }
  return refused;
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
  const auto tell = [&failed](const std::optional<std::string>& problem) {
    if (!problem) return;
    std::fprintf(stderr, "holdfast: %s\n", problem->c_str());
    failed = true;
  };
  tell(report::write_reports(report, options.out));
  if (!options.junit.empty()) tell(write_file(options.junit, render_junit(report)));
  if (!options.json.empty()) tell(write_file(options.json, render_json(report)));
  print_report(report, options.explain);
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
  if (const auto refused = refuse_outputs(options)) {
    std::fprintf(stderr, "holdfast: %s\n", refused->c_str());
    return kWorldFailed;
  }
  report::Report report = run_all(*scenarios, options);
  return write_everything(report, options);
}

}  // namespace holdfast::program
