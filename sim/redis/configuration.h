// Configuration: the parameters of one server, as CONFIG GET and SET know them. Texts are kept as
// Redis shows them; what only says how a real server uses its machine is remembered, no more.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/redis/server.h"

namespace holdfast::sim::redis {

// Those that the server itself asks for; the first rows of the table, in this order.
enum class Setting : std::uint8_t {
  requirepass,
  maxmemory,
  maxmemory_policy,
  notify_keyspace_events,
  min_replicas_to_write,
  min_replicas_max_lag,
  replica_serve_stale_data,
  enable_debug_command,
  hz,
  save,
  appendonly,
  appendfsync,
  port,
  repl_timeout,
  repl_ping_replica_period,
  repl_backlog_size,
  repl_diskless_sync,
  repl_diskless_sync_delay,
  replica_announce_ip,
  replica_announce_port,
  shutdown_timeout,
  stop_writes_on_bgsave_error,
  maxclients,
  timeout,
  hash_max_listpack_entries,
  hash_max_listpack_value,
  set_max_intset_entries,
  zset_max_listpack_entries,
  zset_max_listpack_value,
  cluster_enabled,
  cluster_node_timeout,
  cluster_replica_validity_factor,
  cluster_require_full_coverage,
  busy_reply_threshold,
};

struct Parameter {
  enum class Kind : std::uint8_t {
    text,
    fixed,
    number,
    bytes,
    yes_no,
    one_of,
    events,
    save_points
  };
  std::string_view name;
  Kind kind = Kind::text;
  std::string_view initial;
  std::string_view choices = {};  // one_of: "a, b, c"
  std::int64_t least = 0;         // number
  std::int64_t most = 2'147'483'647;
};
std::span<const Parameter> parameters();

struct ParameterAlias {
  std::string_view name;  // of earlier versions
  std::string_view means;
};
std::span<const ParameterAlias> parameter_aliases();

class Configuration {
 public:
  void reset(const ServerOptions& options);

  // The row of a name or alias in any letter case.
  static std::optional<std::size_t> find(std::string_view name);

  const std::string& text(Setting setting) const { return text(static_cast<std::size_t>(setting)); }
  const std::string& text(std::size_t row) const { return texts_[row]; }
  std::int64_t number(Setting setting) const { return numbers_[static_cast<std::size_t>(setting)]; }

  // The value as it would be kept; nothing, with the reason in `problem`, when it is refused.
  std::optional<std::string> read(std::size_t row, std::string_view value,
                                  std::string& problem) const;
  void set(std::size_t row, std::string text);

 private:
  void set(Setting setting, std::string text) {
    set(static_cast<std::size_t>(setting), std::move(text));
  }

  std::vector<std::string> texts_;
  std::vector<std::int64_t> numbers_;  // of those that are numbers
};

// "3mb", "1kb", "5k", "100": bytes.
std::optional<std::int64_t> parse_bytes(std::string_view text);

}  // namespace holdfast::sim::redis
