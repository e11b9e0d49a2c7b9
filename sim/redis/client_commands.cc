// CLIENT: names, lists, pauses, replies.
#include <string>

#include "sim/redis/client_description.h"
#include "sim/redis/command.h"
#include "sim/redis/instance.h"
#include "sim/redis/integer_text.h"
#include "sim/redis/letter_case.h"

namespace holdfast::sim::redis {

namespace {

void id(Execution& run) { run.number(run.session); }

void setname(Execution& run) {
  if (!run.client_name(run[2])) return;
  run.client().name = run[2];
  run.ok();
}

void getname(Execution& run) {
  if (!run.client().name.empty()) run.bulk(run.client().name);
}

void show(Execution& run, const std::string& lines) {
  run.bulk(lines);
  run.reply.type = Reply::Type::verbatim;
}

void info(Execution& run) { show(run, describe_client(run.server, run.session) + "\n"); }

bool is_client_type(std::string_view text) {
  return same_word(text, "normal") || same_word(text, "master") || same_word(text, "slave") ||
         same_word(text, "replica") || same_word(text, "pubsub");
}

void list_by_id(Execution& run) {
  std::string lines;
  for (std::size_t i = 3; i < run.size(); ++i) {
    const auto number = parse_integer(run[i]);
    if (!number) return run.error("ERR Invalid client ID");
    const bool known =
        *number > 0 && *number <= static_cast<std::int64_t>(run.server.sessions().size());
    const SessionId session = known ? static_cast<SessionId>(*number) : 0;
    if (!known || !run.server.sessions()[session].open) continue;
    lines += describe_client(run.server, session) + "\n";
  }
  show(run, lines);
}

void list(Execution& run) {
  std::string_view type;
  if (run.size() == 4 && same_word(run[2], "type")) {
    type = run[3];
    if (!is_client_type(type)) {
      return run.error("ERR Unknown client type '" + std::string(type) + "'");
    }
  } else if (run.size() > 3 && same_word(run[2], "id")) {
    return list_by_id(run);
  } else if (run.size() != 2) {
    return run.syntax_error();
  }
  std::string lines;
  Sessions& sessions = run.server.sessions();
  for (SessionId session = 1; session <= sessions.size(); ++session) {
    if (!sessions[session].open) continue;
    if (!type.empty() && !same_word(type, client_type(sessions[session]))) continue;
    lines += describe_client(run.server, session) + "\n";
  }
  show(run, lines);
}

void pause(Execution& run) {
  if (run.size() > 4) {
    return run.error(
        "ERR unknown subcommand or wrong number of arguments for 'PAUSE'. Try CLIENT HELP.");
  }
  const bool writes = run.size() == 4 && same_word(run[3], "write");
  if (run.size() == 4 && !writes && !same_word(run[3], "all")) {
    return run.error("ERR CLIENT PAUSE mode must be WRITE or ALL");
  }
  const auto time = parse_integer(run[2]);
  if (!time) return run.error("ERR timeout is not an integer or out of range");
  if (*time < 0) return run.error("ERR timeout is negative");
  run.server.pausing().begin(writes ? ClientPause::Kind::writes : ClientPause::Kind::all, *time);
  run.ok();
}

void unpause(Execution& run) {
  run.server.pausing().end();
  run.ok();
}

void reply(Execution& run) {
  Session& session = run.client();
  if (same_word(run[2], "on")) {
    session.modes &= ~(kNoReplies | kSkipsNext);
    return run.ok();
  }
  const bool off = same_word(run[2], "off");
  if (!off && !same_word(run[2], "skip")) return run.syntax_error();
  session.modes |= off ? kNoReplies : kSkipsNext;
  run.deferred = true;  // no answer
}

void no_evict(Execution& run) {
  const bool on = same_word(run[2], "on");
  if (!on && !same_word(run[2], "off")) return run.syntax_error();
  on ? run.client().modes |= kNoEvict : run.client().modes &= ~kNoEvict;
  run.ok();
}

// Libraries say who they are; nobody is told.
void setinfo(Execution& run) {
  const bool name = same_word(run[2], "lib-name");
  if (!name && !same_word(run[2], "lib-ver")) {
    return run.error("ERR Unrecognized option '" + std::string(run[2]) + "'");
  }
  for (const char letter : run[3]) {
    if (letter >= '!' && letter <= '~') continue;
    return run.error(std::string("ERR ").append(name ? "lib-name" : "lib-ver") +
                     " cannot contain spaces, newlines or special characters.");
  }
  run.ok();
}

// Reads do not count as uses then; no eviction here goes by them.
void no_touch(Execution& run) {
  if (!same_word(run[2], "on") && !same_word(run[2], "off")) return run.syntax_error();
  run.ok();
}

void unblock(Execution& run) {
  bool error = false;
  if (run.size() > 4) return run.wrong_arity();
  if (run.size() == 4) {
    error = same_word(run[3], "error");
    if (!error && !same_word(run[3], "timeout")) {
      return run.error("ERR CLIENT UNBLOCK reason should be TIMEOUT or ERROR");
    }
  }
  std::int64_t number = 0;
  if (!run.integer(2, number)) return;
  const bool known =
      number > 0 && number <= static_cast<std::int64_t>(run.server.sessions().size());
  const Reply answer =
      error ? Reply::error("UNBLOCKED client unblocked via CLIENT UNBLOCK") : Reply();
  const bool ended = known && run.server.end_wait(static_cast<SessionId>(number), answer);
  run.number(ended ? 1 : 0);
}

constexpr std::uint32_t kClientFlags = kNotInScript | kLoading | kStale;
constexpr std::uint32_t kClientAdminFlags = kClientFlags | kAdmin;
constexpr CommandSpec kClientCommands[] = {
    {"client", -2, kContainer, 0, 0, 0, nullptr},
    {"client|id", 2, kClientFlags, 0, 0, 0, id},
    {"client|setname", 3, kClientFlags, 0, 0, 0, setname},
    {"client|getname", 2, kClientFlags, 0, 0, 0, getname},
    {"client|info", 2, kClientFlags, 0, 0, 0, info},
    {"client|list", -2, kClientAdminFlags, 0, 0, 0, list},
    {"client|pause", -3, kClientAdminFlags, 0, 0, 0, pause},
    {"client|unpause", 2, kClientAdminFlags, 0, 0, 0, unpause},
    {"client|reply", 3, kClientFlags, 0, 0, 0, reply},
    {"client|no-evict", 3, kClientAdminFlags | kSince70, 0, 0, 0, no_evict},
    {"client|no-touch", 3, kClientFlags | kSince72, 0, 0, 0, no_touch},
    {"client|setinfo", 4, kClientFlags | kSince72, 0, 0, 0, setinfo},
    {"client|unblock", -3, kClientAdminFlags, 0, 0, 0, unblock},
};

}  // namespace

std::span<const CommandSpec> client_commands() { return kClientCommands; }

}  // namespace holdfast::sim::redis
