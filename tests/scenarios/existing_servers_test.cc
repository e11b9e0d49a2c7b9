// Live runs on servers that somebody else runs.
#include "scenarios/live/existing_servers.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "scenarios/format/parse.h"
#include "scenarios/live/environment_failure.h"
#include "scenarios/live/key_prefix.h"
#include "scenarios/live/redis_process.h"
#include "scenarios/live/server_address.h"
#include "tests/live/one_redis.h"
#include "tests/scenarios/started_program.h"

namespace holdfast::live {
namespace {

using holdfast::test::catalogue;
using holdfast::test::Outcome;
using holdfast::test::run_program;
using holdfast::test::Workplace;
using Addresses = std::vector<ServerAddress>;

Addresses addresses(std::string_view text) {
  return std::get<Addresses>(parse_server_addresses(text));
}

scenario::Scenario parsed(const std::string& text) {
  auto result = scenario::parse_text(text, "x.json");
  if (const auto* errors = std::get_if<std::vector<scenario::ParseError>>(&result)) {
    ADD_FAILURE() << errors->front().text();
    return {};
  }
  return std::get<scenario::Scenario>(std::move(result));
}

std::string at(const RedisProcess& server) { return "127.0.0.1:" + std::to_string(server.port()); }

TEST(ServerAddresses, AreHostsAndPorts) {
  const Addresses expected{{"127.0.0.1", 6379}, {"redis.example", 1}, {"::1", 65535}};
  EXPECT_EQ(addresses("127.0.0.1:6379,redis.example:1,[::1]:65535"), expected);
  EXPECT_EQ(expected[2].text(), "[::1]:65535");
  for (const char* bad : {"", ",", "host", ":1", "host:", "host:0", "host:65536", "host:1x",
                          "host:-1", "::1:6379", "a:1,", "a:1,,b:2"}) {
    EXPECT_TRUE(std::holds_alternative<std::string>(parse_server_addresses(bad))) << bad;
  }
}

TEST(KeyPrefix, StandsBeforeEveryLockKeyAndGuardedResource) {
  const auto scenario =
      with_key_prefix(parsed(holdfast::test::contents(catalogue("gc-pause"))), "{mine}:");
  EXPECT_EQ(scenario.guarded.at(0).name, "{mine}:stock");
  for (const auto& client : scenario.clients) {
    for (const auto& step : client.steps) {
      EXPECT_TRUE(step.target.empty() || step.target.starts_with("{mine}:")) << step.target;
    }
  }
}

TEST(KeyPrefix, LinesAboutOthersKeysAreNotOurs) {
  MonitorLine ours;
  ours.arguments = {"SET", "{mine}:jobs/42", "token", "NX"};
  EXPECT_TRUE(take_prefix_away(ours, "{mine}:"));
  EXPECT_EQ(ours.arguments[1], "jobs/42");
  MonitorLine others;
  others.arguments = {"SET", "jobs/42", "token", "NX"};
  EXPECT_FALSE(take_prefix_away(others, "{mine}:"));
}

TEST(ClockReading, HoldsTheTrueDifferenceAndNoOther) {
  const test::Servers servers;
  const auto node = servers.start("n1");
  CommandConnection commands("127.0.0.1", node->port());
  const ClockReading first = read_clock(commands);
  EXPECT_GT(first.error, Duration::zero());
  EXPECT_TRUE(read_clock(commands).agrees_with(first)) << "the clock has run as the host's";
  ClockReading stepped = first;
  stepped.wall_minus_host += std::chrono::hours(1);
  EXPECT_FALSE(read_clock(commands).agrees_with(stepped));
  node->kill_hard();
  EXPECT_THROW(read_clock(commands), EnvironmentFailure);
}

std::string refusal(const std::string& text, const std::string& servers) {
  const auto errors = refused_on_existing_servers(parsed(text), addresses(servers));
  return errors.empty() ? "" : errors.front().text();
}

void expect_refused(const std::string& text, const std::string& servers, const std::string& words) {
  const std::string said = refusal(text, servers);
  EXPECT_TRUE(said.starts_with("x.json:")) << said;
  EXPECT_NE(said.find(words), std::string::npos) << said;
}

TEST(ExistingServers, AreNotStruckByFaults) {
  const auto text = [](const std::string& name) {
    return holdfast::test::contents(catalogue(name));
  };
  EXPECT_EQ(refusal(text("gc-pause"), "a:1,a:2"), "");
  EXPECT_EQ(refusal(text("gc-pause"), "a:1"), "") << "the guarded resource on the last node";
  expect_refused(text("redlock5-clock-step"), "a:1,a:2,a:3,a:4,a:5", "strikes a server");
  expect_refused(text("redlock5-amnesia"), "a:1,a:2,a:3,a:4,a:5", "strikes a server");
  expect_refused(text("fast-server-clock"), "a:1", "clock");
  expect_refused(text("failover-loses-lock"), "a:1", "replica");
}

// A promotion with the return of the old master is two faults in one place.
TEST(ExistingServers, AreRefusedOncePerPlace) {
  const auto errors = refused_on_existing_servers(
      parsed(holdfast::test::changed("failover-loses-lock", "{ \"promote\": \"n1r\",",
                                     "{ \"promote\": \"n1r\", "
                                     "\"old_master_returns_after\": \"3s\",")),
      addresses("a:1"));
  std::set<std::string> texts;
  for (const auto& error : errors) texts.insert(error.text());
  EXPECT_EQ(texts.size(), errors.size());
  EXPECT_GE(errors.size(), 2u);
}

TEST(ExistingServers, OfOneAddressAreOneServerWhateverTheirNames) {
  const auto same = [](const std::string& text) {
    const auto two = addresses(text);
    return same_server(two[0], two[1]);
  };
  EXPECT_TRUE(same("a:1,a:1"));
  EXPECT_TRUE(same("127.0.0.1:1,127.1:1"));
  EXPECT_FALSE(same("127.0.0.1:1,127.0.0.1:2"));
  EXPECT_FALSE(same("127.0.0.1:1,127.0.0.2:1"));
  EXPECT_FALSE(same("[::1]:1,127.0.0.1:1"));
}

TEST(ExistingServers, AreAsManyAsTheLockHasNodes) {
  const std::string text = holdfast::test::contents(catalogue("gc-pause"));
  expect_refused(text, "a:1,a:2,a:3", "--redis names 3 servers; expected 1 for the lock's nodes");
  const std::string five = holdfast::test::contents(catalogue("redlock5-partitioned-holder"));
  expect_refused(five, "a:1,a:2,a:3,a:4", "--redis names 4 servers; expected 5");
}

// Fencing leaves a counter without TTL behind on a server of one's own: here it must not.
TEST(ExistingServers, AreUsedUnderAPrefixAndLeftAsTheyWere) {
  const Workplace place;
  const test::Servers servers;
  const auto node = servers.start("n1");
  const auto guarded = servers.start("guarded");
  node->ask({"SET", "jobs/42", "somebody else's"});
  const Outcome outcome =
      run_program(place,
                  {"run", catalogue("gc-pause-fenced"), "--world", "live", "--redis",
                   at(*node) + "," + at(*guarded), "--json", "all.json"},
                  place.path("no-redis-server-here"));
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_EQ(node->ask({"GET", "jobs/42"}).text, "somebody else's");
  EXPECT_TRUE(node->ask({"DBSIZE"}).is_integer(1));
  EXPECT_TRUE(guarded->ask({"DBSIZE"}).is_integer(0));
  EXPECT_NE(node->info("commandstats", "cmdstat_evalsha").find("calls="), std::string::npos)
      << "the clients did use it";
  EXPECT_EQ(holdfast::test::contents(place.work() / "all.json").find("{holdfast:"),
            std::string::npos)
      << "reports do not show the prefix";
  EXPECT_TRUE(place.nothing_temporary());
}

TEST(ExistingServers, OneIsEnoughForALockAndWhatItGuards) {
  const Workplace place;
  const test::Servers servers;
  const auto node = servers.start("n1");
  const Outcome outcome =
      run_program(place, {"run", catalogue("gc-pause"), "--world", "live", "--redis", at(*node)});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_NE(outcome.out.find("violated in 1 of 1"), std::string::npos) << outcome.out;
  EXPECT_TRUE(node->ask({"DBSIZE"}).is_integer(0));
  const std::string page =
      holdfast::test::contents(place.work() / "reports-out/gc-pause-live-seed-1.html");
  EXPECT_NE(page.find("--redis " + at(*node)), std::string::npos) << "how to run it again";
  const auto all =
      nlohmann::json::parse(holdfast::test::contents(place.work() / "reports-out/report.json"));
  const auto& findings =
      all.at("scenarios").at(0).at("violations").at(0).at("judgement").at("findings");
  EXPECT_EQ(findings.at("backed").at("state"), "held") << "what the server did was followed";
}

TEST(ExistingServers, AreLeftAsTheyWereAfterCtrlC) {
  const Workplace place;
  const test::Servers servers;
  const auto node = servers.start("n1");
  holdfast::test::StartedProgram program(place, {"run", catalogue("gc-pause"), "--world", "live",
                                                 "--scale", "1", "--redis", at(*node)});
  ASSERT_TRUE(program.reaches([&] { return !node->ask({"DBSIZE"}).is_integer(0); }));
  program.interrupt();
  EXPECT_EQ(program.wait().code, 130);
  EXPECT_TRUE(node->ask({"DBSIZE"}).is_integer(0));
}

TEST(ExistingServers, ThatEndDuringTheRunAreNoVerdict) {
  const Workplace place;
  const test::Servers servers;
  const auto node = servers.start("n1");
  holdfast::test::StartedProgram program(place, {"run", catalogue("gc-pause"), "--world", "live",
                                                 "--scale", "1", "--redis", at(*node)});
  ASSERT_TRUE(program.reaches([&] { return !node->ask({"DBSIZE"}).is_integer(0); }));
  node->kill_hard();
  const Outcome outcome = program.wait();
  EXPECT_EQ(outcome.code, 3);
  EXPECT_NE(outcome.out.find("environment failure"), std::string::npos) << outcome.out;
  EXPECT_TRUE(place.nothing_temporary());
}

TEST(ExistingServers, ThatCannotBeReachedAreNoVerdict) {
  const Workplace place;
  const test::Servers servers;
  auto gone = servers.start("n1");
  const std::string address = at(*gone);
  gone.reset();
  const Outcome outcome = run_program(place, {"run", catalogue("gc-pause"), "--world", "live",
                                              "--redis", address, "--json", "all.json"});
  EXPECT_EQ(outcome.code, 3);
  const auto all = nlohmann::json::parse(holdfast::test::contents(place.work() / "all.json"));
  EXPECT_EQ(all.at("scenarios").at(0).at("environment_failure"),
            "cannot reach the Redis server at " + address + ": Connection refused");
  EXPECT_EQ(all.at("scenarios").at(0).at("judged"), 0);
}

TEST(ExistingServers, AReplicaIsNoServerForALock) {
  const test::Servers servers;
  const auto master = servers.start("n1");
  RedisOptions options = servers.options("n1r");
  options.replica_of = MasterAddress{"127.0.0.1", master->port()};
  const auto replica = servers.start(options);
  const auto scenario = parsed(holdfast::test::contents(catalogue("gc-pause")));
  EXPECT_NO_THROW(ExistingServers(scenario, addresses(at(*master))));
  EXPECT_THROW(ExistingServers(scenario, addresses(at(*replica))), EnvironmentFailure);
}

}  // namespace
}  // namespace holdfast::live
