#include "sim/redis/set_members.h"

#include <algorithm>

#include "sim/redis/integer_text.h"

namespace holdfast::sim::redis {

bool add_member(Value& set, std::string_view member, const EncodingLimits& limits) {
  if (!set.set.set(member, true)) return false;
  if (set.form == Value::Form::large) return true;
  if (set.set.size() > limits.set_integers || !parse_integer(member)) {
    set.form = Value::Form::large;
  }
  return true;
}

std::vector<std::string_view> members_in_order(const Value& set) {
  std::vector<std::string_view> members;
  members.reserve(set.set.size());
  for (std::size_t at = 0; const StringSet::Member* member = set.set.next(at);) {
    members.push_back(member->name);
  }
  if (set.form == Value::Form::large) return members;
  std::sort(members.begin(), members.end(), [](std::string_view left, std::string_view right) {
    return *parse_integer(left) < *parse_integer(right);
  });
  return members;
}

}  // namespace holdfast::sim::redis
