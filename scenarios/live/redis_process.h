// RedisProcess: one real redis-server of a live run, with the faults that strike a whole server.
//
// Every fault returns its Proof or throws EnvironmentFailure with the reason and the end of the
// server's log. Not thread-safe; the thread that constructs or restarts it must live as long as the
// server shall (see ChildProcess).
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lockcore/redis_client.h"
#include "scenarios/format/model.h"
#include "scenarios/live/child_process.h"
#include "scenarios/live/command_connection.h"
#include "scenarios/live/proof.h"
#include "scenarios/live/server_binary.h"

namespace holdfast::live {

struct MasterAddress {
  std::string host = "127.0.0.1";
  std::uint16_t port = 0;
};

struct RedisOptions {
  std::string name;              // for messages
  std::filesystem::path folder;  // of this server alone: data and log; created when it is not there
  std::uint16_t port = 0;        // of 127.0.0.1; 0: a free one
  scenario::Persistence persistence = scenario::Persistence::none;
  std::optional<MasterAddress> replica_of = {};
  std::vector<std::pair<std::string, std::string>> environment = {};  // see ServerClock
  std::vector<std::string> extra = {};  // further arguments: {"--hz", "100"}
};

class RedisProcess {
 public:
  // Starts it and returns when PING answers.
  RedisProcess(const ServerBinary& binary, RedisOptions options);
  ~RedisProcess();  // kills it; its folder stays
  RedisProcess(const RedisProcess&) = delete;
  RedisProcess& operator=(const RedisProcess&) = delete;

  const std::string& name() const noexcept { return options_.name; }
  std::uint16_t port() const noexcept { return options_.port; }
  pid_t pid() const noexcept { return child_->pid(); }

  // SIGSTOP and SIGCONT, proved by the kernel's state of every thread.
  Proof stop();
  Proof cont();
  // SIGKILL, proved by the end of the process. Acknowledged writes that are only in its memory or,
  // without AOF, not in a snapshot, are lost.
  Proof kill_hard();
  // Starts the killed server again on its port; proved by a new run id. Its data are there as far
  // as the old persistence kept them and the new one reads them; with `none` they are deleted.
  Proof restart(scenario::Persistence persistence, std::optional<MasterAddress> replica_of);
  // REPLICAOF NO ONE, proved by ROLE.
  Proof promote();
  // REPLICAOF host port, proved by ROLE. Not by a finished synchronisation: see wait_for_replicas.
  Proof follow(const MasterAddress& master);

  // Waits until `count` replicas have acknowledged everything written so far (by WAIT: FID-R10 says
  // why not by the link's state).
  void wait_for_replicas(int count, Duration patience);
  // Writes a snapshot now (SAVE).
  void save_snapshot();

  // One command; an error reply is returned. Throws when there is no answer within `patience`.
  Reply ask(const Command& command, Duration patience = std::chrono::seconds(2));
  // A field of INFO, e.g. ("replication", "master_repl_offset"); empty when it is not there.
  std::string info(const std::string& section, const std::string& field);
  std::int64_t replication_offset();  // of a master or of a replica: what it has applied

  // How it ended when nobody here ended it ("n1 ended by itself: signal 11; ..."), else nothing.
  std::optional<std::string> died();

 private:
  void launch();
  bool wait_until_ready();
  std::vector<std::string> arguments() const;
  std::string log_tail() const;
  [[noreturn]] void fail(const std::string& what) const;
  void expect_role(const std::string& role, const std::string& after);

  ServerBinary binary_;
  RedisOptions options_;
  std::unique_ptr<ChildProcess> child_;
  std::unique_ptr<CommandConnection> commands_;
  bool killed_ = false;  // by us
};

}  // namespace holdfast::live
