#include "scenarios/format/duration.h"

#include <gtest/gtest.h>

namespace holdfast::scenario {
namespace {

using namespace std::chrono_literals;

TEST(Durations, AreANumberAndAUnit) {
  EXPECT_EQ(parse_duration("10s"), 10s);
  EXPECT_EQ(parse_duration("250ms"), 250ms);
  EXPECT_EQ(parse_duration("200us"), 200us);
  EXPECT_EQ(parse_duration("7ns"), 7ns);
  EXPECT_EQ(parse_duration("1.5s"), 1500ms);
  EXPECT_EQ(parse_duration("2m"), 2min);
  EXPECT_EQ(parse_duration("1h"), 1h);
  EXPECT_EQ(parse_duration("0s"), 0s);
  EXPECT_EQ(parse_duration("+10.1s"), 10'100ms);
  EXPECT_EQ(parse_duration("-3s"), -3s);
  EXPECT_EQ(parse_duration("0.000000001s"), 1ns);
}

TEST(Durations, AreNothingElse) {
  for (const char* wrong :
       {"", "10", "s", "10 s", " 10s", "10s ", "10S", "1,5s", "1.s", ".5s", "10sec", "1e3s", "--1s",
        "0.0000000001s", "1.5ns", "ten", "1s2ms", "1µs"}) {
    EXPECT_EQ(parse_duration(wrong), std::nullopt) << wrong;
  }
}

TEST(Durations, EndBeforeTheyOverflow) {
  EXPECT_EQ(parse_duration("8784h"), kLongestDuration);
  EXPECT_EQ(parse_duration("8785h"), std::nullopt);
  EXPECT_EQ(parse_duration("99999999999999999999999999s"), std::nullopt);
  EXPECT_EQ(parse_duration("527040.5m"), std::nullopt);
}

TEST(Durations, AreWrittenInPlainWords) {
  EXPECT_EQ(plain_words(15s), "15 s");
  EXPECT_EQ(plain_words(1500ms), "1.5 s");
  EXPECT_EQ(plain_words(10'001ms), "10.001 s");
  EXPECT_EQ(plain_words(250ms), "250 ms");
  EXPECT_EQ(plain_words(1'000'001us), "1000.001 ms");
  EXPECT_EQ(plain_words(0s), "0 s");
  EXPECT_EQ(plain_words(-3s), "-3 s");
  EXPECT_EQ(plain_words(7ns), "7 ns");
}

TEST(Durations, ReadBackWhatWasWritten) {
  for (const Duration duration :
       {Duration(1), Duration(999), Duration(1'000'001), Duration(-1'500'000'000),
        Duration(kLongestDuration), Duration(0)}) {
    EXPECT_EQ(parse_duration(short_form(duration)), duration) << short_form(duration);
  }
}

}  // namespace
}  // namespace holdfast::scenario
