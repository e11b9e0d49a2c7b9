// Requests in pieces of any size, and requests that are none.
#include "scenarios/serve/request_parser.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sim/random.h"

namespace holdfast::serve {
namespace {

using Result = RequestParser::Result;

// Every request as "[a|b|c]", then how it ended when it did.
class Reader {
 public:
  void feed(std::string_view bytes) {
    parser_.append(bytes);
    Command command;
    for (;;) {
      const Result result = parser_.next(command);
      if (result == Result::need_more) return;
      if (result == Result::malformed) {
        if (!ended_) seen_ += parser_.error();
        ended_ = true;
        return;
      }
      ASSERT_EQ(result, Result::command);
      seen_ += '[';
      for (std::size_t i = 0; i < command.size(); ++i) {
        seen_ += (i == 0 ? "" : "|") + std::string(command[i]);
      }
      seen_ += ']';
    }
  }
  const std::string& seen() const { return seen_; }

 private:
  RequestParser parser_;
  bool ended_ = false;
  std::string seen_;
};

std::string whole(std::string_view bytes) {
  Reader reader;
  reader.feed(bytes);
  return reader.seen();
}

const std::string kRequests =
    "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$5\r\na\r\nb\0\r\n" + std::string("\r\n") +
    "PING\r\n*0\r\n*-1\r\n\r\n  GET   \"a \\x41\\n\\\"b\" 'c\\'d' \n*1\r\n$0\r\n\r\n";

TEST(RequestParser, ReadsArraysAndLines) {
  const std::string text("*2\r\n$3\r\nGET\r\n$4\r\na\r\nb\r\nPING\r\n", 32);
  EXPECT_EQ(whole(text), "[GET|a\r\nb][PING]");
  EXPECT_EQ(whole("  GET   \"a \\x41\\n\\\"b\" 'c\\'d' \n"), "[GET|a A\n\"b|c'd]");
  EXPECT_EQ(whole("\r\n*0\r\n*-1\r\n\nPING\n"), "[PING]");
  EXPECT_EQ(whole("*1\r\n$0\r\n\r\n"), "[]");
}

TEST(RequestParser, GivesTheSameRequestsHoweverTheBytesArrive) {
  const std::string expected = whole(kRequests);
  EXPECT_NE(expected, "");
  for (std::size_t cut = 0; cut <= kRequests.size(); ++cut) {
    Reader reader;
    reader.feed(kRequests.substr(0, cut));
    reader.feed(kRequests.substr(cut));
    EXPECT_EQ(reader.seen(), expected) << "cut at " << cut;
  }
  Reader by_byte;
  for (const char byte : kRequests) by_byte.feed({&byte, 1});
  EXPECT_EQ(by_byte.seen(), expected);
}

TEST(RequestParser, GivesTheSameForRandomBytesHoweverTheyArrive) {
  sim::Random random(7, sim::Purpose::faults);
  constexpr std::string_view kAlphabet = "**$$11223-\r\r\n\n\r\n ab\"'\\x\0+";
  int malformed = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string bytes;
    for (std::uint64_t left = random.below(40); left > 0; --left) {
      bytes.push_back(kAlphabet[random.below(kAlphabet.size())]);
    }
    const std::string expected = whole(bytes);
    malformed += expected.find("Protocol error") != std::string::npos ? 1 : 0;
    Reader pieces;
    for (std::size_t at = 0; at < bytes.size();) {
      const std::size_t size = 1 + random.below(4);
      pieces.feed(std::string_view(bytes).substr(at, size));
      at += size;
    }
    ASSERT_EQ(pieces.seen(), expected) << testing::PrintToString(bytes);
  }
  EXPECT_GT(malformed, 1'000);
}

TEST(RequestParser, SaysWhatIsWrongAsRedisDoes) {
  const std::vector<std::pair<std::string, std::string>> rows{
      {"*x\r\n", "invalid multibulk length"},
      {"*2147483648\r\n", "invalid multibulk length"},
      {"*01\r\n", "invalid multibulk length"},
      {"* 1\r\n", "invalid multibulk length"},
      {"*1\r\n+PING\r\n", "expected '$', got '+'"},
      {"*1\r\n\r\n\r\n", "expected '$', got ' '"},
      {"*1\r\n$x\r\n", "invalid bulk length"},
      {"*1\r\n$-1\r\n", "invalid bulk length"},
      {"*1\r\n$536870913\r\n", "invalid bulk length"},
      {"GET \"a\r\n", "unbalanced quotes in request"},
      {"GET \"a\"b\r\n", "unbalanced quotes in request"},
      {"GET 'a\r\n", "unbalanced quotes in request"},
      {std::string(65537, 'a'), "too big inline request"},
      {"*" + std::string(65536, '1'), "too big mbulk count string"},
      {"*1\r\n$" + std::string(65536, '1'), "too big bulk count string"},
  };
  for (const auto& [bytes, why] : rows) {
    EXPECT_EQ(whole("PING\r\n" + bytes), "[PING]ERR Protocol error: " + why);
  }
}

TEST(RequestParser, WaitsAtTheLimits) {
  for (const std::string& bytes :
       {std::string(65536, 'a'), "*" + std::string(65535, '1'), std::string("*2147483647\r\n"),
        std::string("*1\r\n$536870912\r\n"), std::string("*1\r\n$3\r\nGE"), std::string("*1\r")}) {
    EXPECT_EQ(whole(bytes), "");
  }
}

TEST(RequestParser, TakesNothingMoreAfterAnError) {
  Reader reader;
  reader.feed("*1\r\n+PING\r\n");
  reader.feed("PING\r\n");
  EXPECT_EQ(reader.seen(), "ERR Protocol error: expected '$', got '+'");
}

TEST(RequestParser, ReadsAMegabyteInSmallPieces) {
  const std::string value(1 << 20, 'v');
  const std::string bytes = "*2\r\n$4\r\nECHO\r\n$1048576\r\n" + value + "\r\n";
  Reader reader;
  for (std::size_t at = 0; at < bytes.size(); at += 1000) reader.feed(bytes.substr(at, 1000));
  EXPECT_EQ(reader.seen(), "[ECHO|" + value + "]");
}

}  // namespace
}  // namespace holdfast::serve
