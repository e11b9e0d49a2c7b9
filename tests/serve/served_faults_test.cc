// Faults of served nodes as their clients see them.
#include <gtest/gtest.h>

#include <stdexcept>

#include "tests/serve/serve_fixture.h"

namespace holdfast::serve {
namespace {

using test::Client;
using test::TcpClient;

std::string refusal(LoopbackServer& server, const std::string& words) {
  try {
    server.fault(words);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "done";
}

TEST(ServedFault, APausedNodeAcceptsConnectionsAndAnswersNothing) {
  LoopbackServer server;
  TcpClient before(server.port());
  ASSERT_TRUE(before.answers("SET a 1\r\n", "+OK\r\n"));
  server.fault("pause n1");
  TcpClient during(server.port());
  EXPECT_TRUE(during.connected());
  during.send("GET a\r\n");
  before.send("SET a 2\r\n");
  server.fault("status");  // some turns of the loop
  server.fault("status");
  EXPECT_FALSE(during.has_answer());
  EXPECT_FALSE(before.has_answer());
  server.fault("resume n1");
  EXPECT_EQ(before.read(5), "+OK\r\n");
  EXPECT_EQ(during.read(4), "$1\r\n");
}

TEST(ServedFault, APauseEndsByItself) {
  LoopbackServer server;
  server.fault("pause n1 10m");
  TcpClient client(server.port());
  client.send("PING\r\n");
  server.advance(std::chrono::minutes(10));
  EXPECT_EQ(client.read(7), "+PONG\r\n");
}

TEST(ServedFault, ACrashedNodeRefusesAndARestartedOneIsEmpty) {
  LoopbackServer server;
  TcpClient client(server.port());
  ASSERT_TRUE(client.answers("SET a 1\r\n", "+OK\r\n"));
  server.fault("crash n1");
  EXPECT_EQ(client.read(1), "");
  EXPECT_EQ(TcpClient(server.port()).error(), ECONNREFUSED);
  EXPECT_NE(refusal(server, "crash n1").find("n1 does not run"), std::string::npos);
  server.fault("restart n1");
  EXPECT_TRUE(TcpClient(server.port()).answers("GET a\r\n", "$-1\r\n"));
}

TEST(ServedFault, ShutdownIsTheEndOfTheProcess) {
  LoopbackServer server;
  TcpClient client(server.port());
  client.send("SHUTDOWN NOSAVE\r\n");
  EXPECT_EQ(client.read_to_end(), "");
  EXPECT_EQ(TcpClient(server.port()).error(), ECONNREFUSED);
}

TEST(ServedFault, AClockStepEndsAKey) {
  LoopbackServer server;
  Client client(server.port());
  ASSERT_EQ(client.ask({"SET", "a", "1", "PX", "10000"}), "OK");
  server.fault("clock n1 +9s");
  EXPECT_EQ(client.ask({"GET", "a"}), "1");
  server.fault("clock n1 +1001ms");
  EXPECT_EQ(client.ask({"GET", "a"}), "(nil)");
}

TEST(ServedFault, ARateAndAFrozenClockChangeHowLongAKeyLives) {
  LoopbackServer server;
  Client client(server.port());
  server.fault("rate n1 2");
  ASSERT_EQ(client.ask({"SET", "a", "1", "PX", "20000"}), "OK");
  server.advance(std::chrono::milliseconds(10'001));
  EXPECT_EQ(client.ask({"GET", "a"}), "(nil)");
  server.fault("freeze-clock n1");
  ASSERT_EQ(client.ask({"SET", "a", "1", "PX", "1000"}), "OK");
  server.advance(std::chrono::hours(1));
  EXPECT_EQ(client.ask({"GET", "a"}), "1");
}

TEST(ServedFault, AFailoverLeadsTheAddressToTheReplica) {
  LoopbackServer server(test::kMasterAndReplica);
  TcpClient old(server.port());
  ASSERT_TRUE(old.answers("SET a 1\r\n", "+OK\r\n"));
  ASSERT_TRUE(old.answers("WAIT 1 5000\r\n", ":1\r\n"));
  server.fault("failover n1");
  EXPECT_EQ(old.read_to_end(), "");
  Client client(server.port());
  EXPECT_EQ(client.ask({"GET", "a"}), "1");
  EXPECT_EQ(client.ask({"SET", "a", "2"}), "OK");
  const std::string status = server.fault("status");
  EXPECT_NE(status.find("(leads to n1r)"), std::string::npos) << status;
  EXPECT_NE(status.find("replica of n1r"), std::string::npos) << status;
  server.fault("failover n1r n1");
  EXPECT_EQ(server.fault("status").find("leads to"), std::string::npos);
}

TEST(ServedSentinel, NamesTheMasterByItsPortAndFailsOver) {
  LoopbackServer server(R"({ "holdfast": 1, "name": "watched", "shows": "a master with sentinels",
    "servers": { "n1": { "sentinels": 3, "down_after": "1s" }, "n1r": { "replica_of": "n1" } },
    "lock": { "algorithm": "single", "nodes": ["n1"], "ttl": "10s" },
    "clients": { "A": [ { "acquire": "jobs/42" }, { "release": "jobs/42" } ] } })");
  const auto address_of = [&](std::string_view node) {
    const std::string port = std::to_string(server.port(node));
    return "*2\r\n$9\r\n127.0.0.1\r\n$" + std::to_string(port.size()) + "\r\n" + port + "\r\n";
  };
  const std::string question = "SENTINEL GET-MASTER-ADDR-BY-NAME n1\r\n";
  server.advance(std::chrono::seconds(3));
  for (const char* sentinel : {"s1", "s2", "s3"}) {
    EXPECT_TRUE(TcpClient(server.port(sentinel)).answers(question, address_of("n1"))) << sentinel;
  }
  server.fault("crash n1");
  server.advance(std::chrono::seconds(8));
  for (const char* sentinel : {"s1", "s2", "s3"}) {
    EXPECT_TRUE(TcpClient(server.port(sentinel)).answers(question, address_of("n1r"))) << sentinel;
  }
  EXPECT_EQ(Client(server.port("n1r")).ask({"SET", "a", "1"}), "OK");
}

constexpr std::string_view kCluster = R"({ "holdfast": 1, "name": "cluster",
  "shows": "three masters, and a replica of the first",
  "servers": { "n1": {}, "n2": {}, "n3": {}, "n1r": { "replica_of": "n1" } },
  "cluster": { "node_timeout": "1s" },
  "lock": { "algorithm": "single", "nodes": ["n1"], "ttl": "10s" },
  "clients": { "A": [ { "acquire": "jobs/42" }, { "release": "jobs/42" } ] } })";

TEST(ServedFault, ARedisClusterFailsOverAndSendsClientsToItsPorts) {
  LoopbackServer server(kCluster);
  Client client(server.port("n1"));
  const std::string moved = "127.0.0.1:" + std::to_string(server.port("n2"));
  EXPECT_EQ(client.ask({"SET", "c", "1"}), "-MOVED 7365 " + moved);
  ASSERT_EQ(client.ask({"SET", "b", "1"}), "OK");
  ASSERT_EQ(client.ask({"WAIT", "1", "5000"}), ":1");
  server.fault("crash n1");
  server.advance(std::chrono::seconds(5));
  Client successor(server.port("n1r"));
  EXPECT_EQ(successor.ask({"GET", "b"}), "1");
  EXPECT_EQ(successor.ask({"SET", "b", "2"}), "OK");
  EXPECT_EQ(successor.ask({"CLUSTER", "SLOTS"}), "(3 elements)");
}

TEST(ServedFault, ACutReplicationLinkKeepsWritesFromTheReplica) {
  LoopbackServer server(test::kMasterAndReplica);
  Client client(server.port());
  ASSERT_EQ(client.ask({"SET", "a", "1"}), "OK");
  ASSERT_EQ(client.ask({"WAIT", "1", "5000"}), ":1");
  server.fault("cut n1 -> n1r");
  ASSERT_EQ(client.ask({"SET", "a", "2"}), "OK");
  EXPECT_EQ(client.ask({"WAIT", "1", "1"}), ":0");
  server.fault("heal n1 n1r");
  EXPECT_EQ(client.ask({"WAIT", "1", "20000"}), ":1");
}

TEST(ServedFault, ACutHoldsBackAndAHealDelivers) {
  LoopbackServer server;
  TcpClient client(server.port());
  ASSERT_TRUE(client.answers("PING\r\n", "+PONG\r\n"));
  server.fault("cut n1 to-client");
  client.send("SET a 1\r\n");
  while (server.fault("status").find("1 keys") == std::string::npos) {
  }
  EXPECT_FALSE(client.has_answer());
  server.fault("heal n1");
  EXPECT_EQ(client.read(5), "+OK\r\n");
}

TEST(ServedFault, ARefusedAddressResetsItsClients) {
  LoopbackServer server;
  TcpClient client(server.port());
  ASSERT_TRUE(client.answers("PING\r\n", "+PONG\r\n"));
  server.fault("refuse n1 10m");
  EXPECT_EQ(client.read(1), "");
  EXPECT_EQ(client.error(), ECONNRESET);
  EXPECT_EQ(TcpClient(server.port()).error(), ECONNREFUSED);
  server.advance(std::chrono::minutes(10));
  EXPECT_TRUE(TcpClient(server.port()).answers("PING\r\n", "+PONG\r\n"));
}

TEST(ServedFault, DroppedRepliesAreExecuted) {
  LoopbackServer server;
  TcpClient client(server.port());
  ASSERT_TRUE(client.answers("PING\r\n", "+PONG\r\n"));
  server.fault("drop-replies n1 2 reset");
  client.send("INCR a\r\n");
  TcpClient other(server.port());
  other.send("INCR a\r\n");
  EXPECT_EQ(other.read_to_end(), "");
  EXPECT_TRUE(TcpClient(server.port()).answers("GET a\r\n", "$1\r\n2\r\n"));
  EXPECT_FALSE(client.has_answer());
}

TEST(ServedFault, ADelayHoldsRequestsAndAnswersForSoLong) {
  LoopbackServer server;
  TcpClient client(server.port());
  ASSERT_TRUE(client.answers("PING\r\n", "+PONG\r\n"));
  server.fault("delay n1 10m");
  client.send("SET a 1\r\nGET a\r\n");
  while (server.fault("status").find("1 keys") == std::string::npos) {
    server.advance(std::chrono::seconds(30));
  }
  EXPECT_FALSE(client.has_answer());
  server.advance(std::chrono::minutes(20));
  EXPECT_EQ(client.read(12), "+OK\r\n$1\r\n1\r\n");
  server.fault("delay n1 0");
  EXPECT_TRUE(client.answers("PING\r\n", "+PONG\r\n"));
}

TEST(ServedFault, AnInjectedErrorIsTheAnswerUntilItEnds) {
  LoopbackServer server;
  Client client(server.port());
  server.fault("error n1 \"OOM command not allowed\" writes");
  EXPECT_EQ(client.ask({"SET", "a", "1"}), "-OOM command not allowed");
  EXPECT_EQ(client.ask({"GET", "a"}), "(nil)");
  server.fault("error n1 \"\"");
  EXPECT_EQ(client.ask({"SET", "a", "1"}), "OK");
}

TEST(ServedFault, TheScenariosTimelineIsStruck) {
  LoopbackServer server(R"({ "holdfast": 1, "name": "timeline", "shows": "a crash at 100 s",
    "servers": { "n1": {} },
    "lock": { "algorithm": "single", "nodes": ["n1"], "ttl": "10s" },
    "clients": { "A": [ { "acquire": "jobs/42" } ] },
    "faults": [ { "crash": "n1", "at": "100s" },
                { "pause": "A", "at": "1s", "for": "1s" } ] })");
  EXPECT_TRUE(TcpClient(server.port()).answers("PING\r\n", "+PONG\r\n"));
  server.advance(std::chrono::seconds(100));
  EXPECT_EQ(TcpClient(server.port()).error(), ECONNREFUSED);
  EXPECT_NE(refusal(server, "strike F2").find("client A"), std::string::npos);
  EXPECT_NE(refusal(server, "strike F3").find("F1 to F2"), std::string::npos);
}

TEST(ServedFault, WordsThatAreNoFaultAreRefusedWithTheReason) {
  LoopbackServer server(test::kMasterAndReplica);
  const std::vector<std::pair<std::string, std::string>> rows{
      {"puase n1", "did you mean \"pause\"?"},
      {"pause", "expected a node"},
      {"pause n2", "'n2' is no node; the nodes are n1, n1r"},
      {"pause n1 5", "expected a number and a unit"},
      {"pause n1 0s", "expected a duration above zero"},
      {"pause n1 5s 5s", "unexpected '5s'"},
      {"rate n1 fast", "expected a factor"},
      {"rate n1 0", "expected a factor"},
      {"drop-replies n1 x", "expected a whole number"},
      {"restart n1 persistence disk", "expected one of"},
      {"hold n1", "is a master"},
      {"resume n1", "n1 is not paused"},
      {"evict n1 nothing", "has no key"},
      {"failover n1r n1r", "no replica"},
      {"replicaof n1 n1", "does not replicate itself"},
      {"advance -3s", "time does not go back"},
  };
  for (const auto& [words, why] : rows) {
    EXPECT_NE(refusal(server, words).find(why), std::string::npos)
        << words << " -> " << refusal(server, words);
  }
  EXPECT_EQ(refusal(server, "status"), "done");
}

}  // namespace
}  // namespace holdfast::serve
