// DEBUG, as far as tests use it.
#include <charconv>
#include <cstdint>
#include <string>

#include "sim/redis/command.h"
#include "sim/redis/instance.h"
#include "sim/redis/letter_case.h"

namespace holdfast::sim::redis {

namespace {

// Not a number: no sleep, as strtod makes of it.
void sleep(Execution& run) {
  double seconds = 0;
  std::from_chars(run[2].data(), run[2].data() + run[2].size(), seconds);
  constexpr double kLongest = 1e9;
  if (seconds > 0) {
    const auto micros = static_cast<std::int64_t>(std::min(seconds, kLongest) * 1e6);
    run.server.sleep(std::chrono::microseconds(micros));
  }
  run.ok();
}

void set_active_expire(Execution& run) {
  run.data.set_active_expiry(run[2] != "0");
  run.ok();
}

void object(Execution& run) {
  const Entry* entry = run.data.find(run[2]);
  if (entry == nullptr) return run.error("ERR no such key");
  const std::int64_t bytes = static_cast<std::int64_t>(entry->value.text.size()) + 1;
  run.status(
      "Value at:0x7f0000000000 refcount:1 encoding:" + std::string(encoding_name(entry->value)) +
      " serializedlength:" + std::to_string(bytes) + " lru:0 lru_seconds_idle:0");
}

void does_nothing(Execution& run) { run.ok(); }

struct Subcommand {
  std::string_view name;
  std::size_t size;
  void (*run)(Execution& execution);
};
constexpr Subcommand kSubcommands[] = {
    {"sleep", 3, sleep},
    {"set-active-expire", 3, set_active_expire},
    {"object", 3, object},
    {"quicklist-packed-threshold", 3, does_nothing},
};

void debug(Execution& run) {
  for (const Subcommand& subcommand : kSubcommands) {
    if (same_word(run[1], subcommand.name) && run.size() == subcommand.size) {
      return subcommand.run(run);
    }
  }
  run.error("ERR unknown subcommand or wrong number of arguments for '" + std::string(run[1]) +
            "'. Try DEBUG HELP.");
}

constexpr std::uint32_t kDebugFlags = kAdmin | kNotInScript | kLoading | kStale;
constexpr CommandSpec kDebugCommands[] = {
    {"debug", -2, kDebugFlags | kProtected, 0, 0, 0, debug},
};

}  // namespace

std::span<const CommandSpec> debug_commands() { return kDebugCommands; }

}  // namespace holdfast::sim::redis
