// Commands on keys of any type.
#include <limits>

#include "sim/redis/command.h"
#include "sim/redis/glob.h"
#include "sim/redis/letter_case.h"
#include "sim/redis/scan.h"

namespace holdfast::sim::redis {

namespace {

void del(Execution& run) {
  std::int64_t count = 0;
  for (std::size_t i = 1; i < run.size(); ++i) {
    Entry* entry = run.data.look(run[i]);
    if (entry == nullptr) continue;
    run.data.remove(*entry);
    run.data.touched(*entry, EventClass::generic, "del");
    ++count;
  }
  if (count > 0) run.changed_as_said();
  run.number(count);
}

void exists(Execution& run) {
  std::int64_t count = 0;
  for (std::size_t i = 1; i < run.size(); ++i) count += run.data.look(run[i]) != nullptr ? 1 : 0;
  run.number(count);
}

void touch(Execution& run) {
  std::int64_t count = 0;
  for (std::size_t i = 1; i < run.size(); ++i) count += run.data.find(run[i]) != nullptr ? 1 : 0;
  run.number(count);
}

void type(Execution& run) {
  const Entry* entry = run.data.look(run[1]);
  run.status(type_name(entry == nullptr ? ValueType::none : entry->value.type));
}

// In the order in which names first came up; Redis promises none.
void keys(Execution& run) {
  run.array();
  run.data.keys().each([&run](const Entry& entry) {
    if (!run.data.dead(entry) && matches_glob(run[1], entry.name)) run.element(entry.name);
  });
}

// A replica may not remove the dead: where all are, it shows one of them.
void randomkey(Execution& run) {
  constexpr int kTries = 100;
  const Keyspace& all = run.data.keys();
  for (int tries = 0; all.present() > 0; ++tries) {
    const std::size_t place = run.data.random().below(all.size());
    if (!all[place].present()) continue;
    const bool shown = tries > kTries && !run.data.master();
    if (shown || run.data.look(all[place].name) != nullptr) return run.bulk(all[place].name);
  }
}

void scan(Execution& run) {
  ScanOptions options;
  if (!read_cursor(run, 1, options.cursor)) return;
  if (!read_scan_options(run, 2, true, options)) return;
  Reply& found = answer_scan(run);
  const Keyspace& all = run.data.keys();
  const auto visit = [&](std::size_t place) {
    if (!all[place].present()) return false;
    if (!options.takes(all[place].name)) return true;
    const Entry* entry = run.data.look(all[place].name);
    if (entry == nullptr) return true;
    if (options.has_type && !same_word(options.type, type_name(entry->value.type))) return true;
    found.elements.push_back(Reply::bulk(entry->name));
    return true;
  };
  set_next_cursor(run, walk_down(
                           all.size(), options,
                           [&all](std::size_t place) { return all[place].number; }, visit));
}

constexpr CommandSpec kKeyCommands[] = {
    {"del", -2, kWrites, 1, -1, 1, del},
    {"unlink", -2, kWrites | kFast, 1, -1, 1, del},
    {"exists", -2, kReads | kFast, 1, -1, 1, exists},
    {"touch", -2, kReads | kFast, 1, -1, 1, touch},
    {"type", 2, kReads, 1, 1, 1, type},
    {"keys", 2, kReads, 0, 0, 0, keys},
    {"randomkey", 1, kReads, 0, 0, 0, randomkey},
    {"scan", -2, kReads, 0, 0, 0, scan},
};

}  // namespace

std::span<const CommandSpec> key_commands() { return kKeyCommands; }

}  // namespace holdfast::sim::redis
