// How a sentinel shows what it looks after.
#pragma once

#include <string>
#include <string_view>

#include "sim/redis/sentinel/sentinel.h"

namespace holdfast::sim::redis {

std::string name_of(const Monitored& instance);  // a master's own, "host:port", a sentinel's id
std::string_view kind_name(MonitoredKind kind);  // "master", "slave", "sentinel"

// The map of fields that SENTINEL MASTER, REPLICAS and SENTINELS show.
Reply describe(const Monitored& instance, WallMs now);
// "master0:name=..." of INFO, behind the colon.
std::string info_line(const MasterSet& set);

}  // namespace holdfast::sim::redis
