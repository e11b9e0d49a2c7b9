#include "scenarios/format/nearest_name.h"

#include <gtest/gtest.h>

namespace holdfast::scenario {
namespace {

const std::vector<std::string> kKnown{"ttl", "watchdog", "retry", "replicas"};

TEST(NearestName, CountsChangesInsertionsDeletionsAndSwaps) {
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("abc", "abc"), 0U);
  EXPECT_EQ(edit_distance("abc", "acb"), 1U);
  EXPECT_EQ(edit_distance("abc", "axc"), 1U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
}

TEST(NearestName, IsTheCloseOne) {
  EXPECT_EQ(nearest_name("ttll", kKnown), "ttl");
  EXPECT_EQ(nearest_name("watchdgo", kKnown), "watchdog");
  EXPECT_EQ(nearest_name("replica", kKnown), "replicas");
}

TEST(NearestName, IsNothingWhenNoneIsClose) {
  EXPECT_EQ(nearest_name("fencing", kKnown), "");
  EXPECT_EQ(nearest_name("x", kKnown), "");
  EXPECT_EQ(nearest_name("x", {"y"}), "");
}

TEST(NearestName, IsSuggestedOrElseAllAreListed) {
  EXPECT_EQ(suggestion("ttll", kKnown), "; did you mean \"ttl\"?");
  EXPECT_EQ(suggestion("fencing", kKnown), "; known are: ttl, watchdog, retry, replicas");
  EXPECT_EQ(suggestion("fencing", {}), "");
}

}  // namespace
}  // namespace holdfast::scenario
