#include "reports/render/axis.h"

#include <algorithm>

namespace holdfast::report {
namespace {

using history::Nanos;
using judge::Interval;

// The longest stretches without an event, longest first, at most kMostBreaks.
std::vector<Interval> quiet(Interval shown, const std::vector<Nanos>& interest) {
  std::vector<Interval> gaps;
  Nanos last = shown.begin;
  for (const Nanos at : interest) {
    if (at > last) gaps.push_back({last, at});
    last = std::max(last, at);
  }
  if (shown.end > last) gaps.push_back({last, shown.end});
  std::stable_sort(gaps.begin(), gaps.end(), [](const Interval& a, const Interval& b) {
    return a.end - a.begin > b.end - b.begin;
  });
  if (gaps.size() > Axis::kMostBreaks) gaps.resize(Axis::kMostBreaks);
  return gaps;
}

// What a gap keeps at each end when it is cut. A cut saves at least two thirds of it: a break that
// saves little only disturbs.
Nanos kept(Nanos longest) { return longest / 6; }

Nanos visible_with(Nanos total, const std::vector<Interval>& gaps, Nanos longest) {
  for (const Interval& gap : gaps) {
    const Nanos length = gap.end - gap.begin;
    if (length > longest) total -= length - 2 * kept(longest);
  }
  return total;
}

// The longest gap that stays uncut, so that none of them fills more than 1/share of the picture.
Nanos longest_uncut(Nanos total, const std::vector<Interval>& gaps, Nanos share) {
  Nanos longest = total;
  for (int round = 0; round < 40; ++round) {
    const Nanos next = visible_with(total, gaps, longest) / share;
    if (next >= longest) break;
    longest = std::max<Nanos>(next, 3);
  }
  return longest;
}

Nanos visible_in(Interval important, const std::vector<Interval>& gaps, Nanos longest) {
  Nanos visible = important.end - important.begin;
  for (const Interval& gap : gaps) {
    if (gap.end - gap.begin <= longest) continue;
    const Interval cut{gap.begin + kept(longest), gap.end - kept(longest)};
    const Nanos from = std::max(cut.begin, important.begin);
    const Nanos to = std::min(cut.end, important.end);
    if (to > from) visible -= to - from;
  }
  return visible;
}

}  // namespace

Axis::Axis(Interval shown, const std::vector<Nanos>& interest, Interval important, Tenths left,
           Tenths right)
    : left_(left), right_(right) {
  const Nanos total = std::max<Nanos>(shown.end - shown.begin, 1);
  std::vector<Interval> gaps = quiet(shown, interest);
  Nanos longest = total;
  for (const Nanos share : {2, 3, 5, 8, 12, 20}) {
    longest = longest_uncut(total, gaps, share);
    // A sixteenth of the width is enough to see.
    if (important.empty()) break;
    if (visible_in(important, gaps, longest) * 16 >= visible_with(total, gaps, longest)) break;
  }
  std::erase_if(gaps, [longest](const Interval& gap) { return gap.end - gap.begin <= longest; });
  std::sort(gaps.begin(), gaps.end(),
            [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
  visible_ = std::max<Nanos>(visible_with(total, gaps, longest), 1);
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
    add_piece(gap.begin + kept(longest));
    const Nanos resumes = gap.end - kept(longest);
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
