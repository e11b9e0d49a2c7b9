// The instants of a failover by Sentinel (FID-T1 to T6, T10, T14).
#include <gtest/gtest.h>

#include "tests/sim/sentinel_lab.h"

namespace holdfast::sim {
namespace {

std::int64_t ms(Duration time) { return time / milliseconds(1); }

// Milliseconds after the master's death.
struct Instants {
  std::int64_t down, elected, writable, promoted, first_switch, last_switch;
};

bool has_new_master(SentinelLab& lab) {
  return lab.server("n2").is_master() || lab.server("n3").is_master();
}

Instants crash_master(Duration down_after, std::uint64_t seed) {
  SentinelLab lab({.down_after = down_after, .seed = seed});
  lab.run_to(seconds(20) + milliseconds(137) * seed);
  const Duration death = lab.now();
  lab.server("n1").crash(CrashKind::kill);
  EXPECT_TRUE(lab.run_until([&] { return has_new_master(lab); }, seconds(20)));
  const std::int64_t writable = ms(lab.now() - death);
  lab.run_for(seconds(8));
  EXPECT_GE(lab.of("+switch-master").size(), 3U);
  const auto after = [&](Duration time) { return ms(time - death); };
  return {after(lab.first("+sdown")),
          after(lab.first("+elected-leader")),
          writable,
          after(lab.first("+promoted-slave")),
          after(lab.first("+switch-master")),
          after(lab.of("+switch-master").back().at)};
}

// FID-T5. Seldom a hello is late or a sentinel falls into the pause between two attempts to
// connect, as in Redis: such a run is out of line by a second.
struct Row {
  int down_after;
  Instants least, most;  // as measured
};
constexpr Row kTable[] = {
    {500, {521, 677, 841, 1666, 1735, 2755}, {579, 817, 1275, 1792, 1874, 2914}},
    {1000, {1018, 1175, 1326, 2164, 2227, 3270}, {1063, 1260, 1413, 2244, 2356, 3394}},
    {5000, {5054, 5221, 5391, 6186, 6243, 7326}, {5107, 5299, 5459, 6266, 6333, 7378}},
};

TEST(SentinelFailover, FollowsTheMeasuredTable) {
  constexpr std::int64_t kWider = 150;
  constexpr std::size_t kRuns = 9;
  for (const Row& row : kTable) {
    std::vector<Instants> runs;
    for (std::uint64_t seed = 1; seed <= kRuns; ++seed) {
      runs.push_back(crash_master(milliseconds(row.down_after), seed));
    }
    for (const auto field :
         {&Instants::down, &Instants::elected, &Instants::writable, &Instants::promoted,
          &Instants::first_switch, &Instants::last_switch}) {
      const auto is_in = [&](const Instants& run) {
        return run.*field >= row.least.*field - kWider && run.*field <= row.most.*field + kWider;
      };
      EXPECT_GE(std::count_if(runs.begin(), runs.end(), is_in), kRuns - 1)
          << row.down_after << " " << row.least.*field;
    }
  }
}

TEST(SentinelFailover, IsToldByTheFollowersFirstAndByTheLeaderLast) {
  SentinelLab lab;
  lab.run_to(seconds(20));
  lab.server("n1").crash(CrashKind::kill);
  lab.run_for(seconds(8));
  const std::string leader = lab.of("+promoted-slave").at(0).sentinel;
  const auto switches = lab.of("+switch-master");
  ASSERT_EQ(switches.size(), 3U);
  EXPECT_NE(switches[0].sentinel, leader);
  EXPECT_NE(switches[1].sentinel, leader);
  EXPECT_EQ(switches[2].sentinel, leader);
  EXPECT_EQ(lab.of("+config-update-from").size(), 2U);
  EXPECT_EQ(lab.of("+failover-end").size(), 1U);
  EXPECT_LE(lab.first("+failover-end"), switches[2].at);
  const std::string now = lab.server("n2").is_master() ? "n2" : "n3";
  for (const auto& one : switches) EXPECT_EQ(one.text, "mymaster n1 6379 " + now + " 6379");
}

// FID-T6.
TEST(SentinelFailover, TheLeaderNamesTheNewMasterOnceItIsPromotedTheOthersWithTheirSwitch) {
  SentinelLab lab;
  lab.run_to(seconds(20));
  lab.server("n1").crash(CrashKind::kill);
  const auto named_by = [&](const std::string& sentinel) {
    return lab.ask(sentinel, Command{"SENTINEL", "GET-MASTER-ADDR-BY-NAME", "mymaster"});
  };
  ASSERT_TRUE(lab.run_until([&] { return has_new_master(lab); }, seconds(9)));
  lab.each_sentinel([&](const auto& each) { EXPECT_EQ(named_by(each), "[n1 6379]"); });
  const std::string now = lab.server("n2").is_master() ? "[n2 6379]" : "[n3 6379]";
  ASSERT_TRUE(lab.run_until([&] { return lab.saw("+promoted-slave"); }, seconds(9)));
  EXPECT_EQ(named_by(lab.of("+promoted-slave").at(0).sentinel), now);
  lab.each_sentinel([&](const auto& each) {
    ASSERT_TRUE(lab.run_until([&] { return lab.saw("+switch-master", each); }, seconds(9)));
    EXPECT_EQ(named_by(each), now);
  });
  EXPECT_EQ(lab.ask("s1", Command{"SENTINEL", "get-master-addr-by-name", "other"}), "nil*");
}

TEST(SentinelFailover, LeadsTheOtherReplicaToTheNewMaster) {
  SentinelLab lab;
  lab.run_to(seconds(20));
  lab.write("n1");
  lab.run_for(milliseconds(50));
  lab.server("n1").crash(CrashKind::kill);
  lab.run_for(seconds(8));
  const bool second = lab.server("n2").is_master();
  RedisServer& master = lab.server(second ? "n2" : "n3");
  RedisServer& replica = lab.server(second ? "n3" : "n2");
  EXPECT_EQ(replica.master(), &master);
  EXPECT_TRUE(replica.follows());
  EXPECT_TRUE(replica.holds("k", "1"));
  EXPECT_EQ(lab.of("+slave-reconf-done").size(), 1U);
}

// FID-T14, and the negative controls.
TEST(SentinelFailover, DoesNotHappenWithoutAMajority) {
  SentinelLab lab({.failover_timeout = seconds(4)});
  lab.run_to(seconds(20));
  lab.server("s2").crash(CrashKind::kill);
  lab.server("s3").crash(CrashKind::kill);
  lab.server("n1").crash(CrashKind::kill);
  lab.run_for(seconds(30));
  EXPECT_TRUE(lab.saw("+sdown", "s1"));
  EXPECT_FALSE(lab.saw("+odown"));
  EXPECT_FALSE(has_new_master(lab));
}

TEST(SentinelFailover, WithQuorumOneAloneIsTriedAndNotElected) {
  SentinelLab lab({.quorum = 1, .failover_timeout = seconds(4)});
  lab.run_to(seconds(20));
  lab.server("s2").crash(CrashKind::kill);
  lab.server("s3").crash(CrashKind::kill);
  lab.server("n1").crash(CrashKind::kill);
  lab.run_for(seconds(16));
  const auto tries = lab.of("+try-failover");
  const auto aborts = lab.of("-failover-abort-not-elected");
  ASSERT_EQ(tries.size(), 2U);
  ASSERT_GE(aborts.size(), 1U);
  // After the timeout, and up to a second of desynchronisation.
  const Duration lasted = aborts[0].at - tries[0].at;
  EXPECT_GE(lasted, seconds(4));
  EXPECT_LE(lasted, milliseconds(5200));
  const Duration again = tries[1].at - tries[0].at;
  EXPECT_GE(again, seconds(8));
  EXPECT_LE(again, milliseconds(9200));
  EXPECT_FALSE(has_new_master(lab));
}

TEST(SentinelFailover, NothingHappensWhileTheMasterIsThere) {
  SentinelLab lab;
  lab.run_to(seconds(60));
  EXPECT_FALSE(lab.saw("+sdown"));
  EXPECT_FALSE(lab.saw("+tilt"));
  EXPECT_FALSE(lab.saw("+new-epoch"));
}

// FID-T15.
TEST(SentinelFailover, ARestartWithinDownAfterIsNotNoticed) {
  SentinelLab lab({.down_after = seconds(2)});
  lab.run_to(seconds(20));
  lab.write("n1");
  lab.run_for(milliseconds(50));
  lab.server("n1").crash(CrashKind::kill);
  lab.run_for(milliseconds(74));
  lab.server("n1").restart(Persistence::none);
  lab.run_for(seconds(15));
  EXPECT_FALSE(lab.saw("+sdown"));
  EXPECT_FALSE(lab.saw("+try-failover"));
  for (const char* node : {"n1", "n2", "n3"}) EXPECT_EQ(lab.server(node).keys(), 0U) << node;
}

// FID-T2.
TEST(SentinelFailover, TakesTheReplicaThatIsMostUpToDate) {
  for (const char* behind : {"n2", "n3"}) {
    SentinelLab lab;
    lab.run_to(seconds(20));
    lab.server(behind).hold_stream(true);
    lab.write("n1");
    lab.run_for(milliseconds(50));
    lab.server("n1").crash(CrashKind::kill);
    ASSERT_TRUE(lab.run_until([&] { return has_new_master(lab); }, seconds(9)));
    EXPECT_FALSE(lab.server(behind).is_master()) << behind;
  }
}

TEST(SentinelFailover, PriorityCountsMoreThanTheOffsetAndZeroMeansNever) {
  for (const char* priority : {"10", "0"}) {
    SentinelLab lab;
    EXPECT_EQ(lab.ask("n2", Command{"CONFIG", "SET", "replica-priority", priority}), "+OK");
    lab.run_to(seconds(20));
    lab.server(priority[0] == '0' ? "n3" : "n2").hold_stream(true);
    lab.write("n1");
    lab.run_for(milliseconds(50));
    lab.server("n1").crash(CrashKind::kill);
    ASSERT_TRUE(lab.run_until([&] { return has_new_master(lab); }, seconds(9)));
    EXPECT_EQ(lab.server("n2").is_master(), priority[0] != '0');
  }
}

TEST(SentinelFailover, AReplicaThatIsDownIsNoCandidate) {
  SentinelLab lab({.replicas = 1, .failover_timeout = seconds(5)});
  lab.run_to(seconds(20));
  lab.server("n2").pause();
  lab.run_for(seconds(3));
  lab.server("n1").crash(CrashKind::kill);
  lab.run_for(seconds(6));
  EXPECT_TRUE(lab.saw("-failover-abort-no-good-slave"));
  EXPECT_FALSE(lab.server("n2").is_master());
}

// FID-T10: the old master goes on until the sentinels see in its next INFO that it is none.
TEST(SentinelFailover, OnRequestLosesWhatTheOldMasterTakesForTenSeconds) {
  SentinelLab lab;
  lab.run_to(seconds(20));
  const Duration asked = lab.now();
  EXPECT_EQ(lab.ask("s2", Command{"SENTINEL", "FAILOVER", "mymaster"}), "+OK");
  EXPECT_EQ(lab.ask("s2", Command{"SENTINEL", "FAILOVER", "mymaster"}),
            "-INPROG Failover already in progress");
  ASSERT_TRUE(lab.run_until([&] { return has_new_master(lab); }, seconds(5)));
  Duration last{};
  for (int i = 0; i < 20'000; ++i) {
    lab.run_for(milliseconds(1));
    if (lab.write("n1") == "+OK") last = lab.now();
  }
  EXPECT_GE(last - asked, milliseconds(10'500));
  EXPECT_LE(last - asked, milliseconds(12'800));
  EXPECT_FALSE(lab.server("n1").is_master());
  EXPECT_EQ(lab.server("n1").keys(), 0U);
}

// FID-T11.
TEST(ManualFailover, HoldsWritesForAMomentAndLosesNone) {
  SentinelLab lab({.sentinels = 0});
  lab.run_to(milliseconds(20'300));
  EXPECT_EQ(lab.write("n1"), "+OK");
  EXPECT_EQ(lab.ask("n1", Command{"FAILOVER"}), "+OK");
  EXPECT_EQ(lab.ask("n1", Command{"FAILOVER"}), "-ERR FAILOVER already in progress.");
  EXPECT_EQ(lab.write("n1"), "none");
  const Duration begin = lab.now();
  ASSERT_TRUE(lab.run_until([&] { return lab.answer != "none"; }, seconds(3)));
  EXPECT_EQ(lab.answer.substr(0, 9), "-READONLY");
  EXPECT_LE(lab.now() - begin, milliseconds(1100));
  ASSERT_TRUE(has_new_master(lab));
  RedisServer& master = lab.server(lab.server("n2").is_master() ? "n2" : "n3");
  EXPECT_TRUE(master.holds("k", "1"));
  lab.run_for(seconds(1));
  EXPECT_EQ(lab.server("n1").master(), &master);
  EXPECT_TRUE(lab.server("n1").holds("k", "1"));
}

TEST(ManualFailover, WaitsForTheReplicaUntilItsTimeoutOrForcesIt) {
  for (const bool force : {false, true}) {
    SentinelLab lab({.replicas = 1, .sentinels = 0});
    lab.run_to(seconds(20));
    lab.server("n2").hold_stream(true);
    lab.write("n1");
    Command command{"FAILOVER", "TO", "n2", "6379"};
    if (force) command.add("FORCE");
    command.add("TIMEOUT").add("500");
    EXPECT_EQ(lab.ask("n1", command), "+OK");
    EXPECT_EQ(lab.write("n1"), "none");
    lab.run_for(milliseconds(490));
    EXPECT_EQ(lab.answer, "none");
    lab.run_for(milliseconds(20));
    EXPECT_EQ(lab.answer.substr(0, 3), force ? "-RE" : "+OK");
    EXPECT_EQ(lab.server("n2").is_master(), force);
    EXPECT_EQ(lab.server("n1").is_master(), !force);
  }
}

TEST(ManualFailover, IsRefusedWhereItMakesNoSense) {
  SentinelLab lab({.replicas = 1, .sentinels = 0});
  lab.run_to(seconds(20));
  const auto failover = [&](const std::string& node, Command command) {
    return lab.ask(node, std::move(command));
  };
  EXPECT_EQ(failover("n1", Command{"FAILOVER", "ABORT"}), "-ERR No failover in progress.");
  EXPECT_EQ(failover("n2", Command{"FAILOVER"}),
            "-ERR FAILOVER is not valid when server is a replica.");
  EXPECT_EQ(failover("n1", Command{"FAILOVER", "TO", "n9", "1"}),
            "-ERR FAILOVER target HOST and PORT is not a replica.");
  EXPECT_EQ(failover("n1", Command{"FAILOVER", "TIMEOUT", "0"}),
            "-ERR FAILOVER timeout must be greater than 0");
  EXPECT_EQ(failover("n1", Command{"FAILOVER", "NOW"}), "-ERR syntax error");
}

TEST(ReplicaOf, ChangesTheRoleByCommand) {
  SentinelLab lab({.sentinels = 0});
  lab.run_to(seconds(20));
  EXPECT_EQ(lab.ask("n2", Command{"REPLICAOF", "NO", "ONE"}), "+OK");
  EXPECT_TRUE(lab.server("n2").is_master());
  EXPECT_EQ(lab.ask("n2", Command{"SLAVEOF", "n1", "6379"}), "+OK");
  EXPECT_EQ(lab.server("n2").master(), &lab.server("n1"));
  EXPECT_EQ(lab.ask("n2", Command{"REPLICAOF", "n1", "6379"}),
            "+OK Already connected to specified master");
  EXPECT_EQ(lab.ask("n2", Command{"REPLICAOF", "n1", "x"}), "-ERR Invalid master port");
}

}  // namespace
}  // namespace holdfast::sim
