// JSON, JUnit and Markdown.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reports/render/json.h"
#include "reports/render/junit.h"
#include "reports/render/markdown.h"
#include "tests/reports/golden_file.h"
#include "tests/reports/markup_check.h"
#include "tests/reports/stories.h"

namespace holdfast::report {
namespace {

constexpr const char* kHostile = "]]><script>x</script>\"'&\x01\xFF|`*";

// A short run, so that the recorded files stay readable.
Report short_report() {
  HistoryBuilder h = story({"n1"}, "two-holders");
  h.at(0).acquires("A", "a1", 10'000);
  h.at(1'000).acquires("B", "b1", 10'000).ends(2'000);
  Report report;
  report.program_version = "0.1.0";
  report.scenarios.push_back(result_of(std::move(h), "Two clients at once"));
  return report;
}

ScenarioResult hostile_result() {
  ScenarioResult result = result_of(gc_pause(), kHostile);
  result.name = kHostile;
  result.file = kHostile;
  result.world = "sim";
  result.expectation_text = result.verdict_text = result.not_met_because = kHostile;
  ViolationRun& run = result.violations.front();
  run.explanation.sentence = run.reproduce = run.explanation.blame_text = kHostile;
  run.html_path = kHostile;
  for (Cause& cause : run.explanation.causes) cause.text = kHostile;
  return result;
}

TEST(Json, ASmallReportLooksAsRecorded) {
  expect_golden("report.json", render_json(short_report()));
}

TEST(Json, HoldsTheWholeReport) {
  const auto json = nlohmann::json::parse(render_json(short_report()));
  const auto& scenario = json.at("scenarios").at(0);
  EXPECT_EQ(scenario.at("name"), "two-holders");
  EXPECT_EQ(scenario.at("runs"), 1'000);
  EXPECT_EQ(scenario.at("invariants").at(0).at("violated"), 1'000);
  const auto& run = scenario.at("violations").at(0);
  EXPECT_EQ(run.at("fingerprint"), "123456789abcdef0");
  EXPECT_EQ(run.at("explanation").at("invariant"), "mutual-exclusion");
  EXPECT_EQ(run.at("judgement").at("findings").at("mutual-exclusion").at("state"), "violated");
  const auto& witness =
      run.at("judgement").at("findings").at("mutual-exclusion").at("witnesses").at(0);
  EXPECT_EQ(witness.at("overlap_ns"), nlohmann::json::array({1'000 * kMs, 2'000 * kMs}));
  EXPECT_EQ(run.at("events").size(),
            short_report().scenarios[0].violations[0].history.events.size());
}

TEST(Json, BytesThatAreNoUtf8DoNotBreakIt) {
  Report report;
  report.scenarios.push_back(hostile_result());
  report.scenarios[0].violations[0].history.tokens.intern("\xFF\xFE");
  const auto json = nlohmann::json::parse(render_json(report));
  EXPECT_EQ(json.at("scenarios").at(0).at("name"), "]]><script>x</script>\"'&\x01\uFFFD|`*");
}

TEST(JUnit, AnInterruptedScenarioIsNeitherPassedNorFailed) {
  Report report = short_report();
  report.scenarios.front().met = false;
  report.scenarios.front().interrupted = true;
  const std::string junit = render_junit(report);
  EXPECT_NE(junit.find("<error message=\"interrupted\" type=\"interrupted\">"), std::string::npos)
      << junit;
  EXPECT_NE(junit.find("failures=\"0\" errors=\"1\""), std::string::npos) << junit;
}

TEST(JUnit, ASmallReportLooksAsRecorded) {
  Report report = short_report();
  report.scenarios.push_back(report.scenarios.front());
  report.scenarios.back().world = "live";
  report.scenarios.back().met = false;
  report.scenarios.back().not_met_because = "held, expected violated";
  report.scenarios.back().violations.clear();
  expect_golden("junit.xml", render_junit(report));
}

TEST(Kinds, AreCountedWithASeedOfEachInJUnitAndJson) {
  Report report = short_report();
  ScenarioResult& result = report.scenarios.front();
  result.kinds = {{judge::Blame::lock_lied, 47, 3},
                  {judge::Blame::application_outlived_lease, 1'053, 1}};
  result.invariants[0].first_violated_seed = 3;
  const std::string xml = render_junit(report);
  EXPECT_NE(xml.find("lied in 47 runs (seed 3): the lock lied"), std::string::npos) << xml;
  EXPECT_NE(xml.find("outlived in 1,053 runs (seed 1)"), std::string::npos) << xml;
  EXPECT_NE(xml.find("mutual-exclusion: violated in 1,000 runs (seed 3)"), std::string::npos);
  const auto json = nlohmann::json::parse(render_json(report)).at("scenarios").at(0);
  EXPECT_EQ(json.at("kinds").at(1).at("kind"), "outlived");
  EXPECT_EQ(json.at("kinds").at(1).at("runs"), 1'053);
  EXPECT_EQ(json.at("invariants").at(0).at("first_violated_seed"), 3);
}

TEST(JUnit, IsWellFormedWhateverTheNamesHold) {
  Report report;
  report.scenarios.push_back(hostile_result());
  report.scenarios.push_back(hostile_result());
  report.scenarios.back().met = false;
  const std::string xml = render_junit(report);
  EXPECT_EQ(malformed(xml), "");
  EXPECT_EQ(xml.find("<script"), std::string::npos);
  // The check itself must be able to complain.
  EXPECT_NE(malformed(xml + "<"), "");
  EXPECT_NE(malformed("<a>&</a>"), "");
  EXPECT_NE(malformed("<a><b></a></b>"), "");
}

TEST(JUnit, TellsFailuresFromErrorsAndSkipsNothing) {
  Report report = short_report();
  EXPECT_EQ(render_junit(report).find("<failure"), std::string::npos);
  ScenarioResult unmet = report.scenarios.front();
  unmet.met = false;
  unmet.not_met_because = "vacuous: the fault never fired";
  report.scenarios.push_back(unmet);
  unmet.environment_failure = "no redis-server";
  report.scenarios.push_back(unmet);
  const std::string xml = render_junit(report);
  const std::string suites = tag_with(xml, "testsuites name");
  EXPECT_EQ(attribute(suites, "tests"), "3");
  EXPECT_EQ(attribute(suites, "failures"), "1");
  EXPECT_EQ(attribute(suites, "errors"), "1");
  EXPECT_EQ(attribute(suites, "skipped"), "0");
  EXPECT_NE(xml.find("<failure message=\"vacuous: the fault never fired\""), std::string::npos);
  EXPECT_NE(xml.find("<error message=\"no redis-server\""), std::string::npos);
  EXPECT_EQ(xml.find("<skipped"), std::string::npos);
}

TEST(JUnit, AVacuousScenarioThatWasExpectedPasses) {
  Report report = short_report();
  report.scenarios[0].vacuous = 1'000;
  report.scenarios[0].vacuous_because = "the fault never fired";
  EXPECT_EQ(render_junit(report).find("<failure"), std::string::npos);
}

TEST(Markdown, ASmallReportLooksAsRecorded) {
  expect_golden("report.md", render_markdown(short_report()));
}

TEST(Markdown, NamesCannotBecomeMarkup) {
  Report report;
  report.scenarios.push_back(hostile_result());
  const std::string text = render_markdown(report);
  // As it is only inside the code spans of the command and the page.
  for (std::size_t at = text.find("<script"); at != std::string::npos;
       at = text.find("<script", at + 1)) {
    const std::string line = text.substr(text.rfind('\n', at) + 1, 14);
    EXPECT_TRUE(text[at - 1] == '\\' || line == "- Reproduce: `" || line.starts_with("- Page: `"))
        << line;
  }
  EXPECT_NE(text.find("\\<script\\>"), std::string::npos);
  // Seven columns, whatever the cells hold.
  const std::size_t row = text.find("| ok |");
  ASSERT_NE(row, std::string::npos);
  std::size_t bars = 0;
  for (std::size_t i = row; text[i] != '\n'; ++i) bars += text[i] == '|' && text[i - 1] != '\\';
  EXPECT_EQ(bars, 8u);
}

}  // namespace
}  // namespace holdfast::report
