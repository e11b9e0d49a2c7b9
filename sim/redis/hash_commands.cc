// Hashes: what re-entrant and read-write locks keep.
#include <cmath>

#include "sim/redis/command.h"
#include "sim/redis/float_text.h"
#include "sim/redis/integer_text.h"
#include "sim/redis/letter_case.h"
#include "sim/redis/random_count.h"
#include "sim/redis/scan.h"

namespace holdfast::sim::redis {

namespace {

// True when the field is new.
bool set_field(Execution& run, Entry& hash, std::string_view name, std::string_view value) {
  const EncodingLimits& limits = run.data.limits();
  const bool is_new = hash.value.fields.set(name, value);
  if (name.size() > limits.hash_value || value.size() > limits.hash_value ||
      hash.value.fields.size() > limits.hash_entries) {
    hash.value.form = Value::Form::large;
  }
  return is_new;
}

const std::string* field_of(const Entry* entry, std::string_view name) {
  return entry == nullptr ? nullptr : entry->value.fields.find(name);
}

// Sets the fields; how many are new, or -1 after an error answer.
std::int64_t set_fields(Execution& run) {
  Entry* entry = nullptr;
  if (run.size() % 2 != 0) {
    run.wrong_arity();
    return -1;
  }
  if (!run.find(run[1], ValueType::hash, entry)) return -1;
  Entry& hash = run.data.open(run[1], ValueType::hash);
  std::int64_t added = 0;
  for (std::size_t i = 2; i + 1 < run.size(); i += 2) {
    added += set_field(run, hash, run[i], run[i + 1]) ? 1 : 0;
  }
  run.data.changed(hash, EventClass::hash, "hset");
  run.changed_as_said();
  return added;
}
void hset(Execution& run) {
  if (const std::int64_t added = set_fields(run); added >= 0) run.number(added);
}
void hmset(Execution& run) {
  if (set_fields(run) >= 0) run.ok();
}

void hsetnx(Execution& run) {
  Entry* entry = nullptr;
  if (!run.find(run[1], ValueType::hash, entry)) return;
  if (field_of(entry, run[2]) != nullptr) return run.number(0);
  Entry& hash = run.data.open(run[1], ValueType::hash);
  set_field(run, hash, run[2], run[3]);
  run.data.changed(hash, EventClass::hash, "hset");
  run.changed_as_said();
  run.number(1);
}

void hget(Execution& run) {
  Entry* entry = nullptr;
  if (!run.find(run[1], ValueType::hash, entry)) return;
  if (const std::string* value = field_of(entry, run[2])) run.bulk(*value);
}

void hmget(Execution& run) {
  Entry* entry = nullptr;
  if (!run.find(run[1], ValueType::hash, entry)) return;
  run.array();
  for (std::size_t i = 2; i < run.size(); ++i) {
    const std::string* value = field_of(entry, run[i]);
    run.reply.elements.push_back(value == nullptr ? Reply() : Reply::bulk(*value));
  }
}

void hdel(Execution& run) {
  Entry* entry = nullptr;
  if (!run.find(run[1], ValueType::hash, entry)) return;
  std::int64_t removed = 0;
  for (std::size_t i = 2; entry != nullptr && i < run.size(); ++i) {
    removed += entry->value.fields.erase(run[i]) ? 1 : 0;
  }
  if (removed > 0) {
    run.data.changed(*entry, EventClass::hash, "hdel");
    run.changed_as_said();
  }
  run.number(removed);
}

void hexists(Execution& run) {
  Entry* entry = nullptr;
  if (!run.find(run[1], ValueType::hash, entry)) return;
  run.number(field_of(entry, run[2]) != nullptr ? 1 : 0);
}

void hlen(Execution& run) {
  Entry* entry = nullptr;
  if (!run.find(run[1], ValueType::hash, entry)) return;
  run.number(entry == nullptr ? 0 : static_cast<std::int64_t>(entry->value.fields.size()));
}

void hstrlen(Execution& run) {
  Entry* entry = nullptr;
  if (!run.find(run[1], ValueType::hash, entry)) return;
  const std::string* value = field_of(entry, run[2]);
  run.number(value == nullptr ? 0 : static_cast<std::int64_t>(value->size()));
}

void list_fields(Execution& run, bool names, bool values) {
  Entry* entry = nullptr;
  if (!run.find(run[1], ValueType::hash, entry)) return;
  names&& values ? run.map() : run.array();
  if (entry == nullptr) return;
  const FieldTable& fields = entry->value.fields;
  for (std::size_t at = 0; const FieldTable::Member* field = fields.next(at);) {
    if (names) run.element(field->name);
    if (values) run.element(field->value);
  }
}
void hgetall(Execution& run) { list_fields(run, true, true); }
void hkeys(Execution& run) { list_fields(run, true, false); }
void hvals(Execution& run) { list_fields(run, false, true); }

void hincrby(Execution& run) {
  std::int64_t by = 0;
  Entry* entry = nullptr;
  if (!run.integer(3, by)) return;
  if (!run.find(run[1], ValueType::hash, entry)) return;
  std::int64_t value = 0;
  if (const std::string* old = field_of(entry, run[2])) {
    const auto parsed = parse_integer(*old);
    if (!parsed) return run.error("ERR hash value is not an integer");
    value = *parsed;
  }
  if (__builtin_add_overflow(value, by, &value)) {
    return run.error("ERR increment or decrement would overflow");
  }
  Entry& hash = run.data.open(run[1], ValueType::hash);
  set_field(run, hash, run[2], IntegerText(value).view());
  run.data.changed(hash, EventClass::hash, "hincrby");
  run.changed_as_said();
  run.number(value);
}

void hincrbyfloat(Execution& run) {
  const auto by = parse_long_double(run[3]);
  if (!by) return run.error("ERR value is not a valid float");
  if (std::isinf(*by)) return run.error("ERR value is NaN or Infinity");
  Entry* entry = nullptr;
  if (!run.find(run[1], ValueType::hash, entry)) return;
  long double value = *by;
  if (const std::string* old = field_of(entry, run[2])) {
    const auto parsed = parse_long_double(*old);
    if (!parsed) return run.error("ERR hash value is not a float");
    value += *parsed;
  }
  if (!std::isfinite(value)) return run.error("ERR increment would produce NaN or Infinity");
  const std::string text = plain_text(value);
  Entry& hash = run.data.open(run[1], ValueType::hash);
  set_field(run, hash, run[2], text);
  run.data.changed(hash, EventClass::hash, "hincrbyfloat");
  if (Command* effect = run.changed_as()) effect->add("HSET").add(run[1]).add(run[2]).add(text);
  run.bulk(text);
}

void hscan(Execution& run) {
  ScanOptions options;
  Entry* entry = nullptr;
  if (!read_cursor(run, 2, options.cursor)) return;
  if (!run.find(run[1], ValueType::hash, entry)) return;
  if (entry != nullptr && !read_scan_options(run, 3, false, options)) return;
  Reply& found = answer_scan(run);
  if (entry == nullptr) return;
  const FieldTable& fields = entry->value.fields;
  const auto show = [&found](const FieldTable::Member& field) {
    found.elements.push_back(Reply::bulk(field.name));
    found.elements.push_back(Reply::bulk(field.value));
  };
  if (entry->value.form == Value::Form::large) {
    return set_next_cursor(run, walk_members(fields, options, show));
  }
  for (std::size_t at = 0; const FieldTable::Member* field = fields.next(at);) {
    if (options.takes(field->name)) show(*field);
  }
}

// HRANDFIELD key count: `count` different fields, or -count that may repeat.
void random_fields(Execution& run, const FieldTable& fields, std::int64_t count, bool values) {
  const auto show = [&run, values](const FieldTable::Member& field) {
    if (values && run.resp3()) {
      run.reply.elements.push_back(
          Reply::array({Reply::bulk(field.name), Reply::bulk(field.value)}));
      return;
    }
    run.element(field.name);
    if (values) run.element(field.value);
  };
  run.array();
  Random& random = run.data.random();
  if (count < 0) {
    for (; count < 0; ++count) show(fields.pick(random));
    return;
  }
  for (const std::size_t place : fields.pick_places(random, static_cast<std::size_t>(count))) {
    show(fields[place]);
  }
}

void hrandfield(Execution& run) {
  std::int64_t count = 1;
  if (run.size() >= 3 && !run.integer_between(2, -INT64_MAX, INT64_MAX, count, {})) return;
  const bool values = run.size() == 4;
  if (run.size() > 4 || (values && !same_word(run[3], "withvalues"))) return run.syntax_error();
  constexpr std::int64_t kMost = INT64_MAX / 2;
  if (values && (count < -kMost || count > kMost)) return run.error("ERR value is out of range");
  Entry* entry = nullptr;
  if (!run.find(run[1], ValueType::hash, entry)) return;
  if (run.size() == 2) {
    if (entry != nullptr) run.bulk(entry->value.fields.pick(run.data.random()).name);
    return;
  }
  run.array();
  if (entry == nullptr || repeats_too_often(run, count)) return;
  if (count != 0) random_fields(run, entry->value.fields, count, values);
}

constexpr CommandSpec kHashCommands[] = {
    {"hset", -4, kWrites | kGrows | kFast, 1, 1, 1, hset},
    {"hmset", -4, kWrites | kGrows | kFast, 1, 1, 1, hmset},
    {"hsetnx", 4, kWrites | kGrows | kFast, 1, 1, 1, hsetnx},
    {"hget", 3, kReads | kFast, 1, 1, 1, hget},
    {"hmget", -3, kReads | kFast, 1, 1, 1, hmget},
    {"hdel", -3, kWrites | kFast, 1, 1, 1, hdel},
    {"hexists", 3, kReads | kFast, 1, 1, 1, hexists},
    {"hlen", 2, kReads | kFast, 1, 1, 1, hlen},
    {"hstrlen", 3, kReads | kFast, 1, 1, 1, hstrlen},
    {"hgetall", 2, kReads, 1, 1, 1, hgetall},
    {"hkeys", 2, kReads, 1, 1, 1, hkeys},
    {"hvals", 2, kReads, 1, 1, 1, hvals},
    {"hincrby", 4, kWrites | kGrows | kFast, 1, 1, 1, hincrby},
    {"hincrbyfloat", 4, kWrites | kGrows | kFast, 1, 1, 1, hincrbyfloat},
    {"hscan", -3, kReads, 1, 1, 1, hscan},
    {"hrandfield", -2, kReads, 1, 1, 1, hrandfield},
};

}  // namespace

std::span<const CommandSpec> hash_commands() { return kHashCommands; }

}  // namespace holdfast::sim::redis
