// Adding to sets and listing them, as several commands do.
#pragma once

#include <string_view>
#include <vector>

#include "sim/redis/value.h"

namespace holdfast::sim::redis {

// True when it is new.
bool add_member(Value& set, std::string_view member, const EncodingLimits& limits);
// Sets of integers alone, while they are small, are kept and shown in ascending order. Valid until
// the set changes.
std::vector<std::string_view> members_in_order(const Value& set);

}  // namespace holdfast::sim::redis
