// What a real redis-server and a served node say to the same bytes.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/live/one_redis.h"
#include "tests/serve/serve_fixture.h"

namespace holdfast::serve {
namespace {

using test::TcpClient;

// Everything that is answered until the server closes.
std::string answers(std::uint16_t port, const std::string& bytes) {
  TcpClient client(port);
  client.send(bytes);
  client.finish_sending();
  return client.read_to_end();
}

TEST(RealProtocol, BothSayTheSameToTheSameBytes) {
  const live::test::Servers servers;
  const auto real = servers.start("n1");
  LoopbackServer served;
  const std::vector<std::string> rows{
      "PING\r\n",
      "PING\nPING\n",
      "\r\n\r\nPING\r\n",
      "ECHO \"a b\\x41\\n\"\r\nECHO 'it\\'s'\r\n",
      "ECHO \"a\"b\r\n",
      "ECHO 'a\r\n",
      "*0\r\n*-1\r\nPING\r\n",
      "*-5\r\nPING\r\n",
      "*x\r\n",
      "*2147483647\r\n",
      "*2147483648\r\n",
      "*99999999999999999999\r\n",
      "*01\r\n$4\r\nPING\r\n",
      "*1\r\n+PING\r\n",
      "*1\r\n\r\n\r\n",
      "*1\r\n$-1\r\n",
      "*1\r\n$x\r\n",
      "*1\r\n$536870913\r\n",
      "*1\r\n$4\r\nPINGxxPING\r\n",
      "*1\r\n$4\r\nPI",
      "*1\rx$4\rxPINGxx",
      std::string("GET \0a\r\n", 8),
      "PING\r\n*1\r\n+\r\nPING\r\n",
      "*1\r\n$0\r\n\r\n",
      "*2\r\n$3\r\nGET\r\n$0\r\n\r\n",
      "NOSUCH a b\r\n",
      std::string(70'000, 'a'),
      "*" + std::string(70'000, '1'),
      "*1\r\n$" + std::string(70'000, '1'),
      "QUIT\r\nPING\r\n",
  };
  for (const auto& bytes : rows) {
    const std::string expected = answers(real->port(), bytes);
    EXPECT_EQ(answers(served.port(), bytes), expected)
        << testing::PrintToString(bytes.substr(0, 80));
  }
}

}  // namespace
}  // namespace holdfast::serve
