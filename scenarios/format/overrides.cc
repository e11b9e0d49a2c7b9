#include "scenarios/format/overrides.h"

#include <fmt/format.h>

#include <charconv>
#include <string_view>
#include <utility>
#include <vector>

namespace holdfast::scenario {
namespace {

// "/lock/a~1b" -> {"lock", "a/b"}
std::vector<std::string> split_pointer(std::string_view pointer) {
  std::vector<std::string> parts;
  std::size_t at = 0;
  while (at < pointer.size()) {
    const auto next = std::min(pointer.find('/', at + 1), pointer.size());
    std::string part;
    for (std::size_t i = at + 1; i < next; ++i) {
      const bool escaped = pointer[i] == '~' && i + 1 < next;
      if (escaped) ++i;
      part += !escaped ? pointer[i] : pointer[i] == '1' ? '/' : '~';
    }
    parts.push_back(std::move(part));
    at = next;
  }
  return parts;
}

void set_origin(Value& value, const Origin& origin) {
  value.origin = origin;
  for (Value& item : value.items) set_origin(item, origin);
  for (Member& member : value.members) {
    member.origin = origin;
    set_origin(member.value, origin);
  }
}

class Override {
 public:
  Override(const std::string& pointer, const std::string& json, Errors& errors)
      : pointer_(pointer), json_(json), origin_{"set " + pointer, 1, 1}, errors_(errors) {}

  void apply(Value& document) {
    if (!pointer_.starts_with('/')) {
      errors_.add(origin_, "not a JSON pointer; expected a path as in \"/lock/watchdog\"");
      return;
    }
    auto value = read_document(json_, origin_.file, errors_);
    if (!value) return;
    set_origin(*value, origin_);
    const std::vector<std::string> path = split_pointer(pointer_);
    Value* parent = &document;
    for (std::size_t i = 0; parent != nullptr && i + 1 < path.size(); ++i) {
      parent = child(*parent, path[i]);
    }
    if (parent != nullptr) put(*parent, path.back(), std::move(*value));
  }

 private:
  Value* child(Value& parent, const std::string& name) {
    if (parent.type == Value::Type::array) {
      const auto index = find_index(parent, name);
      return index ? &parent.items[*index] : nullptr;
    }
    if (!check_object(parent, name)) return nullptr;
    if (Value* existing = parent.find(name)) return existing;
    Value made;
    made.type = Value::Type::object;
    made.origin = origin_;
    return &parent.members.emplace_back(Member{name, origin_, std::move(made)}).value;
  }

  void put(Value& parent, const std::string& name, Value value) {
    const bool removes = value.type == Value::Type::null;
    if (parent.type == Value::Type::array) {
      if (!removes && (name == "-" || name == std::to_string(parent.items.size()))) {
        parent.items.push_back(std::move(value));
        return;
      }
      const auto index = find_index(parent, name);
      if (!index) return;
      if (removes) {
        parent.items.erase(parent.items.begin() + static_cast<std::ptrdiff_t>(*index));
      } else {
        parent.items[*index] = std::move(value);
      }
      return;
    }
    if (!check_object(parent, name)) return;
    if (removes) {
      if (parent.find(name) == nullptr) {
        errors_.add(origin_, fmt::format("there is no \"{}\" to take away", name));
      }
      std::erase_if(parent.members, [&](const Member& member) { return member.key == name; });
    } else if (Value* existing = parent.find(name)) {
      *existing = std::move(value);
    } else {
      parent.members.push_back({name, origin_, std::move(value)});
    }
  }

  std::optional<std::size_t> find_index(const Value& array, const std::string& name) {
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), index);
    if (error == std::errc() && end == name.data() + name.size() && index < array.items.size()) {
      return index;
    }
    errors_.add(origin_, fmt::format("\"{}\" is not an index of an array with {} elements", name,
                                     array.items.size()));
    return std::nullopt;
  }

  bool check_object(const Value& parent, const std::string& name) {
    if (parent.type == Value::Type::object) return true;
    errors_.add(origin_, fmt::format("\"{}\" cannot be set in {}", name, describe(parent)));
    return false;
  }

  const std::string& pointer_;
  const std::string& json_;
  Origin origin_;
  Errors& errors_;
};

}  // namespace

void apply_overrides(const std::map<std::string, std::string>& set, Value& document,
                     Errors& errors) {
  for (const auto& [pointer, json] : set) Override(pointer, json, errors).apply(document);
}

}  // namespace holdfast::scenario
