// Sorted sets: what lies between two ranks, scores or names.
#include <algorithm>
#include <utility>

#include "sim/redis/command.h"
#include "sim/redis/letter_case.h"
#include "sim/redis/sorted_set_range.h"
#include "sim/redis/sorted_set_scores.h"

namespace holdfast::sim::redis {

namespace {

// How a command of this family reads its arguments.
struct Form {
  RangeBy by = RangeBy::rank;
  bool reverse = false;
  bool chooses = false;    // BYSCORE, BYLEX and REV are options
  std::size_t low = 2;     // index of the first bound
  bool is_stored = false;  // ZRANGESTORE
};

struct RangeOptions {
  bool with_scores = false;
  std::int64_t offset = 0;
  std::int64_t limit = -1;
};

bool read_range_options(Execution& run, Form& form, RangeOptions& options) {
  bool by_given = !form.chooses;
  bool reverse_given = !form.chooses;
  for (std::size_t i = form.low + 2; i < run.size(); ++i) {
    if (!form.is_stored && same_word(run[i], "withscores")) {
      options.with_scores = true;
    } else if (same_word(run[i], "limit") && i + 2 < run.size()) {
      if (!run.integer(i + 1, options.offset) || !run.integer(i + 2, options.limit)) return false;
      i += 2;
    } else if (!reverse_given && same_word(run[i], "rev")) {
      form.reverse = reverse_given = true;
    } else if (!by_given && same_word(run[i], "bylex")) {
      form.by = RangeBy::name;
      by_given = true;
    } else if (!by_given && same_word(run[i], "byscore")) {
      form.by = RangeBy::score;
      by_given = true;
    } else {
      run.syntax_error();
      return false;
    }
  }
  return true;
}

bool check_range_options(Execution& run, const Form& form, const RangeOptions& options) {
  if (form.by == RangeBy::rank && options.limit != -1) {
    run.error(
        "ERR syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX");
    return false;
  }
  if (form.by == RangeBy::name && options.with_scores) {
    run.error("ERR syntax error, WITHSCORES not supported in combination with BYLEX");
    return false;
  }
  return true;
}

// LIMIT counts in the direction of the walk.
RankRange limited(RankRange range, const RangeOptions& options, bool reverse) {
  if (options.offset < 0) return {};
  const auto skipped = static_cast<std::size_t>(options.offset);
  if (skipped >= range.count) return {};
  std::size_t count = range.count - skipped;
  if (options.limit >= 0) count = std::min(count, static_cast<std::size_t>(options.limit));
  const std::size_t first =
      reverse ? range.first + range.count - skipped - count : range.first + skipped;
  return {first, count};
}

void store(Execution& run, const SortedSet* set, RankRange range) {
  Value result;
  result.type = ValueType::sorted_set;
  for (std::size_t i = range.first; i < range.first + range.count; ++i) {
    set_score(result, (*set)[i].name, (*set)[i].value, run.data.limits());
  }
  if (run.data.store(run[1], std::move(result), EventClass::sorted_set, "zrangestore")) {
    run.changed_as_said();
  }
  run.number(static_cast<std::int64_t>(range.count));
}

void range_generic(Execution& run, Form form) {
  RangeOptions options;
  if (!read_range_options(run, form, options) || !check_range_options(run, form, options)) return;
  RangeQuery query;
  query.by = form.by;
  const bool high_first = form.reverse && form.by != RangeBy::rank;
  if (!query.read(run, form.low + (high_first ? 1 : 0), form.low + (high_first ? 0 : 1))) return;
  Entry* entry = nullptr;
  if (!run.find(run[form.low - 1], ValueType::sorted_set, entry)) return;
  const SortedSet* set = entry == nullptr ? nullptr : &entry->value.sorted;
  RankRange range;
  if (set != nullptr) range = query.in(*set, form.reverse);
  if (form.by != RangeBy::rank) range = limited(range, options, form.reverse);
  if (form.is_stored) return store(run, set, range);
  run.array();
  if (set != nullptr) show_members(run, *set, range, form.reverse, options.with_scores, true);
}

void zrange(Execution& run) { range_generic(run, {RangeBy::rank, false, true, 2, false}); }
void zrangestore(Execution& run) { range_generic(run, {RangeBy::rank, false, true, 3, true}); }
void zrevrange(Execution& run) { range_generic(run, {RangeBy::rank, true, false, 2, false}); }
void zrangebyscore(Execution& run) { range_generic(run, {RangeBy::score, false, false, 2, false}); }
void zrevrangebyscore(Execution& run) {
  range_generic(run, {RangeBy::score, true, false, 2, false});
}
void zrangebylex(Execution& run) { range_generic(run, {RangeBy::name, false, false, 2, false}); }
void zrevrangebylex(Execution& run) { range_generic(run, {RangeBy::name, true, false, 2, false}); }

void count(Execution& run, RangeBy by) {
  RangeQuery query;
  query.by = by;
  Entry* entry = nullptr;
  if (!query.read(run, 2, 3) || !run.find(run[1], ValueType::sorted_set, entry)) return;
  const std::size_t found = entry == nullptr ? 0 : query.in(entry->value.sorted, false).count;
  run.number(static_cast<std::int64_t>(found));
}
void zcount(Execution& run) { count(run, RangeBy::score); }
void zlexcount(Execution& run) { count(run, RangeBy::name); }

void remove_range(Execution& run, RangeBy by, std::string_view event) {
  RangeQuery query;
  query.by = by;
  Entry* entry = nullptr;
  if (!query.read(run, 2, 3) || !run.find(run[1], ValueType::sorted_set, entry)) return;
  RankRange range;
  if (entry != nullptr) range = query.in(entry->value.sorted, false);
  run.number(static_cast<std::int64_t>(range.count));
  if (range.count == 0) return;
  entry->value.sorted.erase_ranks(range.first, range.count);
  run.data.changed(*entry, EventClass::sorted_set, event);
  run.changed_as_said();
}
void zremrangebyrank(Execution& run) { remove_range(run, RangeBy::rank, "zremrangebyrank"); }
void zremrangebyscore(Execution& run) { remove_range(run, RangeBy::score, "zremrangebyscore"); }
void zremrangebylex(Execution& run) { remove_range(run, RangeBy::name, "zremrangebylex"); }

constexpr CommandSpec kSortedSetRangeCommands[] = {
    {"zrange", -4, kReads, 1, 1, 1, zrange},
    {"zrangestore", -5, kWrites | kGrows, 1, 2, 1, zrangestore},
    {"zrevrange", -4, kReads, 1, 1, 1, zrevrange},
    {"zrangebyscore", -4, kReads, 1, 1, 1, zrangebyscore},
    {"zrevrangebyscore", -4, kReads, 1, 1, 1, zrevrangebyscore},
    {"zrangebylex", -4, kReads, 1, 1, 1, zrangebylex},
    {"zrevrangebylex", -4, kReads, 1, 1, 1, zrevrangebylex},
    {"zcount", 4, kReads | kFast, 1, 1, 1, zcount},
    {"zlexcount", 4, kReads | kFast, 1, 1, 1, zlexcount},
    {"zremrangebyrank", 4, kWrites, 1, 1, 1, zremrangebyrank},
    {"zremrangebyscore", 4, kWrites, 1, 1, 1, zremrangebyscore},
    {"zremrangebylex", 4, kWrites, 1, 1, 1, zremrangebylex},
};

}  // namespace

std::span<const CommandSpec> sorted_set_range_commands() { return kSortedSetRangeCommands; }

}  // namespace holdfast::sim::redis
