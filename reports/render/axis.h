// Axis: from true time to the picture's x. One scale throughout; long stretches in which nothing
// happens are cut out and leave a break of fixed width.
#pragma once

#include <cstdint>
#include <vector>

#include "reports/judge/verdict.h"

namespace holdfast::report {

// A tenth of a picture unit: positions are integers, so that a picture is the same on every
// compiler.
using Tenths = std::int64_t;

class Axis {
 public:
  // A stretch of time and where it is drawn. A break covers what was cut out.
  struct Piece {
    history::Nanos from = 0, to = 0;
    Tenths x0 = 0, x1 = 0;
    bool is_break = false;
  };

  static constexpr Tenths kBreakWidth = 300;
  static constexpr std::size_t kMostBreaks = 8;

  // `interest`: sorted instants that must be visible. `important` (may be empty) is what the
  // picture is about: it gets a fair width if cutting can give it one.
  Axis(judge::Interval shown, const std::vector<history::Nanos>& interest,
       judge::Interval important, Tenths left, Tenths right);

  // Clamped to the shown part.
  Tenths x(history::Nanos at) const;
  const std::vector<Piece>& pieces() const { return pieces_; }
  Tenths left() const { return left_; }
  Tenths right() const { return right_; }
  history::Nanos visible() const { return visible_; }  // length without the breaks
  // A round length of time that is at least `width` wide: for the scale bar and the ticks.
  history::Nanos round_length(Tenths width) const;
  Tenths width_of(history::Nanos length) const;  // at this scale
  // Round instants to label, with at least one a piece that is wide enough for it.
  std::vector<history::Nanos> ticks() const;

 private:
  std::vector<Piece> pieces_;
  Tenths left_ = 0, right_ = 0, drawn_ = 0;
  history::Nanos visible_ = 1;
};

}  // namespace holdfast::report
