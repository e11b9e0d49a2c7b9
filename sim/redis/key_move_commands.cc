// Keys that get another name or another database, or are doubled.
#include <utility>

#include "sim/redis/command.h"
#include "sim/redis/instance.h"
#include "sim/redis/letter_case.h"

namespace holdfast::sim::redis {

namespace {

void rename_generic(Execution& run, bool only_new) {
  Entry* source = run.data.find(run[1]);
  if (source == nullptr) return run.error("ERR no such key");
  if (run[1] == run[2]) return only_new ? run.number(0) : run.ok();
  if (only_new && run.data.find(run[2]) != nullptr) return run.number(0);
  run.data.look(run[2]);  // a dead one is removed first
  const std::int64_t deadline = source->deadline_ms;
  Value value = source->value;
  run.data.remove(*source);
  Entry& target = run.data.place(run[2], std::move(value), deadline);
  run.data.touched(*source, EventClass::generic, "rename_from");
  run.data.touched(target, EventClass::generic, "rename_to");
  run.changed_as_said();
  only_new ? run.number(1) : run.ok();
}
void rename(Execution& run) { rename_generic(run, false); }
void renamenx(Execution& run) { rename_generic(run, true); }

// A database's number; false after an error answer.
bool read_database(Execution& run, std::size_t index, int& database) {
  std::int64_t number = 0;
  if (!run.integer32(index, number)) return false;
  if (!Databases::has(number)) {
    run.error("ERR DB index is out of range");
    return false;
  }
  database = static_cast<int>(number);
  return true;
}

constexpr std::string_view kSameObject = "ERR source and destination objects are the same";

struct CopyOptions {
  int database = 0;
  bool replace = false;
};

bool read_copy_options(Execution& run, CopyOptions& options) {
  for (std::size_t i = 3; i < run.size(); ++i) {
    if (same_word(run[i], "replace")) {
      options.replace = true;
    } else if (same_word(run[i], "db") && i + 1 < run.size()) {
      if (!read_database(run, ++i, options.database)) return false;
    } else {
      run.syntax_error();
      return false;
    }
  }
  return true;
}

void copy(Execution& run) {
  const int here = run.data.selected();
  CopyOptions options{here, false};
  if (!read_copy_options(run, options)) return;
  if (options.database == here && run[1] == run[2]) return run.error(kSameObject);
  const Entry* source = run.data.find(run[1]);
  if (source == nullptr) return run.number(0);
  run.data.select(options.database);
  if (run.data.find(run[2]) != nullptr && !options.replace) {
    run.data.select(here);
    return run.number(0);
  }
  Entry& target = run.data.place(run[2], source->value, source->deadline_ms);
  run.data.touched(target, EventClass::generic, "copy_to");
  run.data.select(here);
  run.changed_as_said();
  run.number(1);
}

void move(Execution& run) {
  if (run.server.cluster() != nullptr) {
    return run.error("ERR MOVE is not allowed in cluster mode");
  }
  const int here = run.data.selected();
  int there = 0;
  if (!read_database(run, 2, there)) return;
  if (here == there) return run.error(kSameObject);
  Entry* source = run.data.find(run[1]);
  if (source == nullptr) return run.number(0);
  run.data.select(there);
  if (run.data.find(run[1]) != nullptr) {
    run.data.select(here);
    return run.number(0);
  }
  Entry& target = run.data.place(run[1], source->value, source->deadline_ms);
  run.data.select(here);
  run.data.remove(*source);
  run.data.touched(*source, EventClass::generic, "move_from");
  run.data.touched(target, EventClass::generic, "move_to");
  run.changed_as_said();
  run.number(1);
}

constexpr CommandSpec kKeyMoveCommands[] = {
    {"rename", 3, kWrites, 1, 2, 1, rename},
    {"renamenx", 3, kWrites | kFast, 1, 2, 1, renamenx},
    {"copy", -3, kWrites | kGrows, 1, 2, 1, copy},
    {"move", 3, kWrites | kFast, 1, 1, 1, move},
};

}  // namespace

std::span<const CommandSpec> key_move_commands() { return kKeyMoveCommands; }

}  // namespace holdfast::sim::redis
