#include "scenarios/format/keys.h"

#include <initializer_list>

namespace holdfast::scenario {
namespace keys {
namespace {

// A fault's own keys and, behind them, those that every fault has; `lasts`: it can end by itself.
ObjectKeys fault(std::string_view name, std::string_view what,
                 std::initializer_list<std::string_view> own, bool lasts) {
  ObjectKeys keys{name, what, own, {own.begin()[0]}};
  for (std::string_view key : {"at", "on", "after", "sometimes", "within"}) {
    keys.keys.push_back(key);
  }
  if (lasts) keys.keys.push_back("for");
  return keys;
}

}  // namespace

const ObjectKeys scenario{
    "scenario",
    "a scenario file",
    {"$schema",  "holdfast", "name",    "shows",  "source",     "worlds",    "servers",
     "cluster",  "network",  "guarded", "lock",   "clients",    "obey_loss", "faults",
     "requires", "until",    "kills",   "expect", "min_judged", "live_scale"},
    {"holdfast", "name", "shows", "servers", "lock", "clients"}};
const ObjectKeys server{"server",
                        "a server",
                        {"version", "persistence", "replica_of", "clock", "sentinels", "quorum",
                         "down_after", "failover_timeout", "parallel_syncs"},
                        {}};
const ObjectKeys cluster{"cluster", "the cluster", {"node_timeout"}, {}};
const ObjectKeys clock{"clock", "a clock", {"offset", "rate_ppm"}, {}};
const ObjectKeys network{"network", "the network", {"latency"}, {}};
const ObjectKeys latency{"latency", "a latency", {"median", "p99"}, {}};
const ObjectKeys guarded{"guarded", "a guarded resource", {"fencing"}, {}};
const ObjectKeys lock{
    "lock",
    "the lock",
    {"algorithm", "protocol", "nodes", "ttl", "watchdog", "retry", "retry_jitter", "node_deadline",
     "drift_ppm", "drift_fixed", "min_validity", "replicas", "confirm_renewals", "fencing",
     "max_hold", "min_hold", "wait", "guards", "repair"},
    {}};
const ObjectKeys client{"client", "a client", {"obey_loss", "clock", "steps"}, {"steps"}};
const ObjectKeys kill{"kill", "a kill", {"name", "set", "mutant", "violates"}, {"name"}};

const ObjectKeys protocol{"protocol",
                          "a protocol file",
                          {"$schema", "holdfast-protocol", "name", "shows", "source", "lease",
                           "believes", "token", "quorum", "sequential", "check_elapsed", "clock",
                           "cleanup_tries", "acquire", "renew", "every", "release"},
                          {"holdfast-protocol", "name", "believes", "acquire", "release"}};
const ObjectKeys command{"command", "a protocol step", {"send", "expect"}, {"send"}};
const ObjectKeys script{
    "script", "a protocol step with a script", {"script", "keys", "args", "expect"}, {"script"}};

const std::vector<Kind> steps{
    {"acquire",
     {"step_acquire", "an acquire step", {"acquire", "wait", "on_failure"}, {"acquire"}}},
    {"release", {"step_release", "a release step", {"release"}, {"release"}}},
    {"write", {"step_write", "a write step", {"write", "value"}, {"write"}}},
    {"read", {"step_read", "a read step", {"read"}, {"read"}}},
    {"work", {"step_work", "a work step", {"work"}, {"work"}}},
    {"sleep", {"step_sleep", "a sleep step", {"sleep"}, {"sleep"}}},
    {"check_held", {"step_check_held", "a check_held step", {"check_held"}, {"check_held"}}},
    {"repeat", {"step_repeat", "a repeat step", {"repeat", "steps"}, {"repeat", "steps"}}},
};

const std::vector<Kind> faults{
    {"pause", fault("fault_pause", "a pause fault", {"pause", "lane"}, true)},
    {"crash", fault("fault_crash", "a crash fault",
                    {"crash", "power_loss", "restart_after", "persistence"}, false)},
    {"restart",
     fault("fault_restart", "a restart fault", {"restart", "persistence", "replica_of"}, false)},
    {"clock", fault("fault_clock", "a clock fault", {"clock", "step", "rate_ppm", "freeze"}, true)},
    {"cut", fault("fault_cut", "a cut fault", {"cut", "direction", "mode"}, true)},
    {"reset", fault("fault_reset", "a reset fault", {"reset"}, false)},
    {"delay", fault("fault_delay", "a delay fault", {"delay", "by", "direction"}, true)},
    {"drop_reply",
     fault("fault_drop_reply", "a drop_reply fault", {"drop_reply", "count", "reset"}, false)},
    {"promote",
     fault("fault_promote", "a promote fault", {"promote", "old_master_returns_after"}, false)},
    {"evict", fault("fault_evict", "an evict fault", {"evict", "key"}, false)},
    {"flush", fault("fault_flush", "a flush fault", {"flush"}, false)},
    {"error",
     fault("fault_error", "an error fault", {"error", "text", "writes_only", "client"}, true)},
    {"slow_fsync", fault("fault_slow_fsync", "a slow_fsync fault", {"slow_fsync", "by"}, true)},
};
const ObjectKeys on_point{
    "on_point", "the \"on\" of a fault", {"client", "point", "nth"}, {"client", "point"}};

}  // namespace keys

std::vector<DefinedKeys> all_object_keys() {
  using namespace keys;
  std::vector<DefinedKeys> all;
  for (const ObjectKeys* object : {&scenario, &server, &cluster, &clock, &network, &latency,
                                   &guarded, &lock, &client, &kill, &on_point}) {
    all.push_back({false, object});
  }
  for (const Kind& kind : steps) all.push_back({false, &kind.object});
  for (const Kind& kind : faults) all.push_back({false, &kind.object});
  for (const ObjectKeys* object : {&protocol, &command, &script}) all.push_back({true, object});
  return all;
}

}  // namespace holdfast::scenario
