// Scaling, and what cannot be run on real servers.
#include "scenarios/format/scale.h"
#include "tests/format/format_testing.h"

namespace holdfast::scenario {
namespace {

using namespace std::chrono_literals;

std::map<std::string, std::string> live(std::map<std::string, std::string> set = {}) {
  set.insert({{"/worlds", R"(["sim", "live"])"}, {"/lock/node_deadline", R"("250ms")"}});
  return set;
}

TEST(LiveRuns, NeedAnExplicitNodeDeadline) {
  EXPECT_EQ(errors_of(good_file(), live()), Texts{});
  EXPECT_EQ(errors_of(good_file(), {{"/worlds", R"(["live"])"}}),
            Texts{"4:9: a live run needs an explicit \"node_deadline\""});
}

TEST(LiveRuns, RefuseScalesThatAreTooSmall) {
  EXPECT_EQ(errors_of(good_file(), live({{"/live_scale", "0.1"}})), Texts{});
  EXPECT_EQ(
      errors_of(good_file(), live({{"/live_scale", "0.09"}})),
      Texts{"set /live_scale:1:1: at scale 0.09 the lease of 10s becomes 900ms, which is shorter "
            "than 1s"});
  EXPECT_EQ(
      errors_of(good_file(), live({{"/live_scale", "0.2"}, {"/faults/0/for", R"("400ms")"}})),
      Texts{"set /live_scale:1:1: at scale 0.2 the window of 400ms becomes 80ms, which is shorter "
            "than 100ms"});
}

TEST(LiveRuns, RefuseWhatCanOnlyBeSimulated) {
  EXPECT_EQ(
      errors_of(good_file(),
                live({{"/faults/0",
                       R"({ "pause": "A", "lane": "watchdog", "at": "1s", "for": "2s" })"}})),
      Texts{"set /faults/0:1:1: the pause of one lane alone can only be simulated; take \"live\" "
            "out of \"worlds\""});
  EXPECT_EQ(errors_of(good_file(),
                      live({{"/faults/0", R"({ "slow_fsync": "n1", "by": "1s", "at": "1s" })"},
                            {"/requires", "[]"}})),
            Texts{"set /faults/0:1:1: a slow fsync can only be simulated; take \"live\" out of "
                  "\"worlds\""});
  EXPECT_EQ(errors_of(good_file(),
                      live({{"/faults/0", R"({ "error": "n1", "text": "OOM x", "at": "1s" })"},
                            {"/requires", "[]"}})),
            Texts{"set /faults/0:1:1: an error answer can only be simulated; take \"live\" out of "
                  "\"worlds\""});
  const std::string step = R"({ "clock": "A", "step": "5s", "at": "1s" })";
  EXPECT_EQ(errors_of(good_file(), live({{"/faults/0", step}, {"/requires", "[]"}})),
            Texts{"set /faults/0:1:1: a client's clock can be bent in mid-run only when simulated; "
                  "take \"live\" out of \"worlds\""});
  const std::string of_server = R"({ "clock": "n1", "step": "5s", "at": "1s" })";
  EXPECT_EQ(errors_of(good_file(), live({{"/faults/0", of_server}, {"/requires", "[]"}})), Texts{});
}

TEST(LiveRuns, AScaleIsRefusedWhereItIsTooSmall) {
  const Scenario scenario = scenario_of(good_file(), live());
  const auto line = [&](double scale) {
    const auto refused = refuse_scale(scenario, scale);
    return refused ? refused->origin.line : 0;
  };
  EXPECT_EQ(line(0.1), 0);
  EXPECT_EQ(line(0.09), 4) << "the lock, for its lease";
  const Scenario brief = scenario_of(changed("\"for\": \"15s\"", "\"for\": \"400ms\""), live());
  const auto refused = refuse_scale(brief, 0.2);
  ASSERT_TRUE(refused.has_value());
  EXPECT_EQ(refused->text(),
            "f.json:8:13: at scale 0.2 the window of 400ms becomes 80ms, which is shorter than "
            "100ms");
}

TEST(Scaling, ShrinksTheStoryAndNotTheMachine) {
  const Scenario scenario = scenario_of(
      good_file(), live({{"/faults/-", R"({ "crash": "n1", "after": "10ms", "restart_after": "2s",
                                            "on": { "client": "A", "point": "acquired" } })"}}));
  const Scenario shrunk = scaled(scenario, 0.2);
  EXPECT_EQ(shrunk.lock.options.ttl, 2s);
  EXPECT_EQ(shrunk.lock.options.node_deadline, 250ms);
  EXPECT_EQ(shrunk.clients[1].steps[0].duration, 200ms);
  EXPECT_EQ(shrunk.clients[1].steps[1].wait, 12s);
  EXPECT_EQ(shrunk.faults[0].duration, 3s);
  EXPECT_EQ(shrunk.faults[0].when.at, 200ms);
  EXPECT_EQ(shrunk.faults[1].when.after, 10ms) << "\"soon\" stays soon";
  EXPECT_EQ(shrunk.faults[1].restart_after, 400ms);
  EXPECT_EQ(shrunk.until, 24s);
  EXPECT_EQ(shrunk.latency.median, scenario.latency.median);
}

}  // namespace
}  // namespace holdfast::scenario
