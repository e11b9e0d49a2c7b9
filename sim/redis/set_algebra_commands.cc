// Intersection, union and difference of sets.
#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "sim/redis/command.h"
#include "sim/redis/letter_case.h"
#include "sim/redis/set_members.h"

namespace holdfast::sim::redis {

namespace {

using Operands = std::vector<const Entry*>;  // null: no such key
constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();

bool find_operands(Execution& run, std::size_t first, std::size_t end, Operands& operands) {
  for (std::size_t i = first; i < end; ++i) {
    Entry* entry = nullptr;
    if (!run.find(run[i], ValueType::set, entry)) return false;
    operands.push_back(entry);
  }
  return true;
}

bool holds(const Entry* entry, std::string_view member) {
  return entry != nullptr && entry->value.set.find(member) != nullptr;
}

void intersect(const Operands& operands, std::size_t limit, const EncodingLimits& limits,
               Value& result) {
  const Entry* smallest = operands.front();
  for (const Entry* operand : operands) {
    if (operand == nullptr) return;
    if (operand->value.set.size() < smallest->value.set.size()) smallest = operand;
  }
  for (const std::string_view member : members_in_order(smallest->value)) {
    if (result.set.size() == limit) return;
    const bool in_all = std::all_of(operands.begin(), operands.end(),
                                    [&](const Entry* operand) { return holds(operand, member); });
    if (in_all) add_member(result, member, limits);
  }
}

void unite(const Operands& operands, const EncodingLimits& limits, Value& result) {
  for (const Entry* operand : operands) {
    if (operand == nullptr) continue;
    for (const std::string_view member : members_in_order(operand->value)) {
      add_member(result, member, limits);
    }
  }
}

void subtract(const Operands& operands, const EncodingLimits& limits, Value& result) {
  if (operands.front() == nullptr) return;
  for (const std::string_view member : members_in_order(operands.front()->value)) {
    const bool elsewhere = std::any_of(operands.begin() + 1, operands.end(),
                                       [&](const Entry* each) { return holds(each, member); });
    if (!elsewhere) add_member(result, member, limits);
  }
}

enum class Operation : std::uint8_t { intersection, union_of_all, difference };

Value compute(Execution& run, Operation operation, const Operands& operands) {
  Value result;
  const EncodingLimits& limits = run.data.limits();
  switch (operation) {
    case Operation::intersection:
      intersect(operands, kNoLimit, limits, result);
      break;
    case Operation::union_of_all:
      unite(operands, limits, result);
      break;
    case Operation::difference:
      subtract(operands, limits, result);
      break;
  }
  return result;
}

void show(Execution& run, Operation operation) {
  Operands operands;
  if (!find_operands(run, 1, run.size(), operands)) return;
  const Value result = compute(run, operation, operands);
  run.set();
  for (const std::string_view member : members_in_order(result)) run.element(member);
}
void sinter(Execution& run) { show(run, Operation::intersection); }
void sunion(Execution& run) { show(run, Operation::union_of_all); }
void sdiff(Execution& run) { show(run, Operation::difference); }

void store(Execution& run, Operation operation, std::string_view event) {
  Operands operands;
  if (!find_operands(run, 2, run.size(), operands)) return;
  Value result = compute(run, operation, operands);
  result.type = ValueType::set;
  const auto size = static_cast<std::int64_t>(result.set.size());
  if (run.data.store(run[1], std::move(result), EventClass::set, event)) {
    run.changed_as_said();
  }
  run.number(size);
}
void sinterstore(Execution& run) { store(run, Operation::intersection, "sinterstore"); }
void sunionstore(Execution& run) { store(run, Operation::union_of_all, "sunionstore"); }
void sdiffstore(Execution& run) { store(run, Operation::difference, "sdiffstore"); }

void sintercard(Execution& run) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  std::int64_t keys = 0;
  std::int64_t limit = 0;
  if (!run.integer_between(1, 1, kMost, keys, "ERR numkeys should be greater than 0")) return;
  if (keys > static_cast<std::int64_t>(run.size()) - 2) {
    return run.error("ERR Number of keys can't be greater than number of args");
  }
  const std::size_t end = 2 + static_cast<std::size_t>(keys);
  for (std::size_t i = end; i < run.size(); i += 2) {
    if (!same_word(run[i], "limit") || i + 1 == run.size()) return run.syntax_error();
    if (!run.integer_between(i + 1, 0, kMost, limit, "ERR LIMIT can't be negative")) return;
  }
  Operands operands;
  if (!find_operands(run, 2, end, operands)) return;
  Value result;
  intersect(operands, limit == 0 ? kNoLimit : static_cast<std::size_t>(limit), run.data.limits(),
            result);
  run.number(static_cast<std::int64_t>(result.set.size()));
}

constexpr CommandSpec kSetAlgebraCommands[] = {
    {"sinter", -2, kReads, 1, -1, 1, sinter},
    {"sunion", -2, kReads, 1, -1, 1, sunion},
    {"sdiff", -2, kReads, 1, -1, 1, sdiff},
    {"sinterstore", -3, kWrites | kGrows, 1, -1, 1, sinterstore},
    {"sunionstore", -3, kWrites | kGrows, 1, -1, 1, sunionstore},
    {"sdiffstore", -3, kWrites | kGrows, 1, -1, 1, sdiffstore},
    {"sintercard", -3, kReads | kSince70, 0, 0, 0, sintercard},
};

}  // namespace

std::span<const CommandSpec> set_algebra_commands() { return kSetAlgebraCommands; }

}  // namespace holdfast::sim::redis
