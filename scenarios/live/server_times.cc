#include "scenarios/live/server_times.h"

#include <algorithm>

namespace holdfast::live {

namespace {
constexpr std::int64_t kPartsPerMillion = 1'000'000;
}

WallInstant ServerTimes::wall_in(const Piece& piece, Instant at) const {
  const Duration since = at - std::max(piece.from, Instant());
  // Split, so that no product overflows within the years that CLOCK_BOOTTIME may show.
  const Duration gained = since / kPartsPerMillion * piece.ppm +
                          since % kPartsPerMillion * piece.ppm / kPartsPerMillion;
  const Duration drift = piece.ppm == 0 ? Duration::zero() : gained;
  return WallInstant(at.time_since_epoch() + wall_minus_host_ + piece.ahead + drift);
}

std::optional<Instant> ServerTimes::solve(const Piece& piece, WallInstant wall) const {
  const std::int64_t rate = kPartsPerMillion + piece.ppm;
  if (rate <= 0) return std::nullopt;
  const Duration missing = wall - wall_in(piece, piece.from);
  return piece.from + missing / rate * kPartsPerMillion + missing % rate * kPartsPerMillion / rate;
}

const ServerTimes::Piece& ServerTimes::piece_at(Instant at) const {
  const Piece* in_force = &pieces_.front();
  for (const Piece& piece : pieces_) {
    if (piece.from <= at) in_force = &piece;
  }
  return *in_force;
}

WallInstant ServerTimes::wall(Instant at) const { return wall_in(piece_at(at), at); }

std::optional<Instant> ServerTimes::at_present_rate(WallInstant wall, Instant now) const {
  return solve(piece_at(now), wall);
}

Instant ServerTimes::host_before(WallInstant wall, Instant latest) const {
  for (std::size_t i = pieces_.size(); i-- > 0;) {
    if (pieces_[i].from > latest) continue;
    const auto at = solve(pieces_[i], wall);
    const Instant end = i + 1 < pieces_.size() ? std::min(pieces_[i + 1].from, latest) : latest;
    if (at && *at >= pieces_[i].from && *at <= end) return *at;
  }
  return latest;
}

std::optional<Instant> ServerTimes::host_when(WallInstant wall, Instant from) const {
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const bool last = i + 1 == pieces_.size();
    if (!last && pieces_[i + 1].from <= from) continue;
    const Instant begin = std::max(pieces_[i].from, from);
    if (wall_in(pieces_[i], begin) >= wall) return begin;
    const auto at = solve(pieces_[i], wall);
    if (at && *at >= begin && (last || *at < pieces_[i + 1].from)) return *at;
  }
  return std::nullopt;
}

}  // namespace holdfast::live
