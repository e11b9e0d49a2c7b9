#include "sim/redis/set_options.h"

#include <limits>

#include "sim/redis/letter_case.h"

namespace holdfast::sim::redis {

namespace {

struct Word {
  std::string_view text;
  std::uint16_t flag;
  std::uint16_t excludes;  // options given before that forbid it; itself may repeat
  bool for_set;
  bool for_getex;
  bool takes_time;
};

constexpr std::uint16_t kTimes =
    SetOptions::kEx | SetOptions::kPx | SetOptions::kExat | SetOptions::kPxat;
constexpr std::uint16_t kAllTtl = kTimes | SetOptions::kKeepTtl | SetOptions::kPersist;

constexpr std::uint16_t others(std::uint16_t flag) {
  return static_cast<std::uint16_t>(kAllTtl & ~flag);
}

constexpr Word kWords[] = {
    {"nx", SetOptions::kNx, SetOptions::kXx, true, false, false},
    {"xx", SetOptions::kXx, SetOptions::kNx, true, false, false},
    {"get", SetOptions::kGet, 0, true, false, false},
    {"keepttl", SetOptions::kKeepTtl, others(SetOptions::kKeepTtl), true, false, false},
    {"persist", SetOptions::kPersist, others(SetOptions::kPersist), false, true, false},
    {"ex", SetOptions::kEx, others(SetOptions::kEx), true, true, true},
    {"px", SetOptions::kPx, others(SetOptions::kPx), true, true, true},
    {"exat", SetOptions::kExat, others(SetOptions::kExat), true, true, true},
    {"pxat", SetOptions::kPxat, others(SetOptions::kPxat), true, true, true},
};

const Word* find_word(std::string_view text) {
  for (const Word& word : kWords) {
    if (same_word(text, word.text)) return &word;
  }
  return nullptr;
}

}  // namespace

bool parse_options(const Execution& run, std::size_t first, OptionsOf command,
                   SetOptions& options) {
  for (std::size_t i = first; i < run.size(); ++i) {
    const Word* word = find_word(run[i]);
    if (word == nullptr || options.is(word->excludes)) return false;
    if (command == OptionsOf::set ? !word->for_set : !word->for_getex) return false;
    options.flags = static_cast<std::uint16_t>(options.flags | word->flag);
    if (!word->takes_time) continue;
    if (++i == run.size()) return false;
    options.ttl_from = i;
  }
  return true;
}

bool expire_time(Execution& run, const SetOptions& options, std::int64_t& deadline_ms) {
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  if (!run.integer(options.ttl_from, deadline_ms)) return false;
  const bool seconds = options.is(SetOptions::kEx | SetOptions::kExat);
  const std::int64_t base = options.absolute() ? 0 : run.data.fresh_ms();
  if (deadline_ms <= 0 || (seconds && deadline_ms > kMax / 1000)) {
    run.invalid_expire();
    return false;
  }
  if (seconds) deadline_ms *= 1000;
  if (deadline_ms > kMax - base) {
    run.invalid_expire();
    return false;
  }
  deadline_ms += base;
  return true;
}

}  // namespace holdfast::sim::redis
