// Options of the lock that contradict each other, and protocols.
#include "tests/format/format_testing.h"

namespace holdfast::scenario {
namespace {

Texts with_lock(const std::string& lock) {
  return errors_of(good_file(), {{"/lock", lock}, {"/faults", "[]"}, {"/requires", "[]"}});
}
Texts at_lock(const std::string& message) { return Texts{"set /lock:1:1: " + message}; }

const std::string kInline = R"({ "holdfast-protocol": 1, "name": "p", "believes": "ttl_from_send",
  "acquire": [ { "send": ["SET", "$key", "$token", "NX", "EX", "$lease_s"], "expect": "OK" } ],
  "release": [ { "send": ["DEL", "$key"] } ] })";

std::string protocol_lock(const std::string& options, const std::string& protocol = kInline) {
  return R"({ "nodes": ["n1"], "protocol": )" + protocol + options + " }";
}

TEST(LockOptions, OfTheSampleAreGood) {
  EXPECT_EQ(with_lock(R"({ "algorithm": "single", "nodes": ["n1"], "ttl": "10s" })"), Texts{});
  EXPECT_EQ(with_lock(R"({ "algorithm": "redlock", "nodes": ["n1", "n2"], "ttl": "10s" })"),
            Texts{});
  EXPECT_EQ(with_lock(protocol_lock("")), Texts{});
}

TEST(LockOptions, RedlockOverOneNodeIsNone) {
  EXPECT_EQ(with_lock(R"({ "algorithm": "redlock", "nodes": ["n1"], "ttl": "10s" })"),
            at_lock("algorithm \"redlock\" over one node has no quorum; name three or five "
                    "independent servers, or take algorithm \"single\""));
}

TEST(LockOptions, RepairIsNotBuiltYet) {
  EXPECT_EQ(with_lock(R"({ "nodes": ["n1"], "repair": false })"), Texts{});
  EXPECT_EQ(with_lock(R"({ "nodes": ["n1"], "repair": true })"),
            at_lock("\"repair\": true is not built yet"));
}

TEST(LockOptions, TakeOneNodeWithoutAQuorum) {
  EXPECT_EQ(with_lock(R"({ "nodes": ["n1", "n2"] })"),
            at_lock("algorithm \"single\" takes one node, and \"nodes\" has 2"));
  EXPECT_EQ(
      with_lock("{}"),
      at_lock("algorithm \"single\" takes one node, and \"nodes\" is by default all masters: 2"));
  EXPECT_EQ(with_lock(R"({ "nodes": [] })"), at_lock("the lock has no node"));
  EXPECT_EQ(with_lock(R"({ "nodes": ["n1", "n2"], "protocol": )" + kInline + "}"),
            at_lock("a protocol without \"quorum\" takes one node, and \"nodes\" has 2"));
}

TEST(LockOptions, TakeMastersEachOnce) {
  EXPECT_EQ(with_lock(R"({ "nodes": ["n1r"] })"),
            at_lock("\"n1r\" is a replica; clients lock at masters"));
  EXPECT_EQ(with_lock(R"({ "algorithm": "redlock", "nodes": ["n1", "n2", "n1"] })"),
            at_lock("\"n1\" is already among the nodes: it would vote twice"));
}

TEST(LockOptions, WaitForReplicasThatExistOnOneInstanceOnly) {
  EXPECT_EQ(with_lock(R"({ "nodes": ["n1"], "replicas": 1 })"), Texts{});
  EXPECT_EQ(with_lock(R"({ "nodes": ["n1"], "replicas": 2 })"),
            at_lock("\"replicas\" waits for 2, and \"n1\" has 1"));
  EXPECT_EQ(with_lock(R"({ "algorithm": "redlock", "nodes": ["n1", "n2"], "replicas": 1 })"),
            at_lock("\"replicas\" contradicts algorithm \"redlock\": its nodes are independent"));
  EXPECT_EQ(with_lock(R"({ "nodes": ["n1"], "confirm_renewals": true })"),
            at_lock("\"confirm_renewals\" has no meaning without \"replicas\""));
}

