// Setting, showing and removing times to live.
#include <limits>

#include "sim/redis/command.h"
#include "sim/redis/instance.h"
#include "sim/redis/integer_text.h"
#include "sim/redis/letter_case.h"

namespace holdfast::sim::redis {

namespace {

enum class Unit : std::uint8_t { seconds, milliseconds };

struct ExpireOptions {
  bool nx = false, xx = false, gt = false, lt = false;

  // FID-E17: without a TTL the present one counts as infinite.
  bool allow(std::int64_t present, std::int64_t wanted) const {
    if (nx && present != kNoDeadline) return false;
    if (xx && present == kNoDeadline) return false;
    if (gt && (present == kNoDeadline || wanted <= present)) return false;
    return !(lt && present != kNoDeadline && wanted >= present);
  }
};

bool parse_expire_options(Execution& run, ExpireOptions& options) {
  if (run.size() > 3 && !run.server.version().conditional_expire) {
    run.wrong_arity();
    return false;
  }
  for (std::size_t i = 3; i < run.size(); ++i) {
    if (same_word(run[i], "nx")) {
      options.nx = true;
    } else if (same_word(run[i], "xx")) {
      options.xx = true;
    } else if (same_word(run[i], "gt")) {
      options.gt = true;
    } else if (same_word(run[i], "lt")) {
      options.lt = true;
    } else {
      run.error("ERR Unsupported option " + std::string(shown_word(run[i])));
      return false;
    }
  }
  if (options.nx && (options.xx || options.gt || options.lt)) {
    run.error("ERR NX and XX, GT or LT options at the same time are not compatible");
    return false;
  }
  if (options.gt && options.lt) {
    run.error("ERR GT and LT options at the same time are not compatible");
    return false;
  }
  return true;
}

bool absolute_time(Execution& run, std::int64_t base, Unit unit, std::int64_t& when) {
  using Limits = std::numeric_limits<std::int64_t>;
  if (!run.integer(2, when)) return false;
  if (unit == Unit::seconds) {
    if (when > Limits::max() / 1000 || when < Limits::min() / 1000) {
      run.invalid_expire();
      return false;
    }
    when *= 1000;
  }
  if (when > Limits::max() - base) {
    run.invalid_expire();
    return false;
  }
  when += base;
  return true;
}

void propagate_deadline(Execution& run, std::int64_t when) {
  Command* effect = run.changed_as();
  if (effect == nullptr) return;
  effect->add("PEXPIREAT").add(run[1]).add(IntegerText(when).view());
  for (std::size_t i = 3; i < run.size(); ++i) effect->add(run[i]);
}

void expire_generic(Execution& run, std::int64_t base, Unit unit) {
  ExpireOptions options;
  std::int64_t when = 0;
  if (!parse_expire_options(run, options)) return;
  if (!absolute_time(run, base, unit, when)) return;
  Entry* entry = run.data.find(run[1]);
  if (entry == nullptr || !options.allow(entry->deadline_ms, when)) return run.number(0);
  // FID-E15: in the past it deletes at once; a replica leaves that to its master.
  if (run.data.master() && !run.data.replaying() && when <= run.data.command_ms()) {
    run.data.remove(*entry);
    run.data.touched(*entry, EventClass::generic, "del");
    if (Command* effect = run.changed_as()) effect->add("DEL").add(run[1]);
  } else {
    run.data.set_deadline(*entry, when);
    run.data.touched(*entry, EventClass::generic, "expire");
    propagate_deadline(run, when);
  }
  run.number(1);
}
void expire(Execution& run) { expire_generic(run, run.data.command_ms(), Unit::seconds); }
void pexpire(Execution& run) { expire_generic(run, run.data.command_ms(), Unit::milliseconds); }
void expireat(Execution& run) { expire_generic(run, 0, Unit::seconds); }
void pexpireat(Execution& run) { expire_generic(run, 0, Unit::milliseconds); }

// FID-E12: seconds are rounded to nearest.
void show(Execution& run, Unit unit, bool absolute) {
  const Entry* entry = run.data.look(run[1]);
  if (entry == nullptr) return run.number(-2);
  if (entry->deadline_ms == kNoDeadline) return run.number(-1);
  std::int64_t shown = entry->deadline_ms;
  if (!absolute) shown -= run.data.command_ms();
  if (shown < 0) shown = 0;
  run.number(unit == Unit::milliseconds ? shown : (shown + 500) / 1000);
}
void ttl(Execution& run) { show(run, Unit::seconds, false); }
void pttl(Execution& run) { show(run, Unit::milliseconds, false); }
void expiretime(Execution& run) { show(run, Unit::seconds, true); }
void pexpiretime(Execution& run) { show(run, Unit::milliseconds, true); }

void persist(Execution& run) {
  Entry* entry = run.data.find(run[1]);
  if (entry == nullptr || entry->deadline_ms == kNoDeadline) return run.number(0);
  run.data.set_deadline(*entry, kNoDeadline);
  run.data.touched(*entry, EventClass::generic, "persist");
  run.changed_as_said();
  run.number(1);
}

constexpr CommandSpec kTtlCommands[] = {
    {"expire", -3, kWrites | kFast, 1, 1, 1, expire},
    {"pexpire", -3, kWrites | kFast, 1, 1, 1, pexpire},
    {"expireat", -3, kWrites | kFast, 1, 1, 1, expireat},
    {"pexpireat", -3, kWrites | kFast, 1, 1, 1, pexpireat},
    {"ttl", 2, kReads | kFast, 1, 1, 1, ttl},
    {"pttl", 2, kReads | kFast, 1, 1, 1, pttl},
    {"expiretime", 2, kReads | kFast | kSince70, 1, 1, 1, expiretime},
    {"pexpiretime", 2, kReads | kFast | kSince70, 1, 1, 1, pexpiretime},
    {"persist", 2, kWrites | kFast, 1, 1, 1, persist},
};

}  // namespace

std::span<const CommandSpec> ttl_commands() { return kTtlCommands; }

}  // namespace holdfast::sim::redis
