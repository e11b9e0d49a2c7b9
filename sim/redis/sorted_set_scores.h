// Setting scores and showing members, as several commands do.
#pragma once

#include <string_view>

#include "sim/redis/command.h"
#include "sim/redis/sorted_set_range.h"

namespace holdfast::sim::redis {

void set_score(Value& set, std::string_view name, double score, const EncodingLimits& limits);

// Adds the member to the array answer. RESP 3 shows name and score as a pair when `paired`.
void show_member(Execution& run, const SortedSet::Member& member, bool with_score, bool paired);
void show_members(Execution& run, const SortedSet& set, RankRange range, bool reverse,
                  bool with_scores, bool paired);

}  // namespace holdfast::sim::redis
