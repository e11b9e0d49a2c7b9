// Sorted sets: members and scores.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "sim/redis/command.h"
#include "sim/redis/float_text.h"
#include "sim/redis/letter_case.h"
#include "sim/redis/random_count.h"
#include "sim/redis/scan.h"
#include "sim/redis/sorted_set_scores.h"

namespace holdfast::sim::redis {

namespace {

struct AddOptions {
  bool nx = false, xx = false, gt = false, lt = false, ch = false, incr = false;
  std::size_t first = 2;  // of the pairs
};

AddOptions read_add_options(const Execution& run) {
  using Flag = bool AddOptions::*;
  AddOptions options;
  struct OptionWord {
    std::string_view name;
    Flag option;
  };
  constexpr OptionWord kOptionWords[] = {{"nx", &AddOptions::nx}, {"xx", &AddOptions::xx},
                                         {"gt", &AddOptions::gt}, {"lt", &AddOptions::lt},
                                         {"ch", &AddOptions::ch}, {"incr", &AddOptions::incr}};
  for (; options.first < run.size(); ++options.first) {
    const auto* const word =
        std::find_if(std::begin(kOptionWords), std::end(kOptionWords),
                     [&](const OptionWord& w) { return same_word(run[options.first], w.name); });
    if (word == std::end(kOptionWords)) break;
    options.*(word->option) = true;
  }
  return options;
}

bool check_add_options(Execution& run, const AddOptions& options) {
  const std::size_t rest = run.size() - options.first;
  if (rest == 0 || rest % 2 != 0) {
    run.syntax_error();
  } else if (options.nx && options.xx) {
    run.error("ERR XX and NX options at the same time are not compatible");
  } else if ((options.nx && (options.gt || options.lt)) || (options.gt && options.lt)) {
    run.error("ERR GT, LT, and/or NX options at the same time are not compatible");
  } else if (options.incr && rest > 2) {
    run.error("ERR INCR option supports a single increment-element pair");
  } else {
    return true;
  }
  return false;
}

struct Added {
  std::int64_t added = 0;
  std::int64_t updated = 0;
  bool refused = false;  // by NX, XX, GT or LT
  bool not_a_number = false;
  double score = 0;  // of the last one
};

void add_one(Execution& run, Value& value, const AddOptions& options, double score,
             std::string_view name, Added& result) {
  const double* old = value.sorted.score(name);
  result.refused = old == nullptr ? options.xx : options.nx;
  if (result.refused) return;
  if (old != nullptr && options.incr) score += *old;
  result.not_a_number = std::isnan(score);
  if (result.not_a_number) return;
  result.score = score;
  if (old == nullptr) {
    set_score(value, name, score, run.data.limits());
    ++result.added;
    return;
  }
  result.refused = (options.gt && score <= *old) || (options.lt && score >= *old);
  if (result.refused || score == *old) return;
  set_score(value, name, score, run.data.limits());
  ++result.updated;
}

void add(Execution& run, const AddOptions& options) {
  std::vector<double> scores;
  for (std::size_t i = options.first; i < run.size(); i += 2) {
    const auto score = parse_double(run[i]);
    if (!score) return run.error("ERR value is not a valid float");
    scores.push_back(*score);
  }
  Entry* entry = nullptr;
  if (!run.find(run[1], ValueType::sorted_set, entry)) return;
  if (entry == nullptr && options.xx) return options.incr ? void() : run.number(0);
  Entry& set = run.data.open(run[1], ValueType::sorted_set);
  Added result;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    add_one(run, set.value, options, scores[i], run[options.first + 2 * i + 1], result);
    if (result.not_a_number) return run.error("ERR resulting score is not a number (NaN)");
  }
  if (options.incr) {
    if (!result.refused) run.real(result.score);
  } else {
    run.number(result.added + (options.ch ? result.updated : 0));
  }
  if (result.added + result.updated == 0) return;
  run.data.changed(set, EventClass::sorted_set, options.incr ? "zincr" : "zadd");
  run.changed_as_said();
}

void zadd(Execution& run) {
  const AddOptions options = read_add_options(run);
  if (check_add_options(run, options)) add(run, options);
}

void zincrby(Execution& run) {
  AddOptions options;
  options.incr = true;
  add(run, options);
}

void zrem(Execution& run) {
  Entry* entry = nullptr;
  if (!run.find(run[1], ValueType::sorted_set, entry)) return;
  std::int64_t removed = 0;
  for (std::size_t i = 2; entry != nullptr && i < run.size(); ++i) {
    removed += entry->value.sorted.erase(run[i]) ? 1 : 0;
  }
  if (removed > 0) {
    run.data.changed(*entry, EventClass::sorted_set, "zrem");
    run.changed_as_said();
  }
  run.number(removed);
}

void zcard(Execution& run) {
  Entry* entry = nullptr;
  if (!run.find(run[1], ValueType::sorted_set, entry)) return;
  run.number(entry == nullptr ? 0 : static_cast<std::int64_t>(entry->value.sorted.size()));
}

void zscore(Execution& run) {
  Entry* entry = nullptr;
  if (!run.find(run[1], ValueType::sorted_set, entry) || entry == nullptr) return;
  if (const double* score = entry->value.sorted.score(run[2])) run.real(*score);
}

void zmscore(Execution& run) {
  Entry* entry = nullptr;
  if (!run.find(run[1], ValueType::sorted_set, entry)) return;
  run.array();
  for (std::size_t i = 2; i < run.size(); ++i) {
    const double* score = entry == nullptr ? nullptr : entry->value.sorted.score(run[i]);
    if (score == nullptr) {
      run.reply.elements.emplace_back();
    } else {
      run.real_element(*score);
    }
  }
}

void show_rank(Execution& run, bool reverse) {
  Entry* entry = nullptr;
  if (!run.find(run[1], ValueType::sorted_set, entry) || entry == nullptr) return;
  const SortedSet& set = entry->value.sorted;
  const std::size_t rank = set.rank(run[2]);
  if (rank == SortedSet::kNone) return;
  run.number(static_cast<std::int64_t>(reverse ? set.size() - 1 - rank : rank));
}
void zrank(Execution& run) { show_rank(run, false); }
void zrevrank(Execution& run) { show_rank(run, true); }

void pop(Execution& run, bool highest) {
  if (run.size() > 3) return run.syntax_error();
  std::int64_t count = 1;
  const bool counted = run.size() == 3;
  if (counted && !run.integer_between(2, 0, std::numeric_limits<std::int64_t>::max(), count,
                                      "ERR value is out of range, must be positive")) {
    return;
  }
  Entry* entry = nullptr;
  if (!run.find(run[1], ValueType::sorted_set, entry)) return;
  run.array();
  if (entry == nullptr || count == 0) return;
  const SortedSet& set = entry->value.sorted;
  const std::size_t taken = std::min(set.size(), static_cast<std::size_t>(count));
  const RankRange range{highest ? set.size() - taken : 0, taken};
  show_members(run, set, range, highest, true, counted);
  entry->value.sorted.erase_ranks(range.first, range.count);
  run.data.changed(*entry, EventClass::sorted_set, highest ? "zpopmax" : "zpopmin");
  run.changed_as_said();
}
void zpopmin(Execution& run) { pop(run, false); }
void zpopmax(Execution& run) { pop(run, true); }

// ZRANDMEMBER key count: as SRANDMEMBER.
void zrandmember(Execution& run) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  std::int64_t count = 0;
  if (run.size() >= 3 && !run.integer_between(2, -kMost, kMost, count, {})) return;
  const bool scores = run.size() == 4;
  if (run.size() > 4 || (scores && !same_word(run[3], "withscores"))) return run.syntax_error();
  if (scores && (count < -kMost / 2 || count > kMost / 2)) {
    return run.error("ERR value is out of range");
  }
  Entry* entry = nullptr;
  if (!run.find(run[1], ValueType::sorted_set, entry)) return;
  Random& random = run.data.random();
  if (run.size() == 2) {
    if (entry != nullptr) run.bulk(entry->value.sorted.members().pick(random).name);
    return;
  }
  run.array();
  if (entry == nullptr || repeats_too_often(run, count)) return;
  const MemberTable<double>& members = entry->value.sorted.members();
  for (; count < 0; ++count) show_member(run, members.pick(random), scores, true);
  for (const std::size_t place : members.pick_places(random, static_cast<std::size_t>(count))) {
    show_member(run, members[place], scores, true);
  }
}

