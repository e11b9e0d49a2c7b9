// OBJECT: how a value is kept.
#include <algorithm>
#include <limits>

#include "sim/redis/command.h"
#include "sim/redis/integer_text.h"

namespace holdfast::sim::redis {

namespace {

// Small integers are one shared object, which counts as used for ever.
std::int64_t reference_count(const Value& value) {
  constexpr std::int64_t kShared = 10'000;
  if (encoding_name(value) != "int") return 1;
  const auto number = parse_integer(value.text);
  return number && *number >= 0 && *number < kShared ? std::numeric_limits<std::int32_t>::max() : 1;
}

void help(Execution& run) {
  run.array();
  for (const std::string_view line :
       {"OBJECT <subcommand> [<arg> [value] [opt] ...]. Subcommands are:", "ENCODING <key>",
        "    Return the kind of internal representation used in order to store the value",
        "    associated with a <key>.", "FREQ <key>",
        "    Return the access frequency index of the <key>. The returned integer is",
        "    proportional to the logarithm of the recent access frequency of the key.",
        "IDLETIME <key>",
        "    Return the idle time of the <key>, that is the approximated number of",
        "    seconds elapsed since the last access to the key.", "REFCOUNT <key>",
        "    Return the number of references of the value associated with the specified",
        "    <key>.", "HELP", "    Prints this help."}) {
    run.reply.elements.push_back(Reply::status(line));
  }
}

void encoding(Execution& run) {
  if (const Entry* entry = run.data.look(run[2])) run.bulk(encoding_name(entry->value));
}

void refcount(Execution& run) {
  if (const Entry* entry = run.data.look(run[2])) run.number(reference_count(entry->value));
}

void idletime(Execution& run) {
  const Entry* entry = run.data.look(run[2]);
  if (entry == nullptr) return;
  run.number(std::max<std::int64_t>(run.data.now_ms() - entry->used_ms, 0) / 1000);
}

void freq(Execution& run) {
  if (run.data.look(run[2]) == nullptr) return;
  run.error(
      "ERR An LFU maxmemory policy is not selected, access frequency not tracked. Please note that "
      "when switching between policies at runtime LRU and LFU data will take some time to adjust.");
}

constexpr CommandSpec kObjectCommands[] = {
    {"object", -2, kContainer, 0, 0, 0, nullptr},
    {"object|encoding", 3, kReads, 2, 2, 1, encoding},
    {"object|refcount", 3, kReads, 2, 2, 1, refcount},
    {"object|idletime", 3, kReads, 2, 2, 1, idletime},
    {"object|freq", 3, kReads, 2, 2, 1, freq},
    {"object|help", 2, kStale | kLoading, 0, 0, 0, help},
};

}  // namespace

std::span<const CommandSpec> object_commands() { return kObjectCommands; }

}  // namespace holdfast::sim::redis
