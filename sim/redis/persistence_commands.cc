// SAVE, BGSAVE, LASTSAVE, BGREWRITEAOF and SHUTDOWN.
#include "sim/redis/command.h"
#include "sim/redis/instance.h"
#include "sim/redis/letter_case.h"

namespace holdfast::sim::redis {

namespace {

void save(Execution& run) {
  if (!run.server.disk().save()) return run.error("ERR");
  run.server.review();
  run.ok();
}

void bgsave(Execution& run) {
  const bool schedule = run.size() == 2 && same_word(run[1], "schedule");
  if (run.size() > 1 && !schedule) return run.syntax_error();
  run.server.disk().save_behind();
  run.status("Background saving started");
}

void lastsave(Execution& run) { run.number(run.server.disk().last_save_second()); }

void bgrewriteaof(Execution& run) {
  run.server.disk().rewrite();
  run.status("Background append only file rewriting started");
}

// Nothing answers a shutdown that succeeds: the connection is closed.
void shutdown(Execution& run) {
  Shutdown::Plan plan;
  bool abort = false;
  bool illegal = false;
  const auto saves = [&](Shutdown::Saves choice) {
    illegal = illegal || (plan.saves != Shutdown::Saves::when_configured && plan.saves != choice);
    plan.saves = choice;
  };
  for (std::size_t i = 1; i < run.size(); ++i) {
    if (same_word(run[i], "nosave")) {
      saves(Shutdown::Saves::no);
    } else if (same_word(run[i], "save")) {
      saves(Shutdown::Saves::yes);
    } else if (same_word(run[i], "now")) {
      plan.now = true;
    } else if (same_word(run[i], "force")) {
      plan.force = true;
    } else if (same_word(run[i], "abort")) {
      abort = true;
    } else {
      return run.syntax_error();
    }
  }
  const bool says_more = plan.saves != Shutdown::Saves::when_configured || plan.now || plan.force;
  if (illegal || (abort && says_more)) return run.syntax_error();
  if (abort) {
    return run.server.shutdown().abort() ? run.ok() : run.error("ERR No shutdown in progress.");
  }
  if (run.server.in_slow_script() && plan.saves != Shutdown::Saves::no) {
    return run.error(kBusyError);
  }
  run.deferred = run.server.shutdown().begin(run.session, plan);
  if (!run.deferred) run.error("ERR Errors trying to SHUTDOWN. Check logs.");
}

constexpr std::uint32_t kShutdownFlags = kAdmin | kNotInScript | kLoading | kStale;
constexpr CommandSpec kPersistenceCommands[] = {
    {"save", 1, kAdmin | kNotInScript | kNoMulti, 0, 0, 0, save},
    {"bgsave", -1, kAdmin | kNotInScript, 0, 0, 0, bgsave},
    {"lastsave", 1, kLoading | kStale | kFast, 0, 0, 0, lastsave},
    {"bgrewriteaof", 1, kAdmin | kNotInScript, 0, 0, 0, bgrewriteaof},
    {"shutdown", -1, kShutdownFlags | kNoMulti | kAllowBusy, 0, 0, 0, shutdown},
};

}  // namespace

std::span<const CommandSpec> persistence_commands() { return kPersistenceCommands; }

}  // namespace holdfast::sim::redis
