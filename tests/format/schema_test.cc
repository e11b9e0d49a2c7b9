// The JSON Schemas say what the parser says: the same keys, required ones and words; and every file
// that we ship uses only those.
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "scenarios/format/catalogue_files.h"
#include "scenarios/format/document.h"
#include "scenarios/format/file_text.h"
#include "scenarios/format/keys.h"
#include "scenarios/format/spelling.h"
#include "tests/format/format_testing.h"

namespace holdfast::scenario {
namespace {

using Json = nlohmann::json;
using Set = std::set<std::string>;

const std::string kFolder = HOLDFAST_SOURCE_DIR "/scenarios/";

Json schema(bool protocol_file) {
  const std::string name = protocol_file ? "protocol.schema.json" : "scenario.schema.json";
  return Json::parse(read_text_file(kFolder + name).value());
}

// The definition of an object: the whole file for the outermost one.
Json definition(const Json& schema, const ObjectKeys& object) {
  if (object.name == "scenario" || object.name == "protocol") return schema;
  return schema.at("$defs").at(std::string(object.name));
}

// Its properties, with those of the definition that it refers to.
Set properties(const Json& schema, const Json& definition) {
  Set names;
  if (definition.contains("properties")) {
    for (const auto& [name, value] : definition.at("properties").items()) names.insert(name);
  }
  if (definition.contains("$ref")) {
    const std::string reference = definition.at("$ref").get<std::string>().substr(1);
    const Set more = properties(schema, schema.at(Json::json_pointer(reference)));
    names.insert(more.begin(), more.end());
  }
  return names;
}

Set words_of(const Json& enumeration) {
  Set words;
  for (const Json& word : enumeration.at("enum")) words.insert(word.get<std::string>());
  return words;
}

Set as_set(const std::vector<std::string>& words) { return {words.begin(), words.end()}; }

TEST(Schema, HasTheKeysOfTheParser) {
  for (const DefinedKeys& defined : all_object_keys()) {
    const Json whole = schema(defined.protocol_file);
    const Json object = definition(whole, *defined.object);
    const Set keys(defined.object->keys.begin(), defined.object->keys.end());
    EXPECT_EQ(properties(whole, object), keys) << defined.object->name;
    const Set required(defined.object->required.begin(), defined.object->required.end());
    const Set listed = object.value("required", Set());
    for (const std::string& key : required)
      EXPECT_TRUE(listed.contains(key)) << defined.object->name << " " << key;
    const bool closed =
        object.contains("additionalProperties") || object.contains("unevaluatedProperties");
    EXPECT_TRUE(closed) << defined.object->name << " accepts what the parser refuses";
  }
}

TEST(Schema, DefinesNoObjectThatTheParserDoesNotKnow) {
  Set known{"trigger"};  // the part that all faults share
  for (const DefinedKeys& defined : all_object_keys())
    known.insert(std::string(defined.object->name));
  for (const bool protocol_file : {false, true}) {
    const Json whole = schema(protocol_file);  // items() refers to it
    for (const auto& [name, value] : whole.at("$defs").items()) {
      EXPECT_TRUE(!value.contains("properties") || known.contains(name)) << name;
    }
  }
}

TEST(Schema, HasTheWordsOfTheParser) {
  const Json defs = schema(false).at("$defs");
  auto property = [&](const char* object, const char* key) {
    return defs.at(object).at("properties").at(key);
  };
  EXPECT_EQ(words_of(property("server", "version")), as_set(version_words().words()));
  EXPECT_EQ(words_of(property("server", "persistence")), as_set(persistence_words().words()));
  EXPECT_EQ(words_of(property("lock", "algorithm")), as_set(algorithm_words().words()));
  EXPECT_EQ(words_of(property("step_acquire", "on_failure")), as_set(on_failure_words().words()));
  EXPECT_EQ(words_of(property("on_point", "point")), as_set(point_words().words()));
  EXPECT_EQ(words_of(property("fault_pause", "lane")), as_set(lane_words().words()));
  EXPECT_EQ(words_of(property("fault_cut", "mode")), as_set(cut_words().words()));
  EXPECT_EQ(words_of(property("fault_cut", "direction")), as_set(direction_words().words()));
  EXPECT_EQ(words_of(defs.at("invariant")), as_set(invariant_words()));
  EXPECT_EQ(words_of(schema(false).at("properties").at("expect").at("additionalProperties")),
            as_set(expectation_words().words()));
  const Json protocol = schema(true).at("properties");
  EXPECT_EQ(words_of(protocol.at("believes")), as_set(believes_words().words()));
  EXPECT_EQ(words_of(protocol.at("token")), as_set(token_words().words()));
  EXPECT_EQ(words_of(protocol.at("clock")), as_set(protocol_clock_words().words()));
}

// Every key of the file must be a property somewhere in its schema; names of servers, clients,
// resources, invariants and JSON pointers are the writer's own.
void collect_keys(const Value& value, Set& keys) {
  static const Set kNamed{"servers", "guarded", "clients", "expect", "set"};
  for (const Member& member : value.members) {
    keys.insert(member.key);
    if (kNamed.contains(member.key)) {
      for (const Member& named : member.value.members) {
        if (member.key != "set") collect_keys(named.value, keys);
      }
    } else {
      collect_keys(member.value, keys);
    }
  }
  for (const Value& item : value.items) collect_keys(item, keys);
}

Set all_properties(const Json& node) {
  Set names;
  if (node.is_object()) {
    if (node.contains("properties")) {
      for (const auto& [name, value] : node.at("properties").items()) names.insert(name);
    }
    for (const auto& [name, value] : node.items()) names.merge(all_properties(value));
  } else if (node.is_array()) {
    for (const Json& item : node) names.merge(all_properties(item));
  }
  return names;
}

void expect_keys_in_schema(const std::string& file, bool protocol_file) {
  Errors errors;
  const auto document = read_document(read_text_file(file).value(), file, errors);
  ASSERT_TRUE(document && errors.empty()) << file;
  Set used;
  collect_keys(*document, used);
  const Set known = all_properties(schema(protocol_file));
  for (const std::string& key : used) EXPECT_TRUE(known.contains(key)) << file << ": " << key;
}

TEST(Schema, HasTheKeysOfEveryFileThatWeShip) {
  const auto scenarios = catalogue_files(kFolder + "catalogue");
  const auto protocols = catalogue_files(kFolder + "protocols");
  EXPECT_GT(scenarios.size(), 40U);
  EXPECT_GT(protocols.size(), 5U);
  for (const std::string& file : scenarios) expect_keys_in_schema(file, false);
  for (const std::string& file : protocols) expect_keys_in_schema(file, true);
}

TEST(Words, OfInvariantsAreThoseOfTheJudge) {
  // The judge's own list, read from its header: the format must not depend on the judge.
  const std::string header = read_text_file(HOLDFAST_SOURCE_DIR "/reports/judge/verdict.h").value();
  const auto begin = header.find("enum class Invariant");
  ASSERT_NE(begin, std::string::npos);
  const auto open = header.find('{', begin);
  std::istringstream list(header.substr(open + 1, header.find('}', open) - open - 1));
  Texts names;
  for (std::string name; std::getline(list, name, ',');) {
    std::erase_if(name, [](char c) { return c == ' ' || c == '\n'; });
    std::replace(name.begin(), name.end(), '_', '-');
    if (!name.empty()) names.push_back(name);
  }
  EXPECT_EQ(invariant_words(), names);
}

// The parser lists the events that it knows when it is given one that it does not.
TEST(Schema, DescribesEveryEventOfRequires) {
  const auto errors = errors_of(changed("\"B acquired while A is paused\"", "\"B zzzzzzzzzzzz\""));
  ASSERT_EQ(errors.size(), 1u);
  std::string rest = errors[0].substr(errors[0].find("known are: ") + 11);
  const std::string described =
      schema(false).at("properties").at("requires").at("description").get<std::string>();
  const std::string readme = read_text_file(HOLDFAST_SOURCE_DIR "/README.md").value();
  std::size_t events = 0;
  for (; !rest.empty(); ++events) {
    const std::string event = rest.substr(0, rest.find(", "));
    rest.erase(0, event.size() + 2);
    if (event == "told of loss") continue;  // an older word for "lost"
    EXPECT_NE(described.find(event), std::string::npos) << event;
    EXPECT_NE(readme.find("`" + event), std::string::npos) << event;
  }
  EXPECT_GT(events, 15u);
}

}  // namespace
}  // namespace holdfast::scenario