// The compact form shows the integers that it keeps.
std::string compact_score_text(double score) {
  constexpr double kLimit = 4611686018427387904.0;  // 2^62
  const bool whole = score > -kLimit && score < kLimit && score == std::trunc(score);
  return whole ? std::to_string(static_cast<std::int64_t>(score))
               : std::string(ScoreText(score).view());
}

void zscan(Execution& run) {
  ScanOptions options;
  Entry* entry = nullptr;
  if (!read_cursor(run, 2, options.cursor)) return;
  if (!run.find(run[1], ValueType::sorted_set, entry)) return;
  if (entry != nullptr && !read_scan_options(run, 3, false, options)) return;
  Reply& found = answer_scan(run);
  if (entry == nullptr) return;
  const SortedSet& set = entry->value.sorted;
  const bool large = entry->value.form == Value::Form::large;
  const auto show = [&found, large](const SortedSet::Member& member) {
    found.elements.push_back(Reply::bulk(member.name));
    found.elements.push_back(Reply::bulk(large ? std::string(ScoreText(member.value).view())
                                               : compact_score_text(member.value)));
  };
  if (large) return set_next_cursor(run, walk_members(set.members(), options, show));
  for (std::size_t rank = 0; rank < set.size(); ++rank) {
    if (options.takes(set[rank].name)) show(set[rank]);
  }
}

constexpr CommandSpec kSortedSetCommands[] = {
    {"zadd", -4, kWrites | kGrows | kFast, 1, 1, 1, zadd},
    {"zincrby", 4, kWrites | kGrows | kFast, 1, 1, 1, zincrby},
    {"zrem", -3, kWrites | kFast, 1, 1, 1, zrem},
    {"zcard", 2, kReads | kFast, 1, 1, 1, zcard},
    {"zscore", 3, kReads | kFast, 1, 1, 1, zscore},
    {"zmscore", -3, kReads | kFast, 1, 1, 1, zmscore},
    {"zrank", 3, kReads | kFast, 1, 1, 1, zrank},
    {"zrevrank", 3, kReads | kFast, 1, 1, 1, zrevrank},
    {"zpopmin", -2, kWrites | kFast, 1, 1, 1, zpopmin},
    {"zpopmax", -2, kWrites | kFast, 1, 1, 1, zpopmax},
    {"zrandmember", -2, kReads, 1, 1, 1, zrandmember},
    {"zscan", -3, kReads, 1, 1, 1, zscan},
};

}  // namespace

std::span<const CommandSpec> sorted_set_commands() { return kSortedSetCommands; }

}  // namespace holdfast::sim::redis
