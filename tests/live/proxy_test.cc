// Each fault of a link, between a plain connection and a real server.
#include "scenarios/live/proxy.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "scenarios/live/command_connection.h"
#include "tests/live/one_redis.h"

namespace holdfast::live {
namespace {

using namespace std::chrono_literals;

constexpr Duration kPatience = 10s;
constexpr Duration kShort = 100ms;

struct LinkedServer {
  test::Servers servers;
  std::unique_ptr<RedisProcess> redis = servers.start("n1");
  Proxy proxy;
  ProxyLink& link = proxy.open("A-n1", redis->port(), Carries::commands);
  CommandConnection client{"127.0.0.1", link.port()};

  std::optional<Reply> ask(const Command& command, Duration patience = kPatience) {
    return client.try_ask(command, patience);
  }
  Reply at_server(const Command& command) { return redis->ask(command); }
  // The fault has struck when the server has done this much.
  bool server_shows(const Command& command, const Reply& wanted) {
    const Instant end = host_now() + kPatience;
    while (host_now() < end) {
      if (at_server(command) == wanted) return true;
    }
    return false;
  }
};

TEST(Proxy, PassesRequestsAndRepliesOnAndCountsThem) {
  LinkedServer lab;
  const std::string large(1 << 20, 'x');
  EXPECT_TRUE(lab.ask({"SET", "k", large})->is_ok());
  EXPECT_EQ(lab.ask({"GET", "k"}), Reply::bulk(large));
  const LinkCounters counters = lab.link.counters();
  EXPECT_EQ(counters.to_server.messages, 2u);
  EXPECT_EQ(counters.to_client.messages, 2u);
  EXPECT_GT(counters.to_server.bytes, large.size());
  EXPECT_EQ(counters.connections, 1u);
  EXPECT_EQ(counters.open, 1u);
  EXPECT_EQ(lab.link.source_ports().size(), 1u);
}

TEST(Proxy, AHeldRequestIsExecutedAfterTheReleaseNotBefore) {
  LinkedServer lab;
  ASSERT_TRUE(lab.ask({"PING"}));
  lab.link.hold(Direction::to_server);
  EXPECT_EQ(lab.ask({"SET", "k", "late"}, kShort), std::nullopt);
  EXPECT_TRUE(lab.at_server({"GET", "k"}).is_nil());
  const LinkCounters held = lab.link.counters();
  EXPECT_EQ(held.to_server.held, 1u);
  EXPECT_EQ(held.to_server.kept, 1u);
  EXPECT_GT(held.to_server.kept_bytes, 0u);
  lab.link.release(Direction::to_server);
  EXPECT_TRUE(lab.server_shows({"GET", "k"}, Reply::bulk("late")))
      << "the client has gone, but its request was on its way (FID-X1, X3)";
  EXPECT_EQ(lab.link.counters().to_server.kept, 0u);
}

TEST(Proxy, AHeldReplyMeansExecutedButNotTold) {
  LinkedServer lab;
  ASSERT_TRUE(lab.ask({"PING"}));
  lab.link.hold(Direction::to_client);
  EXPECT_EQ(lab.ask({"SET", "k", "v"}, kShort), std::nullopt);
  EXPECT_EQ(lab.at_server({"GET", "k"}), Reply::bulk("v"));
  EXPECT_EQ(lab.link.counters().to_client.held, 1u);
  lab.link.release(Direction::both);
  EXPECT_EQ(lab.ask({"GET", "k"}), Reply::bulk("v"));
}

TEST(Proxy, AHoldHidesTheEndOfTheServerToo) {
  LinkedServer lab;
  ASSERT_TRUE(lab.ask({"PING"}));
  lab.link.hold(Direction::both);
  lab.redis->kill_hard();
  EXPECT_EQ(lab.ask({"PING"}, kShort), std::nullopt);
  EXPECT_EQ(lab.client.problem(), "Resource temporarily unavailable") << "not: closed";
}

TEST(Proxy, RefuseResetsWhatIsConnectedAndRefusesTheNext) {
  LinkedServer lab;
  ASSERT_TRUE(lab.ask({"PING"}));
  const Proof proof = lab.link.refuse();
  EXPECT_NE(proof.seen.find("1 connections reset"), std::string::npos) << proof.seen;
  EXPECT_EQ(lab.ask({"PING"}), std::nullopt);
  EXPECT_EQ(lab.client.problem(), "Connection reset by peer");
  EXPECT_EQ(lab.ask({"PING"}), std::nullopt);
  EXPECT_EQ(lab.client.problem(), "Connection refused");
  lab.link.accept();
  EXPECT_TRUE(lab.ask({"PING"}));
}

TEST(Proxy, ResetAfterExecutionLosesTheReplyOnly) {
  LinkedServer lab;
  ASSERT_TRUE(lab.ask({"PING"}));
  lab.link.drop_replies(1, true);
  EXPECT_EQ(lab.ask({"SET", "k", "v"}), std::nullopt);
  EXPECT_EQ(lab.client.problem(), "Connection reset by peer");
  EXPECT_EQ(lab.at_server({"GET", "k"}), Reply::bulk("v"));
  EXPECT_EQ(lab.link.counters().dropped, 1u);
  EXPECT_EQ(lab.link.counters().resets, 1u);
  EXPECT_EQ(lab.ask({"GET", "k"}), Reply::bulk("v")) << "the next connection is whole";
}

TEST(Proxy, ADroppedReplyIsNeverToldAndTheNextConnectionIsWhole) {
  LinkedServer lab;
  ASSERT_TRUE(lab.ask({"PING"}));
  lab.link.drop_replies(1, false);
  EXPECT_EQ(lab.ask({"SET", "k", "v"}, kShort), std::nullopt);
  EXPECT_EQ(lab.at_server({"GET", "k"}), Reply::bulk("v"));
  EXPECT_EQ(lab.link.counters().dropped, 1u);
  EXPECT_EQ(lab.ask({"GET", "k"}), Reply::bulk("v"));
}

TEST(Proxy, ResetClosesAndTheClientMayComeBack) {
  LinkedServer lab;
  ASSERT_TRUE(lab.ask({"PING"}));
  lab.link.reset();
  EXPECT_EQ(lab.link.counters().open, 0u);
  EXPECT_EQ(lab.ask({"PING"}), std::nullopt);
  EXPECT_TRUE(lab.ask({"PING"}));
  EXPECT_EQ(lab.link.counters().connections, 2u);
}

TEST(Proxy, ADelayMakesARoundTripLongerInItsDirection) {
  LinkedServer lab;
  ASSERT_TRUE(lab.ask({"PING"}));
  lab.link.delay(Direction::to_server, 60ms);
  lab.link.delay(Direction::to_client, 40ms);
  const Instant begin = host_now();
  ASSERT_TRUE(lab.ask({"PING"}));
  EXPECT_GE(host_now() - begin, 100ms);
  lab.link.delay(Direction::both, Duration::zero());
  ASSERT_TRUE(lab.ask({"PING"}));
  EXPECT_EQ(lab.link.counters().to_client.messages, 3u);
}

TEST(Proxy, RetargetLeadsToTheOtherServer) {
  LinkedServer lab;
  const auto other = lab.servers.start("n2");
  ASSERT_TRUE(lab.ask({"SET", "k", "first"}));
  ASSERT_TRUE(other->ask({"SET", "k", "second"}).is_ok());
  lab.link.retarget(other->port());
  EXPECT_EQ(lab.ask({"GET", "k"}), std::nullopt) << "the old connection is reset";
  EXPECT_EQ(lab.ask({"GET", "k"}), Reply::bulk("second"));
}

TEST(Proxy, ADeadTargetIsRefusedAndComesBackOnTheSamePort) {
  LinkedServer lab;
  ASSERT_TRUE(lab.ask({"PING"}));
  lab.redis->kill_hard();
  const Instant end = host_now() + kPatience;
  do {
    EXPECT_EQ(lab.ask({"PING"}), std::nullopt);
  } while (lab.client.problem() != "Connection refused" && host_now() < end);
  EXPECT_EQ(lab.client.problem(), "Connection refused");
  lab.redis->restart(scenario::Persistence::none, std::nullopt);
  std::optional<Reply> pong;
  while (!pong && host_now() < end) pong = lab.ask({"PING"});
  EXPECT_TRUE(pong);
}

// The catalogue's sixth scenario in small: the loss that every asynchronous replica allows.
TEST(Proxy, AHeldReplicationLinkLosesTheLockWhenTheMasterDies) {
  test::Servers servers;
  const auto master = servers.start("n1");
  Proxy proxy;
  ProxyLink& link = proxy.open("n1r-n1", master->port(), Carries::replication);
  RedisOptions options = servers.options("n1r");
  options.replica_of = MasterAddress{"127.0.0.1", link.port()};
  const auto replica = servers.start(options);
  ASSERT_TRUE(master->ask({"SET", "before", "x"}).is_ok());
  master->wait_for_replicas(1, kPatience);

  link.hold(Direction::to_client);
  ASSERT_TRUE(master->ask({"SET", "lock", "A", "NX", "PX", "30000"}).is_ok());
  const Instant end = host_now() + kPatience;
  while (link.counters().to_client.kept_bytes == 0 && host_now() < end) {
  }
  EXPECT_GT(link.counters().to_client.kept_bytes, 0u);
  EXPECT_GT(master->replication_offset(), replica->replication_offset());
  master->kill_hard();
  link.refuse();
  replica->promote();
  EXPECT_EQ(replica->ask({"GET", "before"}), Reply::bulk("x"));
  EXPECT_TRUE(replica->ask({"GET", "lock"}).is_nil());
}

TEST(Proxy, AnUndisturbedReplicationLinkKeepsTheLock) {
  test::Servers servers;
  const auto master = servers.start("n1");
  Proxy proxy;
  ProxyLink& link = proxy.open("n1r-n1", master->port(), Carries::replication);
  RedisOptions options = servers.options("n1r");
  options.replica_of = MasterAddress{"127.0.0.1", link.port()};
  const auto replica = servers.start(options);
  ASSERT_TRUE(master->ask({"SET", "lock", "A", "NX", "PX", "30000"}).is_ok());
  master->wait_for_replicas(1, kPatience);
  master->kill_hard();
  replica->promote();
  EXPECT_EQ(replica->ask({"GET", "lock"}), Reply::bulk("A"));
}

TEST(Proxy, EndsWithOpenAndHeldConnections) {
  LinkedServer lab;
  ASSERT_TRUE(lab.ask({"PING"}));
  lab.link.hold(Direction::both);
  EXPECT_EQ(lab.ask({"PING"}, kShort), std::nullopt);
}

}  // namespace
}  // namespace holdfast::live
