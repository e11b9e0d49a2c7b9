// Writing all files of a report: whole or not at all.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>

#include "reports/read/read_report.h"
#include "reports/render/write.h"
#include "tests/reports/golden_file.h"
#include "tests/reports/stories.h"
#include "tests/reports/temporary_folder.h"

namespace holdfast::report {
namespace {

namespace fs = std::filesystem;

Report two_scenarios() {
  Report report;
  report.scenarios.push_back(result_of(gc_pause(), "shows"));
  report.scenarios.push_back(result_of(clock_step(), "shows"));
  return report;
}

std::set<std::string> files_in(const std::string& dir) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(dir)) names.insert(entry.path().filename());
  return names;
}

TEST(WriteReports, MakesTheFolderAndAllFiles) {
  const TemporaryFolder folder;
  Report report = two_scenarios();
  const std::string dir = folder / "new/deep";
  EXPECT_EQ(write_reports(report, dir), std::nullopt);
  const std::set<std::string> expected = {"gc-pause-sim-seed-7.history.jsonl",
                                          "gc-pause-sim-seed-7.html",
                                          "index.html",
                                          "junit.xml",
                                          "redlock5-clock-step-sim-seed-7.history.jsonl",
                                          "redlock5-clock-step-sim-seed-7.html",
                                          "report.json",
                                          "report.md"};
  EXPECT_EQ(files_in(dir), expected);
  EXPECT_EQ(report.scenarios[0].violations[0].html_path, dir + "/gc-pause-sim-seed-7.html");
  EXPECT_NE(file_contents(dir + "/index.html").find("href=\"gc-pause-sim-seed-7.html\""),
            std::string::npos);
  EXPECT_NE(file_contents(dir + "/report.json").find("gc-pause-sim-seed-7.html"),
            std::string::npos);
}

TEST(WriteReports, ASecondReportReplacesTheFirst) {
  const TemporaryFolder folder;
  Report report = two_scenarios();
  ASSERT_EQ(write_reports(report, folder.path()), std::nullopt);
  report.scenarios[0].violations[0].explanation.sentence = "something else";
  ASSERT_EQ(write_reports(report, folder.path()), std::nullopt);
  EXPECT_NE(file_contents(folder / "gc-pause-sim-seed-7.html").find("something else"),
            std::string::npos);
}

TEST(WriteReports, PagesOfTheSameNameDoNotOverwriteEachOther) {
  const TemporaryFolder folder;
  Report report = two_scenarios();
  report.scenarios[1].name = report.scenarios[0].name;
  report.scenarios.push_back(report.scenarios[0]);
  report.scenarios[2].name = "../../gc-pause";
  ASSERT_EQ(write_reports(report, folder.path()), std::nullopt);
  EXPECT_EQ(report.scenarios[1].violations[0].html_path, folder / "gc-pause-sim-seed-7-2.html");
  EXPECT_EQ(report.scenarios[2].violations[0].html_path,
            folder / "_..-..-gc-pause-sim-seed-7.html");
  EXPECT_EQ(files_in(folder.path()).size(), 10u);
}

TEST(WriteReports, TheScenarioFileIsShownAsItWasRead) {
  const TemporaryFolder folder;
  Report report = two_scenarios();
  report.scenarios[0].text.clear();
  report.scenarios[0].file = folder / "scenario.json";
  std::ofstream(report.scenarios[0].file) << "{ \"from\": \"the file\" }";
  ASSERT_EQ(write_reports(report, folder / "out"), std::nullopt);
  EXPECT_NE(file_contents(report.scenarios[0].violations[0].html_path).find("the file"),
            std::string::npos);
}

TEST(WriteReports, AFileInPlaceOfTheFolderIsAnErrorInWords) {
  const TemporaryFolder folder;
  std::ofstream(folder / "taken") << "x";
  Report report = two_scenarios();
  const auto problem = write_reports(report, folder / "taken");
  ASSERT_TRUE(problem.has_value());
  EXPECT_NE(problem->find("taken"), std::string::npos);
  const auto below = write_reports(report, folder / "taken/deeper");
  EXPECT_TRUE(below.has_value());
  EXPECT_TRUE(report.scenarios[0].violations[0].html_path.empty());
}

TEST(WriteReports, WhenOneNameCannotBeReplacedTheOthersAre) {
  const TemporaryFolder folder;
  fs::create_directories(folder / "report.md");
  Report report = two_scenarios();
  const auto problem = write_reports(report, folder.path());
  ASSERT_TRUE(problem.has_value());
  EXPECT_NE(problem->find("report.md: Is a directory"), std::string::npos) << *problem;
  EXPECT_EQ(files_in(folder.path()).size(), 8u) << "no temporary file stays behind";
  EXPECT_TRUE(fs::exists(report.scenarios[1].violations[0].html_path));
}

