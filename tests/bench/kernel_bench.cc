// The event kernel against ns-3's, on one workload that never changes: N events are pending; each,
// when it runs, schedules itself again after a delay from one table of exponentially distributed
// delays (mean 1 ms), which both simulators walk in the same order.
#include <benchmark/benchmark.h>

#include <array>
#include <cmath>
#include <cstdint>

#include "sim/kernel.h"

#ifdef HOLDFAST_NS3
#include <ns3/calendar-scheduler.h>
#include <ns3/heap-scheduler.h>
#include <ns3/list-scheduler.h>
#include <ns3/map-scheduler.h>
#include <ns3/nstime.h>
#include <ns3/object-factory.h>
#include <ns3/priority-queue-scheduler.h>
#include <ns3/simulator.h>
#endif

namespace {

constexpr std::size_t kDelays = 1 << 14;

// Quantiles of an exponential distribution in an order that a linear congruence shuffles. Part of
// the measurement, not of a run: libm may be used.
const std::array<std::int64_t, kDelays>& delays() {
  static const auto table = [] {
    std::array<std::int64_t, kDelays> values{};
    std::uint32_t shuffled = 1;
    for (auto& value : values) {
      shuffled = (shuffled * 1'664'525 + 1'013'904'223) % kDelays;
      const double share = (shuffled + 0.5) / kDelays;
      value = static_cast<std::int64_t>(-1e6 * std::log(1 - share)) + 1;
    }
    return values;
  }();
  return table;
}

constexpr std::uint64_t kEventsPerRound = 1'000'000;

struct Workload {
  explicit Workload(std::size_t pending) {
    kernel.reset(1);
    for (std::size_t i = 0; i < pending; ++i) again();
  }
  void again() {
    kernel.after(holdfast::sim::Duration(delay[position++ % kDelays]),
                 {&Workload::run, this, 0, 1});
  }
  static void run(void* self, std::uint64_t) { static_cast<Workload*>(self)->again(); }

  const std::array<std::int64_t, kDelays>& delay = delays();
  std::size_t position = 0;
  holdfast::sim::Kernel kernel;
};

void holdfast_kernel(benchmark::State& state) {
  Workload workload(static_cast<std::size_t>(state.range(0)));
  for (auto round : state) {
    workload.kernel.run(holdfast::sim::TrueTime::max(), kEventsPerRound);
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(workload.kernel.events()));
}
BENCHMARK(holdfast_kernel)->Arg(100)->Arg(10'000)->Unit(benchmark::kMillisecond);

#ifdef HOLDFAST_NS3

// ns-3's simulator is one per process: it is destroyed and set up anew for each measurement.
struct Ns3Workload {
  static void again() {
    ns3::Simulator::Schedule(ns3::NanoSeconds(delays()[position++ % kDelays]), &Ns3Workload::run);
  }
  static void run() {
    again();
    if (++events % kEventsPerRound == 0) ns3::Simulator::Stop();
  }
  static inline std::size_t position = 0;
  static inline std::uint64_t events = 0;
};

void ns3_kernel(benchmark::State& state, const char* scheduler) {
  ns3::Simulator::Destroy();
  ns3::ObjectFactory factory;
  factory.SetTypeId(scheduler);
  ns3::Simulator::SetScheduler(factory);
  Ns3Workload::position = 0;
  Ns3Workload::events = 0;
  for (std::int64_t i = 0; i < state.range(0); ++i) Ns3Workload::again();
  for (auto round : state) ns3::Simulator::Run();
  state.SetItemsProcessed(static_cast<std::int64_t>(Ns3Workload::events));
  ns3::Simulator::Destroy();
}
#define NS3_KERNEL(name, scheduler)              \
  BENCHMARK_CAPTURE(ns3_kernel, name, scheduler) \
      ->Arg(100)                                 \
      ->Arg(10'000)                              \
      ->Unit(benchmark::kMillisecond)
NS3_KERNEL(map_default, "ns3::MapScheduler");
NS3_KERNEL(heap, "ns3::HeapScheduler");
NS3_KERNEL(priority_queue, "ns3::PriorityQueueScheduler");
NS3_KERNEL(calendar, "ns3::CalendarScheduler");

#else

void ns3_kernel(benchmark::State& state) {
  state.SkipWithError("ns-3 was not there when this was built (Debian: libns3-dev)");
}
BENCHMARK(ns3_kernel);

#endif

}  // namespace
