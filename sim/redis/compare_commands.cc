// Deleting a key that still holds a value, without a script: DELEX (Redis 8.4), DELIFEQ (Valkey 9).
// SET IFEQ is an option of SET.
#include "sim/redis/command.h"
#include "sim/redis/dataset.h"
#include "sim/redis/instance.h"
#include "sim/redis/letter_case.h"

namespace holdfast::sim::redis {

namespace {

void remove(Execution& run, Entry& entry) {
  run.data.remove(entry);
  run.data.touched(entry, EventClass::generic, "del");
  if (Command* effect = run.changed_as()) effect->add("DEL").add(run[1]);
  run.number(1);
}

void delifeq(Execution& run) {
  Entry* entry = nullptr;
  if (!run.find(run[1], ValueType::string, entry)) return;
  if (entry == nullptr || entry->value.text != run[2]) return run.number(0);
  remove(run, *entry);
}

void delex(Execution& run) {
  const bool equal = run.size() == 4 && same_word(run[2], "ifeq");
  const bool unequal = run.size() == 4 && same_word(run[2], "ifne");
  if (run.size() != 2 && run.size() != 4) return run.wrong_arity();
  if (run.size() == 4 && !equal && !unequal) return run.syntax_error();
  Entry* entry = run.data.find(run[1]);
  if (entry == nullptr) return run.number(0);
  if (run.size() == 2) return remove(run, *entry);
  if (entry->value.type != ValueType::string) {
    return run.error("ERR Key should be of string type if conditions are specified");
  }
  if ((entry->value.text == run[3]) != equal) return run.number(0);
  remove(run, *entry);
}

constexpr CommandSpec kCompareCommands[] = {
    {"delex", -2, kWrites | kFast | kSince84, 1, 1, 1, delex},
    {"delifeq", 3, kWrites | kFast | kValkey9, 1, 1, 1, delifeq},
};

}  // namespace

std::span<const CommandSpec> compare_commands() { return kCompareCommands; }

}  // namespace holdfast::sim::redis
