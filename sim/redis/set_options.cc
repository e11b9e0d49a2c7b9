#include "sim/redis/set_options.h"

#include <limits>

#include "sim/redis/instance.h"
#include "sim/redis/letter_case.h"

namespace holdfast::sim::redis {

namespace {

struct Word {
  std::string_view text;
  std::uint16_t flag;
  std::uint16_t excludes;  // options given before that forbid it; itself may repeat
  bool for_set;
  bool for_getex;
  bool takes_value;  // a time, or what the key must hold
};

constexpr std::uint16_t kTimes =
    SetOptions::kEx | SetOptions::kPx | SetOptions::kExat | SetOptions::kPxat;
constexpr std::uint16_t kAllTtl = kTimes | SetOptions::kKeepTtl | SetOptions::kPersist;

constexpr std::uint16_t kConditions =
    SetOptions::kNx | SetOptions::kXx | SetOptions::kIfEq | SetOptions::kIfNe;

constexpr std::uint16_t other_conditions(std::uint16_t flag) {
  return static_cast<std::uint16_t>(kConditions & ~flag);
}

constexpr std::uint16_t others(std::uint16_t flag) {
  return static_cast<std::uint16_t>(kAllTtl & ~flag);
}

constexpr Word kWords[] = {
    {"nx", SetOptions::kNx, other_conditions(SetOptions::kNx), true, false, false},
    {"xx", SetOptions::kXx, other_conditions(SetOptions::kXx), true, false, false},
    {"get", SetOptions::kGet, 0, true, false, false},
    {"keepttl", SetOptions::kKeepTtl, others(SetOptions::kKeepTtl), true, false, false},
    {"ifeq", SetOptions::kIfEq, kConditions, true, false, true},
    {"ifne", SetOptions::kIfNe, kConditions, true, false, true},
    {"persist", SetOptions::kPersist, others(SetOptions::kPersist), false, true, false},
    {"ex", SetOptions::kEx, others(SetOptions::kEx), true, true, true},
    {"px", SetOptions::kPx, others(SetOptions::kPx), true, true, true},
    {"exat", SetOptions::kExat, others(SetOptions::kExat), true, true, true},
    {"pxat", SetOptions::kPxat, others(SetOptions::kPxat), true, true, true},
};

bool known_to(const VersionTraits& version, const SetOptions& options) {
  if (options.is(SetOptions::kIfEq) && !version.compares) return false;
  if (options.is(SetOptions::kIfNe) && !version.compares_unequal) return false;
  return version.set_nx_get || !options.is(SetOptions::kNx) || !options.is(SetOptions::kGet);
}

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
    if (!word->takes_value) continue;
    if (++i == run.size()) return false;
    (options.is(kConditions & word->flag) ? options.compared_from : options.ttl_from) = i;
  }
  return known_to(run.server.version(), options);
}

bool expire_time(Execution& run, const SetOptions& options, std::int64_t& deadline_ms) {
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  if (!run.integer(options.ttl_from, deadline_ms)) return false;
  const bool seconds = options.is(SetOptions::kEx | SetOptions::kExat);
  const std::int64_t base = options.absolute() ? 0 : run.data.command_ms();
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
