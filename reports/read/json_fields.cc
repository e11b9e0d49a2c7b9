#include "reports/read/json_fields.h"

#include <algorithm>

namespace holdfast::report {

void expect_only(const Json& object, std::initializer_list<std::string_view> known) {
  if (!object.is_object()) throw BadLine("not a JSON object");
  for (const auto& [key, value] : object.items()) {
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      throw BadLine("unknown field \"" + key + "\"");
    }
  }
}

const Json* find_field(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

const Json& array_field(const Json& object, const char* key) {
  static const Json kEmpty = Json::array();
  const Json* field = find_field(object, key);
  if (field == nullptr) return kEmpty;
  if (!field->is_array()) throw BadLine("\"" + std::string(key) + "\" is not an array");
  return *field;
}

void read_field(const Json& object, const char* key, std::string& to) {
  const Json* field = find_field(object, key);
  if (field == nullptr) return;
  if (!field->is_string()) throw BadLine("\"" + std::string(key) + "\" is not a text");
  to = field->get<std::string>();
}

void read_field(const Json& object, const char* key, bool& to) {
  const Json* field = find_field(object, key);
  if (field == nullptr) return;
  if (!field->is_boolean()) throw BadLine("\"" + std::string(key) + "\" is not true or false");
  to = field->get<bool>();
}

void read_field(const Json& object, const char* key, double& to) {
  const Json* field = find_field(object, key);
  if (field == nullptr) return;
  if (!field->is_number()) throw BadLine("\"" + std::string(key) + "\" is not a number");
  to = field->get<double>();
}

std::uint32_t id_of(const Json& value, const history::Names& names, const char* what) {
  if (!value.is_string()) throw BadLine("\"" + std::string(what) + "\" is not a name");
  const auto& name = value.get_ref<const std::string&>();
  const std::uint32_t id = names.find(name);
  if (id == 0) {
    throw BadLine("\"" + std::string(what) + "\": the header lists no \"" + name + "\"");
  }
  return id;
}

}  // namespace holdfast::report
