// Commands of what this server has not - modules, functions - answered as a server answers that
// does not use them.
#include "sim/redis/command.h"
#include "sim/redis/letter_case.h"

namespace holdfast::sim::redis {

namespace {

void none(Execution& run) { run.array(); }

void flush_functions(Execution& run) {
  const bool mode = run.size() == 3 && (same_word(run[2], "async") || same_word(run[2], "sync"));
  if (run.size() > 2 && !mode) {
    return run.error("ERR FUNCTION FLUSH only supports SYNC|ASYNC option");
  }
  run.ok();
}

constexpr CommandSpec kAbsentCommands[] = {
    {"module", -2, kContainer, 0, 0, 0, nullptr},
    {"module|list", 2, kAdmin | kNotInScript, 0, 0, 0, none},
    {"function", -2, kContainer | kSince70, 0, 0, 0, nullptr},
    {"function|flush", -2, kWrites | kNotInScript | kSince70, 0, 0, 0, flush_functions},
    {"function|list", -2, kNotInScript | kSince70, 0, 0, 0, none},
};

}  // namespace

std::span<const CommandSpec> absent_commands() { return kAbsentCommands; }

}  // namespace holdfast::sim::redis
