#include "lockcore/validity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace holdfast {
namespace {

Instant at(int value) { return Instant(Duration(value)); }

TEST(Validity, IsNeverBeforeAQuorumHasConfirmed) {
  Validity validity(5, 3);
  EXPECT_EQ(validity.valid_until(), Validity::kNever);
  validity.confirm(0, at(10));
  validity.confirm(1, at(20));
  EXPECT_EQ(validity.valid_until(), Validity::kNever);
  validity.confirm(4, at(30));
  EXPECT_EQ(validity.valid_until(), at(10));
}

TEST(Validity, IsTheOnlyConfirmationOfASingleInstance) {
  Validity validity(1, 1);
  validity.confirm(0, at(10));
  EXPECT_EQ(validity.valid_until(), at(10));
  validity.confirm(0, at(20));
  EXPECT_EQ(validity.valid_until(), at(20));
}

TEST(Validity, MovesOnlyWhenAQuorumHasMoved) {
  Validity validity(3, 2);
  for (std::size_t node = 0; node < 3; ++node) validity.confirm(node, at(10));
  validity.confirm(0, at(50));
  EXPECT_EQ(validity.valid_until(), at(10));
  validity.confirm(2, at(40));
  EXPECT_EQ(validity.valid_until(), at(40));
}

TEST(Validity, NeverShrinksByAnOlderConfirmation) {
  Validity validity(1, 1);
  validity.confirm(0, at(20));
  validity.confirm(0, at(10));
  EXPECT_EQ(validity.valid_until(), at(20));
}

TEST(Validity, ForgetsWhatANodeNoLongerHolds) {
  Validity validity(3, 2);
  validity.confirm(0, at(10));
  validity.confirm(1, at(20));
  validity.confirm(2, at(30));
  EXPECT_EQ(validity.valid_until(), at(20));
  validity.forget(2);
  EXPECT_EQ(validity.valid_until(), at(10));
  validity.forget(1);
  EXPECT_EQ(validity.valid_until(), Validity::kNever);
}

// Small space, exhaustively: the quorum-th largest by definition, counting.
TEST(Validity, AtLeastAQuorumReachesItAndFewerReachAnythingLater) {
  for (std::size_t nodes = 1; nodes <= 5; ++nodes) {
    const std::size_t quorum = nodes / 2 + 1;
    int combinations = 1;
    for (std::size_t node = 0; node < nodes; ++node) combinations *= 4;
    for (int combination = 0; combination < combinations; ++combination) {
      Validity validity(nodes, quorum);
      std::vector<Instant> values;
      int rest = combination;
      for (std::size_t node = 0; node < nodes; ++node, rest /= 4) {
        const int value = rest % 4;
        if (value > 0) validity.confirm(node, at(value));
        values.push_back(value > 0 ? at(value) : Validity::kNever);
      }
      const Instant until = validity.valid_until();
      const auto reach = [&](auto enough) {
        return static_cast<std::size_t>(std::count_if(values.begin(), values.end(), enough));
      };
      ASSERT_GE(reach([&](Instant value) { return value >= until; }), quorum);
      ASSERT_LT(reach([&](Instant value) { return value > until; }), quorum);
    }
  }
}

}  // namespace
}  // namespace holdfast
