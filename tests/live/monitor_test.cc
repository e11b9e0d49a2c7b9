// What a real server executed, in its order.
#include "scenarios/live/monitor.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "scenarios/live/environment_failure.h"
#include "scenarios/live/server_clock.h"
#include "tests/live/one_redis.h"

namespace holdfast::live {
namespace {

using namespace std::chrono_literals;

using Words = std::vector<std::string>;

std::vector<Words> words_of(const std::vector<MonitorLine>& lines) {
  std::vector<Words> result;
  for (const MonitorLine& line : lines) result.push_back(line.arguments);
  return result;
}

TEST(MonitorLine, IsTakenApart) {
  const auto line =
      parse_monitor_line(R"(1700000000.000012 [3 127.0.0.1:5000] "SET" "a \"b\\\r\n\x00\xff" "")");
  ASSERT_TRUE(line);
  EXPECT_EQ(line->server_time.time_since_epoch(), 1'700'000'000s + 12us);
  EXPECT_EQ(line->database, 3);
  EXPECT_EQ(line->client, "127.0.0.1:5000");
  EXPECT_FALSE(line->in_script());
  EXPECT_EQ(line->arguments, (Words{"SET", std::string("a \"b\\\r\n\0\xff", 9), ""}));
}

TEST(MonitorLine, KnowsCommandsInsideScripts) {
  const auto line = parse_monitor_line(R"(1.000000 [0 lua] "get" "k")");
  ASSERT_TRUE(line);
  EXPECT_TRUE(line->in_script());
}

TEST(MonitorLine, AnythingElseIsRefused) {
  for (const char* text :
       {"", "OK", "1.5 [0 lua]", "1.5 [0 lua] ", R"(1.5 [0 lua] get)", R"(1.5 [0 lua] "get)",
        R"(1.5 [0 lua] "a" )", R"(1.5 [0 lua] "\x0")", R"(x.5 [0 lua] "get")"}) {
    EXPECT_FALSE(parse_monitor_line(text)) << text;
  }
}

TEST(Monitor, SeesEveryCommandInOrderScriptsWithTheirCommands) {
  test::Servers servers;
  const auto redis = servers.start("n1");
  Monitor monitor(*redis);
  const Instant begin = host_now();
  const std::string script = "return redis.call('get', KEYS[1])";
  redis->ask({"SET", "k", "v", "NX", "PX", "10000"});
  redis->ask({"EVAL", script, "1", "k"});
  redis->ask({"DEL", "k"});
  ASSERT_TRUE(monitor.catch_up(*redis, 10s));
  const Instant end = host_now();
  const auto lines = monitor.lines();
  EXPECT_EQ(words_of(lines), (std::vector<Words>{{"SET", "k", "v", "NX", "PX", "10000"},
                                                 {"EVAL", script, "1", "k"},
                                                 {"get", "k"},
                                                 {"DEL", "k"}}));
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_TRUE(lines[2].in_script());
  EXPECT_EQ(lines[0].client, lines[3].client);
  for (const MonitorLine& line : lines) {
    EXPECT_GE(line.arrived, begin);
    EXPECT_LE(line.arrived, end);
  }
  EXPECT_EQ(monitor.malformed(), "");
}

TEST(Monitor, TellsTheServersOwnTime) {
  test::Servers servers;
  ServerClock clock(servers.folder().path() / "clock",
                    std::filesystem::path(HOLDFAST_BINARY_DIR) / "holdfast-clock-shim.so");
  clock.bend(1h, 0);
  RedisOptions options = servers.options("n1");
  options.environment = clock.environment();
  const auto redis = servers.start(options);
  Monitor monitor(*redis);
  const WallInstant before = clock.now();
  redis->ask({"GET", "k"});
  const WallInstant after = clock.now();
  ASSERT_TRUE(monitor.catch_up(*redis, 10s));
  const auto lines = monitor.lines();
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_GE(lines[0].server_time, before - 1us);
  EXPECT_LE(lines[0].server_time, after);
}

TEST(Monitor, ManyCommandsAreAllThere) {
  test::Servers servers;
  const auto redis = servers.start("n1");
  Monitor monitor(*redis);
  constexpr int kCommands = 5000;
  for (int i = 0; i < kCommands; ++i) redis->ask({"SET", "k", std::to_string(i)});
  ASSERT_TRUE(monitor.catch_up(*redis, 10s));
  const auto lines = monitor.lines();
  ASSERT_EQ(lines.size(), static_cast<std::size_t>(kCommands));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    EXPECT_EQ(lines[i].arguments[2], std::to_string(i));
  }
}

TEST(Monitor, NoticesThatItsServerHasGone) {
  test::Servers servers;
  const auto redis = servers.start("n1");
  Monitor monitor(*redis);
  EXPECT_FALSE(monitor.ended());
  redis->kill_hard();
  const Instant end = host_now() + 10s;
  while (!monitor.ended() && host_now() < end) {
  }
  EXPECT_TRUE(monitor.ended());
  redis->restart(scenario::Persistence::none, std::nullopt);
  EXPECT_FALSE(monitor.catch_up(*redis, 100ms)) << "another connection is needed";
  Monitor again(*redis);
  EXPECT_TRUE(again.catch_up(*redis, 10s));
}

TEST(Monitor, OfAServerThatIsNotThereIsAnError) {
  test::Servers servers;
  const auto redis = servers.start("n1");
  redis->kill_hard();
  EXPECT_THROW(Monitor monitor(*redis), EnvironmentFailure);
}

}  // namespace
}  // namespace holdfast::live
