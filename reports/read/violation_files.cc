#include "reports/read/violation_files.h"

#include <filesystem>
#include <fstream>
#include <string_view>

#include "reports/read/json_fields.h"

namespace holdfast::report {
namespace {

namespace fs = std::filesystem;

// Only what this program would have named so, and only in the folder itself: a report.json may come
// from anywhere.
void take_name(const Json& violation, const char* key, std::string_view ending,
               std::set<std::string>& names) {
  const Json* value = find_field(violation, key);
  if (value == nullptr || !value->is_string()) return;
  const std::string name = fs::path(value->get<std::string>()).filename().string();
  if (name.ends_with(ending) && name.find("-seed-") != std::string::npos) names.insert(name);
}

}  // namespace

std::set<std::string> violation_files(const std::string& dir) {
  std::set<std::string> names;
  std::ifstream file(fs::path(dir) / "report.json", std::ios::binary);
  const Json json = Json::parse(file, nullptr, false);
  if (!json.is_object() || find_field(json, "holdfast_report") == nullptr) return names;
  const Json* scenarios = find_field(json, "scenarios");
  if (scenarios == nullptr || !scenarios->is_array()) return names;
  for (const Json& scenario : *scenarios) {
    const Json* violations = scenario.is_object() ? find_field(scenario, "violations") : nullptr;
    if (violations == nullptr || !violations->is_array()) continue;
    for (const Json& violation : *violations) {
      if (!violation.is_object()) continue;
      take_name(violation, "page", ".html", names);
      take_name(violation, "history", ".history.jsonl", names);
    }
  }
  return names;
}

}  // namespace holdfast::report
