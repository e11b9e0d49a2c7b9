// Connections to a served node: pipelines, limits, many of them, clients that vanish.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "scenarios/serve/front.h"
#include "tests/serve/serve_fixture.h"

namespace holdfast::serve {
namespace {

using test::Client;
using test::TcpClient;

TEST(ServedConnection, AnswersAPipelineInOrder) {
  LoopbackServer server;
  std::string requests, answers;
  for (int i = 1; i <= 2'000; ++i) {
    requests += "*2\r\n$4\r\nINCR\r\n$1\r\na\r\n";
    answers += ":" + std::to_string(i) + "\r\n";
  }
  EXPECT_TRUE(TcpClient(server.port()).answers(requests, answers));
}

TEST(ServedConnection, TakesRequestsByteByByte) {
  LoopbackServer server;
  TcpClient client(server.port());
  for (const char byte : std::string("*1\r\n$4\r\nPING\r\n")) client.send({&byte, 1});
  EXPECT_EQ(client.read(7), "+PONG\r\n");
}

TEST(ServedConnection, QuitsAfterWhatCameBefore) {
  LoopbackServer server;
  TcpClient client(server.port());
  client.send("SET a 1\r\nQUIT\r\nSET a 2\r\n");
  EXPECT_EQ(client.read_to_end(), "+OK\r\n+OK\r\n");
  EXPECT_TRUE(TcpClient(server.port()).answers("GET a\r\n", "$1\r\n1\r\n"));
}

TEST(ServedConnection, ExecutesWhatCameBeforeTheClientsEnd) {
  LoopbackServer server;
  {
    TcpClient client(server.port());
    client.send("INCR a\r\nINCR a\r\nINCR");
    client.finish_sending();
    EXPECT_EQ(client.read_to_end(), ":1\r\n:2\r\n");
  }
  EXPECT_TRUE(TcpClient(server.port()).answers("GET a\r\n", "$1\r\n2\r\n"));
}

TEST(ServedConnection, AClientThatReadsNothingStopsOnlyItself) {
  LoopbackServer server;
  Client other(server.port());
  ASSERT_EQ(other.ask({"SET", "big", std::string(1 << 20, 'x')}), "OK");
  TcpClient silent(server.port());
  std::string requests;
  constexpr int kMany = 200;  // of a megabyte each
  for (int i = 0; i < kMany; ++i) requests += "GET big\r\n";
  silent.send(requests + "SET last 1\r\n");
  EXPECT_EQ(other.ask({"GET", "last"}), "(nil)");  // back-pressure: not executed yet
  const std::string head = "$1048576\r\n";
  for (int i = 0; i < kMany; ++i) {
    ASSERT_EQ(silent.read(head.size()), head) << i;
    ASSERT_EQ(silent.read((1 << 20) + 2).size(), (1U << 20) + 2);
  }
  EXPECT_EQ(silent.read(5), "+OK\r\n");
  EXPECT_EQ(other.ask({"GET", "last"}), "1");
}

TEST(ServedConnection, TwoThousandClientsAreServed) {
  LoopbackServer server;
  ASSERT_GT(raise_open_files(), 4'200U) << "this test needs both ends of 2,000 connections";
  std::vector<std::unique_ptr<TcpClient>> clients;
  for (int i = 0; i < 2'000; ++i) {
    clients.push_back(std::make_unique<TcpClient>(server.port()));
    ASSERT_TRUE(clients.back()->connected()) << i;
  }
  for (auto& client : clients) client->send("INCR a\r\n");
  for (auto& client : clients) EXPECT_EQ(client->read(1), ":");
  EXPECT_NE(server.fault("status").find("2000 connections"), std::string::npos);
  clients.clear();
  EXPECT_TRUE(TcpClient(server.port()).answers("GET a\r\n", "$4\r\n2000\r\n"));
  while (server.fault("status").find(" 0 connections") == std::string::npos) {
  }
}

TEST(ServedConnection, ResetConnectionsAreForgotten) {
  LoopbackServer server;
  for (int i = 0; i < 100; ++i) {
    TcpClient client(server.port());
    client.send("*1\r\n$100\r\nhalf");
  }
  EXPECT_TRUE(TcpClient(server.port()).answers("PING\r\n", "+PONG\r\n"));
  while (server.fault("status").find(" 0 connections") == std::string::npos) {
  }
}

}  // namespace
}  // namespace holdfast::serve
