// Instance: one simulated redis-server process: its parts, its life, and how a command runs through
// them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/redis/client_pause.h"
#include "sim/redis/command.h"
#include "sim/redis/configuration.h"
#include "sim/redis/dataset.h"
#include "sim/redis/disk.h"
#include "sim/redis/idle_clients.h"
#include "sim/redis/injected_errors.h"
#include "sim/redis/key_interest.h"
#include "sim/redis/key_waiting.h"
#include "sim/redis/keyspace_events.h"
#include "sim/redis/manual_failover.h"
#include "sim/redis/memory.h"
#include "sim/redis/propagation.h"
#include "sim/redis/pubsub.h"
#include "sim/redis/replication.h"
#include "sim/redis/scripting.h"
#include "sim/redis/server.h"
#include "sim/redis/sessions.h"
#include "sim/redis/shutdown.h"
#include "sim/redis/slow_script.h"
#include "sim/redis/tracking.h"
#include "sim/redis/waiting.h"
#include "sim/redis/watches.h"

namespace holdfast::sim::redis {

class Cluster;
class Instance;
class Sentinel;
void discard_transaction(Instance& server, SessionId session);

class Instance {
 public:
  Instance(Kernel& kernel, ServerHost& host, ServerWatcher& watcher, RedisServer& facade);
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;
  ~Instance();

  void reset(const ServerOptions& options, Clock wall);

  // -- parts, for each other
  Kernel& kernel() { return kernel_; }
  ServerHost& host() { return host_; }
  RedisServer& facade() { return facade_; }
  Propagation& propagation() { return propagation_; }
  Dataset& data() { return data_; }
  Disk& disk() { return disk_; }
  Replication& replication() { return replication_; }
  Waiting& waiting() { return waiting_; }
  ScriptEngine& scripts() { return scripts_; }
  Sessions& sessions() { return sessions_; }
  InjectedErrors& injected_errors() { return injected_errors_; }
  PubSub& pubsub() { return pubsub_; }
  KeyspaceEvents& keyspace_events() { return keyspace_events_; }
  Watches& watches() { return watches_; }
  Tracking& tracking() { return tracking_; }
  KeyWaiting& key_waiting() { return key_waiting_; }
  KeyInterest& interest() { return interest_; }
  ClientPause& pausing() { return pause_; }
  Memory& memory() { return memory_; }
  ManualFailover& manual_failover() { return manual_failover_; }
  Configuration& config() { return config_; }
  Cluster* cluster() { return cluster_.get(); }  // null: it is no node of one
  ServerWatcher& watcher() { return watcher_; }
  Sentinel* sentinel() { return sentinel_.get(); }  // null: it is none
  Shutdown& shutdown() { return shutdown_; }
  const ServerOptions& options() const { return options_; }
  const VersionTraits& version() const { return *version_; }
  // Null when this version has no such command.
  const CommandSpec* known(const CommandSpec* spec) const {
    return spec == nullptr || (spec->flags & version_->lacks) != 0 ? nullptr : spec;
  }
  const std::string& run_id() const { return run_id_; }
  TrueTime started() const { return started_; }

  // -- clients
  SessionId open_session(history::ActorId client);
  void close_session(SessionId session);
  void receive(SessionId session, Command command);
  void reply(SessionId session, Reply reply);
  void push(SessionId session, Reply message);  // beside the answers to its commands
  // Its wait is over: the answer, then the session's next commands run.
  void unblock(SessionId session, Reply reply);
  void release(SessionId session);          // the same without an answer: CLIENT PAUSE
  void force_unblocked(SessionId session);  // FID-R13: an error, and the connection is closed
  // CLIENT UNBLOCK; a nil answer is that of the timeout. False: it does not wait.
  bool end_wait(SessionId session, const Reply& answer);
  // What a client that waited for a key executes now.
  void serve_waiter(SessionId session, const CommandSpec& spec, const Command& command);
  void disconnect(SessionId session);                             // by the server
  void make_plain(SessionId session);                             // as just connected (RESET)
  SessionId running_session() const { return running_session_; }  // 0: none
  const Command* running_command() const { return running_command_; }
  bool settling() const { return settling_ || serving_; }  // what follows from a command goes on

  // -- life
  bool running() const { return running_; }
  bool paused() const { return paused_; }
  // It executes nothing now: stopped, frozen, waiting for its disk, or in the middle of a script.
  bool busy() const { return !running_ || paused_ || stalled_ || slow_.suspended; }
  // Clients are answered, if only by BUSY.
  bool serves() const { return !busy() || (busy_with_script() && !paused_); }
  bool in_slow_script() const { return slow_.suspended; }
  bool busy_with_script() const { return slow_.suspended && slow_.busy; }  // FID-L12
  void pause();
  void resume();
  void crash(CrashKind kind);
  void restart(Persistence mode);
  void shut_down();  // when the running command is over
  // The data are there; so long it answers LOADING (FID-R16). Nothing when that is under 1 ms.
  void load_takes(Duration time);
  bool loading() const { return loading_; }

  // -- the operator
  void evict(std::string_view key, int database = 0);  // a live key goes (FID-X14)
  void flush();
  std::size_t keys();

