// The numbered databases: choosing, counting, emptying, exchanging them.
#include "sim/redis/command.h"
#include "sim/redis/instance.h"
#include "sim/redis/letter_case.h"

namespace holdfast::sim::redis {

namespace {

// In a script, or from a stream, there is no session: the choice holds for what runs there.
void select(Execution& run) {
  std::int64_t number = 0;
  if (!run.integer32(1, number)) return;
  if (number != 0 && run.server.cluster() != nullptr) {
    return run.error("ERR SELECT is not allowed in cluster mode");
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
  if (run.server.cluster() != nullptr) {
    return run.error("ERR SWAPDB is not allowed in cluster mode");
  }
  std::int64_t one = 0;
  std::int64_t other = 0;
  if (!run.integer32(1, one, "ERR invalid first DB index")) return;
  if (!run.integer32(2, other, "ERR invalid second DB index")) return;
  if (!Databases::has(one) || !Databases::has(other)) {
    return run.error("ERR DB index is out of range");
  }
  run.data.swap(static_cast<int>(one), static_cast<int>(other));
  run.changed_as_said();
  run.ok();
}

constexpr CommandSpec kDatabaseCommands[] = {
    {"select", 2, kReads | kFast, 0, 0, 0, select},  {"dbsize", 1, kReads | kFast, 0, 0, 0, dbsize},
    {"flushall", -1, kWrites, 0, 0, 0, flushall},    {"flushdb", -1, kWrites, 0, 0, 0, flushdb},
    {"swapdb", 3, kWrites | kFast, 0, 0, 0, swapdb},
};

}  // namespace

std::span<const CommandSpec> database_commands() { return kDatabaseCommands; }

}  // namespace holdfast::sim::redis
