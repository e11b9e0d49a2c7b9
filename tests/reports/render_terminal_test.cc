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

TEST(TerminalTable, APagesPathIsNeverBroken) {
  Report report = small_report();
  const std::string path = std::string(200, 'p') + "/gc-pause-sim-seed-7.html";
  report.scenarios[0].violations[0].html_path = path;
  const auto lines = lines_of(render_table(report, false, 80));
  EXPECT_EQ(std::count(lines.begin(), lines.end(), "         report: " + path), 1);
}

TEST(TerminalTable, LongNamesTakeNoMoreThanTwoLinesEach) {
  Report report = small_report();
  for (int i = 0; i < 40; ++i) report.scenarios.push_back(report.scenarios[0]);
  report.scenarios[0].name = "redlock5-clock-step-holds-four @live";
  EXPECT_LE(lines_of(render_table(report, false)).size(), 2 * report.scenarios.size() + 6);
}

TEST(TerminalSummary, ShowsTheIndexFirstAndThenWhatWasNotMetAgain) {
  Report report = small_report();
  report.index_path = "out/index.html";
  report.scenarios[0].violations[0].html_path = "out/met.html";
  report.scenarios[1].violations[0].html_path = "out/unmet.html";
  const auto lines = lines_of(render_summary(report, false));
  ASSERT_GE(lines.size(), 6u);
  EXPECT_EQ(lines[0], "1 of 3 expectations met, 2,001 runs.");
  EXPECT_EQ(lines[1], "report: out/index.html");
  EXPECT_EQ(lines[2], "");
  EXPECT_TRUE(lines[3].starts_with("NOT MET  failover ")) << lines[3];
  const std::string all = render_summary(report, false);
  EXPECT_NE(all.find("report: out/unmet.html"), std::string::npos);
  EXPECT_EQ(all.find("out/met.html"), std::string::npos) << "that one was met";
  report.scenarios.erase(report.scenarios.begin(), report.scenarios.begin() + 2);
  EXPECT_EQ(lines_of(render_summary(report, false)).size(), 2u) << "a single row is in sight";
}

TEST(TerminalSummary, OfAnInterruptedRunCountsWhatWasRun) {
  Report report = small_report();
  report.wanted = 5;
  EXPECT_EQ(render_summary(report, false).find("Interrupted"), std::string::npos);
  report.interrupted = true;
  report.scenarios[2].interrupted = true;
  report.scenarios[2].environment_failure.clear();
  report.scenarios[2].verdict_text = "interrupted";
  const std::string summary = render_summary(report, false);
  EXPECT_NE(summary.find("1 of 2 expectations met, 2,001 runs. Interrupted: 2 of 5 scenarios run."),
            std::string::npos)
      << summary;
  EXPECT_EQ(summary.find("quorum-with"), std::string::npos) << "neither met nor not met";
  EXPECT_NE(render_table(report, false).find("stopped  quorum-with"), std::string::npos);
}

TEST(TerminalLine, IsOneLine) {
  Report report = small_report();
  report.scenarios[2].environment_failure += "\n# its log\n# goes on";
  EXPECT_EQ(render_line(report.scenarios[0]),
            "ok       gc-pause: violated in 1,000 of 1,000 (0.2 s)");
  EXPECT_EQ(render_line(report.scenarios[2]),
            "NOT MET  quorum-with-a-frozen-node @live: environment failure; redis-server n4 ended "
            "by itself (0.0 s)");
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

TEST(TerminalViolation, ALiveRunIsRunAgainAndNotReproduced) {
  ScenarioResult result = result_of(gc_pause(), "shows");
  result.world = "live";
  const std::string text = render_violation(result, result.violations.front(), false);
  EXPECT_EQ(text.find("reproduce"), std::string::npos);
  EXPECT_NE(text.find("\nrun again  holdfast run "), std::string::npos) << text;
  EXPECT_NE(text.find("(another real execution: it may end otherwise)"), std::string::npos);
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
