#include <gtest/gtest.h>

#include <algorithm>

#include "reports/render/axis.h"

namespace holdfast::report {
namespace {

using history::Nanos;
using judge::Interval;

constexpr Nanos kMs = 1'000'000;
constexpr Nanos kSecond = 1'000 * kMs;
constexpr Tenths kLeft = 1'000;
constexpr Tenths kRight = 11'000;

std::size_t breaks_of(const Axis& axis) {
  const auto& pieces = axis.pieces();
  return static_cast<std::size_t>(
      std::count_if(pieces.begin(), pieces.end(), [](const auto& p) { return p.is_break; }));
}

TEST(Axis, EvenlyFilledTimeIsDrawnInOnePiece) {
  std::vector<Nanos> interest;
  for (Nanos at = 0; at <= 10 * kSecond; at += kSecond) interest.push_back(at);
  const Axis axis({0, 10 * kSecond}, interest, {}, kLeft, kRight);
  EXPECT_EQ(breaks_of(axis), 0u);
  EXPECT_EQ(axis.x(0), kLeft);
  EXPECT_EQ(axis.x(5 * kSecond), 6'000);
  EXPECT_EQ(axis.x(10 * kSecond), kRight);
  EXPECT_EQ(axis.x(-kSecond), kLeft) << "what lies outside is clamped";
  EXPECT_EQ(axis.x(99 * kSecond), kRight);
}

TEST(Axis, ALongQuietStretchIsCutAndTheScaleStaysOne) {
  const std::vector<Nanos> interest = {0, kSecond, 100 * kSecond, 101 * kSecond};
  const Axis axis({0, 101 * kSecond}, interest, {}, kLeft, kRight);
  ASSERT_EQ(breaks_of(axis), 1u);
  const Tenths first = axis.x(kSecond) - axis.x(0);
  const Tenths last = axis.x(101 * kSecond) - axis.x(100 * kSecond);
  EXPECT_NEAR(static_cast<double>(first), static_cast<double>(last), 2.0);
  EXPECT_NEAR(static_cast<double>(first), static_cast<double>(axis.width_of(kSecond)), 2.0);
  EXPECT_GT(first, 1'000) << "what matters got the room";
}

TEST(Axis, PiecesTouchAndNeverRunBackwards) {
  const std::vector<Nanos> interest = {10 * kMs,     11 * kMs,     20 * kSecond, 20 * kSecond + 1,
                                       90 * kSecond, 91 * kSecond, 300 * kSecond};
  const Axis axis({0, 400 * kSecond}, interest, {90 * kSecond, 91 * kSecond}, kLeft, kRight);
  ASSERT_GE(breaks_of(axis), 2u);
  const auto& pieces = axis.pieces();
  EXPECT_EQ(pieces.front().from, 0);
  EXPECT_EQ(pieces.back().to, 400 * kSecond);
  for (std::size_t i = 1; i < pieces.size(); ++i) {
    EXPECT_EQ(pieces[i - 1].to, pieces[i].from);
    EXPECT_EQ(pieces[i - 1].x1, pieces[i].x0);
    EXPECT_LE(pieces[i].x0, pieces[i].x1);
    EXPECT_NE(pieces[i - 1].is_break, pieces[i].is_break);
  }
  EXPECT_NEAR(static_cast<double>(pieces.back().x1), static_cast<double>(kRight), 10.0);
}

TEST(Axis, NothingOfInterestLiesInABreak) {
  const std::vector<Nanos> interest = {kSecond, 2 * kSecond, 60 * kSecond, 61 * kSecond,
                                       500 * kSecond};
  const Axis axis({0, 600 * kSecond}, interest, {60 * kSecond, 61 * kSecond}, kLeft, kRight);
  for (const Nanos at : interest) {
    for (const auto& piece : axis.pieces()) {
      EXPECT_FALSE(piece.is_break && piece.from < at && at < piece.to) << at;
    }
  }
}

TEST(Axis, AShortViolationGetsAVisibleWidth) {
  const std::vector<Nanos> interest = {0, 10 * kSecond, 10'200 * kMs, 20 * kSecond};
  const Interval overlap{10 * kSecond, 10'200 * kMs};
  const Axis axis({0, 20 * kSecond}, interest, overlap, kLeft, kRight);
  EXPECT_GE(axis.x(overlap.end) - axis.x(overlap.begin), (kRight - kLeft) / 20);
  const Axis without({0, 20 * kSecond}, interest, {}, kLeft, kRight);
  EXPECT_LT(without.x(overlap.end) - without.x(overlap.begin), (kRight - kLeft) / 20);
}

TEST(Axis, TicksAreRoundAndLieInsideThePieces) {
  const std::vector<Nanos> interest = {0, kSecond, 100 * kSecond, 101 * kSecond};
  const Axis axis({0, 101 * kSecond}, interest, {}, kLeft, kRight);
  const auto ticks = axis.ticks();
  ASSERT_GE(ticks.size(), 4u);
  EXPECT_TRUE(std::is_sorted(ticks.begin(), ticks.end()));
  for (const Nanos at : ticks) {
    EXPECT_EQ(at % (10 * kMs), 0) << at;
    for (const auto& piece : axis.pieces()) {
      EXPECT_FALSE(piece.is_break && piece.from < at && at < piece.to) << at;
    }
  }
}

TEST(Axis, AYearAndANanosecondAreDrawnWithoutOverflow) {
  const Nanos year = 365LL * 86'400 * kSecond;
  const Axis long_one({0, year}, {0, year / 2, year}, {}, kLeft, kRight);
  EXPECT_NEAR(static_cast<double>(long_one.x(year / 2)), 6'000.0, 10.0);
  const Axis short_one({5, 6}, {5, 6}, {5, 6}, kLeft, kRight);
  EXPECT_EQ(short_one.x(5), kLeft);
  EXPECT_EQ(short_one.x(6), kRight);
}

}  // namespace
}  // namespace holdfast::report
