#include "scenarios/format/parse.h"

#include <fmt/format.h>

#include <utility>

#include "scenarios/format/document.h"
#include "scenarios/format/errors.h"
#include "scenarios/format/fields.h"
#include "scenarios/format/file_text.h"
#include "scenarios/format/overrides.h"
#include "scenarios/format/read.h"

namespace holdfast::scenario {
namespace {

constexpr double kLeastScale = 0.001;
constexpr double kMostScale = 1000;

void read_worlds(Fields& fields, Scenario& scenario) {
  const Value* value = fields.find("worlds");
  if (value == nullptr) return;
  scenario.sim = scenario.live = false;
  const std::vector<std::string> worlds = strings_of(*value, "\"worlds\"", fields.errors());
  for (std::size_t i = 0; i < worlds.size(); ++i) {
    if (worlds[i] == "sim" && !scenario.sim) {
      scenario.sim = true;
    } else if (worlds[i] == "live" && !scenario.live) {
      scenario.live = true;
    } else {
      fields.errors().add(value->items[i].origin,
                          fmt::format("\"worlds\" may name \"sim\" and \"live\", each once, not "
                                      "\"{}\"",
                                      worlds[i]));
    }
  }
  if (value->type == Value::Type::array && value->items.empty()) {
    fields.error("worlds", "\"worlds\" must name \"sim\", \"live\" or both");
  }
}

void read_head(Fields& fields, Scenario& scenario) {
  std::int64_t version = 1;
  std::string schema;
  fields.read("holdfast", version, 1, 1);
  fields.read("$schema", schema);
  fields.read("name", scenario.name);
  fields.read("shows", scenario.shows);
  fields.read("source", scenario.source);
  fields.read("until", scenario.until, Least::above_zero);
  fields.read("min_judged", scenario.min_judged, 0, 1);
  if (fields.has("live_scale")) {
    double scale = 1;
    fields.read("live_scale", scale, kLeastScale, kMostScale);
    scenario.live_scale = scale;
  }
  read_worlds(fields, scenario);
}

void read_sections(Fields& fields, const std::string& folder, Scenario& scenario, Errors& errors) {
  bool obey_loss = false;
  fields.read("obey_loss", obey_loss);
  if (const Value* value = fields.find("servers")) read_servers(*value, scenario, errors);
  if (const Value* value = fields.find("cluster")) read_cluster(*value, scenario, errors);
  if (const Value* value = fields.find("network")) read_network(*value, scenario, errors);
  if (const Value* value = fields.find("guarded")) read_guarded(*value, scenario, errors);
  if (const Value* value = fields.find("lock")) read_lock(*value, folder, scenario, errors);
  if (const Value* value = fields.find("clients")) {
    read_clients(*value, obey_loss, scenario, errors);
  }
  if (const Value* value = fields.find("faults")) read_faults(*value, scenario, errors);
  if (const Value* value = fields.find("requires")) read_requires(*value, scenario, errors);
  if (const Value* value = fields.find("kills")) read_kills(*value, scenario, errors);
  if (const Value* value = fields.find("expect")) read_expect(*value, scenario, errors);
}

}  // namespace

ParseResult parse_file(const std::string& path, const std::map<std::string, std::string>& set) {
  const auto text = read_text_file(path);
  if (!text) {
    return std::vector<ParseError>{{Origin{path, 0, 0}, "the file cannot be read"}};
  }
  return parse_text(*text, path, set);
}

ParseResult parse_text(std::string_view text, const std::string& file,
                       const std::map<std::string, std::string>& set) {
  Errors errors;
  auto document = read_document(text, file, errors);
  if (!document) return errors.sorted();
  apply_overrides(set, *document, errors);
  if (document->type == Value::Type::object && document->find("holdfast-protocol") != nullptr) {
    errors.add(document->origin,
               "this is a protocol file; a scenario names it as \"protocol\" in "
               "its \"lock\"");
    return errors.sorted();
  }
  Scenario scenario;
  scenario.file = file;
  scenario.text = text;
  Fields fields(*document, keys::scenario, errors);
  if (fields.is_object()) {
    read_head(fields, scenario);
    read_sections(fields, folder_of(file), scenario, errors);
    if (errors.empty()) check_cluster(scenario, errors);
    if (errors.empty()) check_live(*document, scenario, errors);
  }
  if (!errors.empty()) return errors.sorted();
  return scenario;
}

}  // namespace holdfast::scenario
