// Commands about the connection and the server as such.
#include "sim/redis/command.h"
#include "sim/redis/instance.h"
#include "sim/redis/integer_text.h"
#include "sim/redis/letter_case.h"

namespace holdfast::sim::redis {

namespace {

void ping(Execution& run) {
  if (run.size() > 2) return run.wrong_arity();
  run.size() == 2 ? run.bulk(run[1]) : run.status("PONG");
}

void echo(Execution& run) { run.bulk(run[1]); }

void time(Execution& run) {
  const std::int64_t micros = run.data.wall_now() / std::chrono::microseconds(1);
  run.array();
  run.element(IntegerText(micros / 1'000'000).view());
  run.element(IntegerText(micros % 1'000'000).view());
}

// Subscriptions are not modelled: nobody receives it here. It travels with the stream (FID-R2).
void publish(Execution& run) {
  run.server.propagation().publish(run.command);
  run.number(0);
}

void client_setname(Execution& run, Session& session) {
  for (const char letter : run[2]) {
    if (letter < '!' || letter > '~') {
      return run.error("ERR Client names cannot contain spaces, newlines or special characters.");
    }
  }
  session.name = run[2];
  run.ok();
}

void client(Execution& run) {
  Session& session = run.server.sessions()[run.session];
  const auto is = [&run](std::string_view name, std::size_t size) {
    return same_word(run[1], name) && run.size() == size;
  };
  if (is("id", 2)) return run.number(run.session);
  if (is("setname", 3)) return client_setname(run, session);
  if (is("getname", 2)) {
    if (!session.name.empty()) run.bulk(session.name);
    return;
  }
  for (const std::string_view known : {"id", "setname", "getname"}) {
    if (!same_word(run[1], known)) continue;
    return run.error("ERR wrong number of arguments for 'client|" + std::string(known) +
                     "' command");
  }
  run.error("ERR unknown subcommand '" + std::string(run[1].substr(0, 128)) +
            "'. Try CLIENT HELP.");
}

// FID-W1 to W6.
void wait(Execution& run) {
  if (!run.data.master()) {
    return run.error(
        "ERR WAIT cannot be used with replica instances. Please also note that since Redis 4.0 if "
        "a replica is configured to be writable (which is not the default) writes to replicas are "
        "just local and are not propagated.");
  }
  std::int64_t need = 0;
  if (!run.integer(1, need)) return;
  const auto timeout = parse_integer(run[2]);
  if (!timeout) return run.error("ERR timeout is not an integer or out of range");
  if (*timeout < 0) return run.error("ERR timeout is negative");
  Replication& replication = run.server.replication();
  const std::int64_t offset = run.server.sessions()[run.session].replicated_up_to;
  const std::int64_t acked = replication.acked(offset);
  if (acked >= need) return run.number(acked);
  run.deferred = true;
  run.server.waiting().add(run.session, offset, need, *timeout);
  replication.request_acks();
}

constexpr CommandSpec kCommands[] = {
    {"ping", -1, kReads, 0, 0, 0, ping},
    {"echo", 2, kReads, 0, 0, 0, echo},
    {"time", 1, kReads, 0, 0, 0, time},
    {"publish", 3, kReplicates, 0, 0, 0, publish},
    {"client", -2, kNotInScript, 0, 0, 0, client},
    {"wait", 3, kNotInScript, 0, 0, 0, wait},
};

}  // namespace

std::span<const CommandSpec> connection_commands() { return kCommands; }

}  // namespace holdfast::sim::redis
