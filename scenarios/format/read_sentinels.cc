#include "scenarios/format/read_sentinels.h"

#include <fmt/format.h>

#include <algorithm>

#include "scenarios/format/read.h"

namespace holdfast::scenario {
namespace {

constexpr std::int64_t kMostSentinels = 99;
constexpr std::int64_t kMostParallelSyncs = 99;

// A number N stands for s1 .. sN.
std::vector<std::string> sentinels_of(Fields& fields) {
  const Value& value = *fields.find("sentinels");
  if (value.type == Value::Type::array) {
    std::vector<std::string> names = strings_of(value, "\"sentinels\"", fields.errors());
    if (value.items.empty()) fields.error("sentinels", "\"sentinels\" must not be empty");
    for (std::size_t i = 1; i < names.size(); ++i) {
      const auto end = names.begin() + static_cast<std::ptrdiff_t>(i);
      if (std::find(names.begin(), end, names[i]) == end) continue;
      fields.errors().add(value.items[i].origin,
                          fmt::format("\"{}\" is already among the sentinels", names[i]));
    }
    return names;
  }
  std::int64_t count = 0;
  fields.read("sentinels", count, 1, kMostSentinels);
  std::vector<std::string> names;
  for (std::int64_t i = 1; i <= count; ++i) names.push_back(fmt::format("s{}", i));
  return names;
}

}  // namespace

void read_monitor(Fields& fields, ServerSpec& server) {
  MonitorSpec& monitor = server.monitor;
  if (!fields.has("sentinels")) {
    for (const std::string_view key :
         {"quorum", "down_after", "failover_timeout", "parallel_syncs"}) {
      if (fields.has(key)) {
        fields.error(key, fmt::format("\"{}\" needs \"sentinels\" beside it", key));
      }
    }
    return;
  }
  monitor.sentinels = sentinels_of(fields);
  const auto count = static_cast<std::int64_t>(monitor.sentinels.size());
  std::int64_t quorum = count / 2 + 1;
  std::int64_t parallel = monitor.parallel_syncs;
  fields.read("quorum", quorum, 1, std::max<std::int64_t>(count, 1));
  fields.read("parallel_syncs", parallel, 1, kMostParallelSyncs);
  fields.read("down_after", monitor.down_after, Least::above_zero);
  fields.read("failover_timeout", monitor.failover_timeout, Least::above_zero);
  monitor.quorum = static_cast<int>(quorum);
  monitor.parallel_syncs = static_cast<int>(parallel);
  if (!server.replica_of.empty()) {
    fields.error("sentinels", "sentinels look after a master; they find its replicas themselves");
  }
}

void collect_sentinels(const Value& servers, Scenario& scenario, Errors& errors) {
  const std::vector<std::string> taken = server_names(scenario);
  for (std::size_t i = 0; i < scenario.servers.size(); ++i) {
    for (const std::string& name : scenario.servers[i].monitor.sentinels) {
      auto& known = scenario.sentinels;
      if (std::find(known.begin(), known.end(), name) != known.end()) continue;
      known.push_back(name);
      if (std::find(taken.begin(), taken.end(), name) == taken.end()) continue;
      errors.add(servers.members[i].value.find("sentinels")->origin,
                 fmt::format("\"{}\" is a server's name already; no sentinel can have it", name));
    }
  }
}

}  // namespace holdfast::scenario
