// The house rules as an ordinary test, each with a piece of code that it must refuse.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "tests/tidy/rules.h"

namespace holdfast::tidy {
namespace {

template <class Rule>
std::string all_findings(Rule rule) {
  std::string text;
  for (const SourceFile& file : sources()) {
    for (const auto& finding : rule(file)) text += finding + "\n";
  }
  return text;
}

SourceFile piece(const std::string& path, std::vector<std::string> lines) {
  return {path, std::move(lines)};
}

TEST(Tidy, TheTreeHasSourcesInEveryRoom) {
  std::set<std::string> rooms;
  for (const auto& file : sources()) rooms.insert(file.path.substr(0, file.path.find('/')));
  EXPECT_EQ(rooms, (std::set<std::string>{"lockcore", "reports", "scenarios", "sim", "tests"}));
}

TEST(Tidy, LinesAndFilesAreShort) { EXPECT_EQ(all_findings(too_long), ""); }
TEST(Tidy, ALongLineIsFound) {
  EXPECT_EQ(too_long(piece("sim/a.cc", {std::string(101, 'x')})).size(), 1U);
  EXPECT_TRUE(too_long(piece("sim/a.cc", {std::string(100, 'x')})).empty());
  EXPECT_EQ(too_long(piece("sim/a.cc", std::vector<std::string>(501, "x"))).size(), 1U);
}

TEST(Tidy, FunctionsAreShort) { EXPECT_EQ(all_findings(long_functions), ""); }
TEST(Tidy, ALongFunctionIsFound) {
  std::vector<std::string> lines{"int f() {"};
  lines.insert(lines.end(), 70, "  g();");
  lines.emplace_back("}");
  EXPECT_EQ(long_functions(piece("sim/a.cc", lines)).size(), 1U);
  lines.erase(lines.begin() + 1, lines.begin() + 3);
  EXPECT_TRUE(long_functions(piece("sim/a.cc", lines)).empty());
}

TEST(Tidy, EveryAwaitStandsAlone) { EXPECT_EQ(all_findings(bad_awaits), ""); }
TEST(Tidy, AwaitsThatGccMiscompilesAreFound) {
  for (const std::string line :
       {"  if (co_await f()) g();", "  while (!co_await f()) {", "  auto x = a && co_await f();",
        "  co_await f({1, 2});", "  co_await f([x] { return x; });", "  g(co_await f());",
        "  auto [a, b] = co_await f();", "  auto x = c ? co_await a : T();"}) {
    EXPECT_EQ(bad_awaits(piece("sim/a.cc", {line})).size(), 1U) << line;
  }
  for (const std::string line : {"  co_await f(a, b);", "  auto x = co_await f();",
                                 "  x = co_await f();", "  const auto x = co_await g.f(a);",
                                 "  co_return co_await f(a);", "  // if (co_await f())"}) {
    EXPECT_TRUE(bad_awaits(piece("sim/a.cc", {line})).empty()) << line;
  }
  EXPECT_EQ(bad_awaits(piece("sim/a.cc", {"  co_await f(a,", "             {1});"})).size(), 1U);
}

TEST(Tidy, TheRealWorldStaysInItsRooms) { EXPECT_EQ(all_findings(real_world_tokens), ""); }
TEST(Tidy, RealTimeInSimulatedCodeIsFound) {
  EXPECT_EQ(
      real_world_tokens(piece("sim/a.cc", {"  auto t = std::chrono::steady_clock::now();"})).size(),
      1U);
  EXPECT_EQ(real_world_tokens(piece("lockcore/a.cc", {"std::random_device d;"})).size(), 1U);
  EXPECT_EQ(real_world_tokens(piece("reports/a.cc", {"getenv(\"X\");"})).size(), 1U);
  EXPECT_EQ(real_world_tokens(piece("scenarios/runner/a.cc", {"std::thread t;"})).size(), 1U);
  EXPECT_TRUE(real_world_tokens(piece("scenarios/main/a.cc", {"std::thread t;"})).empty());
  EXPECT_TRUE(real_world_tokens(piece("sim/a.cc", {"// std::thread"})).empty());
}

TEST(Tidy, NoArrowRunsUp) { EXPECT_EQ(all_findings(wrong_arrows), ""); }
TEST(Tidy, AnArrowUpIsFound) {
  EXPECT_EQ(wrong_arrows(piece("lockcore/a.cc", {"#include \"sim/kernel.h\""})).size(), 1U);
  EXPECT_EQ(wrong_arrows(piece("reports/judge/a.cc", {"#include \"lockcore/lock.h\""})).size(), 1U);
  EXPECT_EQ(wrong_arrows(piece("sim/a.cc", {"#include \"scenarios/format/model.h\""})).size(), 1U);
  EXPECT_EQ(wrong_arrows(piece("reports/judge/a.cc", {"#include <nlohmann/json.hpp>"})).size(), 1U);
  EXPECT_TRUE(wrong_arrows(piece("sim/a.cc", {"#include \"lockcore/env.h\""})).empty());
}

TEST(Tidy, NothingElseStandsAtTheTop) {
  const std::set<std::string> allowed{"CMakeLists.txt", "CMakePresets.json", "LICENSE",
                                      "README.md",      "lockcore",          "sim",
                                      "scenarios",      "reports",           "tests"};
  for (const auto& entry : std::filesystem::directory_iterator(HOLDFAST_SOURCE_DIR)) {
    const std::string name = entry.path().filename().string();
    const bool made_by_a_run = name == "build" || name == "reports-out";
    EXPECT_TRUE(name.starts_with(".") || made_by_a_run || allowed.contains(name)) << name;
  }
}

}  // namespace
}  // namespace holdfast::tidy
