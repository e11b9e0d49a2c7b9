// ServerTimes: how one server's wall clock related to the host's clock over a run, so that what the
// server did by its own clock (executions, expiries) can be put on the host's time line.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lockcore/time.h"

namespace holdfast::live {

class ServerTimes {
 public:
  // `wall_minus_host`: the host's wall clock minus its CLOCK_BOOTTIME, taken once.
  explicit ServerTimes(Duration wall_minus_host) : wall_minus_host_(wall_minus_host) {
    pieces_.push_back({Instant(), Duration::zero(), 0});
  }

  // From `from` on the server's clock is `ahead` of the host's wall clock and gains `ppm`.
  void bent(Instant from, Duration ahead, std::int64_t ppm) {
    pieces_.push_back({from, ahead, ppm});
  }

  // What the server's wall clock showed at a host time.
  WallInstant wall(Instant at) const;
  // The latest host time not after `latest` at which the server's clock showed `wall`; `latest`
  // when it never did (a frozen clock, a clock that jumped over it).
  Instant host_before(WallInstant wall, Instant latest) const;
  // The host time at which the clock would show `wall` if it went on as at `now`; nothing when it
  // stands still.
  std::optional<Instant> at_present_rate(WallInstant wall, Instant now) const;
  // The first host time from `from` on at which the server's clock shows `wall` or more; nothing
  // when it never does.
  std::optional<Instant> host_when(WallInstant wall, Instant from) const;

 private:
  struct Piece {
    Instant from;
    Duration ahead;
    std::int64_t ppm;
  };
  const Piece& piece_at(Instant at) const;
  WallInstant wall_in(const Piece& piece, Instant at) const;
  std::optional<Instant> solve(const Piece& piece, WallInstant wall) const;

  Duration wall_minus_host_;
  std::vector<Piece> pieces_;
};

}  // namespace holdfast::live
