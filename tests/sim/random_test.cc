#include "sim/random.h"

#include <gtest/gtest.h>

#include <array>
#include <set>

namespace holdfast::sim {
namespace {

TEST(Random, GivesTheSameNumbersForTheSameSeedPurposeAndIndex) {
  Random one(42, Purpose::latency, 3);
  Random same(42, Purpose::latency, 3);
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(one.next(), same.next());
}

// A fixed value: a change of the generator changes every recorded seed, and must be seen.
TEST(Random, StartsWithTheNumbersOnRecord) {
  Random random(1, Purpose::ties);
  EXPECT_EQ(random.next(), 12'234'756'105'524'085'235ULL);
  EXPECT_EQ(random.next(), 14'070'626'988'476'553'728ULL);
}

TEST(Random, DiffersForNeighbouringSeedsPurposesAndIndices) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    for (std::uint64_t index = 0; index < 50; ++index) {
      seen.insert(Random(seed, Purpose::ties, index).next());
      seen.insert(Random(seed, Purpose::tokens, index).next());
    }
  }
  EXPECT_EQ(seen.size(), 50U * 50U * 2U);
}

TEST(Random, StaysBelowItsBoundAndReachesEveryValueAboutEquallyOften) {
  Random random(7, Purpose::jitter);
  std::array<int, 7> counts{};
  for (int i = 0; i < 70'000; ++i) {
    const std::uint64_t value = random.below(7);
    ASSERT_LT(value, 7U);
    ++counts[value];
  }
  for (const int count : counts) EXPECT_NEAR(count, 10'000, 500);
}

TEST(Random, HandlesBoundsNearTheWholeRange) {
  Random random(7, Purpose::jitter);
  const std::uint64_t bound = (std::uint64_t{1} << 63) + 1;
  for (int i = 0; i < 1000; ++i) ASSERT_LT(random.below(bound), bound);
  EXPECT_EQ(random.below(1), 0U);
}

TEST(Random, TakesChancesPerMillion) {
  Random random(9, Purpose::faults);
  int hits = 0;
  for (int i = 0; i < 100'000; ++i) hits += random.chance(250'000) ? 1 : 0;
  EXPECT_NEAR(hits, 25'000, 700);
  EXPECT_FALSE(random.chance(0));
  EXPECT_TRUE(random.chance(1'000'000));
}

}  // namespace
}  // namespace holdfast::sim
