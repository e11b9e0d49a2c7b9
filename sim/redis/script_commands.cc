// EVAL, EVALSHA and SCRIPT (FID-L2 to L4).
#include "sim/redis/command.h"
#include "sim/redis/instance.h"
#include "sim/redis/letter_case.h"

namespace holdfast::sim::redis {

namespace {

// How many of the arguments are keys; false after an error answer.
bool count_keys(Execution& run, std::int64_t& keys) {
  if (!run.integer(2, keys)) return false;
  if (keys > static_cast<std::int64_t>(run.size()) - 3) {
    run.error("ERR Number of keys can't be greater than number of args");
    return false;
  }
  if (keys < 0) {
    run.error("ERR Number of keys can't be negative");
    return false;
  }
  return true;
}

void eval_generic(Execution& run, bool read_only) {
  std::int64_t keys = 0;
  if (!count_keys(run, keys)) return;
  std::string problem;
  const Script* script = run.server.scripts().load(run[1], problem);
  if (script == nullptr) return run.error(problem);
  run.server.scripts().run(*script, run.command, static_cast<std::size_t>(keys), read_only,
                           run.reply);
}
void eval(Execution& run) { eval_generic(run, false); }
void eval_ro(Execution& run) { eval_generic(run, true); }

void evalsha_generic(Execution& run, bool read_only) {
  constexpr std::string_view kNoScript = "NOSCRIPT No matching script. Please use EVAL.";
  std::int64_t keys = 0;
  if (run[1].size() != 40) return run.error(kNoScript);
  if (!count_keys(run, keys)) return;
  const Script* script = run.server.scripts().find(run[1]);
  if (script == nullptr) return run.error(kNoScript);
  run.server.scripts().run(*script, run.command, static_cast<std::size_t>(keys), read_only,
                           run.reply);
}
void evalsha(Execution& run) { evalsha_generic(run, false); }
void evalsha_ro(Execution& run) { evalsha_generic(run, true); }

void script_load(Execution& run) {
  std::string problem;
  const Script* script = run.server.scripts().load(run[2], problem);
  if (script == nullptr) return run.error(problem);
  run.bulk(script->sha);
}

void script_exists(Execution& run) {
  run.array();
  for (std::size_t i = 2; i < run.size(); ++i) {
    run.reply.elements.push_back(
        Reply::number(run.server.scripts().find(run[i]) != nullptr ? 1 : 0));
  }
}

void script_flush(Execution& run) {
  const bool mode = run.size() == 3 && (same_word(run[2], "async") || same_word(run[2], "sync"));
  if (run.size() > 2 && !mode) {
    return run.error("ERR SCRIPT FLUSH only support SYNC|ASYNC option");
  }
  run.server.scripts().forget_scripts();
  run.ok();
}

void not_killed(Execution& run) {
  if (!run.server.in_slow_script()) {
    return run.error("NOTBUSY No scripts in execution right now.");
  }
  run.error(
      "UNKILLABLE Sorry the script already executed write commands against the dataset. You can "
      "either wait the script termination or kill the server in a hard way using the SHUTDOWN "
      "NOSAVE command.");
}

void script_kill(Execution& run) {
  const bool killed = run.server.in_slow_script() && run.server.kill_script();
  killed ? run.ok() : not_killed(run);
}

// What runs here is never a function.
void function_kill(Execution& run) {
  const bool harmless = run.server.in_slow_script() && !run.server.scripts().has_written();
  harmless ? run.error(kBusyError) : not_killed(run);
}

constexpr CommandSpec kScriptCommands[] = {
    {"eval", -3, kScript | kNotInScript | kStale | kReplicates | kSkipsMonitor, 0, 0, 0, eval},
    {"evalsha", -3, kScript | kNotInScript | kStale | kReplicates | kSkipsMonitor, 0, 0, 0,
     evalsha},
    {"eval_ro", -3, kScript | kNotInScript | kStale | kReads | kSkipsMonitor | kSince70, 0, 0, 0,
     eval_ro},
    {"evalsha_ro", -3, kScript | kNotInScript | kStale | kReads | kSkipsMonitor | kSince70, 0, 0, 0,
     evalsha_ro},
    {"script", -2, kContainer, 0, 0, 0, nullptr},
    {"script|load", 3, kNotInScript | kStale, 0, 0, 0, script_load},
    {"script|exists", -3, kNotInScript, 0, 0, 0, script_exists},
    {"script|flush", -2, kNotInScript, 0, 0, 0, script_flush},
    {"script|kill", 2, kNotInScript | kAllowBusy, 0, 0, 0, script_kill},
    {"function|kill", 2, kNotInScript | kAllowBusy, 0, 0, 0, function_kill},
};

}  // namespace

std::span<const CommandSpec> script_commands() { return kScriptCommands; }

}  // namespace holdfast::sim::redis
