#include "sim/kernel.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace holdfast::sim {

void Kernel::reset(std::uint64_t seed) {
  heap_.clear();
  // Generations go on, so that an id kept from the run before can cancel nothing in this one. Which
  // slot an event gets has no say in the order.
  free_ = kNoSlot;
  for (std::size_t slot = slots_.size(); slot-- > 0;) {
    slots_[slot].generation += slots_[slot].generation % 2;
    give_back(static_cast<std::uint32_t>(slot));
  }
  dead_ = 0;
  root_is_done_ = false;
  stopped_ = false;
  ties_ = Random(seed, Purpose::ties);
  now_ = TrueTime{};
  hash_ = seed;
  events_ = 0;
  sequence_ = 0;
}

void Kernel::add_slot() {
  const std::size_t count = slots_.size();
  if (count >= std::size_t{1} << kSlotBits) std::abort();
  slots_.emplace_back();
  give_back(static_cast<std::uint32_t>(count));
}

void Kernel::cancel(EventId& id) {
  const EventId cancelled = id;
  id = EventId();
  if (cancelled.generation == 0 || cancelled.slot >= slots_.size()) return;
  Slot& slot = slots_[cancelled.slot];
  if (slot.generation != cancelled.generation) return;
  ++slot.generation;
  ++dead_;
  // Deadlines are nearly always cancelled, and lie far ahead: without this they would pile up.
  if (dead_ > 64 && dead_ > heap_.size() / 2) sweep();
}

void Kernel::finish_root() {
  if (root_is_done_) heap_.pop();
  root_is_done_ = false;
}

void Kernel::sweep() {
  finish_root();
  heap_.remove_if([this](EventKey key) {
    const std::uint32_t slot = slot_of(key);
    const bool gone = slots_[slot].generation % 2 == 0;
    if (gone) give_back(slot);
    return gone;
  });
  dead_ = 0;
}

void Kernel::run_one(EventKey key) {
  const std::uint32_t slot = slot_of(key);
  const Action action = slots_[slot].action;
  ++slots_[slot].generation;
  give_back(slot);
  now_ = time_of(key);
  ++events_;
  mix(static_cast<std::uint64_t>(key >> 64));
  const auto tie = static_cast<std::uint64_t>(key) >> (64 - kTieBits);
  mix(tie << 32 | action.kind);
  root_is_done_ = true;
  action.run(action.self, action.argument);
  finish_root();
}

Kernel::End Kernel::run(TrueTime until, std::uint64_t budget) {
  stopped_ = false;
  for (std::uint64_t ran = 0; !heap_.empty();) {
    const EventKey key = heap_.top();
    const std::uint32_t slot = slot_of(key);
    if (slots_[slot].generation % 2 == 0) {
      heap_.pop();
      give_back(slot);
      --dead_;
      continue;
    }
    if (time_of(key) > until) {
      now_ = std::max(now_, until);
      return End::until;
    }
    if (ran == budget) return End::out_of_budget;
    ++ran;
    run_one(key);
    if (stopped_) return End::stopped;
  }
  return End::idle;
}

void Kernel::advance(TrueTime until) {
  run(until, std::numeric_limits<std::uint64_t>::max());
  now_ = std::max(now_, until);
}

}  // namespace holdfast::sim
