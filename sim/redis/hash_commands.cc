// Hashes: what re-entrant and read-write locks keep.
#include "sim/redis/command.h"
#include "sim/redis/integer_text.h"

namespace holdfast::sim::redis {

namespace {

void hset(Execution& run) {
  if (run.size() % 2 != 0) return run.wrong_arity();
  Entry* entry = nullptr;
  if (!run.find(run[1], ValueType::hash, entry)) return;
  Entry& hash = run.data.open(run[1], ValueType::hash);
  std::int64_t added = 0;
  for (std::size_t i = 2; i + 1 < run.size(); i += 2) {
    added += hash.value.fields.set(run[i], run[i + 1]) ? 1 : 0;
  }
  run.data.changed(hash);
  run.changed_as_said();
  run.number(added);
}

void hsetnx(Execution& run) {
  Entry* entry = nullptr;
  if (!run.find(run[1], ValueType::hash, entry)) return;
  if (entry != nullptr && entry->value.fields.find(run[2]) != nullptr) return run.number(0);
  Entry& hash = run.data.open(run[1], ValueType::hash);
  hash.value.fields.set(run[2], run[3]);
  run.data.changed(hash);
  run.changed_as_said();
  run.number(1);
}

void hget(Execution& run) {
  Entry* entry = nullptr;
  if (!run.find(run[1], ValueType::hash, entry) || entry == nullptr) return;
  if (const std::string* value = entry->value.fields.find(run[2])) run.bulk(*value);
}

void hmget(Execution& run) {
  Entry* entry = nullptr;
  if (!run.find(run[1], ValueType::hash, entry)) return;
  run.array();
  for (std::size_t i = 2; i < run.size(); ++i) {
    const std::string* value = entry == nullptr ? nullptr : entry->value.fields.find(run[i]);
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
    run.data.changed(*entry);
    run.changed_as_said();
  }
  run.number(removed);
}

void hexists(Execution& run) {
  Entry* entry = nullptr;
  if (!run.find(run[1], ValueType::hash, entry)) return;
  run.number(entry != nullptr && entry->value.fields.find(run[2]) != nullptr ? 1 : 0);
}

void hlen(Execution& run) {
  Entry* entry = nullptr;
  if (!run.find(run[1], ValueType::hash, entry)) return;
  run.number(entry == nullptr ? 0 : static_cast<std::int64_t>(entry->value.fields.size()));
}

void list_fields(Execution& run, bool names, bool values) {
  Entry* entry = nullptr;
  if (!run.find(run[1], ValueType::hash, entry)) return;
  run.array();
  if (entry == nullptr) return;
  const FieldTable& fields = entry->value.fields;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (names) run.element(fields[i].name);
    if (values) run.element(fields[i].value);
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
  const std::string* old = entry == nullptr ? nullptr : entry->value.fields.find(run[2]);
  if (old != nullptr) {
    const auto parsed = parse_integer(*old);
    if (!parsed) return run.error("ERR hash value is not an integer");
    value = *parsed;
  }
  if (__builtin_add_overflow(value, by, &value)) {
    return run.error("ERR increment or decrement would overflow");
  }
  Entry& hash = run.data.open(run[1], ValueType::hash);
  hash.value.fields.set(run[2], IntegerText(value).view());
  run.data.changed(hash);
  run.changed_as_said();
  run.number(value);
}

constexpr CommandSpec kCommands[] = {
    {"hset", -4, kWrites, 1, 1, 1, hset},      {"hsetnx", 4, kWrites, 1, 1, 1, hsetnx},
    {"hget", 3, kReads, 1, 1, 1, hget},        {"hmget", -3, kReads, 1, 1, 1, hmget},
    {"hdel", -3, kWrites, 1, 1, 1, hdel},      {"hexists", 3, kReads, 1, 1, 1, hexists},
    {"hlen", 2, kReads, 1, 1, 1, hlen},        {"hgetall", 2, kReads, 1, 1, 1, hgetall},
    {"hkeys", 2, kReads, 1, 1, 1, hkeys},      {"hvals", 2, kReads, 1, 1, 1, hvals},
    {"hincrby", 4, kWrites, 1, 1, 1, hincrby},
};

}  // namespace

std::span<const CommandSpec> hash_commands() { return kCommands; }

}  // namespace holdfast::sim::redis
