// CLIENT KILL, in its old form (an address) and its new one (filters).
#include <optional>
#include <string>
#include <vector>

#include "sim/redis/client_description.h"
#include "sim/redis/command.h"
#include "sim/redis/instance.h"
#include "sim/redis/integer_text.h"
#include "sim/redis/letter_case.h"

namespace holdfast::sim::redis {

namespace {

struct Filter {
  std::string address = {};  // empty: any
  std::string own_address = {};
  std::string type = {};  // lower case
  SessionId id = 0;
  bool skip_me = true;
};

// Closes the running session after its answer, any other one at once.
std::int64_t kill(Execution& run, const Filter& filter) {
  std::int64_t killed = 0;
  Sessions& sessions = run.server.sessions();
  for (SessionId id = 1; id <= sessions.size(); ++id) {
    if (!sessions[id].open) continue;
    if (!filter.address.empty() && client_address(run.server, id) != filter.address) continue;
    if (!filter.own_address.empty() && own_address(run.server) != filter.own_address) continue;
    if (!filter.type.empty() && client_type(sessions[id]) != filter.type) continue;
    if (filter.id != 0 && filter.id != id) continue;
    if (id == run.session && filter.skip_me) continue;
    ++killed;
    id == run.session ? void(sessions[id].modes |= kCloses) : run.server.disconnect(id);
  }
  return killed;
}

bool read_type(Execution& run, std::string_view text, Filter& filter) {
  filter.type = lowered(text);
  if (filter.type == "slave") filter.type = "replica";
  for (const std::string_view known : {"normal", "pubsub", "master", "replica"}) {
    if (filter.type == known) return true;
  }
  run.error("ERR Unknown client type '" + std::string(text) + "'");
  return false;
}

bool read_option(Execution& run, std::string_view name, std::string_view value, Filter& filter) {
  if (same_word(name, "id")) {
    const auto number = parse_integer(value);
    if (!number || *number < 1) {
      run.error("ERR client-id should be greater than 0");
      return false;
    }
    const auto last = static_cast<std::int64_t>(run.server.sessions().size());
    filter.id = static_cast<SessionId>(*number > last ? last + 1 : *number);
  } else if (same_word(name, "type")) {
    return read_type(run, value, filter);
  } else if (same_word(name, "addr")) {
    filter.address = value;
  } else if (same_word(name, "laddr")) {
    filter.own_address = value;
  } else if (same_word(name, "user")) {
    if (value == "default") return true;
    run.error("ERR No such user '" + std::string(value) + "'");
    return false;
  } else if (same_word(name, "skipme") && (same_word(value, "yes") || same_word(value, "no"))) {
    filter.skip_me = same_word(value, "yes");
  } else {
    run.syntax_error();
    return false;
  }
  return true;
}

void client_kill(Execution& run) {
  Filter filter;
  if (run.size() == 3) {
    filter.address = run[2];
    filter.skip_me = false;
    return kill(run, filter) == 0 ? run.error("ERR No such client") : run.ok();
  }
  if (run.size() % 2 != 0) return run.syntax_error();
  for (std::size_t i = 2; i < run.size(); i += 2) {
    if (!read_option(run, run[i], run[i + 1], filter)) return;
  }
  run.number(kill(run, filter));
}

constexpr CommandSpec kClientKillCommands[] = {
    {"client|kill", -3, kAdmin | kNotInScript | kLoading | kStale, 0, 0, 0, client_kill},
};

}  // namespace

std::span<const CommandSpec> client_kill_commands() { return kClientKillCommands; }

}  // namespace holdfast::sim::redis
