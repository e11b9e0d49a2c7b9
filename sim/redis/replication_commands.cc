// REPLICAOF, its older name, and FAILOVER.
#include <optional>
#include <string>

#include "sim/redis/command.h"
#include "sim/redis/instance.h"
#include "sim/redis/integer_text.h"
#include "sim/redis/letter_case.h"

namespace holdfast::sim::redis {

namespace {

void become_master(Execution& run) {
  if (!run.data.master()) {
    run.server.replication().promote();
    run.server.watcher().role_changed(run.server.options().node, 0);
  }
  run.ok();
}

// FID-R6 to R9, R13. A master is one of the servers of this world.
void replicaof(Execution& run) {
  if (run.server.cluster() != nullptr) {
    return run.error("ERR REPLICAOF not allowed in cluster mode.");
  }
  if (same_word(run[1], "no") && same_word(run[2], "one")) return become_master(run);
  if (run.server.manual_failover().on()) {
    return run.error("ERR REPLICAOF not allowed while failing over.");
  }
  std::int64_t port = 0;
  if (!run.integer_between(2, 0, 65535, port, "ERR Invalid master port")) return;
  RedisServer* const master =
      run.server.host().find_server({std::string(run[1]), static_cast<std::uint16_t>(port)});
  if (master == nullptr) return run.error("ERR no server of this world has that address");
  if (run.server.facade().master() == master) {
    return run.status("OK Already connected to specified master");
  }
  run.server.facade().replicate_from(*master);
  run.server.watcher().role_changed(run.server.options().node, master->options().node);
  run.ok();
}

struct FailoverWords {
  std::optional<NodeAddress> to = {};
  std::optional<std::int64_t> timeout_ms = {};
  bool abort = false;
  bool force = false;
};

bool read_failover(Execution& run, FailoverWords& words) {
  for (std::size_t i = 1; i < run.size(); ++i) {
    const std::size_t more = run.size() - 1 - i;
    if (same_word(run[i], "abort") && run.size() == 2) {
      words.abort = true;
    } else if (same_word(run[i], "timeout") && more >= 1 && !words.timeout_ms) {
      std::int64_t timeout = 0;
      if (!run.integer(++i, timeout)) return false;
      if (timeout <= 0) {
        run.error("ERR FAILOVER timeout must be greater than 0");
        return false;
      }
      words.timeout_ms = timeout;
    } else if (same_word(run[i], "to") && more >= 2 && !words.to) {
      std::int64_t port = 0;
      if (!run.integer32(i + 2, port)) return false;
      words.to = NodeAddress{std::string(run[i + 1]), static_cast<std::uint16_t>(port)};
      i += 2;
    } else if (same_word(run[i], "force") && !words.force) {
      words.force = true;
    } else {
      run.syntax_error();
      return false;
    }
  }
  return true;
}

// The replica that is to be master; null after an error answer.
const RedisServer* failover_target(Execution& run, const NodeAddress& address) {
  for (const Replication::Follower& follower : run.server.replication().followers()) {
    if (follower.replica->server().options().address() != address) continue;
    if (follower.online) return &follower.replica->server().facade();
    run.error("ERR FAILOVER target replica is not online.");
    return nullptr;
  }
  run.error("ERR FAILOVER target HOST and PORT is not a replica.");
  return nullptr;
}

void failover(Execution& run) {
  if (run.server.cluster() != nullptr) {
    return run.error(
        "ERR FAILOVER not allowed in cluster mode. Use CLUSTER FAILOVER command instead.");
  }
  ManualFailover& manual = run.server.manual_failover();
  FailoverWords words;
  if (!read_failover(run, words)) return;
  if (words.abort) {
    if (!manual.on()) return run.error("ERR No failover in progress.");
    manual.abort();
    return run.ok();
  }
  if (manual.on()) return run.error("ERR FAILOVER already in progress.");
  if (!run.data.master()) return run.error("ERR FAILOVER is not valid when server is a replica.");
  if (run.server.replication().followers().empty()) {
    return run.error("ERR FAILOVER requires connected replicas.");
  }
  if (words.force && (!words.timeout_ms || !words.to)) {
    return run.error(
        "ERR FAILOVER with force option requires both a timeout and target HOST and IP.");
  }
  const RedisServer* target = nullptr;
  if (words.to) {
    target = failover_target(run, *words.to);
    if (target == nullptr) return;
  }
  manual.begin({target, words.timeout_ms, words.force});
  run.ok();
}

constexpr std::uint32_t kRoleFlags = kAdmin | kNotInScript | kStale;
constexpr CommandSpec kReplicationCommands[] = {
    {"replicaof", 3, kRoleFlags, 0, 0, 0, replicaof},
    {"slaveof", 3, kRoleFlags, 0, 0, 0, replicaof},
    {"failover", -1, kRoleFlags, 0, 0, 0, failover},
};

}  // namespace

std::span<const CommandSpec> replication_commands() { return kReplicationCommands; }

}  // namespace holdfast::sim::redis
