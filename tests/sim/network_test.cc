#include "sim/network.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "sim/latency_table.h"
#include "tests/sim/world_lab.h"

namespace holdfast::sim {
namespace {

using namespace std::chrono_literals;

const Command kSetA{"SET", "k", "a", "NX", "PX", "10000"};
const Command kSetB{"SET", "k", "b", "NX", "PX", "10000"};
const Command kGet{"GET", "k"};

TEST(LatencyTable, HasTheMedianAndTheTailThatWereAskedFor) {
  const LatencyTable table({200us, 1ms});
  Random random(1, Purpose::latency);
  std::vector<Duration> draws;
  for (int i = 0; i < 100'000; ++i) draws.push_back(table.draw(random));
  std::sort(draws.begin(), draws.end());
  EXPECT_GE(draws.front(), 100us);
  EXPECT_LE(draws.back(), 1800us);
  EXPECT_NEAR(static_cast<double>(draws[50'000].count()), 200e3, 2e3);
  EXPECT_NEAR(static_cast<double>(draws[99'000].count()), 1000e3, 40e3);
}

TEST(LatencyTable, TakesATailBelowTheMedianAsNoTail) {
  const LatencyTable table({5ms, 1ms});
  Random random(1, Purpose::latency);
  for (int i = 0; i < 1000; ++i) ASSERT_LE(table.draw(random), 5ms);
}

TEST(Network, CarriesACallAndItsReplyWithLatencyBothWays) {
  WorldLab lab;
  lab.start_both();
  lab.call_at(1s, kA, "set", "n1", kSetA, 250ms);
  lab.call_at(2s, kB, "set", "n1", kSetB, 250ms);
  lab.call_at(3s, kB, "get", "n1", kGet, 250ms);
  lab.run();
  EXPECT_EQ(lab.log, (Log{"set: OK", "set: nil", "get: a"}));
  // The first call of a connection waits for it: two round trips.
  EXPECT_GE(lab.times[0], 1s + 400us);
  EXPECT_GE(lab.times[2], 3s + 200us);
  EXPECT_LE(lab.times[2], 3s + 4ms);
}

TEST(Network, GivesErrorRepliesTheirMeaning) {
  WorldLab lab;
  lab.start_both();
  lab.call_at(1s, kA, "incr", "n1", {"INCR"}, 250ms);
  lab.call_at(2s, kA, "no script", "n1", {"EVALSHA", std::string(40, '0'), "0"}, 250ms);
  lab.run();
  ASSERT_EQ(lab.log.size(), 2U);
  EXPECT_EQ(lab.log[0], "incr: not executed: ERR wrong number of arguments for 'incr' command");
  EXPECT_EQ(lab.log[1].rfind("no script: not executed: NOSCRIPT", 0), 0U);
}

Task<void> many(Env& env, WorldLab& lab, RedisClient& client, int number) {
  Command command{"RPUSH", "list", std::to_string(number)};
  const Instant deadline = env.now() + 1s;
  const CallResult result = co_await Call(client, command, deadline);
  lab.note(std::to_string(number) + ": " + describe(result));
}
Task<void> burst(Env& env, WorldLab& lab) {
  const Endpoint endpoint{"n1"};
  const auto client = env.connect(endpoint, Role::commands);
  for (int i = 1; i <= 50; ++i) {
    env.spawn(many(env, lab, *client, i), Lane::caller);
    const Instant until = env.now() + 10us;
    co_await Sleep(env, until);
  }
}

TEST(Network, NeverLetsOneMessageOfAConnectionOvertakeAnother) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    WorldLab lab(seed);
    lab.world.process(kA).start([&lab](Env& env) { return burst(env, lab); });
    lab.run();
    ASSERT_EQ(lab.log.size(), 50U);
    for (int i = 1; i <= 50; ++i) {
      const std::string number = std::to_string(i);
      EXPECT_EQ(lab.log[static_cast<std::size_t>(i) - 1], number + ": " + number);
    }
  }
}

TEST(Network, LetsTheSeedDecideWhichOfTwoClientsIsFirst) {
  std::set<std::string> winners;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    WorldLab lab(seed);
    lab.start_both();
    lab.call_at(1s, kA, "A", "n1", kSetA, 250ms);
    lab.call_at(1s, kB, "B", "n1", kSetB, 250ms);
    lab.run();
    winners.insert(lab.holds(kN1, "k", "a") ? "A" : "B");
    const auto won = std::count_if(lab.log.begin(), lab.log.end(), [](const std::string& line) {
      return line.find("OK") != std::string::npos;
    });
    EXPECT_EQ(won, 1);
  }
  EXPECT_EQ(winners.size(), 2U);
}

TEST(Network, HoldsDataAtACutAndDeliversItWhenTheCutEnds) {
  WorldLab lab;
  lab.start_both();
  lab.call_at(500ms, kA, "warm", "n1", {"PING"}, 250ms);
  lab.at_time(1s, [&] { lab.world.cut(kA, kN1, Direction::to_server, CutMode::hold); });
  lab.call_at(1s + 1ms, kA, "set", "n1", kSetA, 250ms);
  lab.at_time(4s, [&] {
    EXPECT_FALSE(lab.holds(kN1, "k", "a"));
    lab.world.heal(kA, kN1);
  });
  lab.run(5s);
  EXPECT_EQ(lab.log, (Log{"warm: PONG", "set: maybe executed: no answer before the deadline"}));
  EXPECT_TRUE(lab.holds(kN1, "k", "a"));  // the zombie arrived (FID-X3)
}

TEST(Network, ACutTowardsTheClientLetsTheRequestThrough) {
  WorldLab lab;
  lab.start_both();
  lab.call_at(500ms, kA, "warm", "n1", {"PING"}, 250ms);
  lab.at_time(1s, [&] { lab.world.cut(kA, kN1, Direction::to_client, CutMode::hold); });
  lab.call_at(1s + 1ms, kA, "set", "n1", kSetA, 250ms);
  lab.at_time(1500ms, [&] { EXPECT_TRUE(lab.holds(kN1, "k", "a")); });
  lab.at_time(2s, [&] { lab.world.heal(kA, kN1); });
  lab.call_at(3s, kA, "get", "n1", kGet, 250ms);  // the late reply is not taken for its own
  lab.run(5s);
  EXPECT_EQ(lab.log,
            (Log{"warm: PONG", "set: maybe executed: no answer before the deadline", "get: a"}));
}

TEST(Network, HoldsAConnectionAttemptAtACut) {
  WorldLab lab;
  lab.start_both();
  lab.world.cut(kA, kN1, Direction::both, CutMode::hold);
  lab.call_at(1s, kA, "first", "n1", kSetA, 250ms);
  lab.at_time(2s, [&] { lab.world.heal(kA, kN1); });
  lab.call_at(3s, kA, "second", "n1", kGet, 250ms);
  lab.run();
  EXPECT_EQ(lab.log, (Log{"first: not executed: not connected before the deadline: no answer to "
                          "connect",
                          "second: nil"}));
}

TEST(Network, ARefusingCutEndsConnectionsAndRefusesNewOnes) {
  WorldLab lab;
  lab.start_both();
  lab.call_at(500ms, kA, "warm", "n1", {"PING"}, 250ms);
  lab.at_time(1s, [&] { lab.world.cut(kA, kN1, Direction::both, CutMode::refuse); });
  lab.call_at(2s, kA, "refused", "n1", kSetA, 250ms);
  lab.call_at(2s, kB, "other link", "n1", kGet, 250ms);
  lab.call_at(3s, kA, "waits", "n1", kSetA, 5s);
  lab.at_time(4s, [&] { lab.world.heal(kA, kN1); });
  lab.run();
  EXPECT_EQ(lab.log, (Log{"warm: PONG", "other link: nil",
                          "refused: not executed: not connected before the deadline: Connection "
                          "refused",
                          "waits: OK"}));
  EXPECT_LE(lab.times.back(), 4300ms);  // the longest pause between two attempts
}

TEST(Network, AResetLosesTheReplyAndTheRequestWasExecutedOrNot) {
  std::set<bool> executed;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    WorldLab lab(seed);
    lab.start_both();
    lab.call_at(500ms, kA, "warm", "n1", {"PING"}, 250ms);
    lab.call_at(1s, kA, "set", "n1", kSetA, 250ms);
    lab.at_time(1s + 30us, [&] { lab.world.reset_connections(kA, kN1); });
    lab.call_at(2s, kA, "again", "n1", {"PING"}, 250ms);
    lab.run(3s);
    ASSERT_EQ(lab.log,
              (Log{"warm: PONG", "set: maybe executed: connection lost: Connection reset by peer",
                   "again: PONG"}));
    EXPECT_LE(lab.times[1], 1s + 30us);
    executed.insert(lab.holds(kN1, "k", "a"));
  }
  EXPECT_EQ(executed.size(), 2U);
}

TEST(Network, AResetWhileDataIsHeldDeliversNoneOfIt) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    WorldLab lab(seed);
    lab.start_both();
    lab.call_at(500ms, kA, "warm", "n1", {"PING"}, 250ms);
    lab.at_time(900ms, [&] { lab.world.cut(kA, kN1, Direction::to_server, CutMode::hold); });
    lab.call_at(1s, kA, "set", "n1", kSetA, 250ms);
    lab.at_time(1100ms, [&] { lab.world.reset_connections(kA, kN1); });
    lab.at_time(1200ms, [&] { lab.world.heal(kA, kN1); });
    lab.run(3s);
    EXPECT_EQ(lab.log.back(), "set: maybe executed: connection lost: Connection reset by peer");
    EXPECT_FALSE(lab.holds(kN1, "k", "a"));
  }
}

TEST(Network, ASlowLinkDelaysItsOwnDirectionOnly) {
  WorldLab lab;
  lab.start_both();
  lab.call_at(500ms, kA, "warm", "n1", {"PING"}, 250ms);
  lab.at_time(900ms, [&] { lab.world.delay(kA, kN1, Direction::to_client, 100ms); });
  lab.call_at(1s, kA, "set", "n1", kSetA, 250ms);
  lab.at_time(1s + 5ms, [&] { EXPECT_TRUE(lab.holds(kN1, "k", "a")); });
  lab.at_time(1500ms, [&] { lab.world.delay(kA, kN1, Direction::both, 0ms); });
  lab.call_at(2s, kA, "get", "n1", kGet, 250ms);
  lab.run();
  EXPECT_EQ(lab.log, (Log{"warm: PONG", "set: OK", "get: a"}));
  EXPECT_GE(lab.times[1], 1100ms);
  EXPECT_LE(lab.times[2], 2s + 4ms);
}

// A stream has no gaps: what follows a lost reply on its connection cannot be read either.
TEST(Network, ALostReplyMutesItsConnectionUntilItIsReset) {
  WorldLab lab;
  lab.start_both();
  lab.call_at(500ms, kA, "warm", "n1", {"PING"}, 250ms);
  lab.at_time(900ms, [&] { lab.world.drop_replies(kA, kN1, 1, false); });
  lab.call_at(1s, kA, "set", "n1", kSetA, 250ms);
  lab.call_at(1s + 10ms, kA, "get", "n1", kGet, 250ms);
  lab.call_at(2s, kA, "still", "n1", kGet, 250ms);
  lab.at_time(3s, [&] { EXPECT_TRUE(lab.world.reset_connections(kA, kN1)); });
  lab.call_at(4s, kA, "again", "n1", kGet, 250ms);
  lab.run();
  const std::string unknown = ": maybe executed: no answer before the deadline";
  EXPECT_EQ(lab.log,
            (Log{"warm: PONG", "set" + unknown, "get" + unknown, "still" + unknown, "again: a"}));
}

TEST(Network, ALostReplyCanTakeTheConnectionWithIt) {
  WorldLab lab;
  lab.start_both();
  lab.call_at(500ms, kA, "warm", "n1", {"PING"}, 250ms);
  lab.at_time(900ms, [&] { lab.world.drop_replies(kA, kN1, 1, true); });
  lab.call_at(1s, kA, "set", "n1", kSetA, 250ms);
  lab.call_at(2s, kA, "get", "n1", kGet, 250ms);
  lab.run();
  EXPECT_EQ(lab.log,
            (Log{"warm: PONG", "set: maybe executed: connection lost: Connection reset by peer",
                 "get: a"}));
}

TEST(Network, FollowsAnAddressThatMovesToAnotherNode) {
  WorldLab lab;
  lab.start_both();
  lab.call_at(1s, kA, "set", "n1", kSetA, 250ms);
  lab.at_time(2s, [&] {
    EXPECT_EQ(lab.world.behind(kN1), kN1);
    lab.world.redirect(kN1, kN2);
    EXPECT_EQ(lab.world.behind(kN1), kN2);
  });
  lab.call_at(3s, kA, "moved", "n1", kGet, 250ms);
  lab.call_at(3s + 10ms, kB, "set", "n1", kSetB, 250ms);
  lab.run(4s);
  EXPECT_EQ(lab.log, (Log{"set: OK", "moved: nil", "set: OK"}));
  EXPECT_TRUE(lab.holds(kN2, "k", "b"));
  EXPECT_TRUE(lab.holds(kN1, "k", "a"));
}

}  // namespace
}  // namespace holdfast::sim
