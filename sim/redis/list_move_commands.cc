// Lists: moving items from one to another, taking from the first of several, looking for items.
#include <algorithm>
#include <cstdlib>
#include <limits>

#include "sim/redis/command.h"
#include "sim/redis/letter_case.h"
#include "sim/redis/list_ends.h"

namespace holdfast::sim::redis {

namespace {

void move_item(Execution& run, End from, End to) {
  Entry* source = nullptr;
  Entry* target = nullptr;
  if (!run.find(run[1], ValueType::list, source) || source == nullptr) return;
  if (!run.find(run[2], ValueType::list, target)) return;
  run.bulk(end_item(*source, from));
  drop_end(*source, from);
  Entry& grown = run.data.open(run[2], ValueType::list);
  push_item(run, grown, to, run.reply.text);
  run.data.touched(grown, EventClass::list, push_event(to));
  run.data.changed(*source, EventClass::list, pop_event(from));
  run.changed_as_said();
}

void lmove(Execution& run) {
  End from = End::head;
  End to = End::head;
  if (read_end(run, 3, from) && read_end(run, 4, to)) move_item(run, from, to);
}
void rpoplpush(Execution& run) { move_item(run, End::tail, End::head); }

// How many keys are named from `index + 1` on; false after an error answer.
bool read_key_count(Execution& run, std::size_t index, std::size_t& keys) {
  std::int64_t count = 0;
  if (!run.integer_between(index, 1, std::numeric_limits<std::int64_t>::max(), count,
                           "ERR numkeys should be greater than 0")) {
    return false;
  }
  keys = static_cast<std::size_t>(count);
  if (keys < run.size() - index - 1) return true;
  run.syntax_error();
  return false;
}

// LMPOP numkeys key... LEFT|RIGHT [COUNT n]
void lmpop(Execution& run) {
  std::size_t keys = 0;
  End end = End::head;
  if (!read_key_count(run, 1, keys) || !read_end(run, 2 + keys, end)) return;
  std::int64_t count = 1;
  const std::size_t option = 3 + keys;
  if (option < run.size()) {
    if (option + 2 != run.size() || !same_word(run[option], "count")) return run.syntax_error();
    if (!run.integer_between(option + 1, 1, std::numeric_limits<std::int64_t>::max(), count,
                             "ERR count should be greater than 0")) {
      return;
    }
  }
  for (std::size_t i = 2; i < 2 + keys; ++i) {
    Entry* entry = nullptr;
    if (!run.find(run[i], ValueType::list, entry)) return;
    if (entry == nullptr) continue;
    count = std::min(count, list_length(entry));
    Reply items = Reply::array({});
    for (std::int64_t taken = 0; taken < count; ++taken) {
      items.elements.push_back(Reply::bulk(end_item(*entry, end)));
      drop_end(*entry, end);
    }
    run.array();
    run.element(run[i]);
    run.reply.elements.push_back(std::move(items));
    run.data.changed(*entry, EventClass::list, pop_event(end));
    if (Command* effect = run.changed_as()) {
      effect->add(end == End::head ? "LPOP" : "RPOP").add(run[i]).add(count);
    }
    return;
  }
  run.no_array();
}

struct Search {
  std::int64_t rank = 1;     // the how-manieth match; negative: from the end
  std::int64_t count = -1;   // -1: one, not in an array; 0: all
  std::int64_t compare = 0;  // so many items at most; 0: all
};

bool read_search(Execution& run, Search& search) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  for (std::size_t i = 3; i < run.size(); i += 2) {
    const bool has_value = i + 1 < run.size();
    if (has_value && same_word(run[i], "rank")) {
      if (!run.integer(i + 1, search.rank)) return false;
      if (search.rank != 0) continue;
      run.error(
          "ERR RANK can't be zero: use 1 to start from the first match, 2 from the second ... or "
          "use negative to start from the end of the list");
      return false;
    }
    if (has_value && same_word(run[i], "count")) {
      if (run.integer_between(i + 1, 0, kMost, search.count, "ERR COUNT can't be negative"))
        continue;
      return false;
    }
    if (has_value && same_word(run[i], "maxlen")) {
      if (run.integer_between(i + 1, 0, kMost, search.compare, "ERR MAXLEN can't be negative"))
        continue;
      return false;
    }
    run.syntax_error();
    return false;
  }
  return true;
}

void lpos(Execution& run) {
  Search search;
  Entry* entry = nullptr;
  if (!read_search(run, search)) return;
  if (!run.find(run[1], ValueType::list, entry)) return;
  const bool one = search.count == -1;
  if (!one) run.array();
  const std::int64_t length = list_length(entry);
  // The smallest integer has no opposite: Redis skips nothing then.
  const bool smallest = search.rank == std::numeric_limits<std::int64_t>::min();
  std::int64_t skip = smallest ? 0 : std::abs(search.rank) - 1;
  const std::int64_t looks =
      search.compare == 0 ? length : std::min<std::int64_t>(length, search.compare);
  std::int64_t found = 0;
  for (std::int64_t i = 0; i < looks; ++i) {
    const std::int64_t at = search.rank < 0 ? length - 1 - i : i;
    if (entry->value.list[static_cast<std::size_t>(at)] != run[2]) continue;
    if (skip-- > 0) continue;
    if (one) return run.number(at);
    run.reply.elements.push_back(Reply::number(at));
    if (++found == search.count) return;
  }
}

constexpr CommandSpec kListMoveCommands[] = {
    {"lmove", 5, kWrites | kGrows, 1, 2, 1, lmove},
    {"rpoplpush", 3, kWrites | kGrows, 1, 2, 1, rpoplpush},
    {"lmpop", -4, kWrites | kSince70, 0, 0, 0, lmpop},
    {"lpos", -3, kReads, 1, 1, 1, lpos},
};

}  // namespace

std::span<const CommandSpec> list_move_commands() { return kListMoveCommands; }

}  // namespace holdfast::sim::redis
