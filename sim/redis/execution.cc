// What every command's handler uses: answers, arguments, typed look-ups, effects.
#include <limits>

#include "sim/redis/command.h"
#include "sim/redis/float_text.h"
#include "sim/redis/instance.h"
#include "sim/redis/integer_text.h"

namespace holdfast::sim::redis {

void Execution::status(std::string_view text) {
  reply.type = Reply::Type::status;
  reply.text.assign(text);
}

void Execution::number(std::int64_t value) {
  reply.type = Reply::Type::integer;
  reply.integer = value;
}

void Execution::bulk(std::string_view text) {
  reply.type = Reply::Type::bulk;
  reply.text.assign(text);
}

void Execution::real(double value) {
  reply.type = Reply::Type::real;
  reply.text.assign(ScoreText(value).view());
}

void Execution::real_element(double value) {
  Reply& element = reply.elements.emplace_back();
  element.type = Reply::Type::real;
  element.text.assign(ScoreText(value).view());
}

bool Execution::resp3() const {
  if (in_script) return server.scripts().resp3();
  return session != 0 && server.sessions()[session].resp3;
}

void Execution::error(std::string_view text) {
  reply.type = Reply::Type::error;
  reply.text.assign(text);
}

void Execution::wrong_arity() {
  error("ERR wrong number of arguments for '" + std::string(spec.name) + "' command");
}

void Execution::invalid_expire() {
  error("ERR invalid expire time in '" + std::string(spec.name) + "' command");
}

bool Execution::integer(std::size_t index, std::int64_t& value) {
  const auto parsed = parse_integer(command[index]);
  if (!parsed) {
    not_an_integer();
    return false;
  }
  value = *parsed;
  return true;
}

bool Execution::integer_between(std::size_t index, std::int64_t low, std::int64_t high,
                                std::int64_t& value, std::string_view message) {
  const auto parsed = parse_integer(command[index]);
  const bool inside = parsed && *parsed >= low && *parsed <= high;
  if (inside) {
    value = *parsed;
  } else if (!message.empty()) {
    error(message);
  } else if (!parsed) {
    not_an_integer();
  } else {
    error("ERR value is out of range, value must between " + std::to_string(low) + " and " +
          std::to_string(high));
  }
  return inside;
}

bool Execution::integer32(std::size_t index, std::int64_t& value, std::string_view message) {
  using Limits = std::numeric_limits<std::int32_t>;
  return integer_between(index, Limits::min(), Limits::max(), value, message);
}

bool Execution::find(std::string_view key, ValueType type, Entry*& entry) {
  entry = data.find(key);
  if (entry == nullptr || entry->value.type == type) return true;
  error("WRONGTYPE Operation against a key holding the wrong kind of value");
  return false;
}

Session& Execution::client() { return server.sessions()[session]; }

bool Execution::client_name(std::string_view name) {
  for (const char letter : name) {
    if (letter >= '!' && letter <= '~') continue;
    error("ERR Client names cannot contain spaces, newlines or special characters.");
    return false;
  }
  return true;
}

void Execution::changed_as_said() {
  if (Command* effect = changed_as()) *effect = command;
}

Command* Execution::changed_as() {
  changed = true;
  Propagation& propagation = server.propagation();
  return propagation.wanted() ? &propagation.add() : nullptr;
}

}  // namespace holdfast::sim::redis
