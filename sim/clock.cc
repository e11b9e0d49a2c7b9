#include "sim/clock.h"

#include <algorithm>
#include <limits>

#include "sim/wide_integer.h"

namespace holdfast::sim {
namespace {

constexpr std::int64_t kMillion = 1'000'000;

Signed128 floor_divide(Signed128 value, std::int64_t positive) {
  if (const auto narrow = static_cast<std::int64_t>(value); narrow == value) {  // far cheaper
    return narrow % positive < 0 ? narrow / positive - 1 : narrow / positive;
  }
  const Signed128 quotient = value / positive;
  return value % positive < 0 ? quotient - 1 : quotient;
}

}  // namespace

Clock::Clock(Duration reading, std::int64_t rate_ppm) : reading_(reading), rate_ppm_(rate_ppm) {}

Duration Clock::read_at_rate(TrueTime now) const {
  if (frozen_) return reading_;
  const Signed128 passed = (now - anchor_).count();
  const Signed128 gained = floor_divide(passed * (kMillion + rate_ppm_) + fraction_, kMillion);
  return reading_ + Duration(static_cast<std::int64_t>(gained));
}

std::optional<TrueTime> Clock::when_at_rate(Duration reading, TrueTime now) const {
  if (read(now) >= reading) return now;
  if (frozen_) return std::nullopt;
  // The least t with (t - anchor) * rate + fraction >= missing.
  const Signed128 missing =
      (static_cast<Signed128>(reading.count()) - reading_.count()) * kMillion - fraction_;
  const std::int64_t rate = kMillion + rate_ppm_;
  // At rate 1 what is missing in whole nanoseconds, whatever the anchor's fraction.
  const Signed128 passed = rate_ppm_ == 0
                               ? static_cast<Signed128>(reading.count()) - reading_.count()
                               : floor_divide(missing + rate - 1, rate);
  const Signed128 time = passed + anchor_.time_since_epoch().count();
  if (time > std::numeric_limits<std::int64_t>::max()) return std::nullopt;
  return std::max(now, TrueTime(Duration(static_cast<std::int64_t>(time))));
}

void Clock::move_anchor(TrueTime now) {
  if (!frozen_) {
    const Signed128 passed = (now - anchor_).count();
    const Signed128 exact = passed * (kMillion + rate_ppm_) + fraction_;
    const Signed128 whole = floor_divide(exact, kMillion);
    reading_ += Duration(static_cast<std::int64_t>(whole));
    fraction_ = static_cast<std::int64_t>(exact - whole * kMillion);
  }
  anchor_ = now;
}

void Clock::step(TrueTime now, Duration by) {
  move_anchor(now);
  reading_ += by;
}

void Clock::set_rate(TrueTime now, std::int64_t rate_ppm) {
  move_anchor(now);
  rate_ppm_ = std::max(rate_ppm, 1 - kMillion);
}

void Clock::freeze(TrueTime now) {
  move_anchor(now);
  frozen_ = true;
}

void Clock::unfreeze(TrueTime now) {
  move_anchor(now);
  frozen_ = false;
}

}  // namespace holdfast::sim
