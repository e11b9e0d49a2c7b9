// The numbered databases: choosing, counting, emptying, exchanging them.
#include "sim/redis/command.h"
#include "sim/redis/instance.h"
#include "sim/redis/integer_text.h"
#include "sim/redis/letter_case.h"

namespace holdfast::sim::redis {

namespace {

// Numbers of databases are C's int.
bool fits(std::int64_t number) {
  return number == static_cast<std::int64_t>(static_cast<std::int32_t>(number));
}

// In a script, or from a stream, there is no session: the choice holds for what runs there.
void select(Execution& run) {
  std::int64_t number = 0;
  if (!run.integer(1, number)) return;
  if (!fits(number)) {
    return run.error("ERR value is out of range, value must between -2147483648 and 2147483647");
  }
  if (!Databases::has(number)) return run.error("ERR DB index is out of range");
  run.data.select(static_cast<int>(number));
  if (run.session != 0) run.server.sessions()[run.session].database = run.data.selected();
  run.ok();
}

void dbsize(Execution& run) {
  run.data.catch_up();
  run.number(static_cast<std::int64_t>(run.data.keys().present()));
}

void flush(Execution& run, int database) {
  const bool mode_given = run.size() == 2;
  if (mode_given && !same_word(run[1], "async") && !same_word(run[1], "sync")) {
    return run.syntax_error();
  }
  if (run.size() > 2) return run.syntax_error();
  run.data.drop_all(database, history::DropCause::flush);
  run.changed_as_said();
  run.ok();
}
void flushall(Execution& run) { flush(run, kAllDatabases); }
void flushdb(Execution& run) { flush(run, run.data.selected()); }

void swapdb(Execution& run) {
  const auto one = parse_integer(run[1]);
  if (!one || !fits(*one)) return run.error("ERR invalid first DB index");
  const auto other = parse_integer(run[2]);
  if (!other || !fits(*other)) return run.error("ERR invalid second DB index");
  if (!Databases::has(*one) || !Databases::has(*other)) {
    return run.error("ERR DB index is out of range");
  }
  run.data.swap(static_cast<int>(*one), static_cast<int>(*other));
  run.changed_as_said();
  run.ok();
}

constexpr CommandSpec kCommands[] = {
    {"select", 2, kReads, 0, 0, 0, select},       {"dbsize", 1, kReads, 0, 0, 0, dbsize},
    {"flushall", -1, kWrites, 0, 0, 0, flushall}, {"flushdb", -1, kWrites, 0, 0, 0, flushdb},
    {"swapdb", 3, kWrites, 0, 0, 0, swapdb},
};

}  // namespace

std::span<const CommandSpec> database_commands() { return kCommands; }

}  // namespace holdfast::sim::redis
