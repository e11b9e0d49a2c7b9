// RedisServer: one simulated redis-server process. Judged by how real Redis 7.0 behaves.
//
// It executes commands at the true time they arrive, in order of arrival; its wall clock alone
// decides expiry. It knows nothing of networks: sessions are opened and closed by its host, which
// also carries the replies and the replication stream.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "lockcore/redis_client.h"
#include "reports/history/event.h"
#include "sim/clock.h"
#include "sim/kernel.h"
#include "sim/redis/sentinel/options.h"
#include "sim/redis/version.h"

namespace holdfast::sim {

namespace redis {
struct ClusterLayout;
}
class Fabric;
class RedisServer;

using SessionId = std::uint32_t;  // 0: none

enum class Persistence : std::uint8_t { none, rdb, aof_no, aof_everysec, aof_always };
enum class CrashKind : std::uint8_t {
  kill,
  power_loss
};  // power_loss: what was not fsynced is gone

struct ServerOptions {
  std::string name;  // as in the scenario file
  history::NodeId node = 0;
  Persistence persistence = Persistence::none;
  Duration rdb_interval = std::chrono::seconds(1);  // Persistence::rdb: a snapshot this often
  int hz = 10;
  RedisVersion version = RedisVersion::redis_7_0;
  std::uint16_t port = 6379;
  std::shared_ptr<const redis::ClusterLayout> cluster = {};  // null: it is no node of a cluster
  std::uint64_t seed = 0;                                    // of what it draws by itself
  std::string host = {};                 // where others reach it; empty: its name is its host's
  redis::SentinelOptions sentinel = {};  // what it monitors, when it is a sentinel
  int diskless_sync_delay = 0;           // seconds; repl-diskless-sync-delay, whose default is 5
  bool load_truncated = true;            // aof-load-truncated

  NodeAddress address() const { return {host.empty() ? name : host, port}; }
};

// The world around a server.
class ServerHost {
 public:
  virtual ~ServerHost() = default;
  // The answer to a command: one for each, in order; none after CLIENT REPLY OFF or SKIP.
  virtual void send_reply(SessionId session, Reply reply) = 0;
  // What a session gets beside its answers: messages of channels, invalidations, and all but the
  // last of several confirmations of one SUBSCRIBE.
  virtual void send_push(SessionId session, Reply message) = 0;
  virtual void close_session(SessionId session) = 0;  // the server closed or died
  // Where the session comes from, as CLIENT LIST shows it.
  virtual std::string client_address(SessionId session) const {
    return "127.0.0.1:" + std::to_string(40'000 + session);
  }
  // One-way delay of the next replication message from one node to another (integer table, seeded).
  virtual Duration replication_delay(history::NodeId from, history::NodeId to) = 0;
  // The server that an address leads to; null: there is none.
  virtual RedisServer* find_server(const NodeAddress&) { return nullptr; }
  // By which a sentinel reaches others, as node_actor() of its node; null: it reaches nobody.
  virtual Fabric* fabric() { return nullptr; }
};

// Told of what happens to watched keys, at the true time at which the node's own clock makes it so
// (expiry at the instant the deadline passes, not at removal). Keys that nobody watches cost
// nothing.
class ServerWatcher {
 public:
  struct Key {
    history::NodeId node = 0;
    std::uint16_t watch = 0;      // what watch() answered for the key
    std::string_view value = {};  // the value it holds (key_set: the new one; else the one before)
    history::ActorId actor = 0;   // whose command; 0: nobody's (expiry, replication, operator)
    // The first true instant at which it is dead, at the clock's present rate (its wall deadline
    // plus the millisecond of FID-E1); -1: no TTL; -2: never as the clock is now (frozen).
    history::Nanos deadline = -1;
  };
  virtual ~ServerWatcher() = default;
  // Asked once when a key comes into being; 0: not watched.
  virtual std::uint16_t watch(history::NodeId node, std::string_view key) = 0;
  virtual void key_set(const Key& key,
                       std::string_view previous) = 0;  // previous: live value, or empty
  // A command changed the deadline; or nobody (actor 0): the node's clock was stepped, frozen or
  // changed its rate, which moves the instant of a live key's deadline.
  virtual void key_ttl_changed(const Key& key) = 0;
  virtual void key_deleted(const Key& key) = 0;  // a live key, by a command (also from the stream)
  virtual void key_expired(const Key& key) = 0;
  virtual void key_revived(const Key& key) = 0;  // the clock went back before removal
  // A live key is gone otherwise: flush, eviction, resync; restart: at the crash already. What the
  // restarted server has loaded comes back by key_set of nobody.
  virtual void key_dropped(const Key& key, history::DropCause cause) = 0;
  // RPUSH/LPUSH on a watched list (the guarded resource's record of accesses), scripts included.
  virtual void list_appended(const Key& key, std::string_view element) = 0;
  // A client's command that names a watched key was executed; told once for each such key, for
  // scripts by its KEYS. Value and deadline are those before the command. After its changes.
  virtual void command_executed(const Key& key, const Command& command, bool changed) = 0;

