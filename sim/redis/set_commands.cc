// Sets of strings.
#include <algorithm>
#include <limits>

#include "sim/redis/command.h"
#include "sim/redis/random_count.h"
#include "sim/redis/scan.h"
#include "sim/redis/set_members.h"

namespace holdfast::sim::redis {

namespace {

void sadd(Execution& run) {
  Entry* entry = nullptr;
  if (!run.find(run[1], ValueType::set, entry)) return;
  Entry& set = run.data.open(run[1], ValueType::set);
  std::int64_t added = 0;
  for (std::size_t i = 2; i < run.size(); ++i) {
    added += add_member(set.value, run[i], run.data.limits()) ? 1 : 0;
  }
  if (added > 0) {
    run.data.changed(set, EventClass::set, "sadd");
    run.changed_as_said();
  }
  run.number(added);
}

void srem(Execution& run) {
  Entry* entry = nullptr;
  if (!run.find(run[1], ValueType::set, entry)) return;
  std::int64_t removed = 0;
  for (std::size_t i = 2; entry != nullptr && i < run.size(); ++i) {
    removed += entry->value.set.erase(run[i]) ? 1 : 0;
  }
  if (removed > 0) {
    run.data.changed(*entry, EventClass::set, "srem");
    run.changed_as_said();
  }
  run.number(removed);
}

bool is_member(const Entry* entry, std::string_view member) {
  return entry != nullptr && entry->value.set.find(member) != nullptr;
}

void smove(Execution& run) {
  Entry* source = run.data.find(run[1]);
  Entry* target = run.data.find(run[2]);
  if (source == nullptr) return run.number(0);
  if (!run.find(run[1], ValueType::set, source)) return;
  if (!run.find(run[2], ValueType::set, target)) return;
  if (!is_member(source, run[3])) return run.number(0);
  run.number(1);
  if (source == target) return;
  source->value.set.erase(run[3]);
  run.data.changed(*source, EventClass::set, "srem");
  Entry& grown = run.data.open(run[2], ValueType::set);
  if (add_member(grown.value, run[3], run.data.limits())) {
    run.data.changed(grown, EventClass::set, "sadd");
  }
  run.changed_as_said();
}

void sismember(Execution& run) {
  Entry* entry = nullptr;
  if (run.find(run[1], ValueType::set, entry)) run.number(is_member(entry, run[2]) ? 1 : 0);
}

void smismember(Execution& run) {
  Entry* entry = nullptr;
  if (!run.find(run[1], ValueType::set, entry)) return;
  run.array();
  for (std::size_t i = 2; i < run.size(); ++i) {
    run.reply.elements.push_back(Reply::number(is_member(entry, run[i]) ? 1 : 0));
  }
}

void scard(Execution& run) {
  Entry* entry = nullptr;
  if (!run.find(run[1], ValueType::set, entry)) return;
  run.number(entry == nullptr ? 0 : static_cast<std::int64_t>(entry->value.set.size()));
}

void smembers(Execution& run) {
  Entry* entry = nullptr;
  if (!run.find(run[1], ValueType::set, entry)) return;
  run.set();
  if (entry == nullptr) return;
  for (const std::string_view member : members_in_order(entry->value)) run.element(member);
}

void spop_one(Execution& run, Entry& entry) {
  run.bulk(entry.value.set.pick(run.data.random()).name);
  entry.value.set.erase(run.reply.text);
  if (Command* effect = run.changed_as()) effect->add("SREM").add(run[1]).add(run.reply.text);
  run.data.changed(entry, EventClass::set, "spop");
}

// As removals of what was drawn, so that replicas draw the same.
void spop_many(Execution& run, Entry& entry, std::int64_t count) {
  StringSet& set = entry.value.set;
  const bool all = count >= static_cast<std::int64_t>(set.size());
  for (const std::size_t place :
       set.pick_places(run.data.random(), static_cast<std::size_t>(count))) {
    run.element(set[place].name);
  }
  for (const Reply& member : run.reply.elements) {
    set.erase(member.text);
    if (all) continue;
    if (Command* effect = run.changed_as()) effect->add("SREM").add(run[1]).add(member.text);
  }
  if (all) {
    if (Command* effect = run.changed_as()) effect->add("DEL").add(run[1]);
  }
  run.data.changed(entry, EventClass::set, "spop");
}

void spop(Execution& run) {
  if (run.size() > 3) return run.syntax_error();
  std::int64_t count = 0;
  const bool counted = run.size() == 3;
  if (counted && !run.integer_between(2, 0, std::numeric_limits<std::int64_t>::max(), count,
                                      "ERR value is out of range, must be positive")) {
    return;
  }
  Entry* entry = nullptr;
  if (!run.find(run[1], ValueType::set, entry)) return;
  if (counted) run.set();
  if (entry == nullptr) return;
  if (!counted) return spop_one(run, *entry);
  if (count > 0) spop_many(run, *entry, count);
}

void srandmember(Execution& run) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  if (run.size() > 3) return run.syntax_error();
  std::int64_t count = 0;
  const bool counted = run.size() == 3;
  if (counted && !run.integer_between(2, -kMost, kMost, count, {})) return;
  Entry* entry = nullptr;
  if (!run.find(run[1], ValueType::set, entry)) return;
  Random& random = run.data.random();
  if (!counted) {
    if (entry != nullptr) run.bulk(entry->value.set.pick(random).name);
    return;
  }
  run.array();
  if (entry == nullptr || repeats_too_often(run, count)) return;
  const StringSet& set = entry->value.set;
  for (; count < 0; ++count) run.element(set.pick(random).name);
  for (const std::size_t place : set.pick_places(random, static_cast<std::size_t>(count))) {
    run.element(set[place].name);
  }
}

void sscan(Execution& run) {
  ScanOptions options;
  Entry* entry = nullptr;
  if (!read_cursor(run, 2, options.cursor)) return;
  if (!run.find(run[1], ValueType::set, entry)) return;
  if (entry != nullptr && !read_scan_options(run, 3, false, options)) return;
  Reply& found = answer_scan(run);
  if (entry == nullptr) return;
  const auto show = [&found](std::string_view member) {
    found.elements.push_back(Reply::bulk(member));
  };
  if (entry->value.form == Value::Form::large) {
    const auto show_member = [&show](const StringSet::Member& member) { show(member.name); };
    return set_next_cursor(run, walk_members(entry->value.set, options, show_member));
  }
  for (const std::string_view member : members_in_order(entry->value)) {
    if (options.takes(member)) show(member);
  }
}

constexpr CommandSpec kSetCommands[] = {
    {"sadd", -3, kWrites | kGrows | kFast, 1, 1, 1, sadd},
    {"srem", -3, kWrites | kFast, 1, 1, 1, srem},
    {"smove", 4, kWrites | kFast, 1, 2, 1, smove},
    {"sismember", 3, kReads | kFast, 1, 1, 1, sismember},
    {"smismember", -3, kReads | kFast, 1, 1, 1, smismember},
    {"scard", 2, kReads | kFast, 1, 1, 1, scard},
    {"smembers", 2, kReads, 1, 1, 1, smembers},
    {"spop", -2, kWrites | kFast, 1, 1, 1, spop},
    {"srandmember", -2, kReads, 1, 1, 1, srandmember},
    {"sscan", -3, kReads, 1, 1, 1, sscan},
};

}  // namespace

std::span<const CommandSpec> set_commands() { return kSetCommands; }

}  // namespace holdfast::sim::redis