TEST(LockOptions, FenceOneInstanceOnly) {
  EXPECT_EQ(with_lock(R"({ "nodes": ["n1"], "fencing": true })"), Texts{});
  EXPECT_EQ(with_lock(R"({ "algorithm": "redlock", "nodes": ["n1", "n2"], "fencing": true })"),
            at_lock("\"fencing\" with algorithm \"redlock\" is not built yet"));
}

TEST(LockOptions, GiveTheTokensThatAResourceCompares) {
  EXPECT_EQ(
      errors_of(changed("\"fencing\": false", "\"fencing\": true")),
      Texts{"3:14: \"stock\" compares fencing tokens, and the lock gives none; set \"fencing\": "
            "true in \"lock\""});
  EXPECT_EQ(errors_of(changed("\"fencing\": false", "\"fencing\": \"reads\"")),
            Texts{"3:36: \"fencing\" must be true, false or \"writes\", not the text \"reads\""});
}

TEST(LockOptions, OfTheWatchdogNeedAWatchdog) {
  EXPECT_EQ(with_lock(R"({ "nodes": ["n1"], "max_hold": "60s" })"), Texts{});
  EXPECT_EQ(with_lock(R"({ "nodes": ["n1"], "watchdog": false, "max_hold": "60s" })"),
            at_lock("\"max_hold\" has no meaning with \"watchdog\": false"));
  EXPECT_EQ(with_lock(R"({ "nodes": ["n1"], "max_hold": "1s", "min_hold": "2s" })"),
            at_lock("\"min_hold\" 2s contradicts \"max_hold\" 1s"));
}

TEST(LockOptions, HaveATtlFromTenMillisecondsToAYear) {
  EXPECT_EQ(with_lock(R"({ "nodes": ["n1"], "ttl": "9ms" })"),
            at_lock("\"ttl\" must be from 10ms to 365 days, and is 9ms"));
}

TEST(LockOptions, AreEitherAnAlgorithmOrAProtocol) {
  EXPECT_EQ(with_lock(protocol_lock(R"(, "algorithm": "single")")),
            at_lock("\"algorithm\" contradicts \"protocol\"; give one of them"));
  EXPECT_EQ(with_lock(R"({ "nodes": ["n1"], "algorithm": "protocol" })"),
            at_lock("\"algorithm\": \"protocol\" needs \"protocol\", which is not there"));
}

TEST(ProtocolLocks, RefuseWhatOnlyTheCoreHas) {
  for (const std::string option : {"drift_ppm", "drift_fixed", "min_validity", "replicas",
                                   "confirm_renewals", "fencing", "max_hold", "min_hold"}) {
    const bool number = option == "drift_ppm" || option == "replicas";
    const bool word = option == "confirm_renewals" || option == "fencing";
    const std::string value = number ? "1" : word ? "false" : "\"1s\"";
    EXPECT_EQ(with_lock(protocol_lock(", \"" + option + "\": " + value)),
              at_lock("\"" + option + "\" has no meaning for a lock given as a protocol"));
  }
}

TEST(ProtocolLocks, HaveAWatchdogWhenTheyRenew) {
  EXPECT_EQ(with_lock(protocol_lock(R"(, "watchdog": true)")),
            at_lock("\"watchdog\": true contradicts protocol \"p\", which has no \"renew\""));
  std::string renewing = kInline;
  renewing.insert(1,
                  R"("renew": [ { "send": ["PEXPIRE", "$key", "$lease_ms"] } ], "every": "3s",)");
  EXPECT_EQ(with_lock(protocol_lock("", renewing)), Texts{});
  const Scenario scenario =
      scenario_of(good_file(), {{"/lock", protocol_lock("", renewing)}, {"/requires", "[]"}});
  EXPECT_TRUE(scenario.lock.options.watchdog);
}

TEST(ProtocolLocks, HaveOneLease) {
  std::string leased = kInline;
  leased.insert(1, R"("lease": "30s",)");
  EXPECT_EQ(with_lock(protocol_lock(R"(, "ttl": "10s")", leased)),
            at_lock("\"ttl\" 10s contradicts the lease of 30s of protocol \"p\""));
  EXPECT_EQ(with_lock(protocol_lock(R"(, "ttl": "1500ms")")),
            at_lock("protocol \"p\" sends $lease_s, and a \"ttl\" of 1.5s is not whole seconds"));
  const Scenario scenario =
      scenario_of(good_file(), {{"/lock", protocol_lock("", leased)}, {"/requires", "[]"}});
  EXPECT_EQ(scenario.lock.options.ttl, std::chrono::seconds(30));
  EXPECT_EQ(scenario.lock.protocol->lease, std::chrono::seconds(30));
}

