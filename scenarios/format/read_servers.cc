// Servers, network and guarded resources.
#include <fmt/format.h>

#include "scenarios/format/fields.h"
#include "scenarios/format/read.h"
#include "scenarios/format/read_clock.h"
#include "scenarios/format/read_sentinels.h"

namespace holdfast::scenario {
namespace {

// The guarded resources' server in both worlds.
constexpr std::string_view kReservedServer = "guarded";

ServerSpec read_server(const Member& member, Errors& errors) {
  ServerSpec server;
  server.name = member.key;
  server.origin = member.origin;
  Fields fields(member.value, keys::server, errors);
  fields.read("version", server.version, version_words());
  fields.read("persistence", server.persistence, persistence_words());
  fields.read("replica_of", server.replica_of);
  if (const Value* clock = fields.find("clock")) {
    read_clock(*clock, server.clock_offset, server.clock_ppm, errors);
  }
  read_monitor(fields, server);
  if (member.key == kReservedServer) {
    errors.add(member.origin, "the name \"guarded\" belongs to the guarded resources' own server");
  }
  return server;
}

void check_replica(const ServerSpec& server, const Value& value, const Scenario& scenario,
                   Errors& errors) {
  const Value* written = value.find("replica_of");
  if (server.replica_of.empty() || written == nullptr) return;
  if (!check_known(server.replica_of, server_names(scenario), "server", written->origin, errors)) {
    return;
  }
  if (server.replica_of == server.name) {
    errors.add(written->origin, fmt::format("\"{}\" cannot be a replica of itself", server.name));
  } else if (!find_server(scenario, server.replica_of)->replica_of.empty()) {
    errors.add(written->origin,
               fmt::format("\"{}\" is a replica itself; chains of replicas are not "
                           "built yet",
                           server.replica_of));
  }
}

}  // namespace

void read_clock(const Value& value, Duration& offset, std::int64_t& rate_ppm, Errors& errors) {
  Fields fields(value, keys::clock, errors);
  fields.read("offset", offset, Least::any);
  fields.read("rate_ppm", rate_ppm, kLeastRatePpm, kMostRatePpm);
}

void read_servers(const Value& servers, Scenario& scenario, Errors& errors) {
  if (!check_named_members(servers, "servers", 1, errors)) return;
  for (const Member& member : servers.members) {
    scenario.servers.push_back(read_server(member, errors));
  }
  for (std::size_t i = 0; i < servers.members.size(); ++i) {
    check_replica(scenario.servers[i], servers.members[i].value, scenario, errors);
  }
  collect_sentinels(servers, scenario, errors);
}

void read_network(const Value& network, Scenario& scenario, Errors& errors) {
  Fields fields(network, keys::network, errors);
  const Value* latency = fields.find("latency");
  if (latency == nullptr) return;
  Fields inner(*latency, keys::latency, errors);
  inner.read("median", scenario.latency.median, Least::above_zero);
  inner.read("p99", scenario.latency.p99, Least::above_zero);
  if (scenario.latency.p99 < scenario.latency.median) {
    errors.add(latency->origin, "\"p99\" must not be shorter than \"median\"");
  }
}

void read_guarded(const Value& guarded, Scenario& scenario, Errors& errors) {
  if (!check_named_members(guarded, "guarded", 0, errors)) return;
  for (const Member& member : guarded.members) {
    GuardedSpec resource;
    resource.name = member.key;
    resource.origin = member.origin;
    Fields fields(member.value, keys::guarded, errors);
    const Value* fencing = fields.find("fencing");
    if (fencing != nullptr && fencing->type == Value::Type::string && fencing->text == "writes") {
      resource.fencing = true;
      resource.fence_reads = false;
    } else if (fencing != nullptr && fencing->type == Value::Type::boolean) {
      resource.fencing = fencing->boolean;
    } else if (fencing != nullptr) {
      errors.add(
          fencing->origin,
          fmt::format("\"fencing\" must be true, false or \"writes\", not {}", describe(*fencing)));
    }
    scenario.guarded.push_back(std::move(resource));
  }
}

}  // namespace holdfast::scenario
