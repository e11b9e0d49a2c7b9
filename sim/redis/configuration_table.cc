// The table of configuration parameters: those of a 7.0 server that clients and operators ask for,
// with its defaults.
#include <limits>

#include "sim/redis/configuration.h"

namespace holdfast::sim::redis {

namespace {

using Kind = Parameter::Kind;
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kInt = 2'147'483'647;

constexpr Parameter kParameters[] = {
    // As in Setting.
    {"requirepass", Kind::text, ""},
    {"maxmemory", Kind::bytes, "0"},
    {"maxmemory-policy", Kind::one_of, "noeviction",
     "volatile-lru, volatile-lfu, volatile-random, volatile-ttl, allkeys-lru, allkeys-lfu, "
     "allkeys-random, noeviction"},
    {"notify-keyspace-events", Kind::events, ""},
    {"min-replicas-to-write", Kind::number, "0"},
    {"min-replicas-max-lag", Kind::number, "10"},
    {"replica-serve-stale-data", Kind::yes_no, "yes"},
    {"enable-debug-command", Kind::fixed, "local"},
    {"hz", Kind::number, "10", {}, -kInt - 1, kInt},
    {"save", Kind::save_points, ""},
    {"appendonly", Kind::yes_no, "no"},
    {"appendfsync", Kind::one_of, "everysec", "everysec, always, no"},
    {"port", Kind::number, "6379", {}, 0, 65535},
    {"repl-timeout", Kind::number, "60", {}, 1, kInt},
    {"repl-ping-replica-period", Kind::number, "10", {}, 1, kInt},
    {"repl-backlog-size", Kind::bytes, "1048576"},
    {"repl-diskless-sync", Kind::yes_no, "yes"},
    {"repl-diskless-sync-delay", Kind::number, "5"},
    {"replica-announce-ip", Kind::text, ""},
    {"replica-announce-port", Kind::number, "0", {}, 0, 65535},
    {"shutdown-timeout", Kind::number, "10"},
    {"stop-writes-on-bgsave-error", Kind::yes_no, "yes"},
    {"maxclients", Kind::number, "10000", {}, 1, kInt},
    {"timeout", Kind::number, "0"},
    {"hash-max-listpack-entries", Kind::number, "512"},
    {"hash-max-listpack-value", Kind::number, "64"},
    {"set-max-intset-entries", Kind::number, "512"},
    {"zset-max-listpack-entries", Kind::number, "128"},
    {"zset-max-listpack-value", Kind::number, "64"},
    {"cluster-enabled", Kind::fixed, "no"},
    {"cluster-node-timeout", Kind::number, "15000"},
    {"cluster-replica-validity-factor", Kind::number, "10"},
    {"cluster-require-full-coverage", Kind::yes_no, "yes"},
    {"busy-reply-threshold", Kind::number, "5000", {}, 0, kMost},
    // The others.
    {"acl-pubsub-default", Kind::text, "resetchannels"},
    {"active-expire-effort", Kind::number, "1"},
    {"activedefrag", Kind::yes_no, "no"},
    {"activerehashing", Kind::yes_no, "yes"},
    {"aof-load-truncated", Kind::yes_no, "yes"},
    {"aof-timestamp-enabled", Kind::yes_no, "no"},
    {"aof-use-rdb-preamble", Kind::yes_no, "yes"},
    {"appenddirname", Kind::fixed, "appendonlydir"},
    {"appendfilename", Kind::fixed, "appendonly.aof"},
    {"auto-aof-rewrite-min-size", Kind::bytes, "67108864"},
    {"auto-aof-rewrite-percentage", Kind::number, "100"},
    {"bind", Kind::text, "* -::*"},
    {"client-output-buffer-limit", Kind::text,
     "normal 0 0 0 slave 268435456 67108864 60 pubsub 33554432 8388608 60"},
    {"client-query-buffer-limit", Kind::bytes, "1073741824"},
    {"databases", Kind::fixed, "16"},
    {"dbfilename", Kind::text, "dump.rdb"},
    {"dir", Kind::text, "/"},
    {"dynamic-hz", Kind::yes_no, "yes"},
    {"io-threads", Kind::fixed, "1"},
    {"io-threads-do-reads", Kind::fixed, "no"},
    {"latency-monitor-threshold", Kind::number, "0", {}, 0, kMost},
    {"latency-tracking", Kind::yes_no, "yes"},
    {"lazyfree-lazy-eviction", Kind::yes_no, "no"},
    {"lazyfree-lazy-expire", Kind::yes_no, "no"},
    {"lazyfree-lazy-server-del", Kind::yes_no, "no"},
    {"lazyfree-lazy-user-del", Kind::yes_no, "no"},
    {"lazyfree-lazy-user-flush", Kind::yes_no, "no"},
    {"lfu-decay-time", Kind::number, "1"},
    {"lfu-log-factor", Kind::number, "10"},
    {"list-max-listpack-size", Kind::number, "-2", {}, -kInt - 1, kInt},
    {"logfile", Kind::fixed, ""},
    {"loglevel", Kind::one_of, "notice", "debug, verbose, notice, warning"},
    {"masterauth", Kind::text, ""},
    {"masteruser", Kind::text, ""},
    {"maxmemory-clients", Kind::bytes, "0"},
    {"maxmemory-samples", Kind::number, "5"},
    {"protected-mode", Kind::yes_no, "yes"},
    {"proto-max-bulk-len", Kind::bytes, "536870912"},
    {"rdbchecksum", Kind::fixed, "yes"},
    {"rdbcompression", Kind::yes_no, "yes"},
    {"repl-backlog-ttl", Kind::number, "3600"},
    {"repl-disable-tcp-nodelay", Kind::yes_no, "no"},
    {"replica-lazy-flush", Kind::yes_no, "no"},
    {"replica-priority", Kind::number, "100"},
    {"replica-read-only", Kind::yes_no, "yes"},
    {"slowlog-log-slower-than", Kind::number, "10000", {}, -1, kMost},
    {"slowlog-max-len", Kind::number, "128", {}, 0, kMost},
    {"tcp-backlog", Kind::fixed, "511"},
    {"tcp-keepalive", Kind::number, "300"},
    {"tracking-table-max-keys", Kind::number, "1000000"},
    {"unixsocket", Kind::fixed, ""},
};

constexpr ParameterAlias kAliases[] = {
    {"hash-max-ziplist-entries", "hash-max-listpack-entries"},
    {"hash-max-ziplist-value", "hash-max-listpack-value"},
    {"list-max-ziplist-size", "list-max-listpack-size"},
    {"lua-time-limit", "busy-reply-threshold"},
    {"cluster-slave-validity-factor", "cluster-replica-validity-factor"},
    {"min-slaves-max-lag", "min-replicas-max-lag"},
    {"min-slaves-to-write", "min-replicas-to-write"},
    {"repl-ping-slave-period", "repl-ping-replica-period"},
    {"slave-announce-ip", "replica-announce-ip"},
    {"slave-announce-port", "replica-announce-port"},
    {"slave-lazy-flush", "replica-lazy-flush"},
    {"slave-priority", "replica-priority"},
    {"slave-read-only", "replica-read-only"},
    {"slave-serve-stale-data", "replica-serve-stale-data"},
    {"zset-max-ziplist-entries", "zset-max-listpack-entries"},
    {"zset-max-ziplist-value", "zset-max-listpack-value"},
};

}  // namespace

std::span<const Parameter> parameters() { return kParameters; }
std::span<const ParameterAlias> parameter_aliases() { return kAliases; }

}  // namespace holdfast::sim::redis
