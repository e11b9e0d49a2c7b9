// Reading the fields of one JSON object with a located complaint about the first that is wrong.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>

#include "reports/history/history.h"

namespace holdfast::report {

using Json = nlohmann::json;

// What is wrong with a line; read_history() makes a HistoryError of it.
struct BadLine : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Complains about a field that is not among these.
void expect_only(const Json& object, std::initializer_list<std::string_view> known);

const Json* find_field(const Json& object, const char* key);   // null when it is not there
const Json& array_field(const Json& object, const char* key);  // an empty one when it is not there

void read_field(const Json& object, const char* key, std::string& to);
void read_field(const Json& object, const char* key, bool& to);
void read_field(const Json& object, const char* key, double& to);

// A whole number that `to` can hold.
template <std::integral Number>
void read_field(const Json& object, const char* key, Number& to) {
  const Json* field = find_field(object, key);
  if (field == nullptr) return;
  const auto bad = [&] {
    return BadLine("\"" + std::string(key) + "\" is not a whole number in its range");
  };
  if (field->is_number_unsigned()) {
    const auto value = field->get<std::uint64_t>();
    if (value > static_cast<std::uint64_t>(std::numeric_limits<Number>::max())) throw bad();
    to = static_cast<Number>(value);
    return;
  }
  if (!field->is_number_integer()) throw bad();
  const auto value = field->get<std::int64_t>();  // negative: others are unsigned to the parser
  if (std::is_unsigned_v<Number> ||
      value < static_cast<std::int64_t>(std::numeric_limits<Number>::min())) {
    throw bad();
  }
  to = static_cast<Number>(value);
}

// The number of a name that the table holds; complains about others. No field: nothing is read.
std::uint32_t id_of(const Json& value, const history::Names& names, const char* what);
template <typename Id>
void read_name(const Json& object, const char* key, const history::Names& names, Id& to) {
  const Json* field = find_field(object, key);
  if (field != nullptr) to = static_cast<Id>(id_of(*field, names, key));
}
template <typename Id>
void read_names(const Json& object, const char* key, const history::Names& names,
                std::vector<Id>& to) {
  for (const Json& one : array_field(object, key)) {
    to.push_back(static_cast<Id>(id_of(one, names, key)));
  }
}

}  // namespace holdfast::report
