// Lists: the guarded resource's record of accesses, queues.
#include <algorithm>

#include "sim/redis/command.h"

namespace holdfast::sim::redis {

namespace {

enum class End : std::uint8_t { head, tail };

std::int64_t length(const Entry* entry) {
  return entry == nullptr ? 0 : static_cast<std::int64_t>(entry->value.list.size());
}

void push(Execution& run, End end) {
  Entry* entry = nullptr;
  if (!run.find(run[1], ValueType::list, entry)) return;
  Entry& list = run.data.open(run[1], ValueType::list);
  for (std::size_t i = 2; i < run.size(); ++i) {
    end == End::tail ? list.value.list.push_back(run[i]) : list.value.list.push_front(run[i]);
    run.data.appended(list, run[i]);
  }
  run.data.touched(list, EventClass::list, end == End::tail ? "rpush" : "lpush");
  run.changed_as_said();
  run.number(length(&list));
}
void rpush(Execution& run) { push(run, End::tail); }
void lpush(Execution& run) { push(run, End::head); }

void pop(Execution& run, End end) {
  std::int64_t count = 1;
  const bool counted = run.size() == 3;
  if (run.size() > 3) return run.wrong_arity();
  if (counted) {
    if (!run.integer(2, count) || count < 0) {
      return run.error("ERR value is out of range, must be positive");
    }
    run.reply.type = Reply::Type::null_array;
  }
  Entry* entry = nullptr;
  if (!run.find(run[1], ValueType::list, entry) || entry == nullptr) return;
  StringList& list = entry->value.list;
  count = std::min(count, length(entry));
  if (counted) run.array();
  for (std::int64_t i = 0; i < count; ++i) {
    const std::string& item = end == End::tail ? list[list.size() - 1] : list[0];
    counted ? run.element(item) : run.bulk(item);
    end == End::tail ? list.pop_back() : list.pop_front();
  }
  if (count == 0) return;
  run.data.changed(*entry, EventClass::list, end == End::tail ? "rpop" : "lpop");
  run.changed_as_said();
}
void rpop(Execution& run) { pop(run, End::tail); }
void lpop(Execution& run) { pop(run, End::head); }

void llen(Execution& run) {
  Entry* entry = nullptr;
  if (run.find(run[1], ValueType::list, entry)) run.number(length(entry));
}

void lindex(Execution& run) {
  Entry* entry = nullptr;
  std::int64_t index = 0;
  if (!run.find(run[1], ValueType::list, entry) || entry == nullptr) return;
  if (!run.integer(2, index)) return;
  if (index < 0) index += length(entry);
  if (index < 0 || index >= length(entry)) return;
  run.bulk(entry->value.list[static_cast<std::size_t>(index)]);
}

void lrange(Execution& run) {
  Entry* entry = nullptr;
  std::int64_t first = 0;
  std::int64_t last = 0;
  if (!run.integer(2, first) || !run.integer(3, last)) return;
  if (!run.find(run[1], ValueType::list, entry)) return;
  run.array();
  const std::int64_t count = length(entry);
  if (first < 0) first = std::max<std::int64_t>(first + count, 0);
  if (last < 0) last += count;
  last = std::min(last, count - 1);
  for (std::int64_t i = first; i <= last; ++i) {
    run.element(entry->value.list[static_cast<std::size_t>(i)]);
  }
}

constexpr CommandSpec kCommands[] = {
    {"rpush", -3, kWrites, 1, 1, 1, rpush}, {"lpush", -3, kWrites, 1, 1, 1, lpush},
    {"rpop", -2, kWrites, 1, 1, 1, rpop},   {"lpop", -2, kWrites, 1, 1, 1, lpop},
    {"llen", 2, kReads, 1, 1, 1, llen},     {"lindex", 3, kReads, 1, 1, 1, lindex},
    {"lrange", 4, kReads, 1, 1, 1, lrange},
};

}  // namespace

std::span<const CommandSpec> list_commands() { return kCommands; }

}  // namespace holdfast::sim::redis
