// The program from outside: what it says, what it writes, and its exit code.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/reports/markup_check.h"
#include "tests/scenarios/started_program.h"

namespace holdfast::test {
namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

bool says(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

// Refused before anything was run or written: exit 2, nothing on standard output, one line.
void expect_refused(const Workplace& place, const Words& arguments, const std::string& words) {
  const auto before = place.files();
  const Outcome outcome = run_program(place, arguments);
  EXPECT_EQ(outcome.code, 2) << words;
  EXPECT_TRUE(says(outcome.err, words)) << "expected " << words << "\nin " << outcome.err;
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(place.files(), before);
  EXPECT_TRUE(place.nothing_temporary());
}

TEST(BadInput, FilesThatCannotBeReadOrAreNoScenarios) {
  const Workplace place;
  fs::create_directories(place.work() / "empty");
  fs::create_symlink("nowhere", place.work() / "dangling.json");
  place.write("invalid.json", "{ \"holdfast\": 1,\n  \"name\" }");
  expect_refused(place, {"run", "missing.json"}, "missing.json: no such file or folder");
  expect_refused(place, {"run", "dangling.json"}, "dangling.json");
  expect_refused(place, {"run", "empty"}, "empty: no scenario files");
  expect_refused(place, {"run", "invalid.json"}, "invalid.json:2:10: ");
  expect_refused(place, {"list", "missing.json"}, "missing.json: no such file or folder");
  expect_refused(place, {"list", "invalid.json"}, "invalid.json:2:10: ");
}

TEST(BadInput, WhatAScenarioSaysWrongIsLocatedWithTheNearestName) {
  const Workplace place;
  const auto refused = [&](const std::string& from, const std::string& to,
                           const std::string& words) {
    place.write("wrong.json", changed("gc-pause", from, to));
    expect_refused(place, {"run", "wrong.json"}, words);
  };
  refused("\"watchdog\"", "\"watchdg\"", ":12:67: unknown key \"watchdg\"");
  refused("\"watchdog\"", "\"watchdg\"", "did you mean \"watchdog\"?");
  refused("\"10s\"", "\"10 parsecs\"", ":12:60: \"ttl\" must be a duration");
  refused("[\"n1\"]", "[\"n2\"]", "no server is named \"n2\"; did you mean \"n1\"?");
  refused("\"pause\": \"A\"", "\"pause\": \"C\"", "no client or server is named \"C\"");
  refused("\"name\": \"gc-pause\"", "\"name\": \"a\", \"name\": \"b\"", "wrong.json:6:");
}

TEST(BadInput, OneBadFileAmongGoodOnesMeansThatNothingIsRun) {
  const Workplace place;
  place.write("bad.json", changed("gc-pause", "\"10s\"", "10"));
  expect_refused(place, {"run", catalogue("gc-pause"), "bad.json"}, "bad.json:12:60: \"ttl\"");
}

TEST(BadInput, CommandsThatAreNotThere) {
  const Workplace place;
  expect_refused(place, {"frobnicate"}, "unknown command 'frobnicate'");
  for (const char* planned : {"check", "replay", "explore", "sweep", "merge"}) {
    expect_refused(place, {planned, "x"}, "the command '" + std::string(planned) + "' is not");
  }
  expect_refused(place, {"live-client"}, "started by the live lab alone");
}

TEST(BadInput, OptionsThatAreWrong) {
  const Workplace place;
  const std::string good = catalogue("gc-pause");
  const auto refused = [&](const Words& options, const std::string& words) {
    Words arguments{"run", good};
    arguments.insert(arguments.end(), options.begin(), options.end());
    expect_refused(place, arguments, words);
  };
  refused({"--world", "mars"}, "--world mars: expected sim, live or both");
  refused({"--seeds", "0"}, "--seeds 0: expected at least 1");
  refused({"--seeds", "-1"}, "--seeds");
  refused({"--seeds", "many"}, "'many'");
  refused({"--seed", "1x"}, "'1x'");
  refused({"--jobs", "0"}, "--jobs: expected 1 to 1024");
  refused({"--jobs", "1025"}, "--jobs: expected 1 to 1024");
  for (const char* scale : {"0", "nan", "1.5"}) {
    refused({"--world", "live", "--scale", scale}, "--scale: expected a number above 0");
  }
  refused({"--scale", "0.5"}, "--scale needs --world live or both");
  refused({"--out", ""}, "--out: expected a path");
  refused({"--junit", ""}, "--junit: expected a path");
  refused({"--json", ""}, "--json: expected a path");
  refused({"--bogus"}, "unrecognised option '--bogus'");
}

TEST(BadInput, OptionsThatContradictEachOtherOrTheFile) {
  const Workplace place;
  const std::string good = catalogue("gc-pause");
  place.write("sim.json", changed("gc-pause", "[\"sim\", \"live\"]", "[\"sim\"]"));
  expect_refused(place, {"run", good, "--redis", "127.0.0.1:1"}, "--redis needs --world live");
  expect_refused(place, {"run", good, "--world", "live", "--redis", "one"}, "expected host:port");
  expect_refused(place, {"run", good, "--world", "live", "--redis", ""}, "expected host:port");
  expect_refused(place, {"run", good, "--world", "live", "--redis", "a:1,a:1"},
                 "--redis names a:1 twice");
  expect_refused(place, {"run", good, "--world", "live", "--redis", "127.0.0.1:1,127.1:1"},
                 "--redis names 127.0.0.1:1 and 127.1:1, which are one server");
  expect_refused(place, {"run", good, "--world", "live", "--scale", "0.05"},
                 "gc-pause.json:12:11: at scale 0.05 the lease of 10s becomes 500ms");
  expect_refused(
      place, {"run", "sim.json", "--world", "live"},
      "nothing to run: no file has \"live\" among its \"worlds\"; --world sim runs them");
  place.write("live.json", changed("gc-pause", "[\"sim\", \"live\"]", "[\"live\"]"));
  expect_refused(place, {"run", "live.json"}, "--world live runs them");
}

TEST(BadInput, FoldersThatHoldNoReport) {
  const Workplace place;
  place.write("a-file", "");
  expect_refused(place, {"report"}, "expected one folder");
  expect_refused(place, {"report", "a", "b"}, "expected one folder");
  expect_refused(place, {"report", "missing"}, "missing: expected the folder of a report");
  expect_refused(place, {"report", "a-file"}, "a-file: expected the folder of a report");
  expect_refused(place, {"report", "."}, "report.json: cannot be read");
}

TEST(ExitCode, IsZeroWhenExpectationsAreMetAndOneWhenNot) {
  const Workplace place;
  const Outcome met = run_program(place, {"run", catalogue("gc-pause"), "--seeds", "2"});
  EXPECT_EQ(met.code, 0) << met.err;
  EXPECT_TRUE(met.err.starts_with("running 1 scenario\n1/1  ok       gc-pause: violated in 2 of 2"))
      << met.err;
  EXPECT_TRUE(says(met.out, "1 of 1 expectations met")) << met.out;
  EXPECT_TRUE(says(met.out, "report: reports-out/gc-pause-sim-seed-1.html")) << met.out;
  EXPECT_TRUE(says(met.out, "\nreport: reports-out/index.html\n")) << met.out;
  EXPECT_TRUE(fs::exists(place.work() / "reports-out/gc-pause-sim-seed-1.html"));

  place.write(
      "hopeful.json",
      changed("gc-pause", "\"expect\": { \"mutual-exclusion\": \"violated\", ", "\"expect\": { "));
  const Outcome not_met = run_program(place, {"run", "hopeful.json", "--seeds", "2", "--explain"});
  EXPECT_EQ(not_met.code, 1);
  EXPECT_TRUE(says(not_met.out, "NOT MET")) << not_met.out;
  EXPECT_TRUE(says(not_met.out, "mutual-exclusion expected holds")) << not_met.out;
}

TEST(ExitCode, IsThreeWithoutARedisServerAndTheSimulatedPartStillReports) {
  const Workplace place;
  fs::create_directories(place.path("nothing"));
  const Outcome outcome =
      run_program(place, {"run", catalogue("gc-pause"), "--world", "both", "--seeds", "2"},
                  place.path("nothing"));
  EXPECT_EQ(outcome.code, 3);
  EXPECT_TRUE(says(outcome.out, "violated in 2 of 2")) << outcome.out;
  EXPECT_TRUE(says(outcome.out, "environment failure; no redis-server on the PATH")) << outcome.out;
  EXPECT_TRUE(fs::exists(place.work() / "reports-out/gc-pause-sim-seed-1.html"));
  EXPECT_FALSE(fs::exists(place.work() / "reports-out/gc-pause-live-seed-1.html"));
  EXPECT_TRUE(place.nothing_temporary());
}

TEST(ExitCode, IsThreeWhenTheServerIsOfAnotherVersionThanTheFileSays) {
  const Workplace place;
  place.write("new.json", changed("gc-pause", "\"n1\": { ", "\"n1\": { \"version\": \"8.4\", "));
  const Outcome outcome =
      run_program(place, {"run", "new.json", "--world", "both", "--seeds", "2"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_TRUE(says(outcome.out, "violated in 2 of 2")) << outcome.out;
  EXPECT_TRUE(says(outcome.out, "n1 is to be Redis 8.4, but ")) << outcome.out;
}

// A scenario of half a second on one server: A is done at once, B after a while.
std::string short_live(const std::string& name, const std::string& faults) {
  return R"({ "holdfast": 1, "name": ")" + name + R"(", "shows": "x", "worlds": ["live"],
    "servers": { "n1": {} }, "guarded": { "stock": {} },
    "lock": { "nodes": ["n1"], "ttl": "1s", "watchdog": false, "retry": "50ms",
              "node_deadline": "100ms" },
    "clients": { "A": [ { "acquire": "k", "wait": "2s" }, { "release": "k" } ],
                 "B": [ { "sleep": "50ms" }, { "acquire": "k", "wait": "2s" }, { "work": "500ms" },
                        { "release": "k" } ] },
    "faults": [ )" +
         faults + R"( ], "until": "10s" })";
}

TEST(LiveRun, ProvesAFaultByWhatItDid) {
  const Workplace place;
  fs::create_directories(place.work() / "all");
  const auto write = [&](const std::string& name, const std::string& faults) {
    place.write("all/" + name + ".json", short_live(name, faults));
  };
  write("a-dropped", R"({ "drop_reply": ["B", "n1"], "reset": true, "at": "0s" })");
  write("b-done", R"({ "cut": ["A", "n1"], "at": "250ms", "for": "100ms" })");
  write("c-empty", R"({ "flush": "n1", "at": "0s" })");
  run_program(place, {"run", "all", "--world", "live", "--jobs", "3", "--json", "all.json"});
  const Json all = Json::parse(contents(place.work() / "all.json"));
  const auto because = [&](std::size_t i) {
    return all.at("scenarios").at(i).at("vacuous_because").get<std::string>();
  };
  EXPECT_EQ(because(0), "");
  EXPECT_TRUE(says(because(1), "was not proved to have taken effect")) << because(1);
  EXPECT_TRUE(says(because(2), "(flush n1 at 0 s) was not proved")) << because(2);
}

TEST(LiveRun, IsTriedOnceMoreInAFreshLabWhenItsEnvironmentFailed) {
  const Workplace place;
  fs::create_directories(place.path("bin"));
  const fs::path server = place.path("bin") / "redis-server";
  // The first server that is started ends at once.
  std::ofstream(server) << "#!/bin/bash\n"
                           "real=$(PATH=${PATH#*:}; command -v redis-server redis-check-rdb)\n"
                           "[ \"$1\" = --version ] || ! mkdir \"${0%/*}/started\" 2>/dev/null || "
                           "exit 1\n"
                           "exec -a redis-server ${real%%$'\\n'*} \"$@\"\n";
  fs::permissions(server, fs::perms::owner_all);
  place.write("short.json", short_live("short", ""));
  const std::string path = server.parent_path().string() + ":" + getenv("PATH");
  const Outcome outcome =
      run_program(place, {"run", "short.json", "--world", "live", "--json", "all.json"}, path);
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  const Json all = Json::parse(contents(place.work() / "all.json"));
  const auto& result = all.at("scenarios").at(0);
  EXPECT_EQ(result.at("runs"), 1);
  EXPECT_EQ(result.at("environment_failures"), 0);
  EXPECT_NE(result.at("second_attempt"), "") << outcome.out;
  EXPECT_TRUE(place.nothing_temporary());
}

// Seeds that would take for ever: what cannot be written is found before the first.
TEST(ExitCode, IsThreeAtOnceWhenResultsHaveNowhereToGo) {
  const Workplace place;
  place.write("taken", "a file in place of the folder");
  fs::create_directories(place.work() / "folder");
  const auto files = place.files();
  const auto refused = [&](const Words& options, const std::string& words) {
    Words arguments{"run", catalogue("gc-pause"), "--seeds", "1000000000000"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Outcome outcome = run_program(place, arguments);
    EXPECT_EQ(outcome.code, 3) << words;
    EXPECT_EQ(outcome.err, "holdfast: " + words + "\n");
    EXPECT_EQ(outcome.out, "");
  };
  refused({"--out", "taken"}, "cannot make the folder taken: Not a directory");
  refused({"--out", "/proc/x"}, "cannot make the folder /proc/x: No such file or directory");
  refused({"--out", "folder", "--junit", "missing/junit.xml"},
          "cannot write missing/junit.xml: No such file or directory");
  refused({"--out", "folder", "--json", "folder"}, "cannot write folder: Is a directory");
  EXPECT_EQ(place.files(), files);
  EXPECT_TRUE(fs::is_empty(place.work() / "folder"));
  EXPECT_EQ(contents(place.work() / "taken"), "a file in place of the folder");
}

TEST(ExitCode, IsThreeWhenStandardOutputIsFull) {
  const Workplace place;
  for (const Words& arguments : {Words{"list"}, Words{"run", "--help"}, Words{"new", "x"},
                                 Words{"run", catalogue("gc-pause"), "--seeds", "1"}}) {
    const Outcome outcome = StartedProgram(place, arguments, {}, "/dev/full").wait();
    EXPECT_EQ(outcome.code, 3) << arguments[0];
    EXPECT_TRUE(says(outcome.err, "holdfast: cannot write to standard output: No space left"))
        << outcome.err;
  }
  EXPECT_EQ(StartedProgram(place, {"run", "missing.json"}, {}, "/dev/full").wait().code, 2);
}

TEST(ExitCode, OfAJUnitFileThatDoesNotFitIsThreeAndTheVerdictStays) {
  const Workplace place;
  const Outcome outcome =
      run_program(place, {"run", catalogue("gc-pause"), "--seeds", "2", "--junit", "/dev/full"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_TRUE(says(outcome.err, "cannot write /dev/full: No space left on device")) << outcome.err;
  EXPECT_TRUE(says(outcome.out, "1 of 1 expectations met")) << outcome.out;
}

TEST(Output, OfManyScenariosShowsThoseNotMetAgainAtTheEnd) {
  const Workplace place;
  place.write(
      "hopeful.json",
      changed("gc-pause", "\"expect\": { \"mutual-exclusion\": \"violated\", ", "\"expect\": { "));
  const Outcome outcome =
      run_program(place, {"run", "hopeful.json", catalogue("gc-pause-fenced"), "--seeds", "2"});
  EXPECT_EQ(outcome.code, 1);
  const auto end = outcome.out.find("1 of 2 expectations met");
  ASSERT_NE(end, std::string::npos) << outcome.out;
  const std::string tail = outcome.out.substr(end);
  EXPECT_LT(tail.find("report: reports-out/index.html"), tail.find("NOT MET"));
  EXPECT_TRUE(says(tail, "report: reports-out/gc-pause-sim-seed-1.html")) << tail;
  EXPECT_FALSE(says(tail, "gc-pause-fenced")) << tail;
}

TEST(Output, OnATerminalHasItsWidth) {
  const Workplace place;
  const auto widest = [&](const char* columns) {
    setenv("COLUMNS", columns, 1);
    const std::string shown = shown_on_terminal(
        place, {"run", catalogue("gc-pause"), catalogue("redlock5-clock-step"), "--seeds", "2"});
    unsetenv("COLUMNS");
    const auto dashes = shown.find("-----");
    return dashes == std::string::npos ? 0 : shown.find_first_not_of('-', dashes) - dashes;
  };
  EXPECT_EQ(widest("70"), 70u);
  EXPECT_EQ(widest("90"), 90u);
}

TEST(Files, OfAnEarlierRunDoNotStayInTheFolder) {
  const Workplace place;
  EXPECT_EQ(run_program(place, {"run", catalogue("gc-pause"), "--seeds", "1"}).code, 0);
  place.write("reports-out/mine.html", "mine");
  EXPECT_EQ(run_program(place, {"run", catalogue("bare-del"), "--seeds", "1"}).code, 0);
  EXPECT_FALSE(fs::exists(place.work() / "reports-out/gc-pause-sim-seed-1.html"));
  EXPECT_FALSE(fs::exists(place.work() / "reports-out/gc-pause-sim-seed-1.history.jsonl"));
  EXPECT_TRUE(fs::exists(place.work() / "reports-out/bare-del-sim-seed-1.html"));
  EXPECT_EQ(contents(place.work() / "reports-out/mine.html"), "mine");
}

TEST(Files, OfJUnitAndJsonParse) {
  const Workplace place;
  const Outcome outcome =
      run_program(place, {"run", catalogue("gc-pause"), catalogue("gc-pause-fenced"), "--seeds",
                          "3", "--junit", "unit.xml", "--json", "all.json"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const std::string junit = contents(place.work() / "unit.xml");
  EXPECT_EQ(report::malformed(junit), "") << junit;
  EXPECT_TRUE(says(junit, "<testcase")) << junit;
  const Json all = Json::parse(contents(place.work() / "all.json"));
  ASSERT_EQ(all.at("scenarios").size(), 2u);
  EXPECT_EQ(all.at("scenarios").at(0).at("runs"), 3);
  EXPECT_EQ(all.at("scenarios").at(0).at("violations").at(0).at("rerun_identical"), true);
}

TEST(Report, RenderedAgainIsTheSame) {
  const Workplace place;
  // One of them with a clock that is bent from the beginning.
  const Words run{
      "run",  catalogue("gc-pause"), catalogue("fast-server-clock"), "--world", "both", "--out",
      "first"};
  const Outcome first = run_program(place, run);
  ASSERT_EQ(first.code, 0) << first.err;
  fs::copy(place.work() / "first", place.work() / "kept");
  fs::remove(place.work() / "first/gc-pause-sim-seed-1.html");
  fs::remove(place.work() / "first/index.html");
  const Outcome again = run_program(place, {"report", "first"});
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(again.out, first.out);
  EXPECT_FALSE(says(contents(place.work() / "first/gc-pause-live-seed-1.html"), "--seed "))
      << "live";
  for (const auto& kept : fs::directory_iterator(place.work() / "kept")) {
    const auto name = kept.path().filename();
    EXPECT_EQ(contents(kept.path()), contents(place.work() / "first" / name)) << name;
  }
  EXPECT_EQ(run_program(place, {"report", "first", "--out", "elsewhere"}).code, 0);
  EXPECT_EQ(contents(place.work() / "elsewhere/gc-pause-sim-seed-1.html"),
            contents(place.work() / "kept/gc-pause-sim-seed-1.html"));
}

TEST(Help, IsThereForEveryCommandWithAnExample) {
  const Workplace place;
  EXPECT_EQ(run_program(place, {}).code, 2);
  for (const Words& arguments : {Words{"--help"}, Words{"run", "--help"}, Words{"list", "--help"},
                                 Words{"new", "--help"}, Words{"report", "--help"}}) {
    const Outcome outcome = run_program(place, arguments);
    EXPECT_EQ(outcome.code, 0) << arguments[0];
    EXPECT_TRUE(says(outcome.out, "example: holdfast ")) << outcome.out;
  }
  EXPECT_TRUE(says(run_program(place, {"report", "--help"}).out, "Expectations are not judged"));
}

TEST(List, ShowsEveryScenarioOfTheCatalogue) {
  const Workplace place;
  const Outcome outcome = run_program(place, {"list"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(HOLDFAST_SOURCE_DIR "/scenarios/catalogue")) {
    ++files;
    EXPECT_TRUE(says("\n" + outcome.out, "\n" + entry.path().stem().string() + "\n"))
        << entry.path();
  }
  EXPECT_GT(files, 40u);
  EXPECT_TRUE(says(outcome.out, "expects mutual-exclusion violated, stale-write violated"));
}

TEST(New, PrintsAStarterThatRunsAsItExpects) {
  const Workplace place;
  const Outcome starter = run_program(place, {"new", "my-lock"});
  EXPECT_EQ(starter.code, 0);
  place.write("my-lock.json", starter.out);
  const Outcome outcome = run_program(place, {"run", "my-lock.json", "--seeds", "20"});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_TRUE(says(outcome.out, "my-lock")) << outcome.out;
  expect_refused(place, {"new", "../my-lock"}, "expected a name of letters");
}

TEST(CtrlC, EndsALongSimulatedRunAndWritesWhatIsDone) {
  const Workplace place;
  const std::string endless = "1000000000000";
  StartedProgram program(
      place, {"run", catalogue("gc-pause"), catalogue("gc-pause-fenced"), "--seeds", endless});
  ASSERT_TRUE(program.reaches([&] { return program.threads() > 1; }));
  program.interrupt();
  const Outcome outcome = program.wait();
  EXPECT_EQ(outcome.code, 130);
  EXPECT_TRUE(says(outcome.out, "Interrupted: 0 of 2 scenarios run.")) << outcome.out;
  EXPECT_TRUE(says(outcome.out, "stopped  gc-pause")) << outcome.out;
  const Json report = Json::parse(contents(place.work() / "reports-out/report.json"));
  EXPECT_EQ(report.at("interrupted"), true);
  EXPECT_EQ(report.at("scenarios").size(), 1u);
}

TEST(CtrlC, EndsALiveRunWithAllItsProcessesAndFolders) {
  const Workplace place;
  StartedProgram program(place, {"run", catalogue("gc-pause"), "--world", "live", "--scale", "1"});
  std::vector<pid_t> children;
  constexpr std::size_t kServersAndClients = 4;
  ASSERT_TRUE(program.reaches([&] {
    children = program.children();
    return children.size() == kServersAndClients;
  }));
  EXPECT_FALSE(place.nothing_temporary());
  program.interrupt();
  const Outcome outcome = program.wait();
  EXPECT_EQ(outcome.code, 130);
  for (const pid_t child : children) {
    EXPECT_FALSE(fs::exists("/proc/" + std::to_string(child))) << "process " << child << " stays";
  }
  EXPECT_TRUE(place.nothing_temporary());
  const Json report = Json::parse(contents(place.work() / "reports-out/report.json"));
  EXPECT_EQ(report.at("interrupted"), true);
  EXPECT_EQ(report.at("scenarios").at(0).at("verdict"), "interrupted");
  EXPECT_FALSE(says(outcome.out, "environment")) << outcome.out;
}

}  // namespace
}  // namespace holdfast::test