  void clock_changes();  // it is about to be
  void clock_changed();  // the wall clock was stepped, frozen or bent
  // Something that makes this server more than a plain master may have changed.
  void review();
  void apply_configuration();
  bool lacks_replicas();
  std::string_view disk_refusal();  // MISCONF, or empty
  bool is_stale();                  // it has lost its master, and is not to answer for it
  // The running command keeps the server busy for so long (DEBUG SLEEP).
  void sleep(Duration time) { asleep_ += time; }

  // -- commands inside other things
  // A command of the running EXEC. The reply must be empty.
  void run_queued(SessionId session, const CommandSpec& spec, const Command& command, Reply& reply);
  // A command of a running script. The reply must be empty.
  void call_from_script(const Command& command, bool read_only, Reply& reply);
  // For the running script: what `steps` steps took is over; virtual time goes by.
  void let_time_pass(std::uint64_t steps);
  bool kill_script();  // false: it has written
  // One unit of the master's stream or of the append-only file.
  // `database` is the one that it is about; a SELECT changes it.
  void replay(const Command& command, int& database);

 private:
  struct Named {  // a watched key that the running command names, as it was before
    Entry* entry = nullptr;
    std::int64_t deadline = -1;
    std::string value;
  };

  enum class Admission : std::uint8_t { runs, answered, held };
  struct Saying {
    SessionId session = 0;
    Reply text;
    bool is_push = false;
  };

  void dispatch(SessionId session, const Command& command);
  std::string unknown(const Command& command) const;
  Admission admit(SessionId session, const CommandSpec& spec, const Command& command, Reply& reply);
  std::string refusal(const Session& session, const CommandSpec& spec, const Command& command);
  Reply refuse(SessionId session, const CommandSpec* spec, std::string_view error);
  std::string_view script_refusal(const CommandSpec& spec, const Command& command);
  std::string_view write_refusal_in_script(const CommandSpec& spec);
  bool execute(SessionId session, const CommandSpec& spec, const Command& command, Reply& reply);
  void run(Execution& execution);
  void conclude(SessionId session, bool deferred, Reply reply);
  void finish(SessionId session, Reply reply);
  void after_command(SessionId session);
  void settle();
  void reset_cluster();
  void remember_keys(const Execution& execution);
  void end_session(SessionId session);
  void forget_connections();
  void say(Saying saying);
  void note_named_keys(const CommandSpec& spec, const Command& command);
  void note_named_key(std::string_view key);
  void tell_executed(const Command& command);
  void run_behind(SessionId session);
  void drain();
  void stall(Duration for_time);
  static void on_loaded(void* self, std::uint64_t run);
  // Around changes. In the middle of a script they belong to the script.
  void begin_unit(history::ActorId actor);
  void end_unit();
  // -- slow_scripts.cc
  bool may_last(SessionId session, const CommandSpec& spec, const Command& command);
  void run_slowly(SessionId session, const CommandSpec& spec, const Command& command);
  static void work_slowly(void* self);
  void await_step();
  std::optional<TrueTime> busy_from() const;
  static void on_script_step(void* self, std::uint64_t run);
  void step_script();
  void end_slow_script();
  void abandon_script();
  static void on_shutdown(void* self, std::uint64_t run);
  static void on_stall_over(void* self, std::uint64_t run);

  Kernel& kernel_;
  ServerHost& host_;
  ServerWatcher& watcher_;
  RedisServer& facade_;
  ServerOptions options_;
  const VersionTraits* version_ = &traits_of(RedisVersion::redis_7_0);
  Propagation propagation_;
  Dataset data_;
  Disk disk_;
  Replication replication_;
  Waiting waiting_;
  ScriptEngine scripts_;
  Sessions sessions_;
  InjectedErrors injected_errors_;
  Configuration config_;
  PubSub pubsub_;
  KeyspaceEvents keyspace_events_;
  Watches watches_;
  Tracking tracking_;
  KeyWaiting key_waiting_;
  KeyInterest interest_;
  ClientPause pause_;
  Memory memory_;
  std::unique_ptr<Cluster> cluster_;
  ManualFailover manual_failover_;
  std::unique_ptr<Sentinel> sentinel_;
  IdleClients idle_;
  Shutdown shutdown_;
  SlowScript slow_;
  std::uint32_t concerns_ = 0;  // not 0: more than a plain master (review())
  SessionId running_session_ = 0;
  const Command* running_command_ = nullptr;
  std::vector<SessionId> resumed_;  // their waits are over; what they had sent meanwhile is to run
  bool serving_ = false;
  bool settling_ = false;
  bool script_reads_ = false;  // the running script has called a command that reads
  std::string run_id_;
  TrueTime started_{};
  std::uint64_t run_ = 0;  // tells events of this run from those of an earlier one
  std::uint32_t starts_ = 0;
  bool running_ = false;
  bool paused_ = false;
  bool loading_ = false;
  bool stalled_ = false;  // in fsync, or asleep
  Duration asleep_{};
  std::vector<Saying> unsaid_;  // while stalled
  std::vector<Named> named_;    // the first named_count_ are in use
  std::size_t named_count_ = 0;
  Reply scratch_;
};

}  // namespace holdfast::sim::redis
