#include "lockcore/scope.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/lockcore/manual_env.h"

namespace holdfast {
namespace {

using test::ManualEnv;
using test::milliseconds;

Task<void> note(std::vector<int>& notes, int number) {
  notes.push_back(number);
  co_return;
}

Task<void> spawn_and_note(Env& env, std::vector<int>& notes) {
  env.spawn(note(notes, 2), Lane::caller);
  notes.push_back(1);
  co_return;
}

Task<void> note_lane(ManualEnv& env, std::vector<Lane>& lanes) {
  lanes.push_back(env.lane());
  const Instant until = env.now() + milliseconds(1);
  co_await Sleep(env, until);
  lanes.push_back(env.lane());
}

Task<void> sleep_for_ever(Env& env, std::shared_ptr<int> held) {
  for (;;) {
    const Instant until = env.now() + milliseconds(1);
    co_await Sleep(env, until);
    ++*held;
  }
}

TEST(Scope, StartsARootAsAnEventOfItsOwn) {
  ManualEnv env;
  std::vector<int> notes;
  env.spawn(spawn_and_note(env, notes), Lane::caller);
  EXPECT_TRUE(notes.empty());
  env.settle();
  EXPECT_EQ(notes, (std::vector<int>{1, 2}));
}

TEST(Scope, FreesARootThatHasReturned) {
  ManualEnv env;
  std::vector<int> notes;
  for (int number = 0; number < 3; ++number) env.spawn(note(notes, number), Lane::caller);
  EXPECT_EQ(env.scope().size(), 3u);
  env.settle();
  EXPECT_EQ(env.scope().size(), 0u);
  EXPECT_EQ(notes, (std::vector<int>{0, 1, 2}));
}

TEST(Scope, RunsARootInItsLaneWhoeverSpawnedIt) {
  ManualEnv env;
  std::vector<Lane> lanes;
  env.run_in(Lane::caller);
  env.spawn(note_lane(env, lanes), Lane::watchdog);
  env.run_until(test::at(milliseconds(2)));
  EXPECT_EQ(lanes, (std::vector<Lane>{Lane::watchdog, Lane::watchdog}));
}

TEST(Scope, ClearDestroysStartedAndUnstartedRoots) {
  ManualEnv env;
  auto held = std::make_shared<int>(0);
  env.spawn(sleep_for_ever(env, held), Lane::caller);
  env.run_until(test::at(milliseconds(3)));
  env.spawn(sleep_for_ever(env, held), Lane::watchdog);
  EXPECT_EQ(held.use_count(), 3);
  env.scope().clear();
  EXPECT_EQ(held.use_count(), 1);
  EXPECT_EQ(env.pending_timers(), 0u);
  const int before = *held;
  env.run_until(test::at(milliseconds(9)));
  EXPECT_EQ(*held, before);
}

TEST(Scope, IsUsableAgainAfterClear) {
  ManualEnv env;
  env.spawn(sleep_for_ever(env, std::make_shared<int>(0)), Lane::caller);
  env.settle();
  env.scope().clear();
  std::vector<int> notes;
  env.spawn(note(notes, 7), Lane::caller);
  env.settle();
  EXPECT_EQ(notes, std::vector<int>{7});
}

}  // namespace
}  // namespace holdfast
