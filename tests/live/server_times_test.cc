#include "scenarios/live/server_times.h"

#include <gtest/gtest.h>

namespace holdfast::live {
namespace {

using namespace std::chrono_literals;

constexpr Duration kWallMinusHost = 1'700'000'000s;

Instant host(Duration since) { return Instant(1000s + since); }
WallInstant wall(Duration since) { return WallInstant(kWallMinusHost + 1000s + since); }

TEST(ServerTimes, AnUnbentClockIsTheHostsWallClock) {
  const ServerTimes times(kWallMinusHost);
  EXPECT_EQ(times.wall(host(5s)), wall(5s));
  EXPECT_EQ(times.host_before(wall(5s), host(6s)), host(5s));
  EXPECT_EQ(times.host_when(wall(5s), host(1s)), host(5s));
}

TEST(ServerTimes, AStepForwardsIsReachedAtTheStep) {
  ServerTimes times(kWallMinusHost);
  times.bent(host(2s), 10s, 0);
  EXPECT_EQ(times.wall(host(3s)), wall(13s));
  EXPECT_EQ(times.host_when(wall(7s), host(0s)), host(2s));
  EXPECT_EQ(times.host_when(wall(13s), host(0s)), host(3s));
  // A command that the server stamped before the step is placed before it.
  EXPECT_EQ(times.host_before(wall(1500ms), host(3s)), host(1500ms));
  EXPECT_EQ(times.host_before(wall(12500ms), host(3s)), host(2500ms));
}

TEST(ServerTimes, AfterAStepBackwardsTheLatestInstantCounts) {
  ServerTimes times(kWallMinusHost);
  times.bent(host(2s), -1s, 0);
  EXPECT_EQ(times.host_before(wall(1500ms), host(4s)), host(2500ms));
  EXPECT_EQ(times.host_before(wall(1500ms), host(1800ms)), host(1500ms));
}

TEST(ServerTimes, AFastClockGetsThereEarlier) {
  ServerTimes times(kWallMinusHost);
  times.bent(host(0s), 0s, 250'000);
  EXPECT_EQ(times.host_when(wall(10s), host(0s)), host(8s));
  EXPECT_EQ(times.wall(host(8s)), wall(10s));
}

TEST(ServerTimes, AFrozenClockNeverGetsThere) {
  ServerTimes times(kWallMinusHost);
  times.bent(host(1s), 0s, -1'000'000);
  EXPECT_EQ(times.host_when(wall(2s), host(1s)), std::nullopt);
  EXPECT_EQ(times.host_before(wall(3s), host(2s)), host(2s));
}

TEST(ServerTimes, ThePresentRateKnowsNothingOfLaterSteps) {
  ServerTimes times(kWallMinusHost);
  times.bent(host(2s), 10s, 0);
  EXPECT_EQ(times.at_present_rate(wall(7s), host(1s)), host(7s));
}

}  // namespace
}  // namespace holdfast::live
