// Kernel: virtual time and the one queue of events. Events run in the order (time, tie-break drawn
// from the seed, sequence); nothing else decides. A running hash over all of them is the run's
// fingerprint, equal on every compiler, optimisation level and worker count.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/event_heap.h"
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
  // Time zero, nothing pending, as after construction; keeps its memory. Not from inside run().
  void reset(std::uint64_t seed);

  TrueTime now() const { return now_; }
  // At most four million events are pending at a time; one more ends the program.
  EventId at(TrueTime time, Action action) {  // a time in the past means now
    const std::uint32_t slot = take_slot();
    Slot& taken = slots_[slot];
    taken.action = action;
    const EventKey key = make_key(time < now_ ? now_ : time, slot);
    if (root_is_done_) {
      root_is_done_ = false;
      heap_.replace_top(key);
    } else {
      heap_.push(key);
    }
    return {slot, taken.generation};
  }
  EventId after(Duration delay, Action action) { return at(now_ + delay, action); }
  void cancel(EventId& id);  // harmless when it has run; clears `id`

  // Runs events until none is left, `until` is reached, stop() was called, or `budget` events ran
  // in this call. Events due at `until` still run; now() is `until` afterwards if End::until.
  enum class End : std::uint8_t { idle, until, stopped, out_of_budget };
  End run(TrueTime until, std::uint64_t budget);
  void stop() { stopped_ = true; }  // after the running event
  // For a world that follows a clock from outside: runs what is due up to `until`, which is now()
  // afterwards also when nothing is pending.
  void advance(TrueTime until);
  // When the next event is due, or earlier (cancelled ones may still count). Not from inside run().
  std::optional<TrueTime> next() const {
    if (heap_.empty()) return std::nullopt;
    return time_of(heap_.top());
  }

  std::uint64_t fingerprint() const { return hash_; }
  std::uint64_t events() const { return events_; }  // that ran since reset()
  std::size_t pending() const { return heap_.size() - dead_ - (root_is_done_ ? 1 : 0); }
  // Something that happened inside an event and must be equal in every replay.
  void mix(std::uint64_t value) {
    hash_ = (hash_ ^ value) * 0x9E3779B97F4A7C15;
    hash_ ^= hash_ >> 32;
  }

 private:
  // Below the time: tie-break, sequence (both only order), slot (finds the action).
  static constexpr unsigned kTieBits = 16, kSequenceBits = 26, kSlotBits = 22;
  static_assert(kTieBits + kSequenceBits + kSlotBits == 64);

  struct Slot {
    Action action;
    // Odd while the event is pending; even from then on, so that old ids no longer fit.
    std::uint32_t generation = 0;
    std::uint32_t next_free = 0;
  };
  static constexpr std::uint32_t kNoSlot = ~std::uint32_t{0};

  std::uint32_t take_slot() {
    if (free_ == kNoSlot) add_slot();
    const std::uint32_t slot = free_;
    free_ = slots_[slot].next_free;
    ++slots_[slot].generation;
    return slot;
  }
  void give_back(std::uint32_t slot) {
    slots_[slot].next_free = free_;
    free_ = slot;
  }
  EventKey make_key(TrueTime time, std::uint32_t slot) {
    const std::uint64_t tie = ties_.next() >> (64 - kTieBits);
    const std::uint64_t sequence = sequence_++ & ((std::uint64_t{1} << kSequenceBits) - 1);
    const auto nanos = static_cast<std::uint64_t>(time.time_since_epoch().count());
    return EventKey{nanos} << 64 | tie << (64 - kTieBits) | sequence << kSlotBits | slot;
  }
  static std::uint32_t slot_of(EventKey key) {
    return static_cast<std::uint32_t>(key) & ((std::uint32_t{1} << kSlotBits) - 1);
  }
  static TrueTime time_of(EventKey key) {
    return TrueTime(Duration(static_cast<std::int64_t>(key >> 64)));
  }
  void add_slot();
  void finish_root();
  void sweep();
  void run_one(EventKey key);

  EventHeap heap_;  // cancelled events stay in it until they come up or are swept
  std::vector<Slot> slots_;
  std::uint32_t free_ = kNoSlot;
  std::uint32_t dead_ = 0;     // cancelled, still in the heap
  bool root_is_done_ = false;  // the heap's top is the event that runs: its place can be taken
  bool stopped_ = false;
  Random ties_;
  TrueTime now_{};
  std::uint64_t hash_ = 0;
  std::uint64_t events_ = 0;
  std::uint64_t sequence_ = 0;
};

}  // namespace holdfast::sim
