#include <fmt/format.h>

#include <algorithm>

#include "scenarios/format/nearest_name.h"
#include "scenarios/format/read.h"

namespace holdfast::scenario {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_name_digit(char c) { return c >= '0' && c <= '9'; }

bool is_proper_name(std::string_view name) {
  return !name.empty() && is_letter(name.front()) &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return is_letter(c) || is_name_digit(c) || c == '-' || c == '_';
         });
}

template <typename Spec>
std::vector<std::string> names_of(const std::vector<Spec>& specs) {
  std::vector<std::string> names;
  names.reserve(specs.size());
  for (const Spec& spec : specs) names.push_back(spec.name);
  return names;
}

}  // namespace

bool check_named_members(const Value& object, std::string_view what, std::size_t least,
                         Errors& errors) {
  if (object.type != Value::Type::object) {
    errors.add(object.origin,
               fmt::format("\"{}\" must be an object of names, not {}", what, describe(object)));
    return false;
  }
  if (object.members.size() < least) {
    errors.add(object.origin, fmt::format("\"{}\" must not be empty", what));
  }
  for (const Member& member : object.members) {
    if (is_proper_name(member.key)) continue;
    errors.add(member.origin,
               fmt::format("\"{}\" is not a name; expected letters, digits, '-' and '_', a letter "
                           "first",
                           member.key));
  }
  return true;
}

bool check_known(std::string_view name, const std::vector<std::string>& known,
                 std::string_view kind, const Origin& origin, Errors& errors) {
  if (std::find(known.begin(), known.end(), name) != known.end()) return true;
  errors.add(origin, fmt::format("no {} is named \"{}\"{}", kind, name, suggestion(name, known)));
  return false;
}

std::vector<std::string> server_names(const Scenario& scenario) {
  return names_of(scenario.servers);
}
std::vector<std::string> client_names(const Scenario& scenario) {
  return names_of(scenario.clients);
}
std::vector<std::string> guarded_names(const Scenario& scenario) {
  return names_of(scenario.guarded);
}

const ServerSpec* find_server(const Scenario& scenario, std::string_view name) {
  for (const ServerSpec& server : scenario.servers) {
    if (server.name == name) return &server;
  }
  return nullptr;
}

}  // namespace holdfast::scenario
