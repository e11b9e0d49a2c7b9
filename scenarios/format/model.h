// Scenario: what a scenario file says, checked and with every name resolved. Times are unscaled.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lockcore/env.h"
#include "lockcore/lock.h"

namespace holdfast::scenario {

// Where something stands in a file; lines and columns count from 1.
struct Origin {
  std::string file = {};
  int line = 0;
  int column = 0;
};

enum class Persistence : std::uint8_t { none, rdb, aof_no, aof_everysec, aof_always };

// Which Redis a server is; in a simulation, what is not said is 7.0.
enum class RedisVersion : std::uint8_t {
  redis_6_2,
  redis_7_0,
  redis_7_2,
  redis_8_4,
  valkey_8,
  valkey_9,
};

// Sentinels look after a master, which they know by its server's name (FIDELITY 4).
struct MonitorSpec {
  std::vector<std::string> sentinels = {};  // their names; none: nobody does
  int quorum = 0;
  Duration down_after = std::chrono::seconds(30);
  Duration failover_timeout = std::chrono::minutes(3);
  int parallel_syncs = 1;
};

struct ServerSpec {
  std::string name;
  std::optional<RedisVersion> version = {};
  Persistence persistence = Persistence::none;
  std::string replica_of = {};  // name of its master; empty: a master
  Duration clock_offset{};      // of its wall clock, from the start
  std::int64_t clock_ppm = 0;   // rate error of its wall clock, from the start
  MonitorSpec monitor = {};     // of a master
  Origin origin = {};
};

// The servers are a Redis Cluster (FIDELITY 5): the hash slots are spread evenly over the masters,
// in their order.
struct ClusterSpec {
  Duration node_timeout = std::chrono::seconds(15);
  Origin origin = {};
};

struct LatencySpec {
  Duration median = std::chrono::microseconds(200);
  Duration p99 = std::chrono::milliseconds(1);
};

// A guarded resource lives on a Redis server of its own ("guarded"), never on a lock node.
struct GuardedSpec {
  std::string name;
  bool fencing = false;     // refuses accesses with a lower token than it has seen
  bool fence_reads = true;  // false ("fencing": "writes"): reads carry no token and leave no mark
  Origin origin = {};
};

// A lock protocol given as data. One step is one command; each waits for its answer or the node
// deadline, and the client passes Point::protocol_step between two steps.
struct ProtocolStep {
  // The command. $key, $token, $lease_ms and $lease_s are replaced. A step given as a script
  // arrives here as EVAL script numkeys keys... args...
  std::vector<std::string> send;
  // The reply that lets the protocol go on, as text: "OK", "1", "nil", "$token". Absent: any answer
  // that is not an error.
  std::optional<std::string> expect = {};
};
enum class Believes : std::uint8_t {
  until_release,   // the client takes itself for the owner until it calls release
  ttl_from_send,   // until `lease` after the first acquire step was sent (or the last renewal)
  ttl_from_reply,  // until `lease` after the last acquire step was answered
};
enum class TokenKind : std::uint8_t {
  random,    // a fresh one for each try
  per_call,  // one for each acquire call, kept over all its tries
  constant,  // "1", whoever asks
  process,   // the client's name: the same for all its acquires
};
enum class ProtocolClock : std::uint8_t { monotonic, wall };
struct Protocol {
  std::string name;
  Duration lease{};  // as it counts in this scenario (LockOptions::ttl is the same)
  Believes believes = Believes::until_release;
  TokenKind token = TokenKind::random;
  bool quorum = false;      // every step on all nodes, a majority must say yes
  bool sequential = false;  // quorum: node after node instead of all at once
  // After the last acquire step: success only if less than `lease` has passed on `clock` since the
  // first was sent.
  bool check_elapsed = false;
  ProtocolClock clock = ProtocolClock::monotonic;  // of check_elapsed and of the wait for the lock
  // After a try that failed or stayed unanswered: the release steps run in the background, up to
  // so many times, until they are answered. 0: no clean-up.
  int cleanup_tries = 0;
  std::vector<ProtocolStep> acquire, renew, release;
  Duration every{};  // renewal period, 0: none
  Origin origin = {};
};

struct LockSpec {
  enum class Algorithm : std::uint8_t { single, redlock, protocol };
  Algorithm algorithm = Algorithm::single;
  std::vector<std::string> nodes;  // addresses
  LockOptions options;             // ttl, watchdog, retry, node_deadline, replicas, fencing, ...
  std::optional<Protocol> protocol = {};
  std::vector<std::string> guards = {};  // guarded resources; empty: all of the file
  Origin origin = {};
};

struct Step {
  enum class Kind : std::uint8_t { acquire, release, write, read, work, sleep, check_held, repeat };
  enum class OnFailure : std::uint8_t {
    stop,  // the client's steps are over
    skip,  // go on after the matching release
  };
  Kind kind = Kind::work;
  std::string target = {};                // lock key or guarded resource
  Duration duration{};                    // work, sleep
  std::optional<Duration> wait = {};      // acquire: else LockOptions::wait
  std::optional<std::string> value = {};  // write: a number; default: a running one
  OnFailure on_failure = OnFailure::stop;
  int times = 1;                 // repeat
  std::vector<Step> steps = {};  // repeat
  Origin origin = {};
};

struct ClientSpec {
  std::string name;
  // When the lease is lost: true leaves the section at once, false goes on as if nothing happened.
  bool obey_loss = false;
  Duration wall_offset{};
  std::int64_t clock_ppm = 0;  // rate error of all its clocks
  std::vector<Step> steps;
  Origin origin = {};
};

// When a fault strikes: at a time, or on a client's passing of a point; then `after` later.
struct Trigger {
  std::optional<Duration> at = {};
  struct OnPoint {
    std::string client;
    Point point = Point::acquired;
    std::uint64_t nth = 1;
  };
  std::optional<OnPoint> on = {};
  Duration after{};
  // Strikes in a run with this probability (per million), at a time uniform in [at, at + within).
  std::optional<std::uint32_t> sometimes_ppm = {};
  Duration within{};
};

struct FaultSpec {
  enum class Kind : std::uint8_t {
    pause,
    crash,
    restart,
    clock,
    cut,
    reset,
    delay,
    drop_reply,
    promote,
    evict,
    flush,
    error,
    slow_fsync,
  };
  enum class Cut : std::uint8_t { hold, refuse };
  enum class Direction : std::uint8_t { both, to_server, to_client };
  Kind kind = Kind::pause;
  Trigger when;
  std::optional<Duration> duration = {};        // "for": ends by itself; absent: lasts
  std::string target = {};                      // client or server; link: the client, or the master
  std::string peer = {};                        // link: the server; replication link: the replica;
                                                // error: only this client gets it (empty: all)
  std::optional<Lane> lane = {};                // pause of a client: one lane alone
  bool power_loss = false;                      // crash of a server
  std::optional<Persistence> persistence = {};  // restart; absent: as before
  std::optional<Duration> restart_after = {};   // crash: and back after this
  std::string replica_of = {};                  // restart: comes back as replica of
  std::optional<Duration> step = {};            // clock
  std::optional<std::int64_t> rate_ppm = {};    // clock
  bool freeze = false;                          // clock
  Cut mode = Cut::hold;
  Direction direction = Direction::both;
  Duration by{};                 // delay, slow_fsync
  std::uint32_t count = 1;       // drop_reply
  bool then_reset = false;       // drop_reply: and the connection is reset
  std::string key = {};          // evict
  std::string text = {};         // error: what the server answers
  bool writes_only = false;      // error
  std::string describe() const;  // "pause A for 15 s when it passes before_write (2nd time)"
  Origin origin = {};
};

// An observable fact without which a run proves nothing, in a small fixed grammar (see requires.h).
struct Require {
  std::string text;
  Origin origin = {};
};

enum class Expectation : std::uint8_t {
  holds,            // in all judged runs
  violated,         // in every judged run
  can_be_violated,  // in at least one
};

// A broken form of this scenario, which must fail: this file with `set` changed (JSON pointer ->
// JSON text; empty: the file as it is), or run on a mutant of the lock core.
struct Kill {
  std::string name;
  std::string mutant = {};
  std::map<std::string, std::string> set = {};
  std::vector<std::string> violates = {};  // invariants that must then be violated
  Origin origin = {};
};

struct Scenario {
  std::string name;
  std::string shows;
  std::vector<std::string> source;
  bool sim = true, live = false;
  std::vector<ServerSpec> servers;
  std::vector<std::string> sentinels = {};  // all that servers name, each once
  std::optional<ClusterSpec> cluster = {};
  LatencySpec latency;
  std::vector<GuardedSpec> guarded;
  LockSpec lock;
  std::vector<ClientSpec> clients;
  std::vector<FaultSpec> faults;
  std::vector<Require> requires_facts;
  Duration until = std::chrono::seconds(120);
  std::vector<Kill> kills;
  std::map<std::string, Expectation> expect;  // by invariant name; the others must hold
  double min_judged = 0.9;                    // least share of runs judged, for "met"
  std::optional<double> live_scale = {};      // default --scale of live runs
  std::string file = {};
  std::string text = {};  // the file as read, for reports
};

}  // namespace holdfast::scenario
