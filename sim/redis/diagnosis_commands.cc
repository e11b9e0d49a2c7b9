// LATENCY, SLOWLOG, MEMORY: a server on which nothing is ever slow.
#include "sim/redis/command.h"
#include "sim/redis/instance.h"
#include "sim/redis/integer_text.h"

namespace holdfast::sim::redis {

namespace {

void nothing(Execution& run) { run.array(); }
void zero(Execution& run) { run.number(0); }
void done(Execution& run) { run.ok(); }
void no_histograms(Execution& run) { run.reply.type = Reply::Type::map; }

void slowlog_get(Execution& run) {
  if (run.size() > 3) return run.wrong_arity();
  std::int64_t count = 0;
  if (run.size() == 3 && !run.integer(2, count)) return;
  if (count < -1) return run.error("ERR count should be greater than or equal to -1");
  run.array();
}

void memory_usage(Execution& run) {
  const Entry* entry = run.data.find(run[2]);
  if (entry != nullptr) run.number(size_of(*entry));
}

constexpr std::uint32_t kDiagnosisFlags = kAdmin | kLoading | kStale;
constexpr CommandSpec kDiagnosisCommands[] = {
    {"latency", -2, kContainer, 0, 0, 0, nullptr},
    {"latency|latest", 2, kDiagnosisFlags | kNotInScript, 0, 0, 0, nothing},
    {"latency|history", 3, kDiagnosisFlags | kNotInScript, 0, 0, 0, nothing},
    {"latency|reset", -2, kDiagnosisFlags | kNotInScript, 0, 0, 0, zero},
    {"latency|histogram", -2, kDiagnosisFlags | kNotInScript | kSince70, 0, 0, 0, no_histograms},
    {"slowlog", -2, kContainer, 0, 0, 0, nullptr},
    {"slowlog|get", -2, kDiagnosisFlags, 0, 0, 0, slowlog_get},
    {"slowlog|len", 2, kDiagnosisFlags, 0, 0, 0, zero},
    {"slowlog|reset", 2, kDiagnosisFlags, 0, 0, 0, done},
    {"memory", -2, kContainer, 0, 0, 0, nullptr},
    {"memory|usage", -3, kReads, 2, 2, 1, memory_usage},
    {"memory|purge", 2, kNoFlags, 0, 0, 0, done},
};

}  // namespace

std::span<const CommandSpec> diagnosis_commands() { return kDiagnosisCommands; }

}  // namespace holdfast::sim::redis
