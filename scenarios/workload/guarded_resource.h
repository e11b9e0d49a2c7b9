// The guarded resource: a value on a Redis server of its own. An access (read or write) is one
// script that compares the fencing token when the scenario says so, keeps a log of every access in
// execution order, and answers accepted or refused.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "lockcore/env.h"
#include "lockcore/redis_client.h"
#include "lockcore/task.h"
#include "reports/history/event.h"

namespace holdfast::workload {

// Name of the server that hosts the guarded resources of a scenario.
inline constexpr std::string_view kGuardedServer = "guarded";

std::string log_key(std::string_view resource);  // the list of accesses

// The script of an access and its SHA-1 (40 hex digits).
std::string_view access_script();
std::string_view access_script_sha1();

struct Access {
  bool write = false;
  bool fenced = false;
  history::GrantId grant = 0;
  std::int64_t fencing_token = 0;
  std::int64_t value = 0;
};
struct AccessResult {
  std::int64_t accepted = -1;  // 1, 0 refused, -1 unknown
  std::int64_t value = 0;      // as read
};

Task<AccessResult> access_resource(Env& env, Endpoint server, std::string resource, Access access,
                                   Instant deadline);

// One entry of the log, as it stands in the list; nothing when it is not one.
struct LoggedAccess {
  bool write = false;
  bool accepted = false;
  history::GrantId grant = 0;
  std::int64_t fencing_token = 0;
  std::int64_t value = 0;
};
std::optional<LoggedAccess> parse_logged_access(std::string_view element);

}  // namespace holdfast::workload
