// What a scenario must show: requires, expect, kills.
#include <fmt/format.h>

#include <algorithm>

#include "scenarios/format/fields.h"
#include "scenarios/format/nearest_name.h"
#include "scenarios/format/read.h"
#include "scenarios/format/requires.h"

namespace holdfast::scenario {
namespace {

bool check_invariant(const std::string& name, const Origin& origin, Errors& errors) {
  const auto& planned = planned_invariant_words();
  if (std::find(planned.begin(), planned.end(), name) != planned.end()) {
    errors.add(origin, fmt::format("the invariant \"{}\" is not built yet", name));
    return false;
  }
  return check_known(name, invariant_words(), "invariant", origin, errors);
}

Kill read_kill(const Value& value, Errors& errors) {
  Kill kill;
  kill.origin = value.origin;
  if (value.type == Value::Type::string) {  // the short form: a mutant of that name
    kill.name = value.text;
    kill.mutant = value.text;
    if (kill.name.empty()) errors.add(value.origin, "a kill must not be empty");
    return kill;
  }
  Fields fields(value, keys::kill, errors);
  fields.read("name", kill.name);
  fields.read("mutant", kill.mutant);
  fields.read("violates", kill.violates);
  const Value* violates = fields.find("violates");
  for (std::size_t i = 0; violates != nullptr && i < kill.violates.size(); ++i) {
    check_invariant(kill.violates[i], violates->items[i].origin, errors);
  }
  if (const Value* set = fields.find("set")) {
    if (set->type != Value::Type::object) {
      fields.error(
          "set", fmt::format("\"set\" must be an object of JSON pointers, not {}", describe(*set)));
    }
    for (const Member& change : set->members) {
      if (!change.key.starts_with('/')) {
        errors.add(change.origin, fmt::format("\"{}\" is not a JSON pointer; expected a path as in "
                                              "\"/lock/watchdog\"",
                                              change.key));
      }
      kill.set[change.key] = to_json(change.value);
    }
  }
  return kill;
}

}  // namespace

void read_requires(const Value& facts, Scenario& scenario, Errors& errors) {
  for (const std::string& text : strings_of(facts, "\"requires\"", errors)) {
    scenario.requires_facts.push_back({text, {}});
  }
  if (facts.items.size() != scenario.requires_facts.size()) return;
  for (std::size_t i = 0; i < facts.items.size(); ++i) {
    Require& fact = scenario.requires_facts[i];
    fact.origin = facts.items[i].origin;
    if (auto wrong = check_require(fact, scenario)) errors.add(fact.origin, *wrong);
  }
}

void read_kills(const Value& kills, Scenario& scenario, Errors& errors) {
  if (kills.type != Value::Type::array) {
    errors.add(kills.origin, fmt::format("\"kills\" must be an array, not {}", describe(kills)));
    return;
  }
  for (const Value& value : kills.items) scenario.kills.push_back(read_kill(value, errors));
}

void read_expect(const Value& expect, Scenario& scenario, Errors& errors) {
  if (expect.type != Value::Type::object) {
    errors.add(expect.origin,
               fmt::format("\"expect\" must be an object of invariants, not {}", describe(expect)));
    return;
  }
  for (const Member& member : expect.members) {
    if (!check_invariant(member.key, member.origin, errors)) continue;
    const auto word = string_of(member.value, fmt::format("\"{}\"", member.key), errors);
    if (!word) continue;
    const auto expectation = expectation_words().find(*word);
    if (expectation) {
      scenario.expect[member.key] = *expectation;
    } else {
      errors.add(member.value.origin,
                 fmt::format("\"{}\" must be one of \"holds\", \"violated\", \"can-be-violated\", "
                             "not \"{}\"",
                             member.key, *word));
    }
  }
}

}  // namespace holdfast::scenario
