// What a file without mistakes becomes.
#include "scenarios/format/model.h"

#include "tests/format/format_testing.h"

namespace holdfast::scenario {
namespace {

using namespace std::chrono_literals;

TEST(Model, HasWhatTheFileSays) {
  const Scenario scenario = scenario_of(good_file());
  EXPECT_EQ(scenario.name, "small");
  EXPECT_TRUE(scenario.sim);
  EXPECT_FALSE(scenario.live);
  ASSERT_EQ(scenario.servers.size(), 3U);
  EXPECT_EQ(scenario.servers[1].replica_of, "n1");
  EXPECT_EQ(scenario.servers[1].version, std::nullopt);
  EXPECT_EQ(scenario.lock.algorithm, LockSpec::Algorithm::single);
  EXPECT_EQ(scenario.lock.nodes, Texts{"n1"});
  EXPECT_EQ(scenario.lock.options.ttl, 10s);
  EXPECT_FALSE(scenario.lock.options.node_deadline.has_value());
  ASSERT_EQ(scenario.clients.size(), 2U);
  EXPECT_EQ(scenario.clients[1].steps[1].kind, Step::Kind::acquire);
  EXPECT_EQ(scenario.clients[1].steps[1].wait, 60s);
  ASSERT_EQ(scenario.faults.size(), 1U);
  EXPECT_EQ(scenario.faults[0].duration, 15s);
  EXPECT_EQ(scenario.faults[0].when.at, 1s);
  EXPECT_EQ(scenario.faults[0].origin.line, 8);
  EXPECT_EQ(scenario.expect.at("mutual-exclusion"), Expectation::violated);
  EXPECT_EQ(scenario.text, good_file());
  EXPECT_EQ(scenario.until, 120s);
}

TEST(Model, TakesAllMastersForTheNodesOfARedlock) {
  const Scenario scenario = scenario_of(good_file(), {{"/lock", R"({ "algorithm": "redlock" })"}});
  EXPECT_EQ(scenario.lock.nodes, (Texts{"n1", "n2"}));
}

TEST(Model, HasClientsWithOptionsOfTheirOwn) {
  const Scenario scenario = scenario_of(
      good_file(),
      {{"/obey_loss", "true"},
       {"/clients/A", R"({ "obey_loss": false, "clock": { "offset": "-2s", "rate_ppm": -500 },
                                  "steps": [ { "repeat": 3, "steps": [
          { "acquire": "k", "on_failure": "skip" }, { "write": "stock", "value": -7 },
          { "check_held": "k" }, { "release": "k" } ] } ] })"}});
  const ClientSpec& a = scenario.clients[0];
  EXPECT_FALSE(a.obey_loss);
  EXPECT_TRUE(scenario.clients[1].obey_loss);
  EXPECT_EQ(a.wall_offset, -2s);
  EXPECT_EQ(a.clock_ppm, -500);
  ASSERT_EQ(a.steps.size(), 1U);
  EXPECT_EQ(a.steps[0].times, 3);
  ASSERT_EQ(a.steps[0].steps.size(), 4U);
  EXPECT_EQ(a.steps[0].steps[0].on_failure, Step::OnFailure::skip);
  EXPECT_EQ(a.steps[0].steps[1].value, "-7");
}

TEST(Model, HasFaultsThatStrikeSometimes) {
  const Scenario scenario = scenario_of(
      good_file(), {{"/faults/0", R"({ "pause": "A", "sometimes": 0.000001, "within": "5s" })"}});
  EXPECT_EQ(scenario.faults[0].when.sometimes_ppm, 1U);
  EXPECT_EQ(scenario.faults[0].when.at, 0s);
  EXPECT_EQ(scenario.faults[0].when.within, 5s);
}

TEST(Model, HasTheReturnOfAnOldMasterAsAFaultOfItsOwn) {
  const Scenario scenario = scenario_of(
      good_file(),
      {{"/faults", R"([ { "promote": "n1r", "at": "1s", "old_master_returns_after": "3s" },
                                     { "promote": "n1r",
                                       "on": { "client": "A", "point": "acquired" },
                                       "after": "1s", "old_master_returns_after": "3s" } ])"},
       {"/requires", "[]"}});
  ASSERT_EQ(scenario.faults.size(), 4U);
  EXPECT_EQ(scenario.faults[0].describe(), "promote n1r to master at 1 s");
  EXPECT_EQ(scenario.faults[1].describe(), "restart n1 as a replica of n1r at 4 s");
  EXPECT_EQ(scenario.faults[3].describe(),
            "restart n1 as a replica of n1r 4 s after A passes acquired");
}

TEST(Model, HasKillsWithTheirChangesAsJson) {
  const Scenario scenario = scenario_of(
      good_file(),
      {{"/kills",
        R"([ "no-fencing", { "name": "x", "set": { "/lock/ttl": "1s", "/lock/replicas": null },
                                     "violates": [ "promise" ] } ])"}});
  ASSERT_EQ(scenario.kills.size(), 2U);
  EXPECT_EQ(scenario.kills[0].mutant, "no-fencing");
  EXPECT_EQ(scenario.kills[1].set, (std::map<std::string, std::string>{
                                       {"/lock/ttl", "\"1s\""}, {"/lock/replicas", "null"}}));
  EXPECT_EQ(scenario.kills[1].violates, Texts{"promise"});
}

TEST(Kills, MustNameInvariantsAndPointers) {
  EXPECT_EQ(
      errors_of(good_file(), {{"/kills", R"([ { "name": "x", "violates": [ "promises" ] } ])"}}),
      Texts{"set /kills:1:1: no invariant is named \"promises\"; did you mean \"promise\"?"});
  EXPECT_EQ(errors_of(good_file(), {{"/kills", R"([ { "name": "x", "set": { "lock": 1 } } ])"}}),
            Texts{"set /kills:1:1: \"lock\" is not a JSON pointer; expected a path as in "
                  "\"/lock/watchdog\""});
}

TEST(Overrides, ReplaceAddAppendAndTakeAway) {
  const Scenario scenario = scenario_of(good_file(), {{"/lock/ttl", "\"20s\""},
                                                      {"/network/latency/median", "\"1ms\""},
                                                      {"/clients/A/-", "{ \"work\": \"1s\" }"},
                                                      {"/expect/mutual-exclusion", "null"},
                                                      {"/faults/0", "null"}});
  EXPECT_EQ(scenario.lock.options.ttl, 20s);
  EXPECT_EQ(scenario.latency.median, 1ms);
  EXPECT_EQ(scenario.clients[0].steps.size(), 4U);
  EXPECT_TRUE(scenario.expect.empty());
  EXPECT_TRUE(scenario.faults.empty());
}

TEST(Overrides, ThatDoNotFitAreErrors) {
  EXPECT_EQ(errors_of(good_file(), {{"lock", "1"}}),
            Texts{"set lock:1:1: not a JSON pointer; expected a path as in \"/lock/watchdog\""});
  EXPECT_EQ(errors_of(good_file(), {{"/faults/7", "{}"}}),
            Texts{"set /faults/7:1:1: \"7\" is not an index of an array with 1 elements"});
  EXPECT_EQ(errors_of(good_file(), {{"/name/x", "1"}}),
            Texts{"set /name/x:1:1: \"x\" cannot be set in the text \"small\""});
  EXPECT_EQ(errors_of(good_file(), {{"/until", "null"}}),
            Texts{"set /until:1:1: there is no \"until\" to take away"});
  const Texts bad = errors_of(good_file(), {{"/until", "10s"}});
  ASSERT_EQ(bad.size(), 1U);
  EXPECT_THAT(bad[0], testing::StartsWith("set /until:1:3: not JSON: "));
}

}  // namespace
}  // namespace holdfast::scenario
