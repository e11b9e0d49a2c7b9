// Clients and their steps.
#include <fmt/format.h>

#include <algorithm>

#include "scenarios/format/fields.h"
#include "scenarios/format/nearest_name.h"
#include "scenarios/format/read.h"
#include "scenarios/format/read_clock.h"

namespace holdfast::scenario {
namespace {

constexpr std::int64_t kMostRepeats = 1'000'000;

std::vector<std::string> step_words() {
  std::vector<std::string> words;
  words.reserve(keys::steps.size());
  for (const keys::Kind& kind : keys::steps) words.emplace_back(kind.word);
  return words;
}

// Reads one client's steps in order, and knows which lock keys it has asked for so far.
class StepReader {
 public:
  StepReader(const Scenario& scenario, Errors& errors) : scenario_(scenario), errors_(errors) {}

  std::vector<Step> read(const Value& value) {
    std::vector<Step> steps;
    if (value.type != Value::Type::array) {
      errors_.add(value.origin,
                  fmt::format("the steps of a client must be an array, not {}", describe(value)));
      return steps;
    }
    for (const Value& item : value.items) {
      if (auto step = read_step(item)) steps.push_back(std::move(*step));
    }
    return steps;
  }

 private:
  std::optional<Step> read_step(const Value& value) {
    const keys::Kind* kind = find_kind(value);
    if (kind == nullptr) return std::nullopt;
    Fields fields(value, kind->object, errors_);
    Step step;
    step.origin = value.origin;
    static const Spelling<Step::Kind> kinds{{"acquire", Step::Kind::acquire},
                                            {"release", Step::Kind::release},
                                            {"write", Step::Kind::write},
                                            {"read", Step::Kind::read},
                                            {"work", Step::Kind::work},
                                            {"sleep", Step::Kind::sleep},
                                            {"check_held", Step::Kind::check_held},
                                            {"repeat", Step::Kind::repeat}};
    step.kind = *kinds.find(kind->word);
    read_fields(step, fields, kind->word);
    return step;
  }

  const keys::Kind* find_kind(const Value& value) {
    if (value.type != Value::Type::object) {
      errors_.add(value.origin, fmt::format("a step must be an object, not {}", describe(value)));
      return nullptr;
    }
    for (const keys::Kind& kind : keys::steps) {
      if (value.find(kind.word) != nullptr) return &kind;
    }
    const std::string first = value.members.empty() ? "" : value.members.front().key;
    const std::string nearest = nearest_name(first, step_words());
    errors_.add(value.members.empty() ? value.origin : value.members.front().origin,
                fmt::format("a step must be one of {}{}", join(step_words()),
                            nearest.empty() ? "" : fmt::format("; did you mean \"{}\"?", nearest)));
    return nullptr;
  }

  void read_fields(Step& step, Fields& fields, std::string_view word) {
    switch (step.kind) {
      case Step::Kind::acquire:
        fields.read(word, step.target);
        fields.read("wait", step.wait, Least::zero);
        fields.read("on_failure", step.on_failure, on_failure_words());
        locks_.push_back(step.target);
        return;
      case Step::Kind::release:
      case Step::Kind::check_held:
        fields.read(word, step.target);
        check_asked_for(step.target, word, fields);
        return;
      case Step::Kind::write:
        read_value(step, fields);
        [[fallthrough]];
      case Step::Kind::read:
        fields.read(word, step.target);
        if (!step.target.empty()) {
          check_known(step.target, guarded_names(scenario_), "guarded resource",
                      fields.origin(word), errors_);
        }
        return;
      case Step::Kind::work:
      case Step::Kind::sleep:
        fields.read(word, step.duration, Least::zero);
        return;
      case Step::Kind::repeat: {
        std::int64_t times = 1;
        fields.read(word, times, 1, kMostRepeats);
        step.times = static_cast<int>(times);
        if (const Value* inner = fields.find("steps")) step.steps = read(*inner);
        return;
      }
    }
  }

  void read_value(Step& step, Fields& fields) {
    if (!fields.has("value")) return;
    std::int64_t value = 0;
    constexpr std::int64_t kMostValue = 1'000'000'000;
    fields.read("value", value, -kMostValue, kMostValue);
    step.value = std::to_string(value);
  }

  void check_asked_for(const std::string& key, std::string_view word, Fields& fields) {
    if (key.empty() || std::find(locks_.begin(), locks_.end(), key) != locks_.end()) return;
    fields.error(word, fmt::format("{} of \"{}\", which this client has not acquired before{}",
                                   word, key, suggestion(key, locks_)));
  }

  const Scenario& scenario_;
  Errors& errors_;
  std::vector<std::string> locks_;
};

ClientSpec read_client(const Member& member, bool obey_loss, const Scenario& scenario,
                       Errors& errors) {
  ClientSpec client;
  client.name = member.key;
  client.origin = member.origin;
  client.obey_loss = obey_loss;
  StepReader steps(scenario, errors);
  if (member.value.type == Value::Type::array) {
    client.steps = steps.read(member.value);
  } else if (member.value.type == Value::Type::object) {
    Fields fields(member.value, keys::client, errors);
    fields.read("obey_loss", client.obey_loss);
    if (const Value* clock = fields.find("clock")) {
      read_clock(*clock, client.wall_offset, client.clock_ppm, errors);
    }
    if (const Value* value = fields.find("steps")) client.steps = steps.read(*value);
  } else {
    errors.add(member.value.origin,
               fmt::format("client \"{}\" must be an array of steps or an object, not {}",
                           member.key, describe(member.value)));
  }
  return client;
}

}  // namespace

void read_clients(const Value& clients, bool obey_loss, Scenario& scenario, Errors& errors) {
  if (!check_named_members(clients, "clients", 1, errors)) return;
  for (const Member& member : clients.members) {
    const auto& sentinels = scenario.sentinels;
    const bool sentinel =
        std::find(sentinels.begin(), sentinels.end(), member.key) != sentinels.end();
    if (sentinel || find_server(scenario, member.key) != nullptr) {
      errors.add(member.origin, fmt::format("\"{}\" names a {} too; names must differ", member.key,
                                            sentinel ? "sentinel" : "server"));
    }
    scenario.clients.push_back(read_client(member, obey_loss, scenario, errors));
  }
}

}  // namespace holdfast::scenario
