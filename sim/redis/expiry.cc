// When keys die by the node's clock, and when the server's cycles remove them. Two timers: deaths
// of watched keys (their watcher is told at the true instant), and removals that a replica will
// see. Removals that nobody can see cost no event; they are caught up with when they matter.
#include <algorithm>
#include <limits>
#include <optional>

#include "sim/redis/dataset.h"
#include "sim/redis/event_kinds.h"

namespace holdfast::sim::redis {

namespace {

constexpr std::int64_t kNanosPerMs = 1'000'000;

}  // namespace

std::optional<TrueTime> Dataset::death(std::int64_t deadline_ms) const {
  // Beyond this the wall clock's nanoseconds (and the way there) do not fit in 64 bits: such a key
  // outlives every run.
  constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max() / kNanosPerMs / 2;
  if (deadline_ms >= kFar) return std::nullopt;
  const Duration end((deadline_ms + 1) * kNanosPerMs);
  // The usual clock, without a division.
  if (wall_.rate_ppm() == 0 && !wall_.frozen()) {
    return kernel_.now() + std::max(end - wall_now(), Duration::zero());
  }
  return wall_.when(end, kernel_.now());
}

// A key has got this deadline: watch for its end.
void Dataset::arm(Entry& entry) {
  if (entry.deadline_ms == kNoDeadline || !entry.present()) return;
  if (tells(entry) && !entry.told_dead) {
    if (fresh_ms() > entry.deadline_ms) {
      tell_expired(entry);
    } else if (const auto end = death(entry.deadline_ms)) {
      deaths_.arm(kernel_, *end, {&Dataset::on_death, this, run_, kKeyDies});
    }
  }
  arm_sweep(entry.deadline_ms);
}

TrueTime Dataset::next_cycle(TrueTime after) const {
  const Duration passed = std::max(after - cycles_from_, Duration::zero());
  return cycles_from_ + (passed + cycle_ - Duration(1)) / cycle_ * cycle_;
}

void Dataset::arm_sweep(std::int64_t deadline_ms) {
  if (!sweeps() || witnesses_ == 0) return;
  const auto end = death(deadline_ms);
  if (!end) return;
  const TrueTime cycle = std::max(next_cycle(*end), next_cycle(swept_ + Duration(1)));
  sweeps_.arm(kernel_, cycle, {&Dataset::on_sweep, this, run_, kActiveExpiry});
}

void Dataset::rearm_deaths() {
  std::optional<std::int64_t> first;
  databases_.each([&](const Entry& entry) {
    if (entry.deadline_ms == kNoDeadline || !tells(entry) || entry.told_dead) return;
    first = std::min(first.value_or(entry.deadline_ms), entry.deadline_ms);
  });
  if (!first) return;
  if (const auto end = death(*first)) {
    deaths_.arm(kernel_, *end, {&Dataset::on_death, this, run_, kKeyDies});
  }
}

void Dataset::rearm_sweep() {
  std::optional<std::int64_t> first;
  databases_.each([&](const Entry& entry) {
    if (entry.deadline_ms == kNoDeadline) return;
    first = std::min(first.value_or(entry.deadline_ms), entry.deadline_ms);
  });
  if (first) arm_sweep(*first);
}

void Dataset::on_death(void* self, std::uint64_t run) {
  auto& data = *static_cast<Dataset*>(self);
  if (run != data.run_) return;
  data.deaths_.fired();
  data.begin(0);
  data.databases_.each([&data](Entry& entry) {
    if (data.dead(entry)) data.tell_expired(entry);
  });
  data.rearm_deaths();
}

void Dataset::on_sweep(void* self, std::uint64_t run) {
  auto& data = *static_cast<Dataset*>(self);
  if (run != data.run_) return;
  data.sweeps_.fired();
  data.begin(0);
  data.settle();
  data.rearm_sweep();
}

void Dataset::catch_up() {
  if (!sweeps()) return;
  const TrueTime last = cycles_from_ + (kernel_.now() - cycles_from_) / cycle_ * cycle_;
  if (last <= swept_) return;
  swept_ = last;
  const std::int64_t then_ms = whole_ms(wall_.read(last));
  databases_.each([&](Entry& entry) {
    if (entry.deadline_ms == kNoDeadline || then_ms <= entry.deadline_ms) return;
    tell_expired(entry);
    remove_dead(entry);
  });
}

void Dataset::settle() {
  catch_up();
  propagation_.flush(false);
}

void Dataset::watch_removals(RemovalWitness witness, bool watches) {
  const auto bit = static_cast<std::uint8_t>(witness);
  const auto now = static_cast<std::uint8_t>(watches ? witnesses_ | bit : witnesses_ & ~bit);
  const bool same = (now == 0) == (witnesses_ == 0);
  witnesses_ = now;
  if (same) return;
  if (now == 0) return sweeps_.stop(kernel_);
  settle();
  rearm_sweep();
}

void Dataset::hold_removals(bool held) {
  settle();
  removals_held_ = held;
  swept_ = kernel_.now();
  held ? sweeps_.stop(kernel_) : rearm_sweep();
}

void Dataset::set_active_expiry(bool active) {
  settle();
  active_expiry_ = active;
  swept_ = kernel_.now();
  active ? rearm_sweep() : sweeps_.stop(kernel_);
}

void Dataset::stop_sweeping() {
  settle();
  sweeping_ = false;
  sweeps_.stop(kernel_);
}

void Dataset::start_sweeping() {
  sweeping_ = true;
  cycles_from_ = kernel_.now();
  swept_ = kernel_.now() - Duration(1);  // an overdue cycle runs at once
  rearm_sweep();
}

void Dataset::set_master(bool master) {
  if (master == master_) return;
  if (!master) settle();
  master_ = master;
  if (!master) return sweeps_.stop(kernel_);
  swept_ = kernel_.now();
  rearm_sweep();
}

void Dataset::step_wall(Duration by) {
  settle();
  wall_.step(kernel_.now(), by);
  clock_changed();
}

void Dataset::set_wall_rate(std::int64_t ppm) {
  settle();
  wall_.set_rate(kernel_.now(), ppm);
  clock_changed();
}

void Dataset::freeze_wall(bool frozen) {
  settle();
  frozen ? wall_.freeze(kernel_.now()) : wall_.unfreeze(kernel_.now());
  clock_changed();
}

// Every deadline stays where it is; the instants at which the clock gets there have moved.
void Dataset::clock_changed() {
  begin(0);
  databases_.each([this](Entry& entry) {
    if (entry.deadline_ms == kNoDeadline || !tells(entry)) return;
    if (dead(entry)) return tell_expired(entry);
    const ServerWatcher::Key key = describe(entry, entry.value.text);
    if (entry.told_dead) {
      entry.told_dead = false;
      watcher_.key_revived(key);
    } else {
      watcher_.key_ttl_changed(key);
    }
  });
  deaths_.stop(kernel_);
  sweeps_.stop(kernel_);
  rearm_deaths();
  rearm_sweep();
}

}  // namespace holdfast::sim::redis
