// ROLE and TIME.
#include <string>

#include "sim/redis/command.h"
#include "sim/redis/instance.h"
#include "sim/redis/integer_text.h"

namespace holdfast::sim::redis {

namespace {

constexpr std::string_view kPort = "6379";

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
    run.element(master->server().options().name);
    run.reply.elements.push_back(Reply::number(6379));
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
    replicas.push_back(
        Reply::array({Reply::bulk(follower.replica->server().options().name), Reply::bulk(kPort),
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
