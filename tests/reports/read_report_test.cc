// A report read back from its folder, and rendered again.
#include "reports/read/read_report.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "reports/render/write.h"
#include "tests/reports/golden_file.h"
#include "tests/reports/stories.h"
#include "tests/reports/temporary_folder.h"

namespace holdfast::report {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

Report finished_run() {
  Report report;
  report.program_version = "0.1.0";
  report.scenarios.push_back(result_of(gc_pause(), "A stopped client <writes> & \"lives\" on"));
  report.scenarios.push_back(result_of(clock_step(), "A clock steps"));
  report.scenarios.push_back(result_of(gc_pause(true), "No violation was kept of this one"));
  report.scenarios[2].violations.clear();
  report.scenarios[2].world = "live";
  report.scenarios[2].met = false;
  report.scenarios[2].seconds = 1.0 / 3;
  report.scenarios[2].not_met_because = report.scenarios[2].vacuous_because = "nothing happened";
  report.scenarios[2].environment_failures = 1;
  report.scenarios[2].environment_failure = "no redis-server";
  report.scenarios[2].vacuous = 3;
  report.scenarios[2].out_of_budget = 4;
  report.scenarios[2].kernel_events = 1'000'000'000'000'000'007;
  report.scenarios[2].invariants.push_back(
      {judge::Invariant::leak, "holds", 1, 0, 2, true, "no key was left"});
  report.scenarios[2].second_attempt = "link A->n1 does not refuse";
  ScenarioResult& first = report.scenarios[0];
  first.kinds = {{judge::Blame::lock_lied, 3, 17}, {judge::Blame::lied_nobody_hurt, 1, 2}};
  first.invariants[0].first_violated_seed = 0;
  ViolationRun& run = first.violations[0];
  run.explanation = explain(run.history, run.judgement, judge::Invariant::stale_write);
  report.interrupted = true;
  return report;
}

std::map<std::string, std::string> contents_of(const std::string& dir) {
  std::map<std::string, std::string> all;
  for (const auto& entry : fs::directory_iterator(dir)) {
    all[entry.path().filename()] = file_contents(entry.path());
  }
  return all;
}

// Changes report.json of a written report; says what reading it then complains about.
class BrokenReport {
 public:
  BrokenReport() {
    Report report = finished_run();
    EXPECT_EQ(write_reports(report, folder_.path()), std::nullopt);
  }
  std::string path(const std::string& name) const { return folder_ / name; }
  std::string complaint_when(const std::string& pointer, const Json& value) const {
    Json report = Json::parse(file_contents(folder_ / "report.json"));
    report.at(Json::json_pointer(pointer)) = value;
    return complaint_about(report.dump());
  }
  std::string complaint_about(const std::string& report) const {
    std::ofstream(folder_ / "report.json") << report;
    return complaint();
  }
  std::string complaint() const {
    const auto read = read_report(folder_.path());
    const auto* error = std::get_if<ReportError>(&read);
    return error == nullptr ? "" : error->text();
  }

