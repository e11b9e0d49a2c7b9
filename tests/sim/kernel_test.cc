#include "sim/kernel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <vector>

#include "tests/sim/no_budget.h"

namespace holdfast::sim {
namespace {

using std::chrono::nanoseconds;
using std::chrono::seconds;

constexpr TrueTime kForEver = TrueTime::max();

TrueTime at(std::int64_t nanos) { return TrueTime(nanoseconds(nanos)); }

// Notes which events ran, and when.
struct KernelLog {
  explicit KernelLog(std::uint64_t seed) { kernel.reset(seed); }

  EventId add(std::int64_t time, std::uint64_t number, std::uint32_t kind = 1) {
    return kernel.at(at(time), {&KernelLog::note, this, number, kind});
  }
  static void note(void* self, std::uint64_t number) {
    auto& log = *static_cast<KernelLog*>(self);
    log.numbers.push_back(number);
    log.times.push_back(log.kernel.now());
    if (log.then) log.then(number);
  }
  Kernel::End run(TrueTime until = kForEver, std::uint64_t budget = kNoBudget) {
    return kernel.run(until, budget);
  }

  Kernel kernel;
  std::vector<std::uint64_t> numbers;
  std::vector<TrueTime> times;
  std::function<void(std::uint64_t)> then;
};

TEST(Kernel, RunsEventsInTheOrderOfTheirTimes) {
  KernelLog log(1);
  log.add(30, 3);
  log.add(10, 1);
  log.add(20, 2);
  EXPECT_EQ(log.run(), Kernel::End::idle);
  EXPECT_EQ(log.numbers, (std::vector<std::uint64_t>{1, 2, 3}));
  EXPECT_EQ(log.times, (std::vector<TrueTime>{at(10), at(20), at(30)}));
  EXPECT_EQ(log.kernel.events(), 3U);
}

TEST(Kernel, OrdersEventsOfOneTimeByTheSeed) {
  std::set<std::vector<std::uint64_t>> orders;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    KernelLog log(seed);
    for (std::uint64_t number = 0; number < 3; ++number) log.add(5, number);
    log.run();
    orders.insert(log.numbers);

    KernelLog again(seed);
    for (std::uint64_t number = 0; number < 3; ++number) again.add(5, number);
    again.run();
    EXPECT_EQ(again.numbers, log.numbers);
  }
  EXPECT_EQ(orders.size(), 6U);
}

TEST(Kernel, TakesATimeInThePastAsNow) {
  KernelLog log(1);
  log.add(10, 1);
  log.then = [&](std::uint64_t number) {
    if (number == 1) log.add(3, 2);
  };
  log.run();
  EXPECT_EQ(log.times, (std::vector<TrueTime>{at(10), at(10)}));
}

TEST(Kernel, RunsWhatIsDueAtUntilAndNothingLater) {
  KernelLog log(1);
  log.add(10, 1);
  log.add(11, 2);
  EXPECT_EQ(log.run(at(10)), Kernel::End::until);
  EXPECT_EQ(log.numbers, std::vector<std::uint64_t>{1});
  EXPECT_EQ(log.kernel.pending(), 1U);
  EXPECT_EQ(log.run(at(10)), Kernel::End::until);
  EXPECT_EQ(log.run(), Kernel::End::idle);
  EXPECT_EQ(log.numbers.size(), 2U);
}

TEST(Kernel, StopsAfterTheRunningEvent) {
  KernelLog log(1);
  log.add(1, 1);
  log.add(2, 2);
  log.then = [&](std::uint64_t) { log.kernel.stop(); };
  EXPECT_EQ(log.run(), Kernel::End::stopped);
  EXPECT_EQ(log.numbers.size(), 1U);
  EXPECT_EQ(log.run(), Kernel::End::stopped);
  EXPECT_EQ(log.numbers.size(), 2U);
}

TEST(Kernel, EndsWhenTheBudgetIsSpent) {
  KernelLog log(1);
  log.then = [&](std::uint64_t number) {
    log.add(log.kernel.now().time_since_epoch().count(), number);
  };
  log.add(1, 1);
  EXPECT_EQ(log.run(kForEver, 1000), Kernel::End::out_of_budget);
  EXPECT_EQ(log.kernel.events(), 1000U);
}

TEST(Kernel, DoesNotRunCancelledEvents) {
  KernelLog log(1);
  EventId first = log.add(1, 1);
  log.add(2, 2);
  EventId third = log.add(3, 3);
  log.kernel.cancel(first);
  log.kernel.cancel(third);
  EXPECT_FALSE(first);
  EXPECT_EQ(log.kernel.pending(), 1U);
  EXPECT_EQ(log.run(), Kernel::End::idle);
  EXPECT_EQ(log.numbers, std::vector<std::uint64_t>{2});
  EXPECT_EQ(log.kernel.events(), 1U);
}

TEST(Kernel, LeavesALaterEventInTheSameSlotAloneWhenAnOldIdIsCancelled) {
  KernelLog log(1);
  EventId old = log.add(1, 1);
  const EventId copy = old;
  log.run();
  log.add(2, 2);
  EventId stale = copy;
  log.kernel.cancel(stale);
  log.kernel.cancel(old);
  EventId none;
  log.kernel.cancel(none);
  log.run();
  EXPECT_EQ(log.numbers, (std::vector<std::uint64_t>{1, 2}));
}

TEST(Kernel, LetsAnEventCancelItselfAndItsNeighbours) {
  KernelLog log(1);
  EventId own = log.add(1, 1);
  EventId next = log.add(2, 2);
  log.then = [&](std::uint64_t) {
    log.kernel.cancel(own);
    log.kernel.cancel(next);
  };
  EXPECT_EQ(log.run(), Kernel::End::idle);
  EXPECT_EQ(log.numbers, std::vector<std::uint64_t>{1});
}

TEST(Kernel, HasTheSameFingerprintForTheSameRunAndAnotherForEveryDifference) {
  const auto fingerprint = [](std::uint64_t seed, std::int64_t time, std::uint32_t kind,
                              std::uint64_t argument, std::uint64_t mixed) {
    KernelLog log(seed);
    log.add(5, 1);
    log.add(time, argument, kind);
    log.run();
    if (mixed != 0) log.kernel.mix(mixed);
    return log.kernel.fingerprint();
  };
  const std::uint64_t reference = fingerprint(1, 9, 2, 7, 0);
  EXPECT_EQ(fingerprint(1, 9, 2, 7, 0), reference);
  EXPECT_EQ(fingerprint(1, 9, 2, 8, 0), reference);  // an argument may hold what differs
  EXPECT_NE(fingerprint(2, 9, 2, 7, 0), reference);
  EXPECT_NE(fingerprint(1, 10, 2, 7, 0), reference);
  EXPECT_NE(fingerprint(1, 9, 3, 7, 0), reference);
  EXPECT_NE(fingerprint(1, 9, 2, 7, 1), reference);
}

TEST(Kernel, IsAfterAResetAsOnTheFirstDay) {
  const auto run = [](KernelLog& log) {
    for (std::uint64_t number = 0; number < 20; ++number) log.add(5, number);
    log.run();
    return log.kernel.fingerprint();
  };
  KernelLog fresh(4);
  const std::uint64_t expected = run(fresh);
  KernelLog used(9);
  for (std::uint64_t number = 0; number < 500; ++number) {
    EventId id = used.add(static_cast<std::int64_t>(number), number);
    if (number % 3 == 0) used.kernel.cancel(id);
  }
  used.run(at(100));
  used.kernel.reset(4);
  used.numbers.clear();
  EXPECT_EQ(used.kernel.now(), at(0));
  EXPECT_EQ(used.kernel.pending(), 0U);
  EXPECT_EQ(run(used), expected);
  EXPECT_EQ(used.numbers, fresh.numbers);
}

TEST(Kernel, CancelsNothingWithAnIdFromBeforeAReset) {
  KernelLog log(1);
  EventId old = log.add(5, 1);
  log.kernel.reset(2);
  log.add(5, 2);
  log.kernel.cancel(old);
  log.run();
  EXPECT_EQ(log.numbers, std::vector<std::uint64_t>{2});
}

// Against a list that is sorted anew each time: random scheduling, from inside and outside of
// events, with so many cancellations that the kernel sweeps.
TEST(Kernel, AgreesWithASortedListUnderRandomUse) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    KernelLog log(seed);
    Random random(seed, Purpose::faults);
    struct Expected {
      std::int64_t time;
      std::uint64_t number;
      EventId id;
    };
    std::vector<Expected> expected;
    std::uint64_t count = 0;
    const auto schedule = [&] {
      // Distinct times: the order within one time is the seed's own.
      const std::int64_t now = log.kernel.now().time_since_epoch().count();
      const std::int64_t time = now + static_cast<std::int64_t>(random.below(1'000'000)) + 1;
      const bool taken = std::any_of(expected.begin(), expected.end(),
                                     [&](const Expected& other) { return other.time == time; });
      if (!taken) expected.push_back({time, count, log.add(time, count)});
    };
    const auto cancel_one = [&] {
      if (expected.empty()) return;
      const std::size_t index = random.below(expected.size());
      log.kernel.cancel(expected[index].id);
      expected.erase(expected.begin() + static_cast<std::ptrdiff_t>(index));
    };
    bool wrong = false;
    log.then = [&](std::uint64_t number) {
      const auto least =
          std::min_element(expected.begin(), expected.end(),
                           [](const Expected& a, const Expected& b) { return a.time < b.time; });
      wrong = wrong || least == expected.end() || least->number != number;
      if (least != expected.end()) expected.erase(least);
      if (count < 2000) {
        for (std::uint64_t more = random.below(4); more > 0; --more) schedule();
        for (std::uint64_t less = random.below(3); less > 0; --less) cancel_one();
      }
    };
    for (int i = 0; i < 300; ++i) schedule();
    for (int i = 0; i < 200; ++i) cancel_one();
    EXPECT_EQ(log.run(), Kernel::End::idle);
    EXPECT_FALSE(wrong);
    EXPECT_TRUE(expected.empty());
    EXPECT_EQ(log.kernel.pending(), 0U);
  }
}

}  // namespace
}  // namespace holdfast::sim
