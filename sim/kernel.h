// Kernel: virtual time and the one queue of events. Events run in the order (time, tie-break drawn
// from the seed, sequence); nothing else decides. A running hash over all of them is the run's
// fingerprint, equal on every compiler, optimisation level and worker count.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/random.h"
#include "sim/true_time.h"

namespace holdfast::sim {

// What runs when an event is due: a plain function and two words. `kind` enters the fingerprint
// (small constants, never an address); `argument` is for the receiver and does not.
struct Action {
  void (*run)(void* self, std::uint64_t argument) = nullptr;
  void* self = nullptr;
  std::uint64_t argument = 0;
  std::uint32_t kind = 0;
};

// A pending event; valid until it has run or was cancelled, checked by generation afterwards.
struct EventId {
  std::uint32_t slot = 0;
  std::uint32_t generation = 0;  // 0: none
  explicit operator bool() const { return generation != 0; }
};

class Kernel {
 public:
  void reset(std::uint64_t seed);

  TrueTime now() const { return now_; }
  EventId at(TrueTime time, Action action);  // a time in the past means now
  EventId after(Duration delay, Action action) { return at(now_ + delay, action); }
  void cancel(EventId& id);  // harmless when it has run; clears `id`

  // Runs events until none is left, `until` is reached, stop() was called, or `budget` events ran.
  enum class End : std::uint8_t { idle, until, stopped, out_of_budget };
  End run(TrueTime until, std::uint64_t budget);
  void stop() { stopped_ = true; }

  std::uint64_t fingerprint() const { return hash_; }
  std::uint64_t events() const { return events_; }
  std::size_t pending() const { return live_; }
  // Something that happened inside an event and must be equal in every replay.
  void mix(std::uint64_t value);

 private:
  struct Entry {
    TrueTime time;
    std::uint64_t order;  // tie-break in the high half, sequence in the low half
    std::uint32_t slot;
  };
  struct Slot {
    Action action;
    std::uint32_t generation = 1;
    bool live = false;
  };
  std::vector<Entry> heap_;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_;
  Random ties_;
  TrueTime now_{};
  std::uint64_t hash_ = 0;
  std::uint64_t events_ = 0;
  std::uint32_t sequence_ = 0;
  std::size_t live_ = 0;
  bool stopped_ = false;
};

}  // namespace holdfast::sim