TEST(WriteReports, AViolationIsThereWithItsHistoryOrNotAtAll) {
  const TemporaryFolder folder;
  fs::create_directories(folder / "gc-pause-sim-seed-7.html");
  Report report = two_scenarios();
  const auto problem = write_reports(report, folder.path());
  ASSERT_TRUE(problem.has_value());
  EXPECT_TRUE(report.scenarios[0].violations[0].html_path.empty());
  EXPECT_FALSE(fs::exists(folder / "gc-pause-sim-seed-7.history.jsonl"));
  for (const char* name : {"index.html", "report.json", "report.md", "junit.xml"}) {
    EXPECT_EQ(file_contents(folder / name).find("gc-pause-sim-seed-7"), std::string::npos) << name;
    EXPECT_NE(file_contents(folder / name).find("clock-step-sim-seed-7"), std::string::npos)
        << name;
  }
  const auto again = read_report(folder.path());
  ASSERT_TRUE(std::holds_alternative<Report>(again)) << std::get<ReportError>(again).text();
  EXPECT_TRUE(std::get<Report>(again).scenarios[0].violations.empty());
  EXPECT_EQ(std::get<Report>(again).scenarios[1].violations.size(), 1u);
}

TEST(WriteReports, WhatAnEarlierReportLeftIsRemovedAndNothingElse) {
  const TemporaryFolder folder;
  Report report = two_scenarios();
  ASSERT_EQ(write_reports(report, folder.path()), std::nullopt);
  for (const char* name : {"notes.html", "kept-gc-pause-sim-seed-7.html", "mine.history.jsonl"}) {
    std::ofstream(folder / name) << "somebody's";
  }
  report.scenarios.erase(report.scenarios.begin());
  ASSERT_EQ(write_reports(report, folder.path()), std::nullopt);
  const std::set<std::string> expected = {"index.html",
                                          "junit.xml",
                                          "kept-gc-pause-sim-seed-7.html",
                                          "mine.history.jsonl",
                                          "notes.html",
                                          "redlock5-clock-step-sim-seed-7.history.jsonl",
                                          "redlock5-clock-step-sim-seed-7.html",
                                          "report.json",
                                          "report.md"};
  EXPECT_EQ(files_in(folder.path()), expected);
}

TEST(WriteReports, AReportOfSomethingElseNamesNothingToRemove) {
  const TemporaryFolder folder;
  const auto remaining = [&](const std::string& json) {
    std::ofstream(folder / "report.json") << json;
    std::ofstream(folder / "x-seed-1.html") << "x";
    std::ofstream(folder / "notes.html") << "x";
    Report report;
    EXPECT_EQ(write_reports(report, folder.path()), std::nullopt);
    return files_in(folder.path()).size();
  };
  constexpr std::size_t kAll = 6;
  const std::string listed = R"("scenarios": [ { "violations": [ { "page": )";
  EXPECT_EQ(remaining("no json"), kAll);
  EXPECT_EQ(remaining("[]"), kAll);
  EXPECT_EQ(remaining("{ " + listed + R"("x-seed-1.html" } ] } ] })"), kAll) << "not ours";
  EXPECT_EQ(remaining(R"({ "holdfast_report": 1, "scenarios": 7 })"), kAll);
  EXPECT_EQ(remaining(R"({ "holdfast_report": 1, )" + listed + R"("notes.html" } ] } ] })"), kAll);
  EXPECT_EQ(remaining(R"({ "holdfast_report": 1, )" + listed + R"("x-seed-1.html" } ] } ] })"),
            kAll - 1);
}

// A limit on the size of files fails a write just as a full disk does.
TEST(WriteReports, AFullDiskKeepsWhatFits) {
  const TemporaryFolder folder;
  Report report = two_scenarios();
  rlimit old_limit{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &old_limit), 0);
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = old_limit;
  small.rlim_cur = 20'000;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const auto problem = write_reports(report, folder.path());
  setrlimit(RLIMIT_FSIZE, &old_limit);
  std::signal(SIGXFSZ, old_handler);
  ASSERT_TRUE(problem.has_value());
  EXPECT_NE(problem->find("cannot write"), std::string::npos) << *problem;
  EXPECT_NE(problem->find("File too large"), std::string::npos) << *problem;
  const auto names = files_in(folder.path());
  EXPECT_TRUE(names.contains("junit.xml"));
  EXPECT_TRUE(names.contains("index.html"));
  for (const std::string& name : names) {
    EXPECT_FALSE(name.ends_with(".html") && name != "index.html") << name << " is too large";
    EXPECT_FALSE(name.starts_with(".")) << name << " is half a file";
  }
}

}  // namespace
}  // namespace holdfast::report
