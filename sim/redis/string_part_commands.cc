// Strings: their parts, several at once, counting in fractions.
#include <algorithm>
#include <cmath>

#include "sim/redis/command.h"
#include "sim/redis/float_text.h"

namespace holdfast::sim::redis {

namespace {

constexpr std::size_t kLongest = std::size_t{512} << 20;  // proto-max-bulk-len's default

std::int64_t length(const Entry* entry) {
  return entry == nullptr ? 0 : static_cast<std::int64_t>(entry->value.text.size());
}

bool too_long(Execution& run, std::size_t size, std::size_t more) {
  if (size <= kLongest && more <= kLongest && size + more <= kLongest) return false;
  run.error("ERR string exceeds maximum allowed size (proto-max-bulk-len)");
  return true;
}

void strlen_of(Execution& run) {
  Entry* entry = nullptr;
  if (run.find(run[1], ValueType::string, entry)) run.number(length(entry));
}

void append(Execution& run) {
  Entry* entry = nullptr;
  if (!run.find(run[1], ValueType::string, entry)) return;
  if (entry == nullptr) {
    entry = &run.data.put(run[1], run[2], kNoDeadline);
  } else {
    if (too_long(run, entry->value.text.size(), run[2].size())) return;
    std::string text = entry->value.text;
    text.append(run[2]);
    run.data.change_text(*entry, text, Value::Form::raw);
  }
  run.data.touched(*entry, EventClass::string, "append");
  run.changed_as_said();
  run.number(length(entry));
}

void setrange(Execution& run) {
  std::int64_t offset = 0;
  if (!run.integer(2, offset)) return;
  if (offset < 0) return run.error("ERR offset is out of range");
  Entry* entry = nullptr;
  if (!run.find(run[1], ValueType::string, entry)) return;
  if (run[3].empty()) return run.number(length(entry));
  const auto begin = static_cast<std::size_t>(offset);
  if (too_long(run, begin, run[3].size())) return;
  std::string text = entry == nullptr ? std::string() : entry->value.text;
  text.resize(std::max(text.size(), begin + run[3].size()));
  text.replace(begin, run[3].size(), run[3]);
  if (entry == nullptr) entry = &run.data.put(run[1], {}, kNoDeadline);
  run.data.change_text(*entry, text, Value::Form::raw);
  run.data.touched(*entry, EventClass::string, "setrange");
  run.changed_as_said();
  run.number(length(entry));
}

void getrange(Execution& run) {
  std::int64_t first = 0;
  std::int64_t last = 0;
  if (!run.integer(2, first) || !run.integer(3, last)) return;
  Entry* entry = nullptr;
  if (!run.find(run[1], ValueType::string, entry)) return;
  run.bulk({});
  const std::int64_t size = length(entry);
  if (size == 0 || (first < 0 && last < 0 && first > last)) return;
  if (first < 0) first = std::max<std::int64_t>(first + size, 0);
  if (last < 0) last = std::max<std::int64_t>(last + size, 0);
  last = std::min(last, size - 1);
  if (first > last) return;
  run.bulk(
      std::string_view(entry->value.text)
          .substr(static_cast<std::size_t>(first), static_cast<std::size_t>(last - first + 1)));
}

void mget(Execution& run) {
  run.array();
  for (std::size_t i = 1; i < run.size(); ++i) {
    const Entry* entry = run.data.find(run[i]);
    const bool text = entry != nullptr && entry->value.type == ValueType::string;
    run.reply.elements.push_back(text ? Reply::bulk(entry->value.text) : Reply());
  }
}

void set_all(Execution& run) {
  for (std::size_t i = 1; i < run.size(); i += 2) {
    run.data.touched(run.data.put(run[i], run[i + 1], kNoDeadline), EventClass::string, "set");
  }
  run.changed_as_said();
}

void mset(Execution& run) {
  if (run.size() % 2 == 0) return run.wrong_arity();
  set_all(run);
  run.ok();
}

void msetnx(Execution& run) {
  if (run.size() % 2 == 0) return run.wrong_arity();
  for (std::size_t i = 1; i < run.size(); i += 2) {
    if (run.data.find(run[i]) != nullptr) return run.number(0);
  }
  set_all(run);
  run.number(1);
}

// Travels as the SET of its result: another machine might count otherwise.
void incrbyfloat(Execution& run) {
  Entry* entry = nullptr;
  if (!run.find(run[1], ValueType::string, entry)) return;
  const auto old = entry == nullptr ? std::optional(0.0L) : parse_long_double(entry->value.text);
  const auto by = parse_long_double(run[2]);
  if (!old || !by) return run.error("ERR value is not a valid float");
  const long double value = *old + *by;
  if (!std::isfinite(value)) return run.error("ERR increment would produce NaN or Infinity");
  const std::string text = plain_text(value);
  if (entry == nullptr) entry = &run.data.put(run[1], {}, kNoDeadline);
  run.data.change_text(*entry, text, Value::Form::text);
  run.data.touched(*entry, EventClass::string, "incrbyfloat");
  if (Command* effect = run.changed_as()) {
    effect->add("SET").add(run[1]).add(text).add("KEEPTTL");
  }
  run.bulk(text);
}

constexpr CommandSpec kStringPartCommands[] = {
    {"strlen", 2, kReads | kFast, 1, 1, 1, strlen_of},
    {"append", 3, kWrites | kGrows | kFast, 1, 1, 1, append},
    {"setrange", 4, kWrites | kGrows, 1, 1, 1, setrange},
    {"getrange", 4, kReads, 1, 1, 1, getrange},
    {"substr", 4, kReads, 1, 1, 1, getrange},
    {"mget", -2, kReads | kFast, 1, -1, 1, mget},
    {"mset", -3, kWrites | kGrows, 1, -1, 2, mset},
    {"msetnx", -3, kWrites | kGrows, 1, -1, 2, msetnx},
    {"incrbyfloat", 3, kWrites | kGrows | kFast, 1, 1, 1, incrbyfloat},
};

}  // namespace

std::span<const CommandSpec> string_part_commands() { return kStringPartCommands; }

}  // namespace holdfast::sim::redis
