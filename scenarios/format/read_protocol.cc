// Lock protocols given as data.
#include <fmt/format.h>

#include "scenarios/format/fields.h"
#include "scenarios/format/nearest_name.h"
#include "scenarios/format/read.h"

namespace holdfast::scenario {
namespace {

constexpr std::int64_t kMostCleanupTries = 10;

const std::vector<std::string>& variables() {
  static const std::vector<std::string> names{"$key", "$token", "$lease_ms", "$lease_s"};
  return names;
}

// A $word must be a variable: a misspelt one would be sent to the server as it is.
void check_variables(const std::vector<std::string>& arguments, const Value& step, Errors& errors) {
  for (const std::string& argument : arguments) {
    if (!argument.starts_with('$')) continue;
    check_known(argument, variables(), "protocol variable", step.origin, errors);
  }
}

ProtocolStep read_script(const Value& value, Errors& errors) {
  Fields fields(value, keys::script, errors);
  std::string script;
  std::vector<std::string> keys{"$key"};
  std::vector<std::string> args{"$token"};
  fields.read("script", script);
  fields.read("keys", keys);
  fields.read("args", args);
  check_variables(keys, value, errors);
  check_variables(args, value, errors);
  ProtocolStep step;
  step.send = {"EVAL", script, std::to_string(keys.size())};
  step.send.insert(step.send.end(), keys.begin(), keys.end());
  step.send.insert(step.send.end(), args.begin(), args.end());
  return step;
}

ProtocolStep read_command(const Value& value, Errors& errors) {
  Fields fields(value, keys::command, errors);
  ProtocolStep step;
  fields.read("send", step.send);
  if (fields.has("send") && step.send.empty()) {
    fields.error("send", "\"send\" must be a command, as in [\"SET\", \"$key\", \"$token\"]");
  }
  check_variables(step.send, value, errors);
  return step;
}

std::optional<std::string> read_expected_reply(const Value& step, Errors& errors) {
  const Value* expect = step.find("expect");
  if (expect == nullptr) return std::nullopt;
  switch (expect->type) {
    case Value::Type::string:
      if (expect->text.starts_with('$')) {
        check_known(expect->text, variables(), "protocol variable", expect->origin, errors);
      }
      return expect->text;
    case Value::Type::integer:
      return std::to_string(expect->integer);
    case Value::Type::null:
      return "nil";
    default:
      errors.add(expect->origin,
                 fmt::format("\"expect\" must be a text, a whole number or null, not {}",
                             describe(*expect)));
      return std::nullopt;
  }
}

std::vector<ProtocolStep> read_steps(Fields& fields, std::string_view key, Errors& errors) {
  std::vector<ProtocolStep> steps;
  const Value* value = fields.find(key);
  if (value == nullptr) return steps;
  if (value->type != Value::Type::array || value->items.empty()) {
    errors.add(value->origin,
               fmt::format("\"{}\" must be an array of at least one step, not {}", key,
                           value->type == Value::Type::array ? "an empty one" : describe(*value)));
    return steps;
  }
  for (const Value& item : value->items) {
    ProtocolStep step =
        item.find("script") != nullptr ? read_script(item, errors) : read_command(item, errors);
    step.expect = read_expected_reply(item, errors);
    steps.push_back(std::move(step));
  }
  return steps;
}

void check_protocol(Fields& fields, const Protocol& protocol) {
  if (protocol.sequential && !protocol.quorum) {
    fields.error("sequential", "\"sequential\" has no meaning without \"quorum\": true");
  }
  if (fields.has("renew") && !fields.has("every")) {
    fields.error("renew", "\"renew\" needs \"every\", the time between two renewals");
  }
  if (fields.has("every") && !fields.has("renew")) {
    fields.error("every", "\"every\" has no meaning without \"renew\"");
  }
}

}  // namespace

Protocol read_protocol(const Value& value, Errors& errors) {
  Fields fields(value, keys::protocol, errors);
  Protocol protocol;
  protocol.origin = value.origin;
  std::int64_t version = 1;
  std::int64_t cleanup_tries = 0;
  std::string text;
  std::vector<std::string> texts;
  fields.read("holdfast-protocol", version, 1, 1);
  fields.read("name", protocol.name);
  fields.read("shows", text);
  fields.read("$schema", text);
  fields.read("source", texts);
  fields.read("lease", protocol.lease, Least::above_zero);
  fields.read("believes", protocol.believes, believes_words());
  fields.read("token", protocol.token, token_words());
  fields.read("quorum", protocol.quorum);
  fields.read("sequential", protocol.sequential);
  fields.read("check_elapsed", protocol.check_elapsed);
  fields.read("clock", protocol.clock, protocol_clock_words());
  fields.read("cleanup_tries", cleanup_tries, 0, kMostCleanupTries);
  fields.read("every", protocol.every, Least::above_zero);
  protocol.cleanup_tries = static_cast<int>(cleanup_tries);
  protocol.acquire = read_steps(fields, "acquire", errors);
  protocol.renew = read_steps(fields, "renew", errors);
  protocol.release = read_steps(fields, "release", errors);
  check_protocol(fields, protocol);
  return protocol;
}

}  // namespace holdfast::scenario
