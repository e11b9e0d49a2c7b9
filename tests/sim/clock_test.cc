#include "sim/clock.h"

#include <gtest/gtest.h>

#include "sim/random.h"
#include "sim/wide_integer.h"

namespace holdfast::sim {
namespace {

using std::chrono::hours;
using std::chrono::nanoseconds;
using std::chrono::seconds;

TrueTime at(Duration since_start) { return TrueTime(since_start); }

Duration drawn(Random& random, Duration bound) {
  return Duration(
      static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(bound.count()))));
}

TEST(Clock, ReadsItsOffsetAtTheStartAndTrueTimeFromThenOn) {
  const Clock clock(seconds(1'700'000'000), 0);
  EXPECT_EQ(clock.read(at(seconds(0))), seconds(1'700'000'000));
  EXPECT_EQ(clock.read(at(seconds(5))), seconds(1'700'000'005));
}

TEST(Clock, GainsItsRateAndRoundsDown) {
  const Clock fast(seconds(0), 250'000);
  EXPECT_EQ(fast.read(at(seconds(8))), seconds(10));
  EXPECT_EQ(fast.read(at(nanoseconds(3))), nanoseconds(3));  // 3.75
  const Clock slow(seconds(0), -250'000);
  EXPECT_EQ(slow.read(at(nanoseconds(3))), nanoseconds(2));  // 2.25
}

TEST(Clock, KeepsFractionsOverManyChangesOfRate) {
  Clock clock(seconds(0), 333'333);
  for (int i = 1; i <= 1'000'000; ++i) clock.set_rate(at(nanoseconds(i)), 333'333);
  EXPECT_EQ(clock.read(at(nanoseconds(1'000'000))), nanoseconds(1'333'333));
}

TEST(Clock, StepsBothWays) {
  Clock clock(seconds(100), 0);
  clock.step(at(seconds(1)), seconds(10));
  EXPECT_EQ(clock.read(at(seconds(1))), seconds(111));
  clock.step(at(seconds(2)), seconds(-50));
  EXPECT_EQ(clock.read(at(seconds(3))), seconds(63));
}

TEST(Clock, StandsStillWhileFrozenAndGoesOnFromThere) {
  Clock clock(seconds(0), 0);
  clock.freeze(at(seconds(3)));
  EXPECT_EQ(clock.read(at(seconds(9))), seconds(3));
  EXPECT_EQ(clock.when(seconds(4), at(seconds(9))), std::nullopt);
  EXPECT_EQ(clock.when(seconds(3), at(seconds(9))), at(seconds(9)));
  clock.step(at(seconds(9)), seconds(2));
  EXPECT_EQ(clock.read(at(seconds(10))), seconds(5));
  clock.unfreeze(at(seconds(10)));
  EXPECT_EQ(clock.read(at(seconds(12))), seconds(7));
}

TEST(Clock, SaysNothingForReadingsBeyondWhatTimeCanHold) {
  const Clock slow(seconds(0), -999'999);
  EXPECT_EQ(slow.when(hours(24 * 365), at(seconds(0))), std::nullopt);
  EXPECT_NE(slow.when(seconds(1), at(seconds(0))), std::nullopt);
}

// The property that timers rest on, on clocks with random histories: when() is the first instant
// at which the reading is reached, not one nanosecond early and not one late.
TEST(Clock, WhenIsTheFirstInstantThatReadsAtLeastThat) {
  Random random(1, Purpose::faults);
  for (int round = 0; round < 20'000; ++round) {
    const auto rate = [&] { return static_cast<std::int64_t>(random.below(2'500'000)) - 999'999; };
    Clock clock(drawn(random, hours(1'000'000)) - hours(500'000), rate());
    TrueTime now{};
    for (std::uint64_t change = random.below(4); change > 0; --change) {
      now += drawn(random, hours(2));
      if (random.chance(500'000)) {
        clock.set_rate(now, rate());
      } else {
        clock.step(now, drawn(random, hours(2)) - hours(1));
      }
    }
    now += drawn(random, seconds(100));
    const Duration reading = clock.read(now) + drawn(random, hours(3)) - hours(1);
    const std::optional<TrueTime> when = clock.when(reading, now);
    ASSERT_TRUE(when.has_value());
    ASSERT_GE(*when, now);
    ASSERT_GE(clock.read(*when), reading);
    if (*when > now) {
      ASSERT_LT(clock.read(*when - nanoseconds(1)), reading);
    }
  }
}

// The exact value, computed another way: reading * 10^6 as one 128-bit number.
TEST(Clock, ReadsTheFloorOfTheExactValueThroughEveryChangeOfRate) {
  Random random(2, Purpose::faults);
  for (int round = 0; round < 2'000; ++round) {
    std::int64_t rate = static_cast<std::int64_t>(random.below(1'000'000)) - 500'000;
    const Duration start = drawn(random, hours(1));
    Clock clock(start, rate);
    Signed128 exact = static_cast<Signed128>(start.count()) * 1'000'000;
    TrueTime now{};
    for (int segment = 0; segment < 10; ++segment) {
      const Duration passed = drawn(random, seconds(7));
      now += passed;
      exact += static_cast<Signed128>(passed.count()) * (1'000'000 + rate);
      ASSERT_EQ(clock.read(now).count(), static_cast<std::int64_t>(exact / 1'000'000));
      rate = static_cast<std::int64_t>(random.below(1'000'000)) - 500'000;
      clock.set_rate(now, rate);
      ASSERT_EQ(clock.read(now).count(), static_cast<std::int64_t>(exact / 1'000'000));
    }
  }
}

TEST(Clock, NeverRunsBackwardsWithoutAStep) {
  Random random(3, Purpose::faults);
  Clock clock(seconds(0), 0);
  TrueTime now{};
  Duration last = clock.read(now);
  for (int i = 0; i < 10'000; ++i) {
    now += drawn(random, nanoseconds(20));
    if (random.chance(200'000)) {
      clock.set_rate(now, static_cast<std::int64_t>(random.below(1'999'998)) - 999'999);
    }
    const Duration reading = clock.read(now);
    ASSERT_GE(reading, last);
    last = reading;
  }
}

}  // namespace
}  // namespace holdfast::sim
