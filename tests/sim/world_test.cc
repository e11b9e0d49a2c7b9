#include "sim/world.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/sim/world_lab.h"

namespace holdfast::sim {
namespace {

using namespace std::chrono_literals;

const Command kSetA{"SET", "k", "a", "NX", "PX", "10000"};
const Command kSetB{"SET", "k", "b", "NX", "PX", "10000"};
const Command kGet{"GET", "k"};
const Command kPing{"PING"};

// A call whose reply comes, and whose deadline passes, while the process is paused.
Log paused_over_deadline(std::uint64_t seed) {
  WorldLab lab(seed);
  lab.start_both();
  lab.call_at(500ms, kA, "warm", "n1", kPing, 250ms);
  lab.call_at(1s, kA, "set", "n1", kSetA, 250ms);
  lab.at_time(1s + 50us, [&] { lab.world.process(kA).pause(std::nullopt); });
  lab.at_time(5s, [&] { lab.world.process(kA).resume(std::nullopt); });
  lab.run(6s);
  EXPECT_TRUE(lab.holds(kN1, "k", "a"));
  EXPECT_EQ(lab.times.back(), 5s);
  return lab.log;
}

TEST(World, ASeedDecidesWhetherOverdueTimersOrReadySocketsComeFirstAfterAPause) {
  std::set<Log> seen;
  for (std::uint64_t seed = 0; seed < 40; ++seed) seen.insert(paused_over_deadline(seed));
  const std::string late = "set: maybe executed: no answer before the deadline";
  EXPECT_EQ(seen, (std::set<Log>{{"warm: PONG", "paused", "resumed", "set: OK"},
                                 {"warm: PONG", "paused", "resumed", late}}));
}

TEST(World, APausedProcessAnswersNothingAndItsPeersGoOn) {
  WorldLab lab;
  lab.start_both();
  lab.call_at(1s, kA, "A", "n1", kSetA, 250ms);
  lab.at_time(2s, [&] { lab.world.process(kA).pause(std::nullopt); });
  lab.call_at(3s, kB, "B", "n1", kGet, 250ms);
  lab.call_at(12s, kB, "B", "n1", kSetB, 250ms);
  lab.run(20s);
  EXPECT_EQ(lab.log, (Log{"A: OK", "paused", "B: a", "B: OK"}));
}

struct Gone {
  explicit Gone(WorldLab& l) : lab(l) {}
  Gone(const Gone&) = delete;
  Gone& operator=(const Gone&) = delete;
  ~Gone() { lab.note("frame gone"); }
  WorldLab& lab;
};

Task<void> sets_and_gets(Env& env, WorldLab& lab, std::string value) {
  const Gone gone(lab);
  const Endpoint endpoint{"n1"};
  const auto client = env.connect(endpoint, Role::exclusive);
  Command ping{"PING"};
  Command set{"SET", "k", value};
  const Instant soon = env.now() + 1s;
  co_await Call(*client, ping, soon);
  const Instant later = env.now() + 1s;
  const CallResult result = co_await Call(*client, set, later);
  lab.note("set: " + describe(result));
  const Instant until = env.now() + 1h;
  co_await Sleep(env, until);
}

TEST(World, ACrashDestroysFramesAndWhatWasSentIsStillExecuted) {
  WorldLab lab;
  lab.world.delay(kA, kN1, Direction::to_server, 100ms);
  lab.world.process(kA).start([&lab](Env& env) { return sets_and_gets(env, lab, "a"); });
  lab.at_time(250ms, [&] {
    EXPECT_FALSE(lab.holds(kN1, "k", "a"));
    lab.world.process(kA).crash();
  });
  lab.run(1s);
  EXPECT_EQ(lab.log, (Log{"frame gone", "crashed"}));
  EXPECT_TRUE(lab.holds(kN1, "k", "a"));
}

TEST(World, ARestartedProcessConnectsAnewAndHearsNoOldReplies) {
  WorldLab lab;
  int incarnation = 0;
  lab.world.process(kA).start(
      [&](Env& env) { return sets_and_gets(env, lab, std::to_string(++incarnation)); });
  lab.at_time(2s, [&] { lab.world.process(kA).crash(); });
  lab.at_time(3s, [&] { lab.world.process(kA).restart(); });
  lab.run(4s);
  EXPECT_EQ(lab.log, (Log{"set: OK", "frame gone", "crashed", "set: OK"}));
  EXPECT_TRUE(lab.holds(kN1, "k", "2"));
}

TEST(World, ACrashedServerIsRefusedAndComesBackWithItsConnections) {
  WorldLab lab;
  lab.start_both();
  lab.call_at(1s, kA, "set", "n1", kSetA, 250ms);
  lab.at_time(2s, [&] { lab.world.server(kN1).crash(CrashKind::kill); });
  lab.call_at(3s, kA, "down", "n1", kPing, 250ms);
  lab.call_at(4s, kA, "waits", "n1", kGet, 5s);
  lab.at_time(5s, [&] { lab.world.server(kN1).restart(Persistence::none); });
  lab.run();
  EXPECT_EQ(lab.log, (Log{"set: OK",
                          "down: not executed: not connected before the deadline: Connection "
                          "refused",
                          "waits: nil"}));
}

TEST(World, ACallInFlightWhenItsServerDiesIsLostWithTheConnection) {
  WorldLab lab;
  lab.start_both();
  lab.call_at(500ms, kA, "warm", "n1", kPing, 250ms);
  lab.at_time(900ms, [&] { lab.world.server(kN1).pause(); });
  lab.call_at(1s, kA, "set", "n1", kSetA, 250ms);
  lab.at_time(1100ms, [&] { lab.world.server(kN1).crash(CrashKind::kill); });
  lab.run();
  EXPECT_EQ(lab.log, (Log{"warm: PONG",
                          "set: maybe executed: connection lost: Server closed the connection"}));
}

TEST(World, AFrozenServerAcceptsConnectionsAndRunsWhatCameWhenItThaws) {
  WorldLab lab;
  lab.start_both();
  lab.at_time(900ms, [&] { lab.world.server(kN1).pause(); });
  lab.call_at(1s, kA, "set", "n1", kSetA, 250ms);
  lab.at_time(3s, [&] { lab.world.server(kN1).resume(); });
  lab.call_at(4s, kB, "get", "n1", kGet, 250ms);
  lab.run();
  EXPECT_EQ(lab.log, (Log{"set: maybe executed: no answer before the deadline", "get: a"}));
}

// -- late replies, pipelines, exclusive connections, close

struct Ear final : LateListener {
  explicit Ear(WorldLab& l) : lab(l) {}
  void on_late(std::uint32_t tag, const CallResult& result) override {
    lab.note("late " + std::to_string(tag) + ": " + describe(result));
  }
  WorldLab& lab;
};

Task<void> impatient(Env& env, WorldLab& lab, std::shared_ptr<LateListener> ear) {
  const Endpoint endpoint{"n1"};
  const auto client = env.connect(endpoint, Role::commands);
  Command ping{"PING"};
  const Instant patient = env.now() + 1s;
  co_await Call(*client, ping, patient);
  lab.world.delay(kA, kN1, Direction::to_client, 300ms);
  std::vector<Command> commands;
  commands.push_back(kSetA);
  commands.push_back(kGet);
  const Instant soon = env.now() + 100ms;
  LateReply late;
  late.listener = std::move(ear);
  late.tag = 7;
  const auto results = co_await Pipeline(*client, commands, soon, late);
  for (const CallResult& result : results) lab.note(describe(result));
}

TEST(World, TellsOfRepliesThatComeAfterTheirDeadlineInOrder) {
  WorldLab lab;
  const auto ear = std::make_shared<Ear>(lab);
  lab.world.process(kA).start([&](Env& env) { return impatient(env, lab, ear); });
  lab.run();
  const std::string text = "maybe executed: no answer before the deadline";
  EXPECT_EQ(lab.log, (Log{text, text, "late 7: OK", "late 7: a"}));
}

TEST(World, TellsADeadProcessOfNoLateReplies) {
  WorldLab lab;
  const auto ear = std::make_shared<Ear>(lab);
  lab.world.process(kA).start([&](Env& env) { return impatient(env, lab, ear); });
  lab.at_time(200ms, [&] { lab.world.process(kA).crash(); });
  lab.run();
  EXPECT_EQ(lab.log.back(), "crashed");
  EXPECT_EQ(ear.use_count(), 1);  // nothing of the dead process keeps it
}

Task<void> pipelines(Env& env, WorldLab& lab) {
  const Endpoint endpoint{"n1"};
  const auto client = env.connect(endpoint, Role::commands);
  std::vector<Command> commands;
  for (int i = 1; i <= 3; ++i) commands.push_back({"INCR", "n"});
  const Instant deadline = env.now() + 1s;
  const auto results = co_await Pipeline(*client, commands, deadline, LateReply());
  for (const CallResult& result : results) lab.note(describe(result));
}

TEST(World, AnswersAPipelineInOrder) {
  WorldLab lab;
  lab.world.process(kA).start([&lab](Env& env) { return pipelines(env, lab); });
  lab.run();
  EXPECT_EQ(lab.log, (Log{"1", "2", "3"}));
}

Task<void> roles(Env& env, WorldLab& lab) {
  const Endpoint endpoint{"n1"};
  const auto one = env.connect(endpoint, Role::commands);
  const auto same = env.connect(endpoint, Role::commands);
  const auto other = env.connect(endpoint, Role::exclusive);
  const auto third = env.connect(endpoint, Role::exclusive);
  lab.note(one == same && one != other && other != third ? "as it should" : "wrong");
  EXPECT_EQ(other->generation(), 0U);
  Command ping{"PING"};
  const Instant deadline = env.now() + 1s;
  co_await Call(*other, ping, deadline);
  EXPECT_EQ(other->generation(), 1U);
  other->close();
  const CallResult result = co_await Call(*other, ping, deadline);
  lab.note(describe(result));
  const Instant past = env.now() - 1ns;
  const CallResult late = co_await Call(*one, ping, past);
  lab.note(describe(late));
}

TEST(World, SharesOneConnectionAndOpensExclusiveOnes) {
  WorldLab lab;
  lab.world.process(kA).start([&lab](Env& env) { return roles(env, lab); });
  lab.run();
  EXPECT_EQ(lab.log, (Log{"as it should", "not executed: connection closed",
                          "not executed: not sent: the deadline had passed"}));
}

// -- lanes

TEST(World, ACallOfAPausedLaneIsAnsweredWhenTheLaneGoesOn) {
  WorldLab lab;
  lab.start_both();
  lab.call_at(500ms, kA, "warm", "n1", kPing, 250ms);
  lab.call_at(1s, kA, "set", "n1", kSetA, 250ms);  // spawned in the caller's lane
  lab.at_time(1s + 20us, [&] { lab.world.process(kA).pause(Lane::caller); });
  lab.at_time(5s, [&] { lab.world.process(kA).resume(Lane::caller); });
  lab.run();
  EXPECT_EQ(lab.log, (Log{"warm: PONG", "paused", "resumed", "set: OK"}));
  EXPECT_EQ(lab.times.back(), 5s);
}

// -- runs

std::pair<std::uint64_t, Log> busy_run(WorldLab& lab) {
  lab.start_both();
  for (int i = 0; i < 5; ++i) {
    const std::string name = std::to_string(i);
    lab.call_at(1s + i * 100ms, kA, "A" + name, "n1", kSetA, 150ms);
    lab.call_at(1s + i * 100ms, kB, "B" + name, i % 2 == 0 ? "n1" : "n2", kSetB, 150ms);
  }
  lab.at_time(1150ms, [&] { lab.world.cut(kB, kN1, Direction::both, CutMode::hold); });
  lab.at_time(1200ms + 30us, [&] { lab.world.reset_connections(kA, kN1); });
  lab.at_time(1350ms, [&] { lab.world.heal(kB, kN1); });
  lab.run(10s);
  return {lab.world.kernel().fingerprint(), lab.log};
}

TEST(World, RepeatsARunExactlyInAFreshWorldAndInAUsedOne) {
  WorldLab used(99);
  busy_run(used);
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    WorldLab fresh(seed);
    const auto expected = busy_run(fresh);
    used.actions.clear();
    used.log.clear();
    used.world.reset(WorldLab::two_and_two(), seed);
    EXPECT_EQ(busy_run(used), expected);
  }
}

TEST(World, RunsDifferentlyWithAnotherSeed) {
  std::set<std::uint64_t> fingerprints;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    WorldLab lab(seed);
    fingerprints.insert(busy_run(lab).first);
  }
  EXPECT_EQ(fingerprints.size(), 20U);
}

TEST(World, TakesAnotherPlanAfterTheFirst) {
  WorldLab lab;
  busy_run(lab);
  WorldPlan one = WorldLab::two_and_two();
  one.nodes.resize(1);
  one.clients.resize(1);
  one.nodes[0].server.name = "stock";
  one.clients[0].actor = 7;
  lab.world.reset(one, 1);
  lab.actions.clear();
  lab.log.clear();
  lab.world.process(7).start(&WorldLab::idle);
  lab.call_at(1s, 7, "ping", "stock", kPing, 250ms);
  lab.run();
  EXPECT_EQ(lab.log, Log{"ping: PONG"});
}

TEST(World, StartsReplicasThatFollowTheirMaster) {
  WorldPlan plan = WorldLab::two_and_two();
  plan.nodes[1].replica_of = kN1;
  WorldLab lab(1, plan);
  lab.start_both();
  EXPECT_FALSE(lab.world.server(kN2).is_master());
  lab.call_at(1s, kA, "set", "n1", kSetA, 250ms);
  lab.run(2s);
  EXPECT_EQ(lab.log, Log{"set: OK"});
  EXPECT_TRUE(lab.holds(kN2, "k", "a"));
}

}  // namespace
}  // namespace holdfast::sim
