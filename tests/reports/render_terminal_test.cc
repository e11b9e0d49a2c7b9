#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "reports/render/escape.h"
#include "reports/render/terminal.h"
#include "tests/reports/golden_file.h"
#include "tests/reports/stories.h"

namespace holdfast::report {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

Report small_report() {
  Report report;
  report.program_version = "0.1.0";
  report.scenarios.push_back(
      result_of(gc_pause(), "A stopped client writes after its lease has ended"));
  report.scenarios.push_back(result_of(failover(), "The master dies before it has replicated"));
  ScenarioResult& unmet = report.scenarios.back();
  unmet.met = false;
  unmet.verdict_text = "violated in 997 of 1,000";
  unmet.not_met_because = "promise held in 3 runs, expected violated";
  unmet.expectation_text = "promise violated";
  unmet.seconds = 61.5;
  ScenarioResult live;
  live.name = "quorum-with-a-frozen-node";
  live.world = "live";
  live.shows = "A frozen node costs one node deadline";
  live.expectation_text = "all hold";
  live.verdict_text = "environment failure";
  live.environment_failure = "redis-server n4 ended by itself";
  live.runs = 1;
  report.scenarios.push_back(live);
  return report;
}

TEST(TerminalTable, ASmallReportLooksAsRecorded) {
  expect_golden("table.txt", render_table(small_report(), false));
}

TEST(TerminalTable, NoLineIsWiderThanAsked) {
  for (const std::size_t columns : {80u, 100u, 140u}) {
    for (const std::string& line : lines_of(render_table(small_report(), false, columns))) {
      EXPECT_LE(width(line), columns) << line;
    }
  }
}

TEST(TerminalTable, IsNoWiderThanItsContents) {
  Report report;
  ScenarioResult one;
  one.name = "x";
  one.world = "sim";
  one.shows = "y";
  one.met = true;
  report.scenarios.push_back(one);
  for (const std::string& line : lines_of(render_table(report, false))) {
    EXPECT_LE(width(line), 60u) << line;
  }
}

TEST(TerminalTable, ColourIsWrittenOnlyWhenAskedForAndChangesNothingElse) {
  const std::string plain = render_table(small_report(), false);
  std::string coloured = render_table(small_report(), true);
  EXPECT_EQ(plain.find('\x1b'), std::string::npos);
  ASSERT_NE(coloured.find('\x1b'), std::string::npos);
  for (std::size_t at = coloured.find('\x1b'); at != std::string::npos;
       at = coloured.find('\x1b')) {
    coloured.erase(at, coloured.find('m', at) - at + 1);
  }
  // The first column may keep blanks inside its colour.
  EXPECT_EQ(coloured, plain);
}

TEST(TerminalTable, AnInterruptedReportSaysSo) {
  Report report = small_report();
  EXPECT_EQ(render_table(report, false).find("Interrupted"), std::string::npos);
  report.interrupted = true;
  EXPECT_NE(render_table(report, false).find("Interrupted"), std::string::npos);
}

TEST(TerminalViolation, AViolationLooksAsRecorded) {
  const ScenarioResult result = result_of(gc_pause(true), "shows");
  ViolationRun run = result.violations.front();
  run.html_path = "reports-out/gc-pause-sim-seed-7.html";
  expect_golden("violation.txt", render_violation(result, run, false));
}

TEST(TerminalViolation, NeverTakesMoreThanTwentyFiveLines) {
  ScenarioResult result = result_of(clock_step(), "shows");
  ViolationRun& run = result.violations.front();
  EXPECT_LE(lines_of(render_violation(result, run, false)).size(), kViolationLines);
  for (Cause& cause : run.explanation.causes) cause.text = std::string(2'000, 'x');
  run.explanation.sentence = std::string(9'000, 's');
  result.name = std::string(4'000, 'n');
  run.html_path = "page.html";
  for (const std::size_t columns : {60u, 80u, 200u}) {
    const auto lines = lines_of(render_violation(result, run, false, columns));
    EXPECT_LE(lines.size(), kViolationLines);
    // What matters most survives the cutting: the command, the page, each cause's first words.
    const std::string all = render_violation(result, run, false, columns);
    EXPECT_NE(all.find("reproduce  holdfast run"), std::string::npos);
    EXPECT_NE(all.find("page       page.html"), std::string::npos);
    EXPECT_NE(all.find("\n  7. "), std::string::npos) << all;
  }
}

TEST(TerminalViolation, TheCommandIsNeverBroken) {
  ScenarioResult result = result_of(gc_pause(), "shows");
  ViolationRun& run = result.violations.front();
  run.reproduce = "holdfast run " + std::string(150, 'p') + "/gc_pause.json --seed 7";
  const auto lines = lines_of(render_violation(result, run, false));
  EXPECT_TRUE(std::any_of(lines.begin(), lines.end(), [&](const std::string& line) {
    return line.find(run.reproduce) != std::string::npos;
  }));
}

TEST(TerminalViolation, ARunThatWasNotRepeatedDoesNotClaimIt) {
  ScenarioResult result = result_of(gc_pause(), "shows");
  ViolationRun& run = result.violations.front();
  EXPECT_NE(render_violation(result, run, false).find("same fingerprint"), std::string::npos);
  run.rerun_identical = false;
  EXPECT_EQ(render_violation(result, run, false).find("same fingerprint"), std::string::npos);
}

TEST(TerminalViolation, NamesCannotSendControlSequences) {
  ScenarioResult result = result_of(gc_pause(), "shows");
  result.name = "evil\x1b[2J";
  ViolationRun& run = result.violations.front();
  run.explanation.sentence += "\x1b[2J";
  run.reproduce += "\x1b[2J";
  EXPECT_EQ(render_violation(result, run, false).find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace holdfast::report
