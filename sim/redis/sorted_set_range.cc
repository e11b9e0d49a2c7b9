#include "sim/redis/sorted_set_range.h"

#include <algorithm>
#include <optional>

#include "sim/redis/float_text.h"

namespace holdfast::sim::redis {

namespace {

std::optional<ScoreBound> read_score(std::string_view text) {
  ScoreBound bound;
  bound.open = text.starts_with('(');
  if (bound.open) text.remove_prefix(1);
  const auto score = parse_score_bound(text);
  if (!score) return std::nullopt;
  bound.score = *score;
  return bound;
}

std::optional<NameBound> read_name(std::string_view text) {
  if (text == "-") return NameBound{NameBound::Kind::lowest, {}, false};
  if (text == "+") return NameBound{NameBound::Kind::highest, {}, false};
  if (!text.starts_with('(') && !text.starts_with('[')) return std::nullopt;
  return NameBound{NameBound::Kind::name, text.substr(1), text.front() == '('};
}

// As a lower bound: the member is outside, before it. As an upper one: it is not yet beyond.
bool below(const ScoreBound& bound, double score, bool upper) {
  return bound.open == upper ? score < bound.score : score <= bound.score;
}

bool below(const NameBound& bound, std::string_view name, bool upper) {
  if (bound.kind != NameBound::Kind::name) return bound.kind == NameBound::Kind::highest;
  return bound.open == upper ? name < bound.name : name <= bound.name;
}

RankRange between(std::size_t first, std::size_t end) {
  return {first, end > first ? end - first : 0};
}

// Members with different scores are not in the order of their names. Then Redis promises nothing;
// what it does is to look at both ends first and to walk from the first (reverse: last) match while
// the names stay inside.
RankRange by_name(const SortedSet& set, const NameBound& low, const NameBound& high, bool reverse) {
  const auto after_low = [&](std::size_t i) { return !below(low, set[i].name, false); };
  const auto before_high = [&](std::size_t i) { return below(high, set[i].name, true); };
  const std::size_t size = set.size();
  if (size == 0 || !after_low(size - 1) || !before_high(0)) return {};
  std::size_t first = 0;
  std::size_t end = size;
  if (reverse) {
    while (end > 0 && !before_high(end - 1)) --end;
    for (first = end; first > 0 && after_low(first - 1);) --first;
  } else {
    while (first < size && !after_low(first)) ++first;
    for (end = first; end < size && before_high(end);) ++end;
  }
  return {first, end - first};
}

RankRange by_rank(std::int64_t first, std::int64_t last, std::size_t size, bool reverse) {
  const auto count = static_cast<std::int64_t>(size);
  if (first < 0) first = std::max<std::int64_t>(first + count, 0);
  if (last < 0) last += count;
  last = std::min(last, count - 1);
  if (first > last) return {};
  const std::int64_t lowest = reverse ? count - 1 - last : first;
  return {static_cast<std::size_t>(lowest), static_cast<std::size_t>(last - first + 1)};
}

}  // namespace

bool RangeQuery::read(Execution& run, std::size_t low, std::size_t high) {
  const std::size_t at[2] = {low, high};
  if (by == RangeBy::rank) return run.integer(low, ranks[0]) && run.integer(high, ranks[1]);
  for (std::size_t i = 0; i < 2; ++i) {
    if (by == RangeBy::score) {
      const auto bound = read_score(run[at[i]]);
      if (!bound) return run.error("ERR min or max is not a float"), false;
      scores[i] = *bound;
    } else {
      const auto bound = read_name(run[at[i]]);
      if (!bound) return run.error("ERR min or max not valid string range item"), false;
      names[i] = *bound;
    }
  }
  return true;
}

RankRange RangeQuery::in(const SortedSet& set, bool reverse) const {
  using Member = SortedSet::Member;
  switch (by) {
    case RangeBy::rank:
      return by_rank(ranks[0], ranks[1], set.size(), reverse);
    case RangeBy::score:
      return between(
          set.count_before([&](const Member& each) { return below(scores[0], each.value, false); }),
          set.count_before([&](const Member& each) { return below(scores[1], each.value, true); }));
    case RangeBy::name:
      break;
  }
  return by_name(set, names[0], names[1], reverse);
}

}  // namespace holdfast::sim::redis
