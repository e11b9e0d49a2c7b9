// Where messages end, whatever the pieces in which they come.
#include "scenarios/live/resp_scanner.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace holdfast::live {
namespace {

const std::vector<std::string> kMessages = {
    "+OK\r\n",
    "-ERR no\r\n",
    ":-12\r\n",
    "$-1\r\n",
    "$0\r\n\r\n",
    "$5\r\na\r\nb*\r\n",
    "*-1\r\n",
    "*0\r\n",
    "PING\r\n",
    "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$2\r\n\r\n\r\n",
    "*2\r\n*2\r\n:1\r\n$1\r\nx\r\n*1\r\n*0\r\n",
    "%1\r\n+a\r\n*1\r\n_\r\n",
};

TEST(RespScanner, FindsTheEndOfEveryKindOfMessage) {
  for (const std::string& message : kMessages) {
    RespScanner scanner;
    EXPECT_EQ(scanner.scan(message + "+next\r\n"), message.size()) << message;
  }
}

TEST(RespScanner, APrefixIsIncompleteAndGoesOnWhereItStopped) {
  for (const std::string& message : kMessages) {
    RespScanner scanner;
    for (std::size_t length = 0; length < message.size(); ++length) {
      ASSERT_EQ(scanner.scan(message.substr(0, length)), 0u) << message << " cut at " << length;
    }
    EXPECT_EQ(scanner.scan(message), message.size()) << message;
  }
}

TEST(RespScanner, MessagesBehindEachOtherAreFoundOneByOne) {
  RespScanner scanner;
  std::string stream;
  for (const std::string& message : kMessages) stream += message;
  for (const std::string& message : kMessages) {
    ASSERT_EQ(scanner.scan(stream), message.size());
    stream.erase(0, message.size());
  }
  EXPECT_EQ(scanner.scan(stream), 0u);
}

TEST(RespScanner, ABadCountIsMalformed) {
  for (const char* bytes : {"$x\r\n", "*1x\r\n", "$-2\r\n", "*\r\n"}) {
    RespScanner scanner;
    EXPECT_EQ(scanner.scan(bytes), RespScanner::kMalformed) << bytes;
  }
}

}  // namespace
}  // namespace holdfast::live
