// Lists: the guarded resource's record of accesses, queues.
#include <algorithm>
#include <limits>

#include "sim/redis/command.h"
#include "sim/redis/letter_case.h"
#include "sim/redis/list_ends.h"

namespace holdfast::sim::redis {

namespace {

void push(Execution& run, End end, bool only_existing) {
  Entry* entry = nullptr;
  if (!run.find(run[1], ValueType::list, entry)) return;
  if (entry == nullptr && only_existing) return run.number(0);
  Entry& list = run.data.open(run[1], ValueType::list);
  for (std::size_t i = 2; i < run.size(); ++i) push_item(run, list, end, run[i]);
  run.data.touched(list, EventClass::list, push_event(end));
  run.changed_as_said();
  run.number(list_length(&list));
}
void rpush(Execution& run) { push(run, End::tail, false); }
void lpush(Execution& run) { push(run, End::head, false); }
void rpushx(Execution& run) { push(run, End::tail, true); }
void lpushx(Execution& run) { push(run, End::head, true); }

void pop(Execution& run, End end) {
  std::int64_t count = 1;
  const bool counted = run.size() == 3;
  if (run.size() > 3) return run.wrong_arity();
  if (counted) {
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    if (!run.integer_between(2, 0, kMost, count, "ERR value is out of range, must be positive")) {
      return;
    }
  }
  Entry* entry = nullptr;
  if (!run.find(run[1], ValueType::list, entry)) return;
  if (entry == nullptr) return counted ? run.no_array() : void();
  count = std::min(count, list_length(entry));
  if (counted) run.array();
  for (std::int64_t i = 0; i < count; ++i) {
    const std::string& item = end_item(*entry, end);
    counted ? run.element(item) : run.bulk(item);
    drop_end(*entry, end);
  }
  if (count == 0) return;
  run.data.changed(*entry, EventClass::list, pop_event(end));
  run.changed_as_said();
}
void rpop(Execution& run) { pop(run, End::tail); }
void lpop(Execution& run) { pop(run, End::head); }

void llen(Execution& run) {
  Entry* entry = nullptr;
  if (run.find(run[1], ValueType::list, entry)) run.number(list_length(entry));
}

// The index counts from the end when it is negative; false when there is nothing there.
bool at_index(const Entry* entry, std::int64_t& index) {
  if (index < 0) index += list_length(entry);
  return index >= 0 && index < list_length(entry);
}

void lindex(Execution& run) {
  Entry* entry = nullptr;
  std::int64_t index = 0;
  if (!run.find(run[1], ValueType::list, entry) || entry == nullptr) return;
  if (!run.integer(2, index)) return;
  if (at_index(entry, index)) run.bulk(entry->value.list[static_cast<std::size_t>(index)]);
}

void lset(Execution& run) {
  Entry* entry = nullptr;
  std::int64_t index = 0;
  if (!run.find(run[1], ValueType::list, entry)) return;
  if (entry == nullptr) return run.error("ERR no such key");
  if (!run.integer(2, index)) return;
  if (!at_index(entry, index)) return run.error("ERR index out of range");
  entry->value.list.set(static_cast<std::size_t>(index), run[3]);
  run.data.changed(*entry, EventClass::list, "lset");
  run.changed_as_said();
  run.ok();
}

void linsert(Execution& run) {
  const bool before = same_word(run[2], "before");
  if (!before && !same_word(run[2], "after")) return run.syntax_error();
  Entry* entry = nullptr;
  if (!run.find(run[1], ValueType::list, entry)) return;
  if (entry == nullptr) return run.number(0);
  StringList& list = entry->value.list;
  std::size_t at = 0;
  while (at < list.size() && list[at] != run[3]) ++at;
  if (at == list.size()) return run.number(-1);
  list.insert(before ? at : at + 1, run[4]);
  run.data.changed(*entry, EventClass::list, "linsert");
  run.changed_as_said();
  run.number(list_length(entry));
}

// Makes first and last indexes of `count` items; empty when first > last.
void clamp(std::int64_t count, std::int64_t& first, std::int64_t& last) {
  if (first < 0) first = std::max<std::int64_t>(first + count, 0);
  if (last < 0) last += count;
  last = std::min(last, count - 1);
}

void lrange(Execution& run) {
  Entry* entry = nullptr;
  std::int64_t first = 0;
  std::int64_t last = 0;
  if (!run.integer(2, first) || !run.integer(3, last)) return;
  if (!run.find(run[1], ValueType::list, entry)) return;
  run.array();
  clamp(list_length(entry), first, last);
  for (std::int64_t i = first; i <= last; ++i) {
    run.element(entry->value.list[static_cast<std::size_t>(i)]);
  }
}

void ltrim(Execution& run) {
  Entry* entry = nullptr;
  std::int64_t first = 0;
  std::int64_t last = 0;
  if (!run.integer(2, first) || !run.integer(3, last)) return;
  if (!run.find(run[1], ValueType::list, entry)) return;
  run.ok();
  if (entry == nullptr) return;
  const std::int64_t before = list_length(entry);
  clamp(before, first, last);
  const std::int64_t kept = first > last ? 0 : last - first + 1;
  entry->value.list.keep(kept == 0 ? 0 : static_cast<std::size_t>(first),
                         static_cast<std::size_t>(kept));
  run.data.changed(*entry, EventClass::list, "ltrim");
  if (kept < before) run.changed_as_said();
}

void lrem(Execution& run) {
  Entry* entry = nullptr;
  std::int64_t wanted = 0;
  if (!run.integer(2, wanted)) return;
  if (!run.find(run[1], ValueType::list, entry)) return;
  if (entry == nullptr) return run.number(0);
  StringList& list = entry->value.list;
  const bool backwards = wanted < 0;
  const std::uint64_t most = wanted == 0 ? ~std::uint64_t{0}
                             : backwards ? 0 - static_cast<std::uint64_t>(wanted)
                                         : static_cast<std::uint64_t>(wanted);
  std::uint64_t removed = 0;
  for (std::size_t i = backwards ? list.size() : 0; removed < most;) {
    if (backwards ? i == 0 : i == list.size()) break;
    const std::size_t at = backwards ? --i : i;
    if (list[at] == run[3]) {
      list.erase(at);
      ++removed;
    } else if (!backwards) {
      ++i;
    }
  }
  if (removed > 0) {
    run.data.changed(*entry, EventClass::list, "lrem");
    run.changed_as_said();
  }
  run.number(static_cast<std::int64_t>(removed));
}

constexpr CommandSpec kListCommands[] = {
    {"rpush", -3, kWrites | kGrows | kFast, 1, 1, 1, rpush},
    {"lpush", -3, kWrites | kGrows | kFast, 1, 1, 1, lpush},
    {"rpushx", -3, kWrites | kGrows | kFast, 1, 1, 1, rpushx},
    {"lpushx", -3, kWrites | kGrows | kFast, 1, 1, 1, lpushx},
    {"rpop", -2, kWrites | kFast, 1, 1, 1, rpop},
    {"lpop", -2, kWrites | kFast, 1, 1, 1, lpop},
    {"llen", 2, kReads | kFast, 1, 1, 1, llen},
    {"lindex", 3, kReads, 1, 1, 1, lindex},
    {"lset", 4, kWrites | kGrows, 1, 1, 1, lset},
    {"linsert", 5, kWrites | kGrows, 1, 1, 1, linsert},
    {"lrange", 4, kReads, 1, 1, 1, lrange},
    {"ltrim", 4, kWrites, 1, 1, 1, ltrim},
    {"lrem", 4, kWrites, 1, 1, 1, lrem},
};

}  // namespace

std::span<const CommandSpec> list_commands() { return kListCommands; }

}  // namespace holdfast::sim::redis
