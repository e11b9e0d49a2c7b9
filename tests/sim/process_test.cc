#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lockcore/signal.h"
#include "sim/client_process.h"
#include "tests/sim/no_budget.h"

namespace holdfast::sim {
namespace {

using namespace std::chrono_literals;

constexpr history::ActorId kActor = 3;

TrueTime true_time(Duration time) { return TrueTime(time); }

// One process without a network, and what happened to it.
struct Lab final : ProcessHooks, ClientProcess::Directory {
  explicit Lab(std::uint64_t seed = 1, std::int64_t ppm = 0) {
    kernel.reset(seed);
    process.reset({kActor, seed, 1000s, 5000s, ppm});
  }

  AtPoint at_point(history::ActorId, Point point, std::uint64_t nth) override {
    return on_point ? on_point(point, nth) : AtPoint::go_on;
  }
  void paused(history::ActorId, std::optional<Lane> lane) override { note("paused", lane); }
  void resumed(history::ActorId, std::optional<Lane> lane) override { note("resumed", lane); }
  void crashed(history::ActorId actor) override {
    EXPECT_EQ(actor, kActor);
    note("crashed", std::nullopt);
  }
  history::NodeId address(std::string_view) const override { return 0; }

  void note(const std::string& what, std::optional<Lane> lane) {
    note(!lane ? what : what + (*lane == Lane::caller ? " caller" : " watchdog"));
  }
  void note(const std::string& what) {
    events.push_back(
        what + " @" +
        std::to_string(kernel.now().time_since_epoch() / std::chrono::milliseconds(1)));
  }
  void run(Duration until = 1h) { kernel.run(true_time(until), kNoBudget); }
  // Does something to the process from outside, as a fault does.
  void at_time(Duration time, std::function<void()> action) {
    actions.push_back(std::make_unique<std::function<void()>>(std::move(action)));
    kernel.at(true_time(time),
              {[](void* self, std::uint64_t) { (*static_cast<std::function<void()>*>(self))(); },
               actions.back().get(), 0, 1000});
  }

