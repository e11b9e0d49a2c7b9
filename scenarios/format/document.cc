#include "scenarios/format/document.h"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "scenarios/format/text_cursor.h"

namespace holdfast::scenario {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMaxDepth = 32;

// Builds the tree of values; the cursor walks the same text in step, so that each event of the
// parser is given the place of its token.
class TreeBuilder final : public Json::json_sax_t {
 public:
  TreeBuilder(std::string_view text, const std::string& file, Errors& errors)
      : cursor_(text, file), errors_(errors) {}

  bool null() override { return take(Value::Type::null); }
  bool boolean(bool value) override {
    return take(Value::Type::boolean) && set(&Value::boolean, value);
  }
  bool number_integer(number_integer_t value) override {
    return take(Value::Type::integer) && set(&Value::integer, value);
  }
  bool number_unsigned(number_unsigned_t value) override {
    if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
      errors_.add(cursor_.next_token(), "this number is too large");
      return false;
    }
    return number_integer(static_cast<std::int64_t>(value));
  }
  bool number_float(number_float_t value, const string_t&) override {
    return take(Value::Type::real) && set(&Value::real, value);
  }
  bool string(string_t& value) override {
    return take(Value::Type::string) && set(&Value::text, value);
  }
  bool binary(binary_t&) override { return false; }

  bool start_object(std::size_t) override { return open(Value::Type::object); }
  bool start_array(std::size_t) override { return open(Value::Type::array); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& key) override {
    const Origin at = cursor_.take_token();
    Value& object = *open_.back();
    for (const Member& member : object.members) {
      if (member.key != key) continue;
      errors_.add(at, fmt::format("duplicate key \"{}\"; first given at line {}, column {}", key,
                                  member.origin.line, member.origin.column));
      break;
    }
    object.members.push_back({key, at, Value()});
    return true;
  }

  bool parse_error(std::size_t, const std::string&,
                   const nlohmann::detail::exception& error) override {
    // "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error ...": the
    // part behind the place, which is ours to tell.
    std::string_view what = error.what();
    const auto place = what.find(", column ");
    if (place != std::string_view::npos) {
      const auto colon = what.find(": ", place);
      if (colon != std::string_view::npos) what.remove_prefix(colon + 2);
    }
    errors_.add(cursor_.next_token(), fmt::format("not JSON: {}", what));
    return false;
  }

  Value root;

 private:
  // The place for the next value: the last key of an object, the end of an array, or the root.
  Value& slot() {
    if (open_.empty()) return root;
    Value& container = *open_.back();
    if (container.type == Value::Type::object) return container.members.back().value;
    return container.items.emplace_back();
  }
  bool take(Value::Type type) {
    latest_ = &slot();
    latest_->type = type;
    latest_->origin = cursor_.take_token();
    return true;
  }
  template <typename Field, typename T>
  bool set(Field field, const T& value) {
    latest_->*field = value;
    return true;
  }
  bool open(Value::Type type) {
    if (open_.size() == kMaxDepth) {
      errors_.add(cursor_.next_token(), fmt::format("nested deeper than {} levels", kMaxDepth));
      return false;
    }
    take(type);
    open_.push_back(latest_);
    return true;
  }
  bool close() {
    cursor_.take_token();
    open_.pop_back();
    return true;
  }

  TextCursor cursor_;
  Errors& errors_;
  std::vector<Value*> open_;  // from the root to the innermost container: none of them grows
                              // while a container inside it is open
  Value* latest_ = nullptr;
};

void write_json(const Value& value, std::string& out) {
  switch (value.type) {
    case Value::Type::null:
      out += "null";
      return;
    case Value::Type::boolean:
      out += value.boolean ? "true" : "false";
      return;
    case Value::Type::integer:
      out += std::to_string(value.integer);
      return;
    case Value::Type::real:
      out += Json(value.real).dump();
      return;
    case Value::Type::string:
      out += Json(value.text).dump();
      return;
    case Value::Type::array:
      out += '[';
      for (const Value& item : value.items) {
        if (&item != &value.items.front()) out += ',';
        write_json(item, out);
      }
      out += ']';
      return;
    case Value::Type::object:
      out += '{';
      for (const Member& member : value.members) {
        if (&member != &value.members.front()) out += ',';
        out += Json(member.key).dump() + ':';
        write_json(member.value, out);
      }
      out += '}';
      return;
  }
}

}  // namespace

const Value* Value::find(std::string_view key) const {
  for (const Member& member : members) {
    if (member.key == key) return &member.value;
  }
  return nullptr;
}

Value* Value::find(std::string_view key) {
  return const_cast<Value*>(static_cast<const Value*>(this)->find(key));
}

std::optional<Value> read_document(std::string_view text, const std::string& file, Errors& errors) {
  TreeBuilder builder(text, file, errors);
  constexpr bool kStrict = true;
  constexpr bool kIgnoreComments = true;
  if (!Json::sax_parse(text.begin(), text.end(), &builder, Json::input_format_t::json, kStrict,
                       kIgnoreComments)) {
    return std::nullopt;
  }
  return std::move(builder.root);
}

std::string to_json(const Value& value) {
  std::string out;
  write_json(value, out);
  return out;
}

std::string describe(const Value& value) {
  switch (value.type) {
    case Value::Type::null:
      return "null";
    case Value::Type::boolean:
      return value.boolean ? "true" : "false";
    case Value::Type::integer:
    case Value::Type::real:
      return "the number " + to_json(value);
    case Value::Type::string:
      return fmt::format("the text \"{}\"", value.text);
    case Value::Type::array:
      return "an array";
    case Value::Type::object:
      return "an object";
  }
  return {};
}

}  // namespace holdfast::scenario
