// Old masters that come back, partitions, stopped and bent sentinels (FID-T7 to T9, T12, T13, T16).
#include <gtest/gtest.h>

#include "tests/sim/sentinel_lab.h"

namespace holdfast::sim {
namespace {

bool has_new_master(SentinelLab& lab) {
  return lab.server("n2").is_master() || lab.server("n3").is_master();
}

// Writes there every millisecond for `time`; how long it went on taking them.
Duration takes_writes_for(SentinelLab& lab, const std::string& node, Duration time) {
  const Duration start = lab.now();
  Duration last{};
  while (lab.now() - start < time) {
    if (lab.write(node) == "+OK") last = lab.now() - start;
    lab.run_for(milliseconds(1));
  }
  return last;
}

TEST(SentinelZombie, AThawedMasterTakesWritesForTenSecondsAndLosesThem) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    SentinelLab lab({.seed = seed});
    lab.run_to(seconds(20));
    const SessionId waiting = lab.server("n1").open_session(0);
    lab.server("n1").pause();
    lab.server("n1").receive(waiting, Command{"SET", "waited", "1"});
    lab.run_for(seconds(6));
    EXPECT_TRUE(has_new_master(lab));
    lab.server("n1").resume();
    EXPECT_TRUE(lab.server("n1").holds("waited", "1"));
    const Duration time = takes_writes_for(lab, "n1", seconds(12));
    EXPECT_GE(time, milliseconds(9990)) << seed;
    EXPECT_LE(time, milliseconds(10'250)) << seed;
    EXPECT_EQ(lab.write("n1").substr(0, 9), "-READONLY");
    EXPECT_TRUE(lab.saw("+convert-to-slave"));
    lab.run_for(seconds(2));
    EXPECT_EQ(lab.server("n1").keys(), 0U);
  }
}

TEST(SentinelZombie, AMasterRestartedAfterTheFailoverTakesWritesForTenSeconds) {
  SentinelLab lab;
  lab.run_to(seconds(20));
  lab.server("n1").crash(CrashKind::kill);
  lab.run_for(seconds(8));
  lab.server("n1").restart(Persistence::none);
  EXPECT_TRUE(lab.server("n1").is_master());
  const Duration time = takes_writes_for(lab, "n1", seconds(13));
  // Until its sentinels have connected again, and the ten seconds after that.
  EXPECT_GE(time, seconds(10));
  EXPECT_LE(time, milliseconds(11'300));
  EXPECT_FALSE(lab.server("n1").is_master());
}

// Negative control: without sentinels it stays a master for ever.
TEST(SentinelZombie, NobodyCorrectsItWithoutSentinels) {
  SentinelLab lab;
  lab.run_to(seconds(20));
  lab.server("n1").crash(CrashKind::kill);
  lab.run_for(seconds(8));
  lab.each_sentinel([&](const auto& each) { lab.server(each).crash(CrashKind::kill); });
  lab.server("n1").restart(Persistence::none);
  lab.run_for(seconds(40));
  EXPECT_TRUE(lab.server("n1").is_master());
}

// FID-T9, without min-replicas: two masters take writes at once.
TEST(SentinelZombie, APartitionedMasterTakesWritesAllTheTimeAndTwelveSecondsMore) {
  SentinelLab lab;
  lab.run_to(seconds(20));
  const Duration begin = lab.now();
  lab.each_sentinel([&](const auto& each) { lab.cut(each, "n1"); });
  for (const char* replica : {"n2", "n3"}) lab.server(replica).hold_stream(true);
  ASSERT_TRUE(lab.run_until([&] { return has_new_master(lab); }, seconds(4)));
  EXPECT_GE(lab.now() - begin, milliseconds(1200));
  EXPECT_LE(lab.now() - begin, milliseconds(2600));
  EXPECT_EQ(lab.write("n1"), "+OK");
  EXPECT_EQ(lab.write(lab.server("n2").is_master() ? "n2" : "n3"), "+OK");
  lab.run_to(begin + seconds(12));
  EXPECT_EQ(lab.write("n1"), "+OK");
  lab.each_sentinel([&](const auto& each) { lab.heal(each, "n1"); });
  for (const char* replica : {"n2", "n3"}) lab.server(replica).hold_stream(false);
  const Duration time = takes_writes_for(lab, "n1", seconds(16));
  EXPECT_GE(time, seconds(8));
  EXPECT_LE(time, seconds(14));
  EXPECT_FALSE(lab.server("n1").is_master());
}

// FID-T12.
TEST(SentinelTilt, BeginsWithAJumpOrAStopAndLastsThirtySeconds) {
  enum class Cause { forward, back, stop };
  for (const Cause cause : {Cause::forward, Cause::back, Cause::stop}) {
    SentinelLab lab;
    lab.run_to(seconds(20));
    const Duration begin = lab.now();
    if (cause == Cause::forward) lab.server("s1").step_wall(seconds(5));
    if (cause == Cause::back) lab.server("s1").step_wall(-seconds(1));
    if (cause == Cause::stop) {
      lab.server("s1").pause();
      lab.run_for(seconds(3));
      lab.server("s1").resume();
    }
    lab.run_to(begin + seconds(40));
    ASSERT_EQ(lab.of("+tilt").size(), 1U);
    ASSERT_EQ(lab.of("-tilt").size(), 1U);
    EXPECT_EQ(lab.of("+tilt")[0].text, "#tilt mode entered");
    const Duration lasted = lab.first("-tilt") - lab.first("+tilt");
    EXPECT_GE(lasted, milliseconds(29'990));
    EXPECT_LE(lasted, milliseconds(30'150));
  }
}

TEST(SentinelTilt, DoesNotBeginWithASmallJump) {
  SentinelLab lab;
  lab.run_to(seconds(20));
  lab.server("s1").step_wall(milliseconds(1800));
  lab.run_for(seconds(5));
  EXPECT_FALSE(lab.saw("+tilt"));
}

TEST(SentinelTilt, OfOneOfThreeDelaysNothingAndItAdoptsTheOthersConfiguration) {
  SentinelLab lab;
  lab.run_to(seconds(20));
  lab.server("s1").step_wall(seconds(5));
  lab.run_for(seconds(2));
  const Duration death = lab.now();
  lab.server("n1").crash(CrashKind::kill);
  ASSERT_TRUE(lab.run_until([&] { return has_new_master(lab); }, seconds(9)));
  EXPECT_LE(lab.now() - death, milliseconds(2000));
  lab.run_for(seconds(5));
  EXPECT_TRUE(lab.saw("+switch-master", "s1"));
  EXPECT_FALSE(lab.saw("+sdown", "s1"));
}

// FID-T13: the replicas' links are down for longer than any of them may.
TEST(SentinelTilt, OfAllLeavesTheClusterWithoutAMaster) {
  SentinelLab lab({.failover_timeout = seconds(10)});
  lab.run_to(seconds(20));
  lab.each_sentinel([&](const auto& each) { lab.server(each).step_wall(seconds(5)); });
  lab.run_for(seconds(1));
  const Duration death = lab.now();
  lab.server("n1").crash(CrashKind::kill);
  lab.run_for(seconds(80));
  const auto aborts = lab.of("-failover-abort-no-good-slave");
  ASSERT_GE(aborts.size(), 2U);
  EXPECT_GE(aborts[0].at - death, seconds(29));
  EXPECT_LE(aborts[0].at - death, seconds(33));
  EXPECT_FALSE(has_new_master(lab));
}

// FID-T16.
TEST(SentinelZombie, ClientPauseOfAReplicaMakesItLookDownUntilItEnds) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    SentinelLab lab({.seed = seed});
    lab.run_to(seconds(20));
    const Duration begin = lab.now();
    EXPECT_EQ(lab.ask("n2", Command{"CLIENT", "PAUSE", "6000", "WRITE"}), "+OK");
    lab.run_for(seconds(10));
    ASSERT_TRUE(lab.saw("+sdown"));
    // Its PINGs queue behind the next hello.
    EXPECT_GE(lab.first("+sdown") - begin, milliseconds(1000));
    EXPECT_LE(lab.first("+sdown") - begin, milliseconds(4200));
    EXPECT_GE(lab.first("-sdown") - begin, seconds(6));
    EXPECT_LE(lab.first("-sdown") - begin, milliseconds(6200));
    EXPECT_EQ(lab.of("+odown").size(), 0U);
  }
}

TEST(SentinelZombie, ClientPauseOfTheMasterLeadsToAFailover) {
  SentinelLab lab;
  lab.run_to(seconds(20));
  const Duration begin = lab.now();
  EXPECT_EQ(lab.ask("n1", Command{"CLIENT", "PAUSE", "4000", "WRITE"}), "+OK");
  EXPECT_EQ(lab.write("n1"), "none");
  ASSERT_TRUE(lab.run_until([&] { return has_new_master(lab); }, milliseconds(4500)));
  lab.run_to(begin + milliseconds(4010));
  EXPECT_TRUE(lab.server("n1").is_master());
  EXPECT_TRUE(lab.server("n1").holds("k", "1"));  // held, then run on a zombie
}

TEST(Sentinels, FindEachOtherAndTheReplicasByThemselves) {
  SentinelLab lab({.know_each_other = false});
  lab.run_to(seconds(5));
  EXPECT_EQ(lab.of("+slave", "s1").size(), 2U);
  EXPECT_EQ(lab.of("+sentinel", "s1").size(), 2U);
  EXPECT_EQ(lab.ask("s1", Command{"SENTINEL", "CKQUORUM", "mymaster"}),
            "+OK 3 usable Sentinels. Quorum and failover authorization can be reached");
  lab.server("n1").crash(CrashKind::kill);
  lab.run_for(seconds(8));
  EXPECT_TRUE(has_new_master(lab));
}

TEST(Sentinels, RememberAfterARestartWhoIsMaster) {
  SentinelLab lab;
  lab.run_to(seconds(20));
  lab.server("n1").crash(CrashKind::kill);
  lab.run_for(seconds(8));
  const std::string now = lab.server("n2").is_master() ? "[n2 6379]" : "[n3 6379]";
  lab.server("s1").crash(CrashKind::kill);
  lab.run_for(seconds(1));
  lab.server("s1").restart(Persistence::none);
  lab.run_for(seconds(5));
  EXPECT_EQ(lab.ask("s1", Command{"SENTINEL", "GET-MASTER-ADDR-BY-NAME", "mymaster"}), now);
  EXPECT_EQ(lab.ask("s1", Command{"SENTINEL", "CKQUORUM", "mymaster"}).substr(0, 5), "+OK 3");
}

TEST(Sentinels, AnswerTheirClients) {
  SentinelLab lab;
  lab.run_to(seconds(3));
  const auto ask = [&](Command command) { return lab.ask("s1", std::move(command)); };
  EXPECT_EQ(ask(Command{"PING"}), "+PONG");
  EXPECT_EQ(ask(Command{"ROLE"}), "[sentinel [mymaster]]");
  EXPECT_EQ(ask(Command{"CLIENT", "SETNAME", "me"}), "+OK");
  EXPECT_EQ(ask(Command{"SENTINEL", "MYID"}), SentinelLab::id_of(lab.sentinel(1)));
  EXPECT_EQ(ask(Command{"SENTINEL", "MASTER", "mymaster"}).substr(0, 30),
            "[name mymaster ip n1 port 6379");
  EXPECT_EQ(ask(Command{"SENTINEL", "MASTER", "x"}), "-ERR No such master with that name");
  EXPECT_EQ(ask(Command{"GET", "k"}).substr(0, 27), "-ERR unknown command 'GET',");
  EXPECT_EQ(ask(Command{"SENTINEL", "NONE"}), "-ERR unknown subcommand 'NONE'. Try SENTINEL HELP.");
  EXPECT_EQ(ask(Command{"PUBLISH", "news", "x"}),
            "-ERR Only HELLO messages are accepted by Sentinel instances.");
  EXPECT_EQ(ask(Command{"SENTINEL", "IS-MASTER-DOWN-BY-ADDR", "n1", "6379", "0", "*"}),
            "[:0 * :0]");
  EXPECT_NE(ask(Command{"INFO"})
                .find("master0:name=mymaster,status=ok,address=n1:6379,slaves=2,"
                      "sentinels=3"),
            std::string::npos);
  EXPECT_NE(ask(Command{"SENTINEL", "REPLICAS", "mymaster"}).find("name n2:6379"),
            std::string::npos);
  // A server is no sentinel.
  EXPECT_EQ(lab.ask("n1", Command{"SENTINEL", "MASTERS"}).substr(0, 31),
            "-ERR unknown command 'SENTINEL'");
}

}  // namespace
}  // namespace holdfast::sim
