// The value that a key holds, of any type. Everything keeps its memory when it is emptied: a run
// starts thousands of times a second on the same few keys.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/redis/member_table.h"
#include "sim/redis/sorted_set.h"
#include "sim/redis/string_list.h"

namespace holdfast::sim::redis {

enum class ValueType : std::uint8_t { none, string, hash, list, set, sorted_set };
std::string_view type_name(ValueType type);  // as TYPE answers

using FieldTable = MemberTable<std::string>;
using StringSet = MemberTable<bool>;  // the value says nothing

struct Value {
  ValueType type = ValueType::none;
  // What OBJECT ENCODING shows, and no other answer: a string that is not kept in its shortest
  // form, a collection that has once outgrown the compact form.
  enum class Form : std::uint8_t { usual, text, raw, large } form = Form::usual;
  std::string text = {};
  StringList list = {};
  FieldTable fields = {};
  StringSet set = {};
  SortedSet sorted = {};

  void clear() {
    type = ValueType::none;
    form = Form::usual;
    text.clear();
    list.clear();
    fields.clear();
    set.clear();
    sorted.clear();
  }
  std::size_t elements() const;  // of a collection; Redis keeps none that is empty
  void copy_from(const Value& other);
  bool equals(const Value& other) const;
};

// The configured sizes up to which collections stay compact.
struct EncodingLimits {
  std::size_t hash_entries = 512;
  std::size_t hash_value = 64;
  std::size_t set_integers = 512;
  std::size_t sorted_set_entries = 128;
  std::size_t sorted_set_value = 64;
};
std::string_view encoding_name(const Value& value);

}  // namespace holdfast::sim::redis
