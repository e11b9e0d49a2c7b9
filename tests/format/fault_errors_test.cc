// Faults: what each takes, when it strikes, and how it reads in plain words.
#include "tests/format/format_testing.h"

namespace holdfast::scenario {
namespace {

// The errors of a file whose only fault is this one, without their place.
Texts with_fault(const std::string& fault) {
  Texts errors = errors_of(good_file(), {{"/faults", "[" + fault + "]"}, {"/requires", "[]"}});
  for (std::string& error : errors) {
    const std::string place = "set /faults:1:1: ";
    EXPECT_THAT(error, testing::StartsWith(place));
    error = error.substr(place.size());
  }
  return errors;
}

std::string described(const std::string& fault) {
  const Scenario scenario =
      scenario_of(good_file(), {{"/faults", "[" + fault + "]"}, {"/requires", "[]"}});
  return scenario.faults.size() == 1 ? scenario.faults.front().describe() : "";
}

TEST(FaultErrors, StandWhereTheFaultStands) {
  EXPECT_EQ(errors_of(changed("{ \"pause\": \"A\", \"at\": \"1s\", \"for\": \"15s\" }",
                              "{ \"pause\": \"A\" }")),
            Texts{"8:13: this fault does not say when it strikes; expected \"at\", \"on\" or "
                  "\"sometimes\""});
  EXPECT_EQ(errors_of(changed("\"pause\": \"A\"", "\"pawse\": \"A\"")),
            Texts{"8:15: a fault must be one of pause, crash, restart, clock, cut, reset, delay, "
                  "drop_reply, promote, evict, flush, error, slow_fsync; did you mean \"pause\"?"});
}

TEST(FaultTriggers, AreOneOfThree) {
  EXPECT_EQ(
      with_fault(R"({ "pause": "A", "at": "1s", "on": { "client": "A", "point": "acquired" } })"),
      Texts{"\"at\" contradicts \"on\": a fault strikes at one of them"});
  EXPECT_EQ(with_fault(R"({ "pause": "A", "at": "1s", "after": "1s" })"),
            Texts{"\"after\" counts from \"on\", which is not there; use \"at\""});
  EXPECT_EQ(with_fault(R"({ "pause": "A", "at": "1s", "within": "1s" })"),
            Texts{"\"within\" has no meaning without \"sometimes\""});
  EXPECT_EQ(with_fault(R"({ "pause": "A", "sometimes": 0.5 })"),
            Texts{"\"sometimes\" needs \"within\", the time in which the fault may strike"});
  EXPECT_EQ(with_fault(R"({ "pause": "A", "sometimes": 2, "within": "1s" })"),
            Texts{"\"sometimes\" must be a number from 0 to 1, not the number 2"});
  EXPECT_EQ(with_fault(R"({ "pause": "A", "sometimes": 0.5, "within": "1s", "at": "2s" })"),
            Texts{});
}

TEST(FaultTriggers, OnPointsThatAreNeverPassedAreRefused) {
  EXPECT_EQ(with_fault(R"({ "pause": "A", "on": { "client": "A", "point": "protocol_step" } })"),
            Texts{"\"protocol_step\" is never passed: only a lock given as a protocol passes it"});
  EXPECT_EQ(with_fault(R"({ "pause": "A", "on": { "client": "A", "point": "renewed" } })"),
            Texts{});
  EXPECT_EQ(
      errors_of(
          changed("\"watchdog\": true", "\"watchdog\": false"),
          {{"/faults/0", R"({ "crash": "A", "on": { "client": "A", "point": "renewed" } })"}}),
      Texts{"set /faults/0:1:1: \"renewed\" is never passed: there is no watchdog that renews"});
  EXPECT_EQ(with_fault(R"({ "pause": "A", "on": { "client": "A", "point": "before_wirte" } })"),
            Texts{"no point is named \"before_wirte\"; did you mean \"before_write\"?"});
  EXPECT_EQ(with_fault(R"({ "pause": "A", "on": { "client": "n1", "point": "acquired" } })"),
            Texts{"no client is named \"n1\"; known are: A, B"});
}

TEST(Faults, TakeOnlyWhatTheyUnderstand) {
  EXPECT_EQ(
      with_fault(R"({ "crash": "A", "at": "1s", "for": "2s" })"),
      Texts{"unknown key \"for\" in a crash fault; known are: crash, power_loss, restart_after, "
            "persistence, at, on, after, sometimes, within"});
  EXPECT_EQ(with_fault(R"({ "crash": "A", "at": "1s", "power_loss": true })"),
            Texts{"\"power_loss\" is for the crash of a server"});
  EXPECT_EQ(with_fault(R"({ "crash": "n1", "at": "1s", "persistence": "none" })"),
            Texts{"\"persistence\" is how the server comes back; it needs \"restart_after\""});
  EXPECT_EQ(with_fault(R"({ "pause": "n1", "at": "1s", "lane": "watchdog" })"),
            Texts{"\"lane\" is for clients; a server has none"});
  EXPECT_EQ(with_fault(R"({ "evict": "n1", "at": "1s" })"),
            Texts{"\"key\" is missing in an evict fault"});
  EXPECT_EQ(with_fault(R"({ "error": "n1", "at": "1s", "text": "-OOM x" })"),
            Texts{"\"text\" is what the server answers without the '-' in front"});
  EXPECT_EQ(with_fault(R"({ "promote": "n1", "at": "1s" })"),
            Texts{"\"n1\" is a master; only a replica can be promoted"});
  EXPECT_EQ(with_fault(R"({ "promote": "n1r", "old_master_returns_after": "1s",
                            "sometimes": 0.5, "within": "1s" })"),
            Texts{"\"old_master_returns_after\" contradicts \"sometimes\"; give the restart as a "
                  "fault of its own"});
  EXPECT_EQ(with_fault(R"({ "restart": "A", "at": "1s" })"),
            Texts{"no server is named \"A\"; known are: n1, n1r, n2"});
}

TEST(Faults, OfClocksChangeOneThing) {
  EXPECT_EQ(with_fault(R"({ "clock": "n1", "at": "1s" })"),
            Texts{"a clock fault needs one of \"step\", \"rate_ppm\" and \"freeze\": true"});
  EXPECT_EQ(with_fault(R"({ "clock": "n1", "at": "1s", "step": "-3s", "rate_ppm": 5 })"),
            Texts{"a clock fault needs one of \"step\", \"rate_ppm\" and \"freeze\": true"});
  EXPECT_EQ(with_fault(R"({ "clock": "A", "at": "1s", "freeze": true })"),
            Texts{"only a server's clock can be frozen so far"});
  EXPECT_EQ(with_fault(R"({ "clock": "n1", "at": "1s", "step": "-3s", "for": "1s" })"),
            Texts{"a step of the clock has no \"for\"; step it back with a second fault"});
}

TEST(Faults, OnLinksNameTwoEndsThatAreLinked) {
  EXPECT_EQ(with_fault(R"({ "cut": ["A"], "at": "1s" })"),
            Texts{"\"cut\" must name the two ends of a link, as in [\"A\", \"n1\"]"});
  EXPECT_EQ(with_fault(R"({ "cut": ["A", "B"], "at": "1s" })"),
            Texts{"there is no link between the clients \"A\" and \"B\""});
  EXPECT_EQ(with_fault(R"({ "cut": ["n1", "n2"], "at": "1s" })"),
            Texts{"there is no link between \"n1\" and \"n2\": neither is a replica of the other"});
  EXPECT_EQ(with_fault(R"({ "reset": ["n1", "n1r"], "at": "1s" })"),
            Texts{"a replication link can only be cut"});
  EXPECT_EQ(with_fault(R"({ "cut": ["A", "n9"], "at": "1s" })"),
            Texts{"no client or server is named \"n9\"; did you mean \"n1\"?"});
  EXPECT_EQ(
      with_fault(
          R"({ "cut": ["A", "n1"], "at": "1s", "mode": "refuse", "direction": "to_client" })"),
      Texts{"\"direction\" is for a cut that holds; one that refuses is for both"});
}

TEST(Faults, OnLinksHaveTheClientOrTheMasterFirst) {
  const Scenario scenario = scenario_of(
      good_file(),
      {{"/faults",
        R"([ { "cut": ["n1", "A"], "at": "1s" }, { "cut": ["n1r", "n1"], "at": "1s" } ])"},
       {"/requires", "[]"}});
  ASSERT_EQ(scenario.faults.size(), 2U);
  EXPECT_EQ(scenario.faults[0].target, "A");
  EXPECT_EQ(scenario.faults[0].peer, "n1");
  EXPECT_EQ(scenario.faults[1].target, "n1");
  EXPECT_EQ(scenario.faults[1].peer, "n1r");
}

TEST(Faults, ReadInPlainWords) {
  EXPECT_EQ(described(
                R"({ "pause": "A", "for": "15s",
                              "on": { "client": "A", "point": "before_write", "nth": 2 } })"),
            "pause A for 15 s when it passes before_write (2nd time)");
  EXPECT_EQ(described(R"({ "pause": "A", "lane": "watchdog", "at": "1500ms" })"),
            "pause the watchdog of A at 1.5 s");
  EXPECT_EQ(described(
                R"({ "crash": "n1", "after": "10ms",
                              "on": { "client": "A", "point": "acquired", "nth": 11 } })"),
            "crash n1 10 ms after A passes acquired (11th time)");
  EXPECT_EQ(described(
                R"({ "crash": "n1", "power_loss": true, "at": "1s",
                              "restart_after": "50ms", "persistence": "none" })"),
            "cut the power of n1 and restart it without persistence 50 ms later, at 1 s");
  EXPECT_EQ(described(R"({ "restart": "n1", "replica_of": "n2", "at": "3s" })"),
            "restart n1 as a replica of n2 at 3 s");
  EXPECT_EQ(described(R"({ "clock": "n1", "step": "-10.1s", "at": "1s" })"),
            "step the clock of n1 back by 10.1 s at 1 s");
  EXPECT_EQ(described(R"({ "clock": "A", "rate_ppm": -500, "at": "0s" })"),
            "let the clock of A run 0.05 % slow at 0 s");
  EXPECT_EQ(described(R"({ "clock": "n1", "freeze": true, "at": "1s", "for": "2s" })"),
            "freeze the clock of n1 for 2 s at 1 s");
  EXPECT_EQ(described(R"({ "cut": ["A", "n1"], "mode": "refuse", "at": "1s" })"),
            "refuse what goes between A and n1 at 1 s");
  EXPECT_EQ(described(R"({ "cut": ["n1", "n1r"], "at": "1s" })"),
            "hold back what goes between n1 and n1r at 1 s");
  EXPECT_EQ(
      described(R"({ "delay": ["A", "n1"], "by": "400ms", "direction": "to_client", "at": "1s" })"),
      "delay what goes from n1 to A by 400 ms at 1 s");
  EXPECT_EQ(described(R"({ "reset": ["A", "n1"], "at": "1s" })"),
            "reset the connections between A and n1 at 1 s");
  EXPECT_EQ(described(R"({ "drop_reply": ["A", "n1"], "count": 2, "reset": true, "at": "1s" })"),
            "drop the next 2 replies of n1 to A and reset the connection at 1 s");
  EXPECT_EQ(described(R"({ "promote": "n1r", "at": "1s" })"), "promote n1r to master at 1 s");
  EXPECT_EQ(described(R"({ "evict": "n1", "key": "k", "at": "1s" })"), "evict k from n1 at 1 s");
  EXPECT_EQ(described(R"({ "flush": "n1", "at": "1s" })"), "flush n1 at 1 s");
  EXPECT_EQ(described(
                R"({ "error": "n1", "text": "OOM no memory", "at": "1s",
                              "writes_only": true, "client": "A" })"),
            "let n1 answer the writes of A with \"OOM no memory\" at 1 s");
  EXPECT_EQ(
      described(
          R"({ "slow_fsync": "n1", "by": "3s", "sometimes": 0.25, "at": "1s", "within": "5s" })"),
      "let each fsync of n1 take 3 s in 25 % of the runs, between 1 s and 6 s");
}

}  // namespace
}  // namespace holdfast::scenario
