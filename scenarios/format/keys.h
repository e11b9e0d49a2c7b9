// The keys of every object of a scenario or protocol file: one list, used by the parser, and by the
// test that compares it with the JSON Schemas.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace holdfast::scenario {

struct ObjectKeys {
  std::string_view name;  // of the definition in the schema ("lock" is "#/$defs/lock")
  std::string_view what;  // in error messages: "unknown key "x" in WHAT"
  std::vector<std::string_view> keys;
  std::vector<std::string_view> required;
};

namespace keys {

extern const ObjectKeys scenario, server, cluster, clock, network, latency, guarded, lock, client,
    kill;
extern const ObjectKeys protocol, command, script;

// Steps and faults: one list for each kind, named by the key that says which kind it is.
struct Kind {
  std::string_view word;
  ObjectKeys object;
};
extern const std::vector<Kind> steps, faults;
extern const ObjectKeys on_point;

}  // namespace keys

// All of the above, each with the file kind whose schema defines it.
struct DefinedKeys {
  bool protocol_file = false;
  const ObjectKeys* object = nullptr;
};
std::vector<DefinedKeys> all_object_keys();

}  // namespace holdfast::scenario
