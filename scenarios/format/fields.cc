#include "scenarios/format/fields.h"

#include <fmt/format.h>

#include <algorithm>

#include "scenarios/format/duration.h"
#include "scenarios/format/nearest_name.h"

namespace holdfast::scenario {
namespace {

std::vector<std::string> quoted(const std::vector<std::string>& words) {
  std::vector<std::string> out;
  out.reserve(words.size());
  for (const std::string& word : words) out.push_back('"' + word + '"');
  return out;
}

void check_keys(const Value& object, const ObjectKeys& keys, Errors& errors) {
  const std::vector<std::string> known(keys.keys.begin(), keys.keys.end());
  for (const Member& member : object.members) {
    if (std::find(known.begin(), known.end(), member.key) != known.end()) continue;
    errors.add(member.origin, fmt::format("unknown key \"{}\" in {}{}", member.key, keys.what,
                                          suggestion(member.key, known)));
  }
  for (const std::string_view key : keys.required) {
    if (object.find(key) != nullptr) continue;
    errors.add(object.origin, fmt::format("\"{}\" is missing in {}", key, keys.what));
  }
}

}  // namespace

Fields::Fields(const Value& value, const ObjectKeys& keys, Errors& errors)
    : value_(value), errors_(errors) {
  if (is_object()) {
    check_keys(value, keys, errors);
  } else {
    errors.add(value.origin,
               fmt::format("{} must be an object, not {}", keys.what, describe(value)));
  }
}

const Origin& Fields::origin(std::string_view key) const {
  const Value* value = find(key);
  return value == nullptr ? value_.origin : value->origin;
}

void Fields::read(std::string_view key, std::string& out) {
  if (!has(key)) return;
  if (auto text = string_of(*find(key), fmt::format("\"{}\"", key), errors_)) out = *text;
}

void Fields::read(std::string_view key, bool& out) {
  if (!has(key)) return;
  if (find(key)->type == Value::Type::boolean) {
    out = find(key)->boolean;
  } else {
    error(key, fmt::format("\"{}\" must be true or false, not {}", key, describe(*find(key))));
  }
}

void Fields::read(std::string_view key, std::int64_t& out, std::int64_t least, std::int64_t most) {
  if (!has(key)) return;
  const Value& value = *find(key);
  if (value.type == Value::Type::integer && value.integer >= least && value.integer <= most) {
    out = value.integer;
    return;
  }
  const std::string range = least == most
                                ? fmt::format("{}", least)
                                : fmt::format("a whole number from {} to {}", least, most);
  error(key, fmt::format("\"{}\" must be {}, not {}", key, range, describe(value)));
}

void Fields::read(std::string_view key, double& out, double least, double most) {
  if (!has(key)) return;
  const Value& value = *find(key);
  const bool whole = value.type == Value::Type::integer;
  const double number = whole ? static_cast<double>(value.integer) : value.real;
  if ((whole || value.type == Value::Type::real) && number >= least && number <= most) {
    out = number;
    return;
  }
  error(key, fmt::format("\"{}\" must be a number from {} to {}, not {}", key, least, most,
                         describe(value)));
}

void Fields::read(std::string_view key, Duration& out, Least least) {
  if (!has(key)) return;
  if (auto duration = duration_of(*find(key), fmt::format("\"{}\"", key), least, errors_)) {
    out = *duration;
  }
}

void Fields::read(std::string_view key, std::optional<Duration>& out, Least least) {
  if (!has(key)) return;
  Duration duration{};
  read(key, duration, least);
  out = duration;
}

void Fields::read(std::string_view key, std::vector<std::string>& out) {
  if (has(key)) out = strings_of(*find(key), fmt::format("\"{}\"", key), errors_);
}

std::optional<std::size_t> Fields::read_word(std::string_view key, const Value& value,
                                             const std::vector<std::string>& words) {
  const auto text = string_of(value, fmt::format("\"{}\"", key), errors_);
  if (!text) return std::nullopt;
  const auto found = std::find(words.begin(), words.end(), *text);
  if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  error(key, fmt::format("\"{}\" must be one of {}, not \"{}\"", key, join(quoted(words)), *text));
  return std::nullopt;
}

std::optional<std::string> string_of(const Value& value, std::string_view what, Errors& errors) {
  if (value.type == Value::Type::string && !value.text.empty()) return value.text;
  if (value.type == Value::Type::string) {
    errors.add(value.origin, fmt::format("{} must not be empty", what));
  } else {
    errors.add(value.origin, fmt::format("{} must be a text, not {}", what, describe(value)));
  }
  return std::nullopt;
}

std::optional<Duration> duration_of(const Value& value, std::string_view what, Least least,
                                    Errors& errors) {
  const auto duration =
      value.type == Value::Type::string ? parse_duration(value.text) : std::nullopt;
  if (!duration) {
    errors.add(value.origin, fmt::format("{} must be a duration, not {}; expected {}", what,
                                         describe(value), kDurationForm));
    return std::nullopt;
  }
  const Duration zero = Duration::zero();
  if (least == Least::zero && *duration < zero) {
    errors.add(value.origin, fmt::format("{} must not be negative, and is {}", what, value.text));
    return std::nullopt;
  }
  if (least == Least::above_zero && *duration <= zero) {
    errors.add(value.origin, fmt::format("{} must be longer than 0s, and is {}", what, value.text));
    return std::nullopt;
  }
  return duration;
}

std::vector<std::string> strings_of(const Value& value, std::string_view what, Errors& errors) {
  std::vector<std::string> out;
  if (value.type != Value::Type::array) {
    errors.add(value.origin,
               fmt::format("{} must be an array of texts, not {}", what, describe(value)));
    return out;
  }
  for (const Value& item : value.items) {
    if (auto text = string_of(item, fmt::format("each of {}", what), errors)) out.push_back(*text);
  }
  return out;
}

}  // namespace holdfast::scenario
