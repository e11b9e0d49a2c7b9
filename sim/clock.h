// Clock: how one process's or node's clock reads at a true time: an offset, a rate, steps, freezes.
// Integer arithmetic only; conversions in both directions are exact inverses where the clock runs.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/true_time.h"

namespace holdfast::sim {

class Clock {
 public:
  Clock() = default;
  // Reads `reading` at true time zero and gains `rate_ppm` parts per million on true time.
  Clock(Duration reading, std::int64_t rate_ppm);

  // Floor of the exact value. `now` is not before the last change of the clock.
  Duration read(TrueTime now) const {
    if (rate_ppm_ == 0 && !frozen_) return reading_ + (now - anchor_);
    return read_at_rate(now);
  }
  // First true time at which read() >= reading, from the present segment; nothing while frozen
  // before it, or when it lies beyond what TrueTime can hold. A reading that has passed gives
  // `now`.
  std::optional<TrueTime> when(Duration reading, TrueTime now) const {
    std::int64_t missing = 0;
    std::int64_t time = 0;
    if (rate_ppm_ != 0 || frozen_ ||
        __builtin_sub_overflow(reading.count(), read(now).count(), &missing) ||
        __builtin_add_overflow(now.time_since_epoch().count(), missing, &time)) {
      return when_at_rate(reading, now);
    }
    return missing > 0 ? TrueTime(Duration(time)) : now;
  }

  void step(TrueTime now, Duration by);                // both ways
  void set_rate(TrueTime now, std::int64_t rate_ppm);  // > -1'000'000
  void freeze(TrueTime now);                           // reading stands still
  void unfreeze(TrueTime now);
  bool frozen() const { return frozen_; }
  std::int64_t rate_ppm() const { return rate_ppm_; }

 private:
  Duration read_at_rate(TrueTime now) const;
  std::optional<TrueTime> when_at_rate(Duration reading, TrueTime now) const;
  void move_anchor(TrueTime now);

  TrueTime anchor_{};   // start of the present segment
  Duration reading_{};  // reading at the anchor, whole nanoseconds
  // What the anchor's exact reading has beyond them, in millionths of a nanosecond: without it,
  // each change of rate would lose a little.
  std::int64_t fraction_ = 0;
  std::int64_t rate_ppm_ = 0;
  bool frozen_ = false;
};

}  // namespace holdfast::sim
