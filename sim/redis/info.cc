// INFO: the sections and fields that clients and operators read. What a simulated server has not
// (processors, buffers, forks) is left out.
#include <string>

#include "sim/redis/command.h"
#include "sim/redis/instance.h"
#include "sim/redis/letter_case.h"

namespace holdfast::sim::redis {

namespace {

class InfoText {
 public:
  void section(std::string_view name) {
    if (!text_.empty()) text_.append("\r\n");
    text_.append("# ").append(name).append("\r\n");
  }
  void line(std::string_view name, std::string_view value) {
    text_.append(name).append(":").append(value).append("\r\n");
  }
  void line(std::string_view name, std::int64_t value) { line(name, std::to_string(value)); }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

void server_section(Execution& run, InfoText& info) {
  info.section("Server");
  info.line("redis_version", run.server.version().redis_version);
  if (const auto valkey = run.server.version().valkey_version; !valkey.empty()) {
    info.line("server_name", "valkey");
    info.line("valkey_version", valkey);
  }
  info.line("redis_git_sha1", "00000000");
  info.line("redis_mode", run.server.cluster() != nullptr ? "cluster" : "standalone");
  info.line("os", "Linux x86_64");
  info.line("arch_bits", std::int64_t{64});
  info.line("process_id", std::int64_t{run.server.options().node});
  info.line("run_id", run.server.run_id());
  info.line("tcp_port", std::int64_t{run.server.options().port});
  info.line("server_time_usec", run.data.wall_now() / std::chrono::microseconds(1));
  const Duration up = run.server.kernel().now() - run.server.started();
  info.line("uptime_in_seconds", up / std::chrono::seconds(1));
  info.line("uptime_in_days", up / std::chrono::hours(24));
  info.line("hz", run.server.options().hz);
  info.line("configured_hz", run.server.config().text(Setting::hz));
  info.line("config_file", "");
}

void clients_section(Execution& run, InfoText& info) {
  std::int64_t connected = 0;
  std::int64_t blocked = 0;
  Sessions& sessions = run.server.sessions();
  for (SessionId id = 1; id <= sessions.size(); ++id) {
    connected += sessions[id].open ? 1 : 0;
    blocked += sessions[id].open && sessions[id].blocked ? 1 : 0;
  }
  info.section("Clients");
  info.line("connected_clients", connected);
  info.line("cluster_connections", std::int64_t{0});
  info.line("maxclients", run.server.config().text(Setting::maxclients));
  info.line("blocked_clients", blocked);
  info.line("tracking_clients", static_cast<std::int64_t>(run.server.tracking().sessions()));
}

void memory_section(Execution& run, InfoText& info) {
  info.section("Memory");
  info.line("used_memory", run.server.memory().used());
  info.line("maxmemory", run.server.config().text(Setting::maxmemory));
  info.line("maxmemory_policy", run.server.config().text(Setting::maxmemory_policy));
}

void persistence_section(Execution& run, InfoText& info) {
  info.section("Persistence");
  Disk& disk = run.server.disk();
  info.line("loading", std::int64_t{run.server.loading() ? 1 : 0});
  info.line("async_loading", std::int64_t{0});
  info.line("rdb_bgsave_in_progress", std::int64_t{0});
  info.line("rdb_last_save_time", disk.last_save_second());
  info.line("rdb_last_bgsave_status", disk.last_save_failed() ? "err" : "ok");
  const bool aof = run.server.config().text(Setting::appendonly) == "yes";
  info.line("aof_enabled", std::int64_t{aof ? 1 : 0});
  info.line("aof_rewrite_in_progress", std::int64_t{0});
  info.line("aof_last_write_status", "ok");
}

void stats_section(Execution& run, InfoText& info) {
  const auto listened = [&run](ChannelKind kind) {
    return static_cast<std::int64_t>(run.server.pubsub().listeners(kind).size());
  };
  info.section("Stats");
  info.line("total_connections_received", static_cast<std::int64_t>(run.server.sessions().size()));
  const Replication::Syncs& syncs = run.server.replication().syncs();
  info.line("sync_full", syncs.full);
  info.line("sync_partial_ok", syncs.partial);
  info.line("sync_partial_err", syncs.not_partial);
  info.line("expired_keys", static_cast<std::int64_t>(run.data.expired_keys()));
  info.line("evicted_keys", run.server.memory().evicted());
  info.line("pubsub_channels", listened(ChannelKind::channel));
  info.line("pubsub_patterns", listened(ChannelKind::pattern));
  info.line("pubsubshard_channels", listened(ChannelKind::shard));
  info.line("tracking_total_keys", static_cast<std::int64_t>(run.server.tracking().keys()));
}

void cluster_section(Execution& run, InfoText& info) {
  info.section("Cluster");
  info.line("cluster_enabled", std::int64_t{run.server.cluster() != nullptr ? 1 : 0});
}

void replication_section(Execution& run, InfoText& info) {
  Replication& replication = run.server.replication();
  info.section("Replication");
  info.line("role", run.data.master() ? "master" : "slave");
  if (Replication* master = replication.master()) {
    const NodeAddress address = master->server().options().address();
    info.line("master_host", address.host);
    info.line("master_port", std::int64_t{address.port});
    info.line("master_link_status", replication.connected() ? "up" : "down");
    const Duration silent = run.server.kernel().now() - replication.heard_master();
    info.line("master_last_io_seconds_ago",
              replication.connected() ? silent / std::chrono::seconds(1) : -1);
    info.line("master_sync_in_progress", std::int64_t{0});
    if (!replication.connected()) {
      info.line("master_link_down_since_seconds", replication.down_for() / std::chrono::seconds(1));
    }
    info.line("slave_priority", run.server.config().text(*Configuration::find("replica-priority")));
    info.line("slave_read_repl_offset", replication.offset());
    info.line("slave_repl_offset", replication.offset());
    info.line("slave_read_only", std::int64_t{1});
    info.line("replica_announced", std::int64_t{1});
  }
  info.line("connected_slaves", static_cast<std::int64_t>(replication.followers().size()));
  if (run.server.config().number(Setting::min_replicas_to_write) > 0) {
    info.line("min_slaves_good_slaves", replication.good());
  }
  std::size_t index = 0;
  for (const Replication::Follower& follower : replication.followers()) {
    const NodeAddress address = follower.replica->announced();
    const std::int64_t lag = follower.online ? replication.lag(index) : 0;
    info.line("slave" + std::to_string(index++),
              "ip=" + address.host + ",port=" + std::to_string(address.port) +
                  ",state=" + (follower.online ? "online" : "wait_bgsave") +
                  ",offset=" + std::to_string(follower.acked) + ",lag=" + std::to_string(lag));
  }
  info.line("master_failover_state",
            run.server.manual_failover().on() ? "waiting-for-sync" : "no-failover");
  info.line("master_replid", replication.replid());
  info.line("master_replid2",
            replication.replid2().empty() ? std::string(40, '0') : replication.replid2());
  info.line("master_repl_offset", replication.offset());
  info.line("second_repl_offset", replication.second_offset());
}

void keyspace_section(Execution& run, InfoText& info) {
  info.section("Keyspace");
  run.data.catch_up();
  const Databases& all = run.data.databases();
  for (int i = 0; i < all.in_use(); ++i) {
    std::int64_t keys = 0;
    std::int64_t with_ttl = 0;
    all[i].each([&](const Entry& entry) {
      ++keys;
      with_ttl += entry.deadline_ms != kNoDeadline ? 1 : 0;
    });
    if (keys == 0) continue;
    info.line("db" + std::to_string(i), "keys=" + std::to_string(keys) +
                                            ",expires=" + std::to_string(with_ttl) + ",avg_ttl=0");
  }
}

struct Section {
  std::string_view name;
  void (*write)(Execution& run, InfoText& info);
};
constexpr Section kSections[] = {
    {"server", server_section},   {"clients", clients_section},
    {"memory", memory_section},   {"persistence", persistence_section},
    {"stats", stats_section},     {"replication", replication_section},
    {"cluster", cluster_section}, {"keyspace", keyspace_section},
};

bool is_wanted(const Execution& run, std::string_view section) {
  for (std::size_t i = 1; i < run.size(); ++i) {
    if (same_word(run[i], section)) return true;
    for (const std::string_view every : {"all", "default", "everything"}) {
      if (same_word(run[i], every)) return true;
    }
  }
  return run.size() == 1;
}

void info(Execution& run) {
  InfoText text;
  for (const Section& section : kSections) {
    if (is_wanted(run, section.name)) section.write(run, text);
  }
  run.bulk(text.text());
  run.reply.type = Reply::Type::verbatim;
}

constexpr CommandSpec kInfoCommands[] = {
    {"info", -1, kLoading | kStale, 0, 0, 0, info},
};

}  // namespace

std::span<const CommandSpec> info_commands() { return kInfoCommands; }

}  // namespace holdfast::sim::redis
