// Fields: reads the members of one JSON object; every mistake becomes a located error.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lockcore/time.h"
#include "scenarios/format/document.h"
#include "scenarios/format/errors.h"
#include "scenarios/format/keys.h"
#include "scenarios/format/spelling.h"

namespace holdfast::scenario {

// The least a number or duration may be.
enum class Least : std::uint8_t { any, zero, above_zero };

class Fields {
 public:
  // Complains when `value` is not an object, has unknown keys or lacks required ones.
  Fields(const Value& value, const ObjectKeys& keys, Errors& errors);

  bool is_object() const { return value_.type == Value::Type::object; }
  const Value& value() const { return value_; }
  const Value* find(std::string_view key) const { return value_.find(key); }
  bool has(std::string_view key) const { return find(key) != nullptr; }
  // The value's place, or the object's when it is not there.
  const Origin& origin(std::string_view key) const;

  // Each leaves `out` as it is when the key is not there, or when its value is wrong (an error).
  void read(std::string_view key, std::string& out);
  void read(std::string_view key, bool& out);
  void read(std::string_view key, std::int64_t& out, std::int64_t least, std::int64_t most);
  void read(std::string_view key, double& out, double least, double most);
  void read(std::string_view key, Duration& out, Least least);
  void read(std::string_view key, std::optional<Duration>& out, Least least);
  void read(std::string_view key, std::vector<std::string>& out);
  template <typename Enum>
  void read(std::string_view key, Enum& out, const Spelling<Enum>& spelling) {
    const Value* value = find(key);
    if (value == nullptr) return;
    if (const auto index = read_word(key, *value, spelling.words())) out = spelling.value(*index);
  }
  template <typename Enum>
  void read(std::string_view key, std::optional<Enum>& out, const Spelling<Enum>& spelling) {
    if (!has(key)) return;
    Enum value = {};
    read(key, value, spelling);
    out = value;
  }

  void error(std::string_view key, std::string message) {
    errors_.add(origin(key), std::move(message));
  }
  Errors& errors() { return errors_; }

 private:
  std::optional<std::size_t> read_word(std::string_view key, const Value& value,
                                       const std::vector<std::string>& words);

  const Value& value_;
  Errors& errors_;
};

// The same for a value that stands alone. `what` names it in errors: `"ttl" must be ...`.
std::optional<std::string> string_of(const Value& value, std::string_view what, Errors& errors);
std::optional<Duration> duration_of(const Value& value, std::string_view what, Least least,
                                    Errors& errors);
// An array of texts.
std::vector<std::string> strings_of(const Value& value, std::string_view what, Errors& errors);

}  // namespace holdfast::scenario