  std::function<AtPoint(Point, std::uint64_t)> on_point;
  std::vector<std::string> events;
  std::vector<std::unique_ptr<std::function<void()>>> actions;
  Kernel kernel;
  Fabric fabric{kernel};
  ClientProcess process{kernel, fabric, *this, *this};
};

using Events = std::vector<std::string>;

// Notes its own end, whatever ends it.
struct Frame {
  explicit Frame(Lab& l) : lab(l) {}
  Frame(const Frame&) = delete;
  Frame& operator=(const Frame&) = delete;
  ~Frame() { lab.note("frame gone"); }
  Lab& lab;
};

Task<void> sleeper(Env& env, Lab& lab, Duration time, std::string name) {
  const Instant until = env.now() + time;
  co_await Sleep(env, until);
  lab.note(name);
}

Task<void> passer(Env& env, Lab& lab) {
  const Frame frame(lab);
  co_await Checkpoint(env, Point::acquired);
  lab.note("first");
  co_await Checkpoint(env, Point::acquired);
  lab.note("second");
}

auto sleeps(Lab& lab, Duration time) {
  return [&lab, time](Env& env) { return sleeper(env, lab, time, "woke"); };
}

TEST(Process, ReadsItsOwnClocks) {
  Lab lab(1, 100'000);
  lab.at_time(10s, [] {});
  lab.run(10s);
  EXPECT_EQ(lab.process.now(), Instant(1011s));
  EXPECT_EQ(lab.process.wall_now(), WallInstant(5011s));
  lab.process.step_wall(-5000s);
  EXPECT_EQ(lab.process.wall_now(), WallInstant(11s));
  EXPECT_EQ(lab.process.now(), Instant(1011s));
}

TEST(Process, SleepsByItsOwnClock) {
  Lab normal;
  normal.process.start(sleeps(normal, 10s));
  normal.run();
  EXPECT_EQ(normal.events, Events{"woke @10000"});

  Lab fast(1, 250'000);
  fast.process.start(sleeps(fast, 10s));
  fast.run();
  EXPECT_EQ(fast.events, Events{"woke @8000"});
}

TEST(Process, LetsSleepersFollowAChangeOfRate) {
  Lab lab;
  lab.process.start(sleeps(lab, 10s));
  lab.at_time(2s, [&] { lab.process.set_rate(1'000'000); });
  lab.run();
  EXPECT_EQ(lab.events, Events{"woke @6000"});
}

TEST(Process, StepsOfTheWallClockMoveNoSleeper) {
  Lab lab;
  lab.process.start(sleeps(lab, 10s));
  lab.at_time(2s, [&] { lab.process.step_wall(1h); });
  lab.run();
  EXPECT_EQ(lab.events, Events{"woke @10000"});
}

TEST(Process, DoesNothingWhilePausedAndItsClockGoesOn) {
  Lab lab;
  lab.process.start(sleeps(lab, 10s));
  lab.at_time(5s, [&] { lab.process.pause(std::nullopt); });
  lab.at_time(6s, [&] { lab.process.pause(std::nullopt); });  // not counted
  lab.at_time(15s, [&] {
    EXPECT_TRUE(lab.process.paused());
    EXPECT_EQ(lab.process.now(), Instant(1015s));
    lab.process.resume(std::nullopt);
    lab.process.resume(std::nullopt);
  });
  lab.run();
  EXPECT_EQ(lab.events, (Events{"paused @5000", "resumed @15000", "woke @15000"}));
}

TEST(Process, APauseThatEndsBeforeATimerIsDueDelaysNothing) {
  Lab lab;
  lab.process.start(sleeps(lab, 10s));
  lab.at_time(5s, [&] { lab.process.pause(std::nullopt); });
  lab.at_time(9s, [&] { lab.process.resume(std::nullopt); });
  lab.run();
  EXPECT_EQ(lab.events.back(), "woke @10000");
}

TEST(Process, CanBePausedBeforeItsFirstStep) {
  Lab lab;
  lab.process.start(sleeps(lab, 10s));
  lab.process.pause(std::nullopt);
  lab.at_time(4s, [&] { lab.process.resume(std::nullopt); });
  lab.run();
  EXPECT_EQ(lab.events, (Events{"paused @0", "resumed @4000", "woke @14000"}));
}

// Two lanes that wake at the same times.
Task<void> ticker(Env& env, Lab& lab, std::string name, int times) {
  for (int i = 0; i < times; ++i) {
    const Instant until = env.now() + 1s;
    co_await Sleep(env, until);
    lab.note(name);
  }
}
Task<void> two_lanes(Env& env, Lab& lab) {
  env.spawn(ticker(env, lab, "dog", 2), Lane::watchdog);
  co_await ticker(env, lab, "call", 2);
}

TEST(Process, PausesOneLaneAloneAndTimersInheritTheLaneThatArmsThem) {
  Lab lab;
  lab.process.start([&lab](Env& env) { return two_lanes(env, lab); });
  lab.at_time(500ms, [&] { lab.process.pause(Lane::watchdog); });
  lab.at_time(5s, [&] { lab.process.resume(Lane::watchdog); });
  lab.run();
  EXPECT_EQ(lab.events, (Events{"paused watchdog @500", "call @1000", "call @2000",
                                "resumed watchdog @5000", "dog @5000", "dog @6000"}));
}

TEST(Process, HoldsAPausedLaneAlsoAfterTheWholeProcessWentOn) {
  Lab lab;
  lab.process.start([&lab](Env& env) { return two_lanes(env, lab); });
  lab.at_time(100ms, [&] {
    lab.process.pause(Lane::caller);
    lab.process.pause(std::nullopt);
  });
  lab.at_time(3s, [&] { lab.process.resume(std::nullopt); });
  lab.at_time(7s, [&] { lab.process.resume(Lane::caller); });
  lab.run();
  EXPECT_EQ(lab.events, (Events{"paused caller @100", "paused @100", "resumed @3000", "dog @3000",
                                "dog @4000", "resumed caller @7000", "call @7000", "call @8000"}));
}

TEST(Process, StopsAtAPointBeforeAnythingElseOfItRuns) {
  Lab lab;
  std::vector<std::uint64_t> counts;
  lab.on_point = [&](Point point, std::uint64_t nth) {
    EXPECT_EQ(point, Point::acquired);
    counts.push_back(nth);
    return nth == 2 ? AtPoint::pause : AtPoint::go_on;
  };
  lab.process.start([&lab](Env& env) { return passer(env, lab); });
  lab.at_time(3s, [&] { lab.process.resume(std::nullopt); });
  lab.run();
  EXPECT_EQ(lab.events,
            (Events{"first @0", "paused @0", "resumed @3000", "second @3000", "frame gone @3000"}));
  EXPECT_EQ(counts, (std::vector<std::uint64_t>{1, 2}));
}

TEST(Process, PausesOneLaneAtAPointThatItPasses) {
  Lab lab;
  lab.on_point = [&](Point, std::uint64_t nth) {
    if (nth == 1) lab.process.pause(Lane::caller);
    return AtPoint::go_on;
  };
  lab.process.start([&lab](Env& env) { return passer(env, lab); });
  lab.at_time(3s, [&] { lab.process.resume(Lane::caller); });
  lab.run();
  EXPECT_EQ(lab.events, (Events{"paused caller @0", "resumed caller @3000", "first @3000",
                                "second @3000", "frame gone @3000"}));
}

TEST(Process, ACrashAtAPointDestroysItsFramesAndRunsNothingMore) {
  Lab lab;
  lab.on_point = [](Point, std::uint64_t nth) {
    return nth == 2 ? AtPoint::crash : AtPoint::go_on;
  };
  lab.process.start([&lab](Env& env) { return passer(env, lab); });
  lab.run();
  EXPECT_EQ(lab.events, (Events{"first @0", "frame gone @0", "crashed @0"}));
  EXPECT_FALSE(lab.process.running());
}

Task<void> with_frame(Env& env, Lab& lab) {
  const Frame frame(lab);
  env.spawn(sleeper(env, lab, 2s, "child"), Lane::watchdog);
  co_await sleeper(env, lab, 10s, "woke");
}

TEST(Process, ACrashTakesAllFramesAndTimersAndARestartBeginsAnew) {
  Lab lab;
  lab.process.start([&lab](Env& env) { return with_frame(env, lab); });
  lab.at_time(1s, [&] {
    lab.process.crash();
    lab.process.crash();
    EXPECT_FALSE(lab.process.running());
  });
  lab.at_time(20s, [&] { lab.process.restart(); });
  lab.run();
  EXPECT_EQ(lab.events, (Events{"frame gone @1000", "crashed @1000", "child @22000", "woke @30000",
                                "frame gone @30000"}));
  EXPECT_TRUE(lab.process.running());
}

TEST(Process, ACrashEndsAPause) {
  Lab lab;
  lab.process.start(sleeps(lab, 1s));
  lab.at_time(500ms, [&] { lab.process.pause(std::nullopt); });
  lab.at_time(2s, [&] { lab.process.crash(); });
  lab.at_time(3s, [&] { lab.process.resume(std::nullopt); });
  lab.at_time(4s, [&] { lab.process.restart(); });
  lab.run();
  EXPECT_EQ(lab.events, (Events{"paused @500", "crashed @2000", "woke @5000"}));
}

TEST(Process, ARestartWhileItRunsIsACrashFirst) {
  Lab lab;
  lab.process.start(sleeps(lab, 10s));
  lab.at_time(1s, [&] { lab.process.restart(); });
  lab.run();
  EXPECT_EQ(lab.events, (Events{"crashed @1000", "woke @11000"}));
}

Task<void> crashes_itself(Env& env, Lab& lab) {
  const Frame frame(lab);
  lab.process.crash();
  lab.note("still here");
  co_await Sleep(env, Instant());
  lab.note("never");
}

TEST(Process, IsNotDestroyedUnderTheCodeThatRuns) {
  Lab lab;
  lab.process.start([&lab](Env& env) { return crashes_itself(env, lab); });
  lab.run();
  EXPECT_EQ(lab.events, (Events{"still here @0", "frame gone @0", "crashed @0"}));
}

void note_watch(void* self, std::uint64_t argument) {
  static_cast<Lab*>(self)->note("watch " + std::to_string(argument));
}

TEST(Process, TellsTheTrueInstantAtWhichItsClockReachesAReadingThoughItIsPaused) {
  Lab lab;
  lab.process.start(sleeps(lab, 60s));
  lab.process.watch_clock(0, Instant(1010s), {note_watch, &lab, 7, 50});
  lab.process.watch_clock(1, Instant(1020s), {note_watch, &lab, 8, 50});
  lab.process.watch_clock(1, Instant(1030s), {note_watch, &lab, 9, 50});
  lab.process.watch_clock(2, Instant(1030s), {note_watch, &lab, 10, 50});
  lab.process.watch_clock(2, Instant(), {});
  lab.at_time(1s, [&] { lab.process.pause(std::nullopt); });
  lab.at_time(12s, [&] { lab.process.set_rate(1'000'000); });
  lab.run(50s);
  EXPECT_EQ(lab.events, (Events{"paused @1000", "watch 7 @10000", "watch 9 @21000"}));
}

TEST(Process, AWatchOfAPassedReadingComesAtOnceAndACrashTakesTheOthers) {
  Lab lab;
  lab.process.start(sleeps(lab, 60s));
  lab.process.watch_clock(0, Instant(3s), {note_watch, &lab, 1, 50});
  lab.process.watch_clock(1, Instant(1030s), {note_watch, &lab, 2, 50});
  lab.at_time(1s, [&] { lab.process.crash(); });
  lab.run();
  EXPECT_EQ(lab.events, (Events{"watch 1 @0", "crashed @1000"}));
}

TEST(Process, DrawsTheSameRandomBytesForTheSameSeedAndOthersForAnother) {
  const auto draw = [](std::uint64_t seed) {
    Lab lab(seed);
    std::array<std::byte, 20> bytes{};
    lab.process.random(bytes);
    return bytes;
  };
  EXPECT_EQ(draw(1), draw(1));
  EXPECT_NE(draw(1), draw(2));
}

Task<void> waits_for(Env& env, Lab& lab, Signal& signal) {
  const Instant until = env.now() + 1h;
  const bool told = co_await Wait(signal, until);
  lab.note(told ? "told" : "not told");
}
Task<void> waiter_and_teller(Env& env, Lab& lab, Signal& signal) {
  env.spawn(waits_for(env, lab, signal), Lane::watchdog);
  co_await sleeper(env, lab, 1s, "tells");
  signal.notify();
}

TEST(Process, AWokenWaiterKeepsItsOwnLane) {
  Lab lab;
  Signal signal(lab.process);
  lab.process.start([&](Env& env) { return waiter_and_teller(env, lab, signal); });
  lab.at_time(500ms, [&] { lab.process.pause(Lane::watchdog); });
  lab.at_time(3s, [&] { lab.process.resume(Lane::watchdog); });
  lab.run();
  EXPECT_EQ(lab.events, (Events{"paused watchdog @500", "tells @1000", "resumed watchdog @3000",
                                "told @3000"}));
}

TEST(Process, ReplaysARunExactly) {
  const auto run = [](std::uint64_t seed) {
    Lab lab(seed);
    lab.process.start([&lab](Env& env) { return two_lanes(env, lab); });
    lab.at_time(500ms, [&] { lab.process.pause(std::nullopt); });
    lab.at_time(5s, [&] { lab.process.resume(std::nullopt); });
    lab.run();
    return std::pair(lab.kernel.fingerprint(), lab.events);
  };
  EXPECT_EQ(run(1), run(1));
  std::set<std::uint64_t> fingerprints;
  for (std::uint64_t seed = 0; seed < 20; ++seed) fingerprints.insert(run(seed).first);
  EXPECT_EQ(fingerprints.size(), 20U);
}

}  // namespace
}  // namespace holdfast::sim
