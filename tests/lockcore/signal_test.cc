#include "lockcore/signal.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/lockcore/manual_env.h"

namespace holdfast {
namespace {

using test::at;
using test::ManualEnv;
using test::milliseconds;

struct Woken {
  std::string who;
  bool notified;
  Instant when;
  Lane lane;
};

Task<void> wait(ManualEnv& env, Signal& signal, std::string who, Instant until,
                std::vector<Woken>& woken) {
  const bool notified = co_await Wait(signal, until);
  woken.push_back({who, notified, env.now(), env.lane()});
}

TEST(Signal, WakesAllWaitersAtTheInstantOfNotify) {
  ManualEnv env;
  Signal signal(env);
  std::vector<Woken> woken;
  env.spawn(wait(env, signal, "a", at(milliseconds(100)), woken), Lane::caller);
  env.spawn(wait(env, signal, "b", at(milliseconds(100)), woken), Lane::caller);
  env.run_until(at(milliseconds(10)));
  signal.notify();
  EXPECT_TRUE(woken.empty());  // never from inside
  env.settle();
  ASSERT_EQ(woken.size(), 2u);
  for (const auto& one : woken) {
    EXPECT_TRUE(one.notified);
    EXPECT_EQ(one.when, at(milliseconds(10)));
  }
  EXPECT_EQ(env.pending_timers(), 0u);
}

TEST(Signal, LetsAWaiterGoAtItsDeadline) {
  ManualEnv env;
  Signal signal(env);
  std::vector<Woken> woken;
  env.spawn(wait(env, signal, "a", at(milliseconds(5)), woken), Lane::caller);
  env.run_until(at(milliseconds(20)));
  ASSERT_EQ(woken.size(), 1u);
  EXPECT_FALSE(woken[0].notified);
  EXPECT_EQ(woken[0].when, at(milliseconds(5)));
  signal.notify();  // nobody is there any more
  EXPECT_EQ(env.pending_timers(), 0u);
}

TEST(Signal, WakesAWaiterInItsOwnLane) {
  ManualEnv env;
  Signal signal(env);
  std::vector<Woken> woken;
  env.spawn(wait(env, signal, "a", at(milliseconds(100)), woken), Lane::watchdog);
  env.settle();
  env.run_in(Lane::caller);
  signal.notify();
  env.settle();
  ASSERT_EQ(woken.size(), 1u);
  EXPECT_EQ(woken[0].lane, Lane::watchdog);
}

TEST(Signal, ForgetsAWaiterThatIsDestroyed) {
  ManualEnv env;
  Signal signal(env);
  std::vector<Woken> woken;
  for (const char* who : {"a", "b", "c"}) {
    env.spawn(wait(env, signal, who, at(milliseconds(100)), woken), Lane::caller);
  }
  env.settle();
  env.scope().clear();
  EXPECT_EQ(env.pending_timers(), 0u);
  signal.notify();
  env.settle();
  EXPECT_TRUE(woken.empty());
}

TEST(Signal, ForgetsAWaiterThatIsDestroyedAfterNotify) {
  ManualEnv env;
  Signal signal(env);
  std::vector<Woken> woken;
  env.spawn(wait(env, signal, "a", at(milliseconds(100)), woken), Lane::caller);
  env.settle();
  signal.notify();
  env.scope().clear();
  EXPECT_EQ(env.pending_timers(), 0u);
}

}  // namespace
}  // namespace holdfast
