// Parts of sorted sets: by rank, by score, by name.
#pragma once

#include <cstdint>
#include <string_view>

#include "sim/redis/command.h"

namespace holdfast::sim::redis {

enum class RangeBy : std::uint8_t { rank, score, name };

// Ranks first .. first + count - 1, from the lowest.
struct RankRange {
  std::size_t first = 0;
  std::size_t count = 0;
};

struct ScoreBound {
  double score = 0;
  bool open = false;  // the bound itself is outside
};

struct NameBound {
  enum class Kind : std::uint8_t { lowest, name, highest } kind = Kind::name;
  std::string_view name = {};
  bool open = false;
};

// What a command's two arguments select; read before the key is looked up, as Redis does.
struct RangeQuery {
  RangeBy by = RangeBy::rank;
  std::int64_t ranks[2] = {};
  ScoreBound scores[2];
  NameBound names[2];

  // Arguments `low` and `high`; false after an error answer.
  bool read(Execution& run, std::size_t low, std::size_t high);
  // Ranks count from the highest when `reverse`.
  RankRange in(const SortedSet& set, bool reverse) const;
};

}  // namespace holdfast::sim::redis
