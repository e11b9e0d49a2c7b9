// A possible overlap of foreign clients' locks is reported when the servers lost one, and not for a
// clean hand-over.
#include <gtest/gtest.h>

#include "tests/serve/serve_fixture.h"

namespace holdfast::serve {
namespace {

using test::Client;

constexpr const char* kKey = "jobs/42";
constexpr const char* kTokenOfA = "a-0123456789abcdef";
constexpr const char* kTokenOfB = "b-0123456789abcdef";

std::string overlaps(LoopbackServer& server) {
  std::string text;
  for (const auto& line : server.possible_overlaps()) text += line + "\n";
  return text;
}

TEST(PossibleOverlap, IsReportedAfterAFailoverThatLostTheWrite) {
  LoopbackServer server(test::kMasterAndReplica);
  Client a(server.port());
  ASSERT_EQ(a.ask({"SET", "warm", "up"}), "OK");
  ASSERT_EQ(a.ask({"WAIT", "1", "5000"}), ":1");
  server.fault("hold n1r");
  ASSERT_EQ(a.acquire(kKey, kTokenOfA), "OK");
  server.fault("failover n1 n1r");
  Client b(server.port());
  ASSERT_EQ(b.acquire(kKey, kTokenOfB), "OK");
  const std::string text = overlaps(server);
  EXPECT_NE(text.find("possible overlap of jobs/42: client 1 was told"), std::string::npos) << text;
  EXPECT_NE(text.find("n1r did not have it when it was promoted"), std::string::npos) << text;
}

TEST(PossibleOverlap, IsNotReportedWhenTheReplicaHadTheLock) {
  LoopbackServer server(test::kMasterAndReplica);
  Client a(server.port());
  ASSERT_EQ(a.acquire(kKey, kTokenOfA), "OK");
  ASSERT_EQ(a.ask({"WAIT", "1", "5000"}), ":1");
  server.fault("failover n1 n1r");
  Client b(server.port());
  EXPECT_EQ(b.acquire(kKey, kTokenOfB), "(nil)");
  Client again(server.port());
  EXPECT_EQ(again.release(kKey, kTokenOfA), ":1");
  EXPECT_EQ(b.acquire(kKey, kTokenOfB), "OK");
  EXPECT_EQ(overlaps(server), "");
}

TEST(PossibleOverlap, IsNotReportedForCleanHandOvers) {
  LoopbackServer server;
  Client a(server.port());
  Client b(server.port());
  ASSERT_EQ(a.acquire(kKey, kTokenOfA), "OK");
  ASSERT_EQ(b.acquire(kKey, kTokenOfB), "(nil)");
  ASSERT_EQ(a.release(kKey, kTokenOfA), ":1");
  ASSERT_EQ(b.acquire(kKey, kTokenOfB), "OK");
  ASSERT_EQ(b.ask({"DEL", kKey}), ":1");
  ASSERT_EQ(a.acquire(kKey, kTokenOfA, "1000"), "OK");
  server.advance(std::chrono::milliseconds(1002));
  ASSERT_EQ(b.acquire(kKey, kTokenOfB), "OK");
  EXPECT_EQ(overlaps(server), "");
}

TEST(PossibleOverlap, IsReportedAfterAClockStep) {
  LoopbackServer server;
  Client a(server.port());
  Client b(server.port());
  ASSERT_EQ(a.acquire(kKey, kTokenOfA), "OK");
  server.fault("clock n1 +11s");
  ASSERT_EQ(b.acquire(kKey, kTokenOfB), "OK");
  const std::string text = overlaps(server);
  EXPECT_NE(text.find("its TTL was over by the clock of n1"), std::string::npos) << text;
}

TEST(PossibleOverlap, IsReportedWhenALateDelTookAnothersLock) {
  LoopbackServer server;
  Client a(server.port());
  Client b(server.port());
  Client c(server.port());
  ASSERT_EQ(a.acquire(kKey, kTokenOfA, "1000"), "OK");
  server.advance(std::chrono::milliseconds(1002));
  ASSERT_EQ(b.acquire(kKey, kTokenOfB), "OK");
  ASSERT_EQ(a.ask({"DEL", kKey}), ":1");
  ASSERT_EQ(c.acquire(kKey, "c-0123456789abcdef"), "OK");
  EXPECT_NE(overlaps(server).find("client 1 deleted the key"), std::string::npos);
}

TEST(PossibleOverlap, ARenewalInAScriptCounts) {
  LoopbackServer server;
  Client a(server.port());
  Client b(server.port());
  ASSERT_EQ(a.acquire(kKey, kTokenOfA, "1000"), "OK");
  ASSERT_EQ(a.ask({"EVAL",
                   "if redis.call('get',KEYS[1]) == ARGV[1] then return "
                   "redis.call('pexpire',KEYS[1],ARGV[2]) else return 0 end",
                   "1", kKey, kTokenOfA, "60000"}),
            ":1");
  server.advance(std::chrono::seconds(30));
  ASSERT_EQ(b.acquire(kKey, kTokenOfB), "(nil)");
  server.fault("flush n1");
  ASSERT_EQ(b.acquire(kKey, kTokenOfB), "OK");
  EXPECT_NE(overlaps(server).find("n1 was flushed"), std::string::npos);
}

TEST(PossibleOverlap, NobodyWhoWasNotToldHasALock) {
  LoopbackServer server;
  Client b(server.port());
  {
    test::TcpClient a(server.port());
    ASSERT_TRUE(a.answers("PING\r\n", "+PONG\r\n"));
    server.fault("drop-replies n1 1 reset");
    a.send("SET jobs/42 a-0123456789abcdef NX PX 10000\r\n");
    EXPECT_EQ(a.read_to_end(), "");
  }
  ASSERT_EQ(b.ask({"GET", kKey}), kTokenOfA);
  server.fault("evict n1 jobs/42");
  ASSERT_EQ(b.acquire(kKey, kTokenOfB), "OK");
  EXPECT_EQ(overlaps(server), "");
}

TEST(PossibleOverlap, WordsOfOurOwnVerdictsAreNotUsed) {
  LoopbackServer server;
  Client a(server.port());
  Client b(server.port());
  ASSERT_EQ(a.acquire(kKey, kTokenOfA), "OK");
  server.fault("flush n1");
  ASSERT_EQ(b.acquire(kKey, kTokenOfB), "OK");
  const std::string text = overlaps(server);
  ASSERT_NE(text, "");
  for (const char* word : {"violat", "promise", "section", "lied", "mutual"}) {
    EXPECT_EQ(text.find(word), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace holdfast::serve
