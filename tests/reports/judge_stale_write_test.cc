#include <gtest/gtest.h>

#include "tests/reports/history_builder.h"

namespace holdfast::judge {
namespace {

constexpr auto kStale = Invariant::stale_write;

// A, then B after A's key expired; both have written once.
HistoryBuilder two_writers() {
  HistoryBuilder h;
  h.at(0).acquires("A", "a1", 1'000);
  h.at(1).writes("A");
  h.at(950).does(Kind::valid_until_reached, "A");
  h.at(1'000).key(Kind::key_expired, "n1", "", "a1");
  h.at(1'100).acquires("B", "b1", 1'000);
  h.at(1'101).writes("B");
  return h;
}

TEST(StaleWrite, AnAcceptedWriteOfAnEarlierHolderViolatesIt) {
  HistoryBuilder h = two_writers();
  h.at(1'200).writes("A").ends(1'500);
  const Judgement judgement = h.judged();
  ASSERT_EQ(state(judgement, kStale), "violated");
  const auto& witness = judgement[kStale].witnesses.at(0);
  EXPECT_EQ(h.history.actors[witness.first_actor], "A");
  EXPECT_EQ(h.history.actors[witness.second_actor], "B");
  EXPECT_EQ(witness.overlap.begin, 1'200 * kMs);
  EXPECT_EQ(h.history.resources[witness.resource], "stock");
}

// One owner inside two locks: its writes are one section's, whichever grant they name.
TEST(StaleWrite, OfLocksThatOneOwnerHoldsTogetherNoneIsStale) {
  for (const bool left : {false, true}) {
    HistoryBuilder h;
    h.add_lock("M", {"n1"});
    h.at(0).acquires("A", "a1", 10'000);
    const auto outer = h.grant("A");
    h.at(1).writes("A");
    if (left) h.at(50).does(Kind::section_left, "A");
    h.at(100).on("M").acquires("A", "m1", 10'000);
    h.at(101).writes("A").does(Kind::section_left, "A");
    h.at(200).about("A", outer).writes("A").ends(300);
    EXPECT_EQ(state(h.judged(), kStale), left ? "violated" : "held");
  }
}

TEST(StaleWrite, ARefusedWriteKeepsIt) {
  HistoryBuilder h = two_writers();
  h.at(1'200).writes("A", false).ends(1'500);
  EXPECT_EQ(state(h.judged(), kStale), "held");
}

TEST(StaleWrite, OfConcurrentHoldersOnlyComingBackViolatesIt) {
  for (const bool comes_back : {true, false}) {
    HistoryBuilder h;
    h.at(0).calls("A").sends("A", "a1").calls("B").sends("B", "b1");
    h.at(10).returns("A").returns("B");
    if (comes_back) h.at(20).writes("A");
    h.at(30).writes("B");
    h.at(40).writes("A").ends(50);
    EXPECT_EQ(state(h.judged(), kStale), comes_back ? "violated" : "held");
  }
}

TEST(StaleWrite, TheWinningAttemptCountsNotTheFirstOne) {
  HistoryBuilder h;
  h.at(0).acquires("A", "a1", 1'000);
  h.at(5).calls("B").sends("B", "b:1");  // refused
  h.at(1'100).sends("B", "b:2").returns("B");
  h.at(1'101).writes("B");
  h.at(1'200).writes("A").ends(1'500);
  EXPECT_EQ(state(h.judged(), kStale), "violated");
  HistoryBuilder slow;  // B's only attempt was sent before A had the lock
  slow.at(0).calls("B").sends("B", "b:1");
  slow.at(5).acquires("A", "a1", 1'000);
  slow.at(1'100).returns("B");
  slow.at(1'101).writes("B");
  slow.at(1'200).writes("A").ends(1'500);
  EXPECT_EQ(state(slow.judged(), kStale), "held");
}

TEST(StaleWrite, IsNotJudgedWithoutWritesOfTwoGrantsOrARecordOfThem) {
  HistoryBuilder none;
  none.at(0).acquires("A", "a1", 1'000).ends(10);
  EXPECT_EQ(state(none.judged(), kStale), "not judged: no write");
  HistoryBuilder one;
  one.at(0).acquires("A", "a1", 1'000).writes("A").ends(10);
  EXPECT_EQ(state(one.judged(), kStale), "not judged: no writes of two grants");
  HistoryBuilder unseen = two_writers();
  unseen.at(1'200).writes("A").ends(1'500);
  unseen.setup().evidence.resource = false;
  EXPECT_EQ(state(unseen.judged(), kStale), "not judged: no record of what the resource accepted");
}

}  // namespace
}  // namespace holdfast::judge