 private:
  TemporaryFolder folder_;
};

void expect_complaint(const std::string& complaint, const std::string& place,
                      const std::string& message) {
  EXPECT_TRUE(complaint.starts_with(place + ": ")) << complaint;
  EXPECT_NE(complaint.find(message), std::string::npos) << complaint;
}

TEST(ReadReport, ARenderedReportRenderedAgainIsTheSameByteForByte) {
  const TemporaryFolder folder;
  Report first = finished_run();
  ASSERT_EQ(write_reports(first, folder.path()), std::nullopt);
  const auto before = contents_of(folder.path());
  ASSERT_EQ(before.size(), 8u);
  auto read = read_report(folder.path());
  ASSERT_TRUE(std::holds_alternative<Report>(read)) << std::get<ReportError>(read).text();
  // A folder of its own would give other paths of pages: the first one is emptied instead.
  for (const auto& [name, text] : before) fs::remove(folder / name);
  ASSERT_EQ(write_reports(std::get<Report>(read), folder.path()), std::nullopt);
  EXPECT_EQ(contents_of(folder.path()), before);
}

TEST(ReadReport, JudgesAndExplainsTheHistoryAnew) {
  const TemporaryFolder folder;
  Report first = finished_run();
  ViolationRun& run = first.scenarios[0].violations[0];
  const std::string sentence = run.explanation.sentence;
  run.explanation.sentence = "words of an older program";
  run.judgement = {};
  ASSERT_EQ(write_reports(first, folder.path()), std::nullopt);
  auto read = read_report(folder.path());
  ASSERT_TRUE(std::holds_alternative<Report>(read));
  const ViolationRun& again = std::get<Report>(read).scenarios[0].violations[0];
  EXPECT_EQ(again.explanation.sentence, sentence);
  EXPECT_EQ(again.judgement.verdict, judge::RunVerdict::violated);
  EXPECT_EQ(again.seed, 7u);
  EXPECT_TRUE(again.rerun_identical);
}

TEST(ReadReport, AFolderWithoutReportIsAnErrorThatNamesWhatWasExpected) {
  const TemporaryFolder folder;
  const auto nothing = read_report(folder.path());
  ASSERT_TRUE(std::holds_alternative<ReportError>(nothing));
  expect_complaint(std::get<ReportError>(nothing).text(), folder / "report.json", "expected");
  const auto missing = read_report(folder / "no-such-folder");
  ASSERT_TRUE(std::holds_alternative<ReportError>(missing));
  expect_complaint(std::get<ReportError>(missing).text(), folder / "no-such-folder", "folder");
}

TEST(ReadReport, WhatIsNotJsonIsLocated) {
  const BrokenReport report;
  expect_complaint(report.complaint_about("{\n \"holdfast_report\": 1,\n ?"),
                   report.path("report.json") + ":3:2", "not JSON");
  expect_complaint(report.complaint_about(""), report.path("report.json") + ":1:1", "not JSON");
  expect_complaint(report.complaint_about("[]"), report.path("report.json"), "expected a report");
}

TEST(ReadReport, AWrongOrMissingFieldIsNamedWithItsScenario) {
  const BrokenReport report;
  EXPECT_EQ(report.complaint_when("/scenarios/1/runs", 5), "") << "the file itself is good";
  expect_complaint(report.complaint_when("/scenarios/1/runs", "many"), report.path("report.json"),
                   "scenarios[1]: \"runs\"");
}

TEST(ReadReport, EveryKindOfDamageIsNamed) {
  const auto damage = [](const std::string& pointer, const Json& value, const std::string& words) {
    const BrokenReport report;
    expect_complaint(report.complaint_when(pointer, value), report.path("report.json"), words);
  };
  damage("/holdfast_report", 2, "\"holdfast_report\": 1");
  damage("/interrupted", "no", "\"interrupted\" is not true or false");
  damage("/scenarios", 1, "\"scenarios\" is not an array");
  damage("/scenarios/0", 1, "\"scenarios\" is not an array of objects");
  damage("/scenarios/0/source", Json::array({1}), "scenarios[0]: \"source\"");
  damage("/scenarios/2/invariants/1/invariant", "loyalty", "scenarios[2]: invariants[1]: unknown");
  damage("/scenarios/0/violations/0/seed", -1, "scenarios[0]: violations[0]: \"seed\"");
  damage("/scenarios/0/violations/0/history", "../x", "is not the name of a file");
  damage("/scenarios/0/violations/0", Json::object(), "expected the field \"seed\"");
}

TEST(ReadReport, ADamagedOrMissingHistoryIsNamedWithItsLine) {
  const BrokenReport report;
  const std::string history = report.path("gc-pause-sim-seed-7.history.jsonl");
  const std::string whole = file_contents(history);
  std::ofstream(history) << whole.substr(0, whole.find('\n') + 1) << "{\"at\":0,\"kind\":\"x\"}\n";
  expect_complaint(report.complaint(), history + ":2", "unknown kind");
  fs::remove(history);
  expect_complaint(report.complaint(), history, "expected the history");
}

}  // namespace
}  // namespace holdfast::report
