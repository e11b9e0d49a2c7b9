// Failover in a Redis Cluster, by its nodes alone and by hand (FID-K1 to K5).
#include <algorithm>

#include "tests/sim/cluster_lab.h"

namespace holdfast::sim {
namespace {

constexpr std::size_t kRuns = 6;

struct Range {
  std::int64_t least, most;
  bool has(std::int64_t value, std::int64_t wider) const {
    return value >= least - wider && value <= most + wider;
  }
};

Duration some_time(std::uint64_t seed) { return seconds(8) + milliseconds(137) * seed; }

// FID-K1, measured in three to five runs each. When the last pong came before the crash moves it
// all by up to half a node timeout.
TEST(ClusterFailover, HappensWhenItWasMeasuredTo) {
  struct Row {
    int node_timeout;
    Range fails, writable;  // milliseconds after the master was killed
    std::int64_t wider;
  };
  constexpr Row kTable[] = {{1000, {1361, 1597}, {2069, 2691}, 300},
                            {2000, {2780, 3206}, {3635, 4320}, 300},
                            {5000, {6897, 7282}, {7621, 8134}, 700}};
  for (const Row& row : kTable) {
    std::size_t fits = 0;
    for (std::uint64_t seed = 1; seed <= kRuns; ++seed) {
      ClusterLab lab({.node_timeout = milliseconds(row.node_timeout), .seed = seed});
      lab.run_to(some_time(seed));
      ASSERT_TRUE(lab.takes_writes(1));
      lab.server(1).crash(CrashKind::kill);
      const std::int64_t fails = lab.ms_until([&] { return !lab.is_ok(2); });
      const std::int64_t writable = fails + lab.ms_until([&] { return lab.takes_writes(4); });
      const bool is_near = row.fails.has(fails, row.wider) && row.writable.has(writable, row.wider);
      fits += is_near ? 1U : 0U;
      EXPECT_GE(fails, row.node_timeout);
      EXPECT_LE(fails, 2 * row.node_timeout);
      EXPECT_GE(writable, fails + 500);
      EXPECT_LE(writable, fails + 1500);
      lab.run_for(seconds(2));
      EXPECT_TRUE(lab.is_ok(2)) << "and the cluster stands again";
      EXPECT_EQ(lab.write(2), "-MOVED 3300 n4:6379");
    }
    EXPECT_GE(fits, kRuns - 2) << row.node_timeout;
  }
}

TEST(ClusterFailover, StopsTheWholeClusterUntilItIsOver) {
  ClusterLab lab;
  lab.run_to(seconds(8));
  lab.server(1).crash(CrashKind::kill);
  ASSERT_GT(lab.ms_until([&] { return !lab.is_ok(2); }), 0);
  EXPECT_EQ(lab.ask(2, {"SET", "c", "x"}), "-CLUSTERDOWN The cluster is down") << "its own slot";
}

TEST(ClusterFailover, ServesTheOtherSlotsWithoutFullCoverage) {
  ClusterLab lab;
  lab.run_to(seconds(8));
  lab.ask(2, {"CONFIG", "SET", "cluster-require-full-coverage", "no"});
  lab.server(1).crash(CrashKind::kill);
  lab.run_for(milliseconds(1800));
  EXPECT_FALSE(lab.is_ok(3));
  EXPECT_EQ(lab.ask(2, {"SET", "c", "x"}), "+OK");
}

TEST(ClusterFailover, NeedsAMajorityOfTheMasters) {
  ClusterLab lab;
  lab.run_to(seconds(8));
  lab.server(1).crash(CrashKind::kill);
  lab.server(2).crash(CrashKind::kill);
  lab.run_for(seconds(30));
  EXPECT_FALSE(lab.server(4).is_master());
  EXPECT_FALSE(lab.server(5).is_master());
  EXPECT_EQ(lab.ask(3, {"SET", "a", "x"}), "-CLUSTERDOWN The cluster is down");
}

TEST(ClusterFailover, NeedsAReplica) {
  ClusterLab lab({.replicas = 0});
  lab.run_to(seconds(8));
  lab.server(1).crash(CrashKind::kill);
  lab.run_for(seconds(30));
  EXPECT_EQ(lab.ask(2, {"SET", "c", "x"}), "-CLUSTERDOWN The cluster is down");
}

TEST(ClusterFailover, IsWonByTheReplicaThatHasMore) {
  for (std::uint64_t seed = 1; seed <= kRuns; ++seed) {
    ClusterLab lab({.masters = 3, .replicas = 6, .seed = seed});
    lab.run_to(some_time(seed));
    lab.server(4).hold_stream(true);  // n4 and n7 are n1's
    for (int i = 0; i < 10; ++i) lab.write(1);
    lab.run_for(seconds(2));
    lab.server(1).crash(CrashKind::kill);
    EXPECT_GE(lab.ms_until([&] { return lab.server(4).is_master() || lab.server(7).is_master(); }),
              0);
    EXPECT_TRUE(lab.server(7).is_master()) << seed;
    lab.run_for(seconds(3));
    EXPECT_EQ(lab.server(4).master(), &lab.server(7)) << "its sibling follows it";
  }
}

TEST(ClusterFailover, IsNotTriedByAReplicaWithOldData) {
  ClusterLab lab;
  lab.run_to(seconds(8));
  lab.server(4).cut_stream(true);
  lab.run_for(seconds(25));  // more than 10 s + 10 node timeouts, and one
  lab.server(1).crash(CrashKind::kill);
  lab.run_for(seconds(30));
  EXPECT_FALSE(lab.server(4).is_master());
  EXPECT_FALSE(lab.is_ok(2));
}

// FID-K3. That it stops in time follows from the node timeout only while half of it is shorter than
// the delay of an election; with longer ones it is a matter of how the pings fell.
TEST(IsolatedMaster, StopsBeforeItsReplicaTakesOver) {
  struct Row {
    int node_timeout;
    std::int64_t stops, taken_over;
  };
  constexpr Row kTable[] = {{1000, 1452, 2186}, {2000, 3032, 4054}, {5000, 5949, 6487}};
  for (const Row& row : kTable) {
    std::size_t too_late = 0;
    for (std::uint64_t seed = 1; seed <= kRuns; ++seed) {
      ClusterLab lab({.node_timeout = milliseconds(row.node_timeout), .seed = seed});
      lab.run_to(some_time(seed));
      lab.isolate(1, true);
      const std::int64_t stops = lab.ms_until([&] { return !lab.takes_writes(1); });
      EXPECT_EQ(lab.write(1), "-CLUSTERDOWN The cluster is down");
      too_late += lab.server(4).is_master() ? 1U : 0U;
      const std::int64_t taken_over = stops + lab.ms_until([&] { return lab.takes_writes(4); });
      EXPECT_GE(stops, row.node_timeout);
      EXPECT_LE(stops, row.node_timeout * 3 / 2 + 200);
      EXPECT_LE(std::abs(taken_over - row.taken_over), row.node_timeout * 3 / 4 + 300);
      lab.isolate(1, false);
      EXPECT_EQ(lab.write(1), "-CLUSTERDOWN The cluster is down");
      const std::int64_t moved =
          lab.ms_until([&] { return lab.write(1) == "-MOVED 3300 n4:6379"; });
      EXPECT_GE(moved, 0);
      EXPECT_LE(moved, 1500);
      lab.run_for(seconds(2));
      EXPECT_EQ(lab.server(1).master(), &lab.server(4)) << "it is a replica now";
    }
    EXPECT_LE(too_late, row.node_timeout == 1000 ? 0U : 2U) << row.node_timeout;
  }
}

TEST(IsolatedMaster, GoesOnWhenTheCutWasShort) {
  ClusterLab lab;
  lab.run_to(seconds(8));
  lab.isolate(1, true);
  lab.run_for(milliseconds(800));
  lab.isolate(1, false);
  lab.run_for(seconds(10));
  EXPECT_TRUE(lab.takes_writes(1));
  EXPECT_FALSE(lab.server(4).is_master());
}

// FID-K4: what waited in its buffers is executed before it learns anything.
TEST(FrozenMaster, AnswersWhatWaitedAndThenSendsClientsAway) {
  for (std::uint64_t seed = 1; seed <= kRuns; ++seed) {
    ClusterLab lab({.seed = seed});
    lab.run_to(some_time(seed));
    lab.server(1).pause();
    EXPECT_EQ(lab.write(1), "none");
    ASSERT_GT(lab.ms_until([&] { return lab.takes_writes(4); }), 0);
    lab.run_for(seconds(2));
    const int before = lab.answers;
    lab.server(1).resume();
    EXPECT_EQ(lab.answers, before + 1);
    EXPECT_EQ(lab.answer, "+OK") << "a zombie's grant";
    const std::int64_t moved = lab.ms_until([&] { return lab.write(1) == "-MOVED 3300 n4:6379"; });
    EXPECT_GE(moved, 0);
    EXPECT_LE(moved, 120);
  }
}

TEST(RestartedMaster, WaitsTwoSecondsBeforeItServes) {
  ClusterLab lab({.node_timeout = seconds(5)});
  lab.run_to(seconds(8));
  lab.server(1).restart(Persistence::none);
  EXPECT_EQ(lab.write(1), "-CLUSTERDOWN The cluster is down");
  const std::int64_t serves = lab.ms_until([&] { return lab.takes_writes(1); });
  EXPECT_GE(serves, 1900);
  EXPECT_LE(serves, 2300);
}

TEST(RestartedMaster, BecomesAReplicaWhenItWasReplaced) {
  ClusterLab lab;
  lab.run_to(seconds(8));
  lab.server(1).crash(CrashKind::kill);
  ASSERT_GT(lab.ms_until([&] { return lab.takes_writes(4); }), 0);
  lab.run_for(seconds(2));
  lab.server(1).restart(Persistence::none);
  while (lab.server(1).is_master()) {
    ASSERT_NE(lab.write(1), "+OK");
    lab.run_for(milliseconds(1));
    ASSERT_LT(lab.now(), seconds(60));
  }
  EXPECT_EQ(lab.server(1).master(), &lab.server(4));
}

// FID-K5: no write is lost, and the stall is short: 51 ms.
TEST(ClusterFailoverByHand, LosesNothing) {
  std::int64_t stalls = 0;
  for (std::uint64_t seed = 1; seed <= kRuns; ++seed) {
    ClusterLab lab({.seed = seed});
    lab.run_to(some_time(seed));
    EXPECT_EQ(lab.ask(4, {"CLUSTER", "FAILOVER"}), "+OK");
    int acknowledged = 0;
    const std::int64_t stalls_after = lab.ms_until(
        [&] {
          const bool taken = lab.takes_writes(1);
          if (taken) acknowledged = lab.written;
          return !taken;
        },
        milliseconds(1));
    const std::int64_t stall =
        lab.ms_until([&] { return lab.server(4).is_master(); }, milliseconds(1));
    EXPECT_LE(stalls_after, 10);
    EXPECT_LE(stall, 220) << seed;
    stalls += stall;
    EXPECT_EQ(lab.ask(4, {"GET", ClusterLab::kKey}), std::to_string(acknowledged));
    lab.run_for(milliseconds(50));
    EXPECT_EQ(lab.write(1), "-MOVED 3300 n4:6379");
  }
  EXPECT_GE(stalls, 10 * static_cast<std::int64_t>(kRuns));
}

TEST(ClusterFailoverByHand, ForceAsksTheMastersButNotItsOwn) {
  ClusterLab lab;
  lab.run_to(seconds(8));
  lab.server(4).hold_stream(true);
  ASSERT_TRUE(lab.takes_writes(1));
  EXPECT_EQ(lab.ask(4, {"CLUSTER", "FAILOVER", "FORCE"}), "+OK");
  const std::int64_t stops = lab.ms_until([&] { return !lab.takes_writes(1); });
  EXPECT_GE(stops, 1);
  EXPECT_LE(stops, 250) << "and was acknowledging all the time";
  EXPECT_TRUE(lab.server(4).is_master());
  EXPECT_EQ(lab.ask(4, {"GET", ClusterLab::kKey}), "nil") << "what it acknowledged is lost";
}

TEST(ClusterFailoverByHand, ForceNeedsTheMajority) {
  ClusterLab lab;
  lab.run_to(seconds(8));
  lab.server(2).crash(CrashKind::kill);
  lab.server(3).crash(CrashKind::kill);
  EXPECT_EQ(lab.ask(4, {"CLUSTER", "FAILOVER", "FORCE"}), "+OK");
  lab.run_for(seconds(10));
  EXPECT_FALSE(lab.server(4).is_master());
  EXPECT_EQ(lab.ask(4, {"CLUSTER", "FAILOVER", "TAKEOVER"}), "+OK");
  EXPECT_TRUE(lab.server(4).is_master()) << "nobody is asked";
}

TEST(ClusterFailoverByHand, IsForReplicas) {
  ClusterLab lab;
  lab.run_to(seconds(8));
  EXPECT_EQ(lab.ask(1, {"CLUSTER", "FAILOVER"}),
            "-ERR You should send CLUSTER FAILOVER to a replica");
  EXPECT_EQ(lab.ask(4, {"CLUSTER", "FAILOVER", "SOON"}), "-ERR syntax error");
  lab.server(1).crash(CrashKind::kill);
  lab.run_for(milliseconds(200));
  EXPECT_EQ(lab.ask(4, {"CLUSTER", "FAILOVER"}),
            "-ERR Master is down or failed, please use CLUSTER FAILOVER FORCE");
}

TEST(ClusterClocks, AJumpOfOneNodesClockMakesNobodyAMaster) {
  ClusterLab lab;
  lab.run_to(seconds(8));
  lab.server(2).step_wall(seconds(10));
  lab.run_for(seconds(10));
  for (int node = 4; node <= 6; ++node) EXPECT_FALSE(lab.server(node).is_master());
  EXPECT_TRUE(lab.takes_writes(1));
}

TEST(ClusterRuns, AreAFunctionOfTheSeed) {
  const auto fingerprint = [](std::uint64_t seed) {
    ClusterLab lab({.seed = seed});
    lab.run_to(seconds(5));
    lab.server(1).crash(CrashKind::kill);
    lab.run_for(seconds(10));
    return lab.kernel.fingerprint();
  };
  EXPECT_EQ(fingerprint(3), fingerprint(3));
  EXPECT_NE(fingerprint(3), fingerprint(4));
}

}  // namespace
}  // namespace holdfast::sim
