#include "sim/redis/value.h"

#include <array>

#include "sim/redis/integer_text.h"

namespace holdfast::sim::redis {

std::string_view type_name(ValueType type) {
  constexpr std::array<std::string_view, 6> kNames = {"none", "string", "hash",
                                                      "list", "set",    "zset"};
  return kNames[static_cast<std::size_t>(type)];
}

std::size_t Value::elements() const {
  switch (type) {
    case ValueType::hash:
      return fields.size();
    case ValueType::list:
      return list.size();
    case ValueType::set:
      return set.size();
    case ValueType::sorted_set:
      return sorted.size();
    default:
      return 0;
  }
}

void Value::copy_from(const Value& other) {
  type = other.type;
  form = other.form;
  text.assign(other.text);
  list.copy_from(other.list);
  fields.copy_from(other.fields);
  set.copy_from(other.set);
  sorted.copy_from(other.sorted);
}

bool Value::equals(const Value& other) const {
  if (type != other.type || text != other.text || list.size() != other.list.size()) return false;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i] != other.list[i]) return false;
  }
  return fields.equals(other.fields) && set.equals(other.set) && sorted.equals(other.sorted);
}

std::string_view encoding_name(const Value& value) {
  constexpr std::size_t kEmbedded = 44;  // longer strings are not in one piece with their object
  const bool large = value.form == Value::Form::large;
  switch (value.type) {
    case ValueType::hash:
      return large ? "hashtable" : "listpack";
    case ValueType::list:
      return "quicklist";
    case ValueType::set:
      return large ? "hashtable" : "intset";
    case ValueType::sorted_set:
      return large ? "skiplist" : "listpack";
    default:
      break;
  }
  if (value.form == Value::Form::raw) return "raw";
  if (value.form == Value::Form::usual && parse_integer(value.text)) return "int";
  return value.text.size() <= kEmbedded ? "embstr" : "raw";
}

}  // namespace holdfast::sim::redis