TEST(Protocols, RefuseWhatTheyDoNotKnow) {
  auto message = [](const std::string& from, const std::string& to) {
    std::string protocol = kInline;
    protocol.replace(protocol.find(from), from.size(), to);
    const Texts errors = with_lock(protocol_lock("", protocol));
    return errors.empty() ? std::string() : errors.front();
  };
  EXPECT_EQ(message("$lease_s", "$lease"),
            "set /lock:1:1: no protocol variable is named \"$lease\"; did you mean \"$lease_s\"?");
  EXPECT_EQ(message("\"name\"", "\"quorum\": false, \"sequential\": true, \"name\""),
            "set /lock:1:1: \"sequential\" has no meaning without \"quorum\": true");
  EXPECT_EQ(message("\"name\"", "\"every\": \"1s\", \"name\""),
            "set /lock:1:1: \"every\" has no meaning without \"renew\"");
  EXPECT_EQ(message("[ { \"send\": [\"DEL\", \"$key\"] } ]", "[]"),
            "set /lock:1:1: \"release\" must be an array of at least one step, not an empty one");
  EXPECT_EQ(message("\"believes\": \"ttl_from_send\"", "\"believes\": \"always\""),
            "set /lock:1:1: \"believes\" must be one of \"until_release\", \"ttl_from_send\", "
            "\"ttl_from_reply\", not \"always\"");
}

TEST(Protocols, WithAScriptBecomeEval) {
  std::string protocol = kInline;
  const std::string plain = R"({ "send": ["DEL", "$key"] })";
  protocol.replace(protocol.find(plain), plain.size(), R"({ "script": "return 1", "expect": 1 })");
  const Scenario scenario =
      scenario_of(good_file(), {{"/lock", protocol_lock("", protocol)}, {"/requires", "[]"}});
  ASSERT_EQ(scenario.lock.protocol->release.size(), 1U);
  const ProtocolStep& step = scenario.lock.protocol->release.front();
  EXPECT_EQ(step.send, (Texts{"EVAL", "return 1", "1", "$key", "$token"}));
  EXPECT_EQ(step.expect, "1");
}

TEST(Protocols, AreFoundByNameAndMissedByTheNearest) {
  const std::string file = HOLDFAST_SOURCE_DIR "/scenarios/catalogue/mine.json";
  auto read = [&](const std::string& name) {
    return parse_text(good_file(), file,
                      {{"/lock", "{ \"nodes\": [\"n1\"], \"protocol\": \"" + name + "\" }"}});
  };
  EXPECT_TRUE(std::holds_alternative<Scenario>(read("setnx-expire")));
  // A scenario of the same name beside the file is not taken for the protocol.
  EXPECT_TRUE(std::holds_alternative<Scenario>(read("bare-del")));
  const ParseResult missing = read("setnx-expires");
  ASSERT_TRUE(std::holds_alternative<std::vector<ParseError>>(missing));
  const std::string text = std::get<std::vector<ParseError>>(missing).front().text();
  const std::string folder = HOLDFAST_SOURCE_DIR "/scenarios/catalogue/";
  EXPECT_THAT(text, testing::HasSubstr("no protocol file \"" + folder +
                                       "setnx-expires.json\" or \"" + folder +
                                       "../protocols/setnx-expires.json\"; did you mean "
                                       "\"setnx-expire\"? There are: "));
  EXPECT_THAT(text, testing::HasSubstr("bare-del, "));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("gc-pause"))) << "scenarios are no protocols";
}

TEST(Protocols, ThatAreNowhereSayWhereTheyWereLookedFor) {
  const std::string lock = R"({ "nodes": ["n1"], "protocol": "mine" })";
  EXPECT_EQ(with_lock(lock), at_lock("no protocol file \"mine.json\" or "
                                     "\"../protocols/mine.json\"; there is none in these folders"));
}

}  // namespace
}  // namespace holdfast::scenario
