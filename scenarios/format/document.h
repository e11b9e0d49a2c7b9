// A JSON document whose every key and value knows where it stands in its file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/format/errors.h"
#include "scenarios/format/model.h"

namespace holdfast::scenario {

struct Member;

// One JSON value. Numbers that are whole are `integer`, others `real`.
struct Value {
  enum class Type : std::uint8_t { null, boolean, integer, real, string, array, object };
  Type type = Type::null;
  bool boolean = false;
  std::int64_t integer = 0;
  double real = 0;
  std::string text = {};
  std::vector<Value> items = {};
  std::vector<Member> members;  // in the order of the file
  Origin origin = {};

  const Value* find(std::string_view key) const;  // of an object; null when it is not there
  Value* find(std::string_view key);
};

struct Member {
  std::string key;
  Origin origin;  // of the key
  Value value;
};

// Reads JSON with comments (// and /* */). Syntax errors, duplicate keys, numbers out of range and
// nesting deeper than 32 are errors; the value is absent only after a syntax error.
std::optional<Value> read_document(std::string_view text, const std::string& file, Errors& errors);

// The value as JSON text on one line.
std::string to_json(const Value& value);

// What a value is, for error messages: `the text "abc"`, `the number 10`, `an array`.
std::string describe(const Value& value);

}  // namespace holdfast::scenario
