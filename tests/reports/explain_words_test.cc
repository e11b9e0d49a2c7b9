#include "reports/explain_words.h"

#include <gtest/gtest.h>

#include <limits>

namespace holdfast::report {
namespace {

TEST(Words, OfAnInstantAreRoundedAndSignedOnce) {
  EXPECT_EQ(seconds(12'400'000'000), "12.400 s");
  EXPECT_EQ(seconds(1'499'999), "0.001 s");
  EXPECT_EQ(seconds(1'500'000), "0.002 s");
  EXPECT_EQ(seconds(999'999'999), "1.000 s");
  EXPECT_EQ(exact_seconds(12'400'216'000), "12.400216");
  EXPECT_EQ(exact_seconds(999), "0.000001");
}

TEST(Words, OfAnInstantBeforeTheBeginning) {
  EXPECT_EQ(exact_seconds(-399'999'000), "-0.399999");
  EXPECT_EQ(exact_seconds(-1'000'000'500), "-1.000001");
  EXPECT_EQ(exact_seconds(-499), "0.000000") << "nothing is not negative";
  EXPECT_EQ(seconds(-399'999'000), "-0.400 s");
  EXPECT_EQ(seconds(-12'001'000'000), "-12.001 s");
  EXPECT_EQ(seconds(-499'999), "0.000 s");
  EXPECT_EQ(seconds(std::numeric_limits<history::Nanos>::min()), "-9223372036.855 s");
}

}  // namespace
}  // namespace holdfast::report
