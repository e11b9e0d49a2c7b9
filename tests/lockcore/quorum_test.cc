#include "lockcore/quorum.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/lockcore/manual_env.h"

namespace holdfast {
namespace {

using test::at;
using test::ManualEnv;
using test::milliseconds;
using test::Running;

struct Plan {
  int after_ms;
  bool yes;
};

// Answers after a while; notes that it has run to its end.
Task<Vote<int>> child(Env& env, Plan plan, int number, std::vector<int>& ended) {
  const Instant until = env.now() + milliseconds(plan.after_ms);
  co_await Sleep(env, until);
  ended.push_back(number);
  Vote<int> vote;
  vote.yes = plan.yes;
  vote.value = number;
  co_return vote;
}

class Quorum : public testing::Test {
 protected:
  Running<Tally<int>> ask(const std::vector<Plan>& plans, std::size_t need, int deadline_ms,
                          std::optional<Point> point = {}) {
    Children<int> children;
    int number = 0;
    for (auto plan : plans) children.push_back(child(env_, plan, number++, ended_));
    return {env_, quorum(env_, Lane::caller, std::move(children), need,
                         at(milliseconds(deadline_ms)), point)};
  }
  // When it had returned, in ms; -1: not within 1 s.
  int returned_at(Running<Tally<int>>& running) {
    for (int ms = 0; ms <= 1000; ++ms) {
      env_.run_until(at(milliseconds(ms)));
      if (running.done()) return ms;
    }
    return -1;
  }
  ManualEnv env_;
  std::vector<int> ended_;
};

TEST_F(Quorum, ReturnsAtTheNeededYesAndLeavesTheOthersOpen) {
  auto running = ask({{1, true}, {9, true}, {3, true}, {50, true}, {4, true}}, 3, 100);
  EXPECT_EQ(returned_at(running), 4);
  const auto& tally = running.value();
  EXPECT_TRUE(tally.reached());
  EXPECT_EQ(tally.yes, 3u);
  EXPECT_EQ(tally.open(), 2u);
  EXPECT_FALSE(tally.votes[1].has_value());
  EXPECT_EQ(tally.votes[2]->value, 2);
}

TEST_F(Quorum, ReturnsAsSoonAsItIsImpossible) {
  auto running = ask({{1, false}, {2, true}, {3, false}, {50, true}, {4, false}}, 3, 100);
  EXPECT_EQ(returned_at(running), 4);
  EXPECT_FALSE(running.value().reached());
  EXPECT_TRUE(running.value().impossible());
}

TEST_F(Quorum, ReturnsAtTheDeadlineWithWhatIsKnown) {
  auto running = ask({{1, true}, {2, false}, {200, true}, {200, true}, {200, true}}, 3, 100);
  EXPECT_EQ(returned_at(running), 100);
  EXPECT_FALSE(running.value().reached());
  EXPECT_FALSE(running.value().impossible());
  EXPECT_EQ(running.value().open(), 3u);
}

TEST_F(Quorum, NeverDestroysAStartedChild) {
  auto running = ask({{1, true}, {2, true}, {500, true}, {600, false}, {700, true}}, 2, 100);
  EXPECT_EQ(returned_at(running), 2);
  EXPECT_EQ(ended_.size(), 2u);
  env_.run_until(at(milliseconds(1000)));
  EXPECT_EQ(ended_, (std::vector<int>{0, 1, 2, 3, 4}));
  EXPECT_EQ(env_.scope().size(), 0u);
}

TEST_F(Quorum, TheTallyDoesNotChangeAfterItWasReturned) {
  auto running = ask({{1, true}, {2, true}, {3, true}}, 2, 100);
  EXPECT_EQ(returned_at(running), 2);
  env_.run_until(at(milliseconds(100)));
  EXPECT_EQ(running.value().yes, 2u);
  EXPECT_FALSE(running.value().votes[2].has_value());
}

TEST_F(Quorum, OfOneIsThatOne) {
  auto yes = ask({{7, true}}, 1, 100);
  EXPECT_EQ(returned_at(yes), 7);
  EXPECT_TRUE(yes.value().reached());
}

TEST_F(Quorum, PassesItsPointOnceAllChildrenWait) {
  auto running = ask({{1, true}, {2, true}}, 2, 100, Point::acquire_sent);
  EXPECT_TRUE(env_.passed.empty());
  env_.settle();
  EXPECT_EQ(env_.passed, std::vector<Point>{Point::acquire_sent});
  EXPECT_EQ(env_.pending_timers(), 3u);  // both children sleep, and the deadline
  EXPECT_EQ(returned_at(running), 2);
}

TEST_F(Quorum, CrashingDestroysChildrenAndWaiterAlike) {
  auto running = ask({{1, true}, {20, true}, {30, true}}, 3, 100);
  env_.run_until(at(milliseconds(10)));
  env_.scope().clear();
  env_.run_until(at(milliseconds(200)));
  EXPECT_FALSE(running.done());
  EXPECT_EQ(ended_, std::vector<int>{0});
  EXPECT_EQ(env_.pending_timers(), 0u);
}

// Exhaustively over small rounds: the result is that of counting the votes in order of time.
TEST_F(Quorum, AgreesWithCountingByHandForAllVotesOfUpToFourChildren) {
  for (std::size_t size = 1; size <= 4; ++size) {
    for (std::size_t need = 1; need <= size; ++need) {
      for (unsigned votes = 0; votes < (1u << size); ++votes) {
        ManualEnv env;
        std::vector<int> ended;
        Children<int> children;
        std::size_t yes = 0;
        std::size_t no = 0;
        int expected = -1;
        for (std::size_t index = 0; index < size; ++index) {
          const bool vote = (votes >> index & 1u) != 0;
          const int ms = static_cast<int>(index) + 1;
          children.push_back(child(env, {ms, vote}, static_cast<int>(index), ended));
          ++(vote ? yes : no);
          if (expected < 0 && (yes >= need || size - no < need)) expected = ms;
        }
        Running<Tally<int>> running(env, quorum(env, Lane::caller, std::move(children), need,
                                                at(milliseconds(50)), std::nullopt));
        env.run_until(at(milliseconds(expected) - Duration(1)));
        ASSERT_FALSE(running.done());
        env.run_until(at(milliseconds(expected)));
        ASSERT_TRUE(running.done());
        ASSERT_EQ(running.value().reached(), yes >= need) << size << " " << need << " " << votes;
      }
    }
  }
}

}  // namespace
}  // namespace holdfast
