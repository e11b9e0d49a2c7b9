// Instance: one simulated redis-server process: its parts, its life, and how a command runs through
// them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/redis/command.h"
#include "sim/redis/dataset.h"
#include "sim/redis/disk.h"
#include "sim/redis/injected_errors.h"
#include "sim/redis/propagation.h"
#include "sim/redis/replication.h"
#include "sim/redis/scripting.h"
#include "sim/redis/server.h"
#include "sim/redis/sessions.h"
#include "sim/redis/waiting.h"

namespace holdfast::sim::redis {

class Instance {
 public:
  Instance(Kernel& kernel, ServerHost& host, ServerWatcher& watcher, RedisServer& facade);
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

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
  const ServerOptions& options() const { return options_; }
  const std::string& run_id() const { return run_id_; }
  TrueTime started() const { return started_; }

  // -- clients
  SessionId open_session(history::ActorId client) { return sessions_.open(client); }
  void close_session(SessionId session);
  void receive(SessionId session, Command command);
  void reply(SessionId session, Reply reply);
  void push(SessionId session, Reply message);  // beside the answers to its commands
  // WAIT is over: the session's next commands run.
  void unblock(SessionId session, Reply reply);
  void disconnect(SessionId session);  // by the server

  // -- life
  bool running() const { return running_; }
  bool paused() const { return paused_; }
  // It executes nothing now: stopped, frozen, or waiting for its disk.
  bool busy() const { return !running_ || paused_ || stalled_; }
  void pause();
  void resume();
  void crash(CrashKind kind);
  void restart(Persistence mode);

  // -- the operator
  void evict(std::string_view key);  // as maxmemory does: a live key goes (FID-X14)
  void flush();
  std::size_t keys();

  // -- commands inside other things
  // A command of a running script. The reply must be empty.
  void call_from_script(const Command& command, bool read_only, Reply& reply);
  // One unit of the master's stream or of the append-only file.
  // `database` is the one that it is about; a SELECT changes it.
  void replay(const Command& command, int& database);

 private:
  struct Named {  // a watched key that the running command names, as it was before
    Entry* entry = nullptr;
    std::int64_t deadline = -1;
    std::string value;
  };

  void dispatch(SessionId session, const Command& command);
  void execute(SessionId session, const CommandSpec& spec, const Command& command, Reply& reply,
               bool& deferred);
  bool refuse(SessionId session, const CommandSpec* spec, const Command& command, Reply& reply);
  void note_named_keys(const CommandSpec& spec, const Command& command);
  void note_named_key(std::string_view key);
  void tell_executed(const Command& command);
  void run_behind(SessionId session);
  void drain();
  void stall(SessionId session, Reply reply, Duration for_time);
  static void on_stall_over(void* self, std::uint64_t run);

  Kernel& kernel_;
  ServerHost& host_;
  ServerWatcher& watcher_;
  RedisServer& facade_;
  ServerOptions options_;
  Propagation propagation_;
  Dataset data_;
  Disk disk_;
  Replication replication_;
  Waiting waiting_;
  ScriptEngine scripts_;
  Sessions sessions_;
  InjectedErrors injected_errors_;
  std::string run_id_;
  TrueTime started_{};
  std::uint64_t run_ = 0;  // tells events of this run from those of an earlier one
  std::uint32_t starts_ = 0;
  bool running_ = false;
  bool paused_ = false;
  bool stalled_ = false;  // in fsync
  SessionId stalled_session_ = 0;
  Reply stalled_reply_;
  std::vector<Named> named_;  // the first named_count_ are in use
  std::size_t named_count_ = 0;
  Reply scratch_;
};

}  // namespace holdfast::sim::redis
