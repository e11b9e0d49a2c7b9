// holdfast serve and holdfast fault as they are used: from two terminals, with redis-cli.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "tests/scenarios/started_program.h"
#include "tests/serve/serve_fixture.h"

namespace holdfast::serve {
namespace {

using holdfast::test::catalogue;
using holdfast::test::contents;
using holdfast::test::Outcome;
using holdfast::test::run_program;
using holdfast::test::StartedProgram;
using holdfast::test::Workplace;

// `holdfast serve`, found by `holdfast fault` through a runtime folder of the test's own.
class ServeProgram : public testing::Test {
 protected:
  ServeProgram() { setenv("XDG_RUNTIME_DIR", place_.tmp().c_str(), 1); }

  void serve(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "serve");
    std::filesystem::remove(place_.path("out"));  // of the program before
    program_ = std::make_unique<StartedProgram>(place_, arguments);
    ASSERT_TRUE(program_->reaches([this] { return port("control") != 0; })) << said();
  }
  std::string said() const { return contents(place_.path("out")); }
  std::uint16_t port(const std::string& node) const {
    const std::string text = "\n" + said();
    const std::string line = "\n" + node + " 127.0.0.1:";
    const auto at = text.find(line);
    if (at == std::string::npos || text.find('\n', at + 1) == std::string::npos) return 0;
    return static_cast<std::uint16_t>(std::atoi(text.c_str() + at + line.size()));
  }
  // In a place of its own: the served program's output is in this one.
  Outcome fault(std::vector<std::string> words) const {
    words.insert(words.begin(), "fault");
    return run_program(other_place_, words);
  }
  std::string redis_cli(const std::string& words) const {
    const std::string command =
        "redis-cli -p " + std::to_string(port("n1")) + " " + words + " 2>&1";
    FILE* const pipe = popen(command.c_str(), "r");
    std::string text;
    std::array<char, 256> piece{};
    while (fgets(piece.data(), piece.size(), pipe) != nullptr) text += piece.data();
    pclose(pipe);
    return text;
  }
  Outcome interrupt() {
    program_->interrupt();
    return program_->wait();
  }

  Workplace place_, other_place_;
  std::unique_ptr<StartedProgram> program_;
};

TEST_F(ServeProgram, RedisCliIsServedAndFaultsAreSeenByIt) {
  serve({catalogue("failover-loses-lock"), "--out", "record"});
  EXPECT_EQ(redis_cli("set jobs/42 a-0123456789 NX PX 10000"), "OK\n");
  EXPECT_EQ(redis_cli("get jobs/42"), "a-0123456789\n");
  EXPECT_EQ(fault({"clock n1 +11s"}).out, "OK\n");
  EXPECT_EQ(redis_cli("get jobs/42"), "\n");
  EXPECT_EQ(redis_cli("set jobs/42 b-0123456789 NX PX 10000"), "OK\n");
  const Outcome refused = fault({"pause", "n7"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("'n7' is no node"), std::string::npos) << refused.err;

  const Outcome outcome = interrupt();
  EXPECT_EQ(outcome.code, 1) << outcome.err;  // a possible overlap was seen
  EXPECT_NE(outcome.out.find("F2 is not struck by itself"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("1 possible overlaps"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("not what a client believes"), std::string::npos) << outcome.out;
  const std::string record = contents(place_.work() / "record" / "traffic.jsonl");
  EXPECT_NE(record.find(R"("kind":"command","node":"n1","client":1,"command":["set","jobs/42")"),
            std::string::npos)
      << record;
  EXPECT_NE(record.find(R"("reply":"OK","told":true)"), std::string::npos) << record;
  EXPECT_NE(record.find(R"("kind":"clock_stepped","node":"n1","a":11000000000)"), std::string::npos)
      << record;
  EXPECT_NE(record.find(R"("kind":"possible_overlap")"), std::string::npos) << record;
  EXPECT_TRUE(place_.nothing_temporary());
}

TEST_F(ServeProgram, EndsWithZeroWhenNothingOverlapped) {
  serve({catalogue("gc-pause")});
  EXPECT_EQ(redis_cli("set jobs/42 a-0123456789 NX PX 10000"), "OK\n");
  const Outcome outcome = interrupt();
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("0 possible overlaps"), std::string::npos) << outcome.out;
}

TEST_F(ServeProgram, SeveralServedClustersAreToldApart) {
  serve({catalogue("gc-pause")});
  const std::string control = std::to_string(port("control"));
  Workplace second;
  StartedProgram other(second, {"serve", catalogue("bare-del")});
  ASSERT_TRUE(other.reaches(
      [&] { return contents(second.path("out")).find("control ") != std::string::npos; }));
  const Outcome which = fault({"status"});
  EXPECT_EQ(which.code, 2);
  EXPECT_NE(which.err.find("--control " + control), std::string::npos) << which.err;
  EXPECT_EQ(fault({"--control", control, "pause n1 5s"}).out, "OK\n");
  other.interrupt();
  EXPECT_EQ(other.wait().code, 0);
}

TEST_F(ServeProgram, TakesThePortsThatItIsGiven) {
  std::uint16_t free = 0;
  {
    serve({catalogue("gc-pause")});
    free = port("n1");
    interrupt();
  }
  serve({catalogue("gc-pause"), "--port", std::to_string(free)});
  EXPECT_EQ(port("n1"), free);
  const Outcome taken =
      run_program(other_place_, {"serve", catalogue("gc-pause"), "--port", std::to_string(free)});
  EXPECT_EQ(taken.code, 3);
  EXPECT_NE(taken.err.find("port " + std::to_string(free) + " for n1"), std::string::npos)
      << taken.err;
}

TEST_F(ServeProgram, BadUsageIsRefused) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> rows{
      {{"serve"}, "which scenario?"},
      {{"serve", "nothing.json"}, "nothing.json"},
      {{"serve", catalogue("gc-pause"), "--port", "70000"}, "--port"},
      {{"serve", catalogue("gc-pause"), "--scale", "2"}, "--scale"},
      {{"serve", catalogue("gc-pause"), "--speed", "2"}, "--speed"},
      {{"fault"}, "which fault?"},
      {{"fault", "status"}, "no `holdfast serve`"},
      {{"fault", "--control", "x", "status"}, "expected a port"},
      {{"fault", "error n1 \"x"}, "unbalanced quotes"},
  };
  for (const auto& [arguments, why] : rows) {
    const Outcome outcome = run_program(other_place_, arguments);
    EXPECT_EQ(outcome.code, 2) << why;
    EXPECT_NE(outcome.err.find(why), std::string::npos) << outcome.err;
  }
}

}  // namespace
}  // namespace holdfast::serve
