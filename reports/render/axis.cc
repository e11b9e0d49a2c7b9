#include "reports/render/axis.h"

#include <algorithm>

namespace holdfast::report {
namespace {

using history::Nanos;
using judge::Interval;

// The longest stretches without an event, longest first.
std::vector<Interval> quiet(Interval shown, const std::vector<Nanos>& interest) {
  std::vector<Interval> gaps;
  Nanos last = shown.begin;
  for (const Nanos at : interest) {
    if (at > last) gaps.push_back({last, at});
    last = std::max(last, at);
  }
  if (shown.end > last) gaps.push_back({last, shown.end});
  std::sort(gaps.begin(), gaps.end(), [](const Interval& a, const Interval& b) {
    const Nanos length_a = a.end - a.begin;
    const Nanos length_b = b.end - b.begin;
    return length_a != length_b ? length_a > length_b : a.begin < b.begin;
  });
  return gaps;
}

// Which gaps are cut, and how much of each stays on either side.
struct Cuts {
  std::size_t count = 0;  // the first ones of the list
  Nanos kept = 0;
  Nanos visible = 1;
};

// The part of `important` that lies in no cut gap.
Nanos uncut(Interval important, const std::vector<Interval>& gaps, std::size_t count) {
  Nanos length = important.end - important.begin;
  for (std::size_t i = 0; i < count; ++i) {
    const Nanos from = std::max(gaps[i].begin, important.begin);
    const Nanos to = std::min(gaps[i].end, important.end);
    if (to > from) length -= to - from;
  }
  return length;
}

// Cuts the `count` longest gaps; false when that would save too little to be worth the breaks.
bool cut(Nanos total, const std::vector<Interval>& gaps, Interval important, std::size_t count,
         Cuts& cuts) {
  cuts = {count, 0, std::max<Nanos>(total, 1)};
  if (count == 0) return true;
  Nanos rest = total;
  for (std::size_t i = 0; i < count; ++i) rest -= gaps[i].end - gaps[i].begin;
  const auto sides = static_cast<Nanos>(2 * count);
  // At least a twenty-fifth of the picture beside each break, so that what ends there has a place;
  // more when what is important then still fills a tenth.
  const Nanos least = rest / (25 - sides);
  const Nanos room = (10 * uncut(important, gaps, count) - rest) / sides;
  const Nanos most = (gaps[count - 1].end - gaps[count - 1].begin) / 6;
  if (most == 0 || least > most) return false;
  cuts.kept = std::clamp(room, least, most);
  cuts.visible = std::max<Nanos>(rest + sides * cuts.kept, 1);
  return true;
}

// The fewest breaks with which what is important is well visible and no quiet stretch fills half of
// the picture; else as many as are worth it.
Cuts choose(Nanos total, const std::vector<Interval>& gaps, Interval important) {
  Cuts best;
  for (std::size_t count = 0; count <= std::min(gaps.size(), Axis::kMostBreaks); ++count) {
    Cuts cuts;
    if (!cut(total, gaps, important, count, cuts)) break;
    best = cuts;
    const Nanos longest = count < gaps.size() ? gaps[count].end - gaps[count].begin : 0;
    const bool cut_inside = uncut(important, gaps, count) < important.end - important.begin;
    const bool seen =
        important.empty() || cut_inside || (important.end - important.begin) >= cuts.visible / 16;
    if (seen && longest <= cuts.visible / 2) break;
  }
  return best;
}

}  // namespace

Axis::Axis(Interval shown, const std::vector<Nanos>& interest, Interval important, Tenths left,
           Tenths right)
    : left_(left), right_(right) {
  const Nanos total = std::max<Nanos>(shown.end - shown.begin, 1);
  std::vector<Interval> gaps = quiet(shown, interest);
  const Cuts cuts = choose(total, gaps, important);
  gaps.resize(cuts.count);
  std::sort(gaps.begin(), gaps.end(),
            [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
  visible_ = cuts.visible;
  drawn_ = right - left - kBreakWidth * static_cast<Tenths>(gaps.size());

  // Positions from sums, not by adding up rounded widths.
  Nanos shown_so_far = 0;
  Tenths breaks = 0;
  Nanos from = shown.begin;
  const auto add_piece = [&](Nanos to) {
    const Tenths x0 = left + breaks + width_of(shown_so_far);
    shown_so_far += to - from;
    pieces_.push_back({from, to, x0, left + breaks + width_of(shown_so_far), false});
    from = to;
  };
  for (const Interval& gap : gaps) {
    add_piece(gap.begin + cuts.kept);
    const Nanos resumes = gap.end - cuts.kept;
    const Tenths x0 = pieces_.back().x1;
    pieces_.push_back({from, resumes, x0, x0 + kBreakWidth, true});
    breaks += kBreakWidth;
    from = resumes;
  }
  add_piece(shown.begin + total);
}

Tenths Axis::width_of(Nanos length) const {
  // In two steps: nanoseconds of a year times tenths would not fit 64 bits.
  const Nanos whole = length / visible_;
  const Nanos rest = length % visible_;
  const Nanos step = std::max<Nanos>(visible_ / 1'000'000'000, 1);
  return whole * drawn_ + (rest / step) * drawn_ / std::max<Nanos>(visible_ / step, 1);
}

Tenths Axis::x(Nanos at) const {
  for (const Piece& piece : pieces_) {
    if (at > piece.to) continue;
    if (at <= piece.from) return piece.x0;
    const Nanos step = std::max<Nanos>((piece.to - piece.from) / 1'000'000'000, 1);
    return piece.x0 + (at - piece.from) / step * (piece.x1 - piece.x0) /
                          std::max<Nanos>((piece.to - piece.from) / step, 1);
  }
  return pieces_.back().x1;
}

Nanos Axis::round_length(Tenths width) const {
  for (Nanos decade = 1'000; decade < 10'000'000'000'000'000; decade *= 10) {
    for (const Nanos factor : {1, 2, 5}) {
      if (width_of(decade * factor) >= width) return decade * factor;
    }
  }
  return visible_;
}

std::vector<Nanos> Axis::ticks() const {
  constexpr Tenths kApart = 800;
  constexpr Tenths kOwnLabel = 450;
  const Nanos step = round_length(kApart);
  std::vector<Nanos> ticks;
  for (const Piece& piece : pieces_) {
    if (piece.is_break) continue;
    bool any = false;
    for (Nanos at = (piece.from + step - 1) / step * step; at <= piece.to; at += step) {
      ticks.push_back(at);
      any = true;
    }
    // A narrow piece between two breaks: a rounder instant inside it than its edges.
    for (Nanos finer = step / 10; !any && finer >= 1'000 && piece.x1 - piece.x0 > kOwnLabel;
         finer /= 10) {
      const Nanos middle = (piece.from + piece.to) / 2 / finer * finer;
      if (middle < piece.from) continue;
      ticks.push_back(middle);
      any = true;
    }
  }
  return ticks;
}

}  // namespace holdfast::report
