// ROLE and TIME.
#include <string>

#include "sim/redis/command.h"
#include "sim/redis/instance.h"
#include "sim/redis/integer_text.h"

namespace holdfast::sim::redis {

namespace {

void time(Execution& run) {
  const std::int64_t micros = run.data.command_time() / std::chrono::microseconds(1);
  run.array();
  run.element(IntegerText(micros / 1'000'000).view());
  run.element(IntegerText(micros % 1'000'000).view());
}

void role(Execution& run) {
  Replication& replication = run.server.replication();
  run.array();
  if (Replication* master = replication.master()) {
    run.element("slave");
    const NodeAddress address = master->server().options().address();
    run.element(address.host);
    run.reply.elements.push_back(Reply::number(address.port));
    run.element(replication.connected() ? "connected" : "connect");
    run.reply.elements.push_back(
        Reply::number(replication.connected() ? replication.offset() : -1));
    return;
  }
  run.element("master");
  run.reply.elements.push_back(Reply::number(replication.offset()));
  std::vector<Reply> replicas;
  for (const Replication::Follower& follower : replication.followers()) {
    if (!follower.online) continue;
    const NodeAddress address = follower.replica->announced();
    replicas.push_back(
        Reply::array({Reply::bulk(address.host), Reply::bulk(std::to_string(address.port)),
                      Reply::bulk(std::to_string(follower.acked))}));
  }
  run.reply.elements.push_back(Reply::array(std::move(replicas)));
}

constexpr std::uint32_t kServerFlags = kLoading | kStale | kFast;
constexpr CommandSpec kServerCommands[] = {
    {"time", 1, kServerFlags, 0, 0, 0, time},
    {"role", 1, kServerFlags | kNotInScript, 0, 0, 0, role},
};

}  // namespace

std::span<const CommandSpec> server_commands() { return kServerCommands; }

}  // namespace holdfast::sim::redis