  // -- roles, when servers change them by themselves (REPLICAOF, FAILOVER, Sentinel)
  // `master` 0: `node` is a master from now on.
  virtual void role_changed(history::NodeId /*node*/, history::NodeId /*master*/) {}
  // A sentinel tells clients from now on that `node` is the master of the set that `first` was the
  // master of at the start.
  virtual void master_named(history::NodeId /*first*/, history::NodeId /*node*/) {}
};

class RedisServer {
 public:
  RedisServer(Kernel& kernel, ServerHost& host, ServerWatcher& watcher);
  ~RedisServer();
  RedisServer(const RedisServer&) = delete;
  RedisServer& operator=(const RedisServer&) = delete;

  // A fresh, empty, running master with a wall clock that reads `wall` at true time zero. Keeps
  // memory and compiled scripts of earlier runs.
  void reset(const ServerOptions& options, Clock wall);

  // -- clients. Allowed while running or paused (a frozen server's kernel accepts connections).
  SessionId open_session(history::ActorId client);
  void close_session(SessionId session);  // the client closed; what had arrived is still executed
  void receive(SessionId session, Command command);  // executed now, or queued while paused

  // -- life
  bool running() const;
  bool paused() const;
  void pause();
  void resume();               // queued commands run now, in order of arrival
  void crash(CrashKind kind);  // sessions are closed; memory is gone
  // Starts with this configuration, in the role of before, with a new run id. As real Redis: an
  // append-only server reads its AOF, any other the RDB file, when a former one has left it. It
  // does not start when its AOF is torn and it was told not to load such a file.
  void restart(Persistence persistence);
  // SIGTERM: saves when it has save points; waits for replicas that lag, up to shutdown-timeout.
  void terminate();
  void freeze_fsync(Duration for_time);  // a slow disk: fsync takes this long from now on
  void fail_saves(bool fail);            // RDB files can no longer be written
  // Of a stopped server: its append-only file loses this many bytes at its end (FID-P5).
  void tear_file(std::int64_t bytes);
  const std::string& run_id() const;
  const ServerOptions& options() const;

  // -- clocks. After any change of the wall clock the server recomputes when its keys die.
  const Clock& wall() const;
  void step_wall(Duration by);
  void set_wall_rate(std::int64_t ppm);
  void freeze_wall(bool frozen);

  // -- replication
  void replicate_from(
      RedisServer& master);  // REPLICAOF host port: partial or full resync, discards
  void promote();            // REPLICAOF NO ONE
  bool is_master() const;
  RedisServer* master() const;  // null for a master
  void hold_stream(bool held);  // at a replica: what its master sends is held back
  void hold_acks(bool held);    // at a replica: what it sends to its master is
  void cut_stream(bool cut);    // at a replica: the link is down
  bool follows() const;         // a replica that is in step with its master's stream
  std::int64_t offset() const;
  int online_replicas() const;

  // -- faults
  // Clients (of `actor`, or all when 0) get this error for every command (for writes only) until
  // cleared by an empty text.
  void answer_error(history::ActorId actor, std::string text, bool writes_only);
  void evict(std::string_view key);
  void flush();

  // -- for tests and proofs
  std::int64_t wall_ms() const;
  bool holds(std::string_view key, std::string_view value) const;  // alive by its own clock
  std::size_t keys() const;                                        // dead ones included (DBSIZE)

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace holdfast::sim
