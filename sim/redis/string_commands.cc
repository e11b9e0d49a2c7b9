// Strings as wholes: SET and its relatives, counters.
#include <limits>
#include <optional>

#include "sim/redis/command.h"
#include "sim/redis/instance.h"
#include "sim/redis/integer_text.h"
#include "sim/redis/letter_case.h"
#include "sim/redis/set_options.h"

namespace holdfast::sim::redis {

namespace {

bool answer_text(Execution& run, std::string_view key) {  // GET; false after WRONGTYPE
  Entry* entry = nullptr;
  if (!run.find(key, ValueType::string, entry)) return false;
  if (entry != nullptr) run.bulk(entry->value.text);
  return true;
}

void get(Execution& run) { answer_text(run, run[1]); }

void propagate_set(Execution& run, const SetOptions& options, std::int64_t deadline_ms) {
  Command* effect = run.changed_as();
  if (effect == nullptr) return;
  const bool relative = options.ttl_from != 0 && !options.is(SetOptions::kPxat);
  if (relative) {
    effect->add("SET")
        .add(run[1])
        .add(options.value)
        .add("PXAT")
        .add(IntegerText(deadline_ms).view());
    return;
  }
  for (std::size_t i = 0; i < run.size(); ++i) {
    const bool is_get = i > 2 && options.is(SetOptions::kGet) && same_word(run[i], "get");
    if (!is_get || options.ttl_from != 0) effect->add(run[i]);
  }
}

bool allows(const Execution& run, const SetOptions& options, const Entry* old) {
  if (options.is(SetOptions::kNx)) return old == nullptr;
  if (options.is(SetOptions::kXx)) return old != nullptr;
  if (options.compared_from == 0) return true;
  if (old == nullptr) return options.is(SetOptions::kIfNe);
  return (old->value.text == run[options.compared_from]) == options.is(SetOptions::kIfEq);
}

// Where a deadline that has passed deletes at once (FID-E15).
bool is_past(const Execution& run, std::int64_t deadline_ms) {
  return run.server.version().past_deletes && run.data.master() && !run.data.replaying() &&
         deadline_ms <= run.data.command_ms();
}

void delete_key(Execution& run, Entry& entry) {
  run.data.remove(entry);
  run.data.touched(entry, EventClass::generic, "del");
  if (Command* effect = run.changed_as()) effect->add("DEL").add(run[1]);
}

// All of SET's variants; `done` and `refused` are the integers that SETNX answers with.
void set_generic(Execution& run, const SetOptions& options, std::optional<std::int64_t> done,
                 std::optional<std::int64_t> refused) {
  std::int64_t deadline_ms = kNoDeadline;
  if (options.ttl_from != 0 && !expire_time(run, options, deadline_ms)) return;
  const bool answers_old = options.is(SetOptions::kGet);
  if (answers_old && !answer_text(run, run[1])) return;
  Entry* old = run.data.find(run[1]);
  if (options.compared_from != 0 && !run.find(run[1], ValueType::string, old)) return;
  if (!allows(run, options, old)) {
    if (refused) run.number(*refused);
    return;
  }
  if (options.absolute() && is_past(run, deadline_ms)) {
    if (old != nullptr) delete_key(run, *old);
    if (!answers_old) run.ok();
    return;
  }
  if (options.is(SetOptions::kKeepTtl) && old != nullptr) deadline_ms = old->deadline_ms;
  Entry& entry = run.data.put(run[1], options.value, deadline_ms);
  run.data.touched(entry, EventClass::string, "set");
  if (options.ttl_from != 0) run.data.event(entry, EventClass::generic, "expire");
  propagate_set(run, options, deadline_ms);
  if (answers_old) return;
  done ? run.number(*done) : run.ok();
}

void set(Execution& run) {
  SetOptions options;
  options.value = run[2];
  if (!parse_options(run, 3, OptionsOf::set, options)) return run.syntax_error();
  set_generic(run, options, std::nullopt, std::nullopt);
}

void setnx(Execution& run) {
  SetOptions options;
  options.value = run[2];
  options.flags = SetOptions::kNx;
  set_generic(run, options, 1, 0);
}

void set_with_ttl(Execution& run, std::uint16_t unit) {
  SetOptions options;
  options.value = run[3];
  options.flags = unit;
  options.ttl_from = 2;
  set_generic(run, options, std::nullopt, std::nullopt);
}
void setex(Execution& run) { set_with_ttl(run, SetOptions::kEx); }
void psetex(Execution& run) { set_with_ttl(run, SetOptions::kPx); }

void getset(Execution& run) {
  if (!answer_text(run, run[1])) return;
  run.data.touched(run.data.put(run[1], run[2], kNoDeadline), EventClass::string, "set");
  if (Command* effect = run.changed_as()) effect->add("SET").add(run[1]).add(run[2]);
}

void getdel(Execution& run) {
  if (!answer_text(run, run[1])) return;
  Entry* entry = run.data.find(run[1]);
  if (entry != nullptr) delete_key(run, *entry);
}

// FID-E18: a missing key answers nil even when the expire argument is invalid.
void getex(Execution& run) {
  SetOptions options;
  if (!parse_options(run, 2, OptionsOf::getex, options)) return run.syntax_error();
  Entry* entry = nullptr;
  if (!run.find(run[1], ValueType::string, entry) || entry == nullptr) return;
  std::int64_t deadline_ms = kNoDeadline;
  if (options.ttl_from != 0 && !expire_time(run, options, deadline_ms)) return;
  run.bulk(entry->value.text);
  if (options.ttl_from != 0 && options.absolute() && run.data.master() &&
      deadline_ms <= run.data.command_ms()) {
    delete_key(run, *entry);
  } else if (options.ttl_from != 0) {
    run.data.set_deadline(*entry, deadline_ms);
    run.data.touched(*entry, EventClass::generic, "expire");
    if (Command* effect = run.changed_as()) {
      effect->add("PEXPIREAT").add(run[1]).add(IntegerText(deadline_ms).view());
    }
  } else if (options.is(SetOptions::kPersist) && entry->deadline_ms != kNoDeadline) {
    run.data.set_deadline(*entry, kNoDeadline);
    run.data.touched(*entry, EventClass::generic, "persist");
    if (Command* effect = run.changed_as()) effect->add("PERSIST").add(run[1]);
  }
}

void add_to(Execution& run, std::int64_t by) {
  Entry* entry = nullptr;
  if (!run.find(run[1], ValueType::string, entry)) return;
  std::int64_t value = 0;
  if (entry != nullptr) {
    const auto old = parse_integer(entry->value.text);
    if (!old) return run.not_an_integer();
    value = *old;
  }
  if (__builtin_add_overflow(value, by, &value)) {
    return run.error("ERR increment or decrement would overflow");
  }
  const IntegerText text(value);
  if (entry != nullptr) {
    run.data.change_text(*entry, text.view());
  } else {
    entry = &run.data.put(run[1], text.view(), kNoDeadline);
  }
  run.data.touched(*entry, EventClass::string, "incrby");
  run.changed_as_said();
  run.number(value);
}
void incr(Execution& run) { add_to(run, 1); }
void decr(Execution& run) { add_to(run, -1); }
void incrby(Execution& run) {
  std::int64_t by = 0;
  if (run.integer(2, by)) add_to(run, by);
}
void decrby(Execution& run) {
  std::int64_t by = 0;
  if (!run.integer(2, by)) return;
  if (by == std::numeric_limits<std::int64_t>::min()) {
    return run.error("ERR decrement would overflow");
  }
  add_to(run, -by);
}

constexpr CommandSpec kStringCommands[] = {
    {"get", 2, kReads | kFast, 1, 1, 1, get},
    {"set", -3, kWrites | kGrows, 1, 1, 1, set},
    {"setnx", 3, kWrites | kGrows | kFast, 1, 1, 1, setnx},
    {"setex", 4, kWrites | kGrows, 1, 1, 1, setex},
    {"psetex", 4, kWrites | kGrows, 1, 1, 1, psetex},
    {"getset", 3, kWrites | kGrows, 1, 1, 1, getset},
    {"getdel", 2, kWrites | kFast, 1, 1, 1, getdel},
    {"getex", -2, kWrites | kFast, 1, 1, 1, getex},
    {"incr", 2, kWrites | kGrows | kFast, 1, 1, 1, incr},
    {"decr", 2, kWrites | kGrows | kFast, 1, 1, 1, decr},
    {"incrby", 3, kWrites | kGrows | kFast, 1, 1, 1, incrby},
    {"decrby", 3, kWrites | kGrows | kFast, 1, 1, 1, decrby},
};

}  // namespace

std::span<const CommandSpec> string_commands() { return kStringCommands; }

}  // namespace holdfast::sim::redis
