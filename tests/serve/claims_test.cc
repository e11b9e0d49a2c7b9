// Possible overlaps, found in what clients were told.
#include "scenarios/serve/claims.h"

#include <gtest/gtest.h>

namespace holdfast::serve {
namespace {

constexpr Nanos kSecond = 1'000'000'000;

Claim claim(const std::string& token, ClientNumber client, Nanos told, Nanos until,
            history::NodeId master = 1) {
  return {master, "jobs/42", token, client, told * kSecond, until * kSecond};
}

const std::string kA = "token-of-a", kB = "token-of-b";

TEST(Claims, TwoHoldersAtOneTimeOverlap) {
  ClaimBook book(1);
  EXPECT_FALSE(book.acquired(claim(kA, 1, 0, 10)));
  const auto overlap = book.acquired(claim(kB, 2, 4, 12));
  ASSERT_TRUE(overlap);
  EXPECT_EQ(overlap->first.token, kA);
  EXPECT_EQ(overlap->second.client, 2U);
  EXPECT_EQ(overlap->until, 10 * kSecond);
}

TEST(Claims, AnOverlapIsToldOnce) {
  ClaimBook book(1);
  book.acquired(claim(kA, 1, 0, 10));
  EXPECT_TRUE(book.acquired(claim(kB, 2, 4, 12)));
  EXPECT_FALSE(book.acquired(claim(kB, 2, 5, 13)));
}

TEST(Claims, AHandOverIsNone) {
  ClaimBook book(1);
  book.acquired(claim(kA, 1, 0, 10));
  book.let_go(1, "jobs/42", kA, 1);
  EXPECT_FALSE(book.acquired(claim(kB, 2, 4, 12)));
  book.deleted(1, "jobs/42", kB, 2, 5 * kSecond);
  EXPECT_FALSE(book.acquired(claim(kA, 1, 6, 16)));
}

TEST(Claims, TheEndOfTheTtlIsNone) {
  ClaimBook book(1);
  book.acquired(claim(kA, 1, 0, 10));
  EXPECT_FALSE(book.acquired(claim(kB, 2, 10, 20)));
}

TEST(Claims, WhatClocksMayDriftIsNone) {
  ClaimBook book(1);
  book.acquired(claim(kA, 1, 0, 10));
  Claim early = claim(kB, 2, 0, 20);
  early.told = 10 * kSecond - 90'000'000;  // 0.9 % of the TTL
  EXPECT_FALSE(book.acquired(early));
  ClaimBook other(1);
  other.acquired(claim(kA, 1, 0, 10));
  early.told = 10 * kSecond - 110'000'000;
  EXPECT_TRUE(other.acquired(early));
}

TEST(Claims, ARenewalCounts) {
  ClaimBook book(1);
  book.acquired(claim(kA, 1, 0, 10));
  book.renewed(claim(kA, 1, 5, 15));
  const auto overlap = book.acquired(claim(kB, 2, 12, 22));
  ASSERT_TRUE(overlap);
  EXPECT_EQ(overlap->until, 15 * kSecond);
}

TEST(Claims, TheSameTokenIsTheSameHolderUnlessItIsAConstant) {
  ClaimBook book(1);
  book.acquired(claim(kA, 1, 0, 10));
  EXPECT_FALSE(book.acquired(claim(kA, 2, 4, 14)));
  ClaimBook constant(1);
  constant.acquired(claim("1", 1, 0, 10));
  EXPECT_TRUE(constant.acquired(claim("1", 2, 4, 14)));
}

TEST(Claims, ALateDelOfItsOwnDoesNotReleaseAnothers) {
  ClaimBook book(1);
  book.acquired(claim(kA, 1, 0, 10));
  book.acquired(claim(kB, 2, 11, 21));
  book.deleted(1, "jobs/42", kB, 1, 12 * kSecond);  // A's own, long over
  const auto overlap = book.acquired(claim("token-of-c", 3, 13, 23));
  ASSERT_TRUE(overlap);
  EXPECT_EQ(overlap->first.token, kB);
  EXPECT_NE(overlap->first.lost.find("client 1 deleted the key"), std::string::npos);
}

TEST(Claims, ADelOfSomebodyUnknownIsTakenForTheHoldersRelease) {
  ClaimBook book(1);
  book.acquired(claim(kA, 1, 0, 10));
  book.deleted(1, "jobs/42", kA, 7, 2 * kSecond);
  EXPECT_FALSE(book.acquired(claim(kB, 2, 4, 14)));
}

TEST(Claims, SaysHowTheServersLostIt) {
  ClaimBook book(1);
  book.acquired(claim(kA, 1, 0, 10));
  book.lost(1, "jobs/42", kA, 3 * kSecond, "n1 was flushed");
  const auto overlap = book.acquired(claim(kB, 2, 4, 14));
  ASSERT_TRUE(overlap);
  EXPECT_EQ(overlap->first.lost, "n1 was flushed");
  EXPECT_EQ(overlap->first.lost_at, 3 * kSecond);
}

TEST(Claims, MastersOfDifferentLocksHaveNothingToDoWithEachOther) {
  ClaimBook book(1);
  book.acquired(claim(kA, 1, 0, 10, 1));
  EXPECT_FALSE(book.acquired(claim(kB, 2, 4, 14, 2)));
}

TEST(Claims, OverAQuorumBothMustHaveIt) {
  ClaimBook book(2);  // of 3
  book.acquired(claim(kA, 1, 0, 10, 1));
  book.acquired(claim(kA, 1, 0, 10, 2));
  EXPECT_FALSE(book.acquired(claim(kB, 2, 4, 14, 3)));
  const auto overlap = book.acquired(claim(kB, 2, 4, 14, 2));  // n2 had lost A's
  ASSERT_TRUE(overlap);
  EXPECT_EQ(overlap->first.token, kA);

  ClaimBook one_of_three(2);
  one_of_three.acquired(claim(kA, 1, 0, 10, 1));
  one_of_three.acquired(claim(kB, 2, 4, 14, 3));
  EXPECT_FALSE(one_of_three.acquired(claim(kB, 2, 4, 14, 2)));
}

}  // namespace
}  // namespace holdfast::serve
