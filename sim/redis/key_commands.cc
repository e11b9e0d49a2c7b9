// Commands on keys of any type.
#include "sim/redis/command.h"
#include "sim/redis/glob.h"

namespace holdfast::sim::redis {

namespace {

void del(Execution& run) {
  std::int64_t count = 0;
  for (std::size_t i = 1; i < run.size(); ++i) {
    Entry* entry = run.data.find(run[i]);
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
  for (std::size_t i = 1; i < run.size(); ++i) count += run.data.find(run[i]) != nullptr ? 1 : 0;
  run.number(count);
}

void type(Execution& run) {
  const Entry* entry = run.data.find(run[1]);
  if (entry == nullptr) return run.status("none");
  run.status(type_name(entry->value.type));
}

// In the order in which names first came up; Redis promises none.
void keys(Execution& run) {
  run.array();
  const Keyspace& all = run.data.keys();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!all[i].present() || run.data.dead(all[i])) continue;
    if (matches_glob(run[1], all[i].name)) run.element(all[i].name);
  }
}

constexpr CommandSpec kCommands[] = {
    {"del", -2, kWrites, 1, -1, 1, del},      {"unlink", -2, kWrites, 1, -1, 1, del},
    {"exists", -2, kReads, 1, -1, 1, exists}, {"type", 2, kReads, 1, 1, 1, type},
    {"keys", 2, kReads, 0, 0, 0, keys},
};

}  // namespace

std::span<const CommandSpec> key_commands() { return kCommands; }

}  // namespace holdfast::sim::redis
