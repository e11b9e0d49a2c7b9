// Whether a client's command may run: FIDELITY 7, order of checks, as one table.
#include <array>
#include <string>

#include "sim/redis/cluster/cluster.h"
#include "sim/redis/instance.h"
#include "sim/redis/integer_text.h"

namespace holdfast::sim::redis {

namespace {

// What is asked about. EXEC answers for what is queued: it writes when one of them does.
struct Question {
  Instance& server;
  const Session& session;
  const CommandSpec& spec;
  const Command& command;
  std::uint32_t flags;

  bool is(std::uint32_t flag) const { return (flags & flag) != 0; }
  bool in_multi() const { return session.is(kInMulti); }
};

std::uint32_t flags_with_queue(Instance& server, const Session& session, const CommandSpec& spec,
                               const Command& command) {
  std::uint32_t flags = server.scripts().command_flags(spec.flags, command);
  if ((flags & kRunsQueue) == 0 || !session.is(kInMulti) || !session.extras) return flags;
  constexpr std::uint32_t kOfAny = kWrites | kGrows | kReplicates;
  constexpr std::uint32_t kOfAll = kStale | kLoading;
  for (const QueuedCommand& queued : session.extras->queue) {
    const std::uint32_t own = server.scripts().command_flags(queued.spec->flags, queued.command);
    flags |= own & kOfAny;
    flags &= own | ~kOfAll;
  }
  return flags;
}

std::string protected_command(const Question& asked) {
  if (!asked.is(kProtected) || asked.server.config().text(Setting::enable_debug_command) != "no")
    return {};
  return "ERR DEBUG command not allowed. If the enable-debug-command option is set to \"local\", "
         "you can run it from a local connection, otherwise you need to set this option in the "
         "configuration file, and then restart the server.";
}

std::string not_authenticated(const Question& asked) {
  if (!asked.session.is(kNotAuthenticated) || asked.is(kNoAuth)) return {};
  if (asked.server.config().text(Setting::requirepass).empty()) return {};
  return "NOAUTH Authentication required.";
}

std::string not_in_multi(const Question& asked) {
  if (!asked.in_multi() || !asked.is(kNoMulti)) return {};
  return "ERR Command not allowed inside a transaction";
}

// What a scenario makes the server answer.
std::string injected(const Question& asked) {
  const std::string* text =
      asked.server.injected_errors().find(asked.session.client, asked.is(kWrites));
  return text == nullptr ? std::string() : *text;
}

std::string belongs_elsewhere(const Question& asked) {
  Cluster* const cluster = asked.server.cluster();
  return cluster == nullptr ? std::string()
                            : cluster->redirection(asked.session, asked.spec, asked.command);
}

// A queue takes memory, too.
std::string out_of_memory(const Question& asked) {
  Memory& memory = asked.server.memory();
  if (!memory.limited()) return {};
  memory.make_room();
  const bool grows = asked.is(kGrows) || (asked.in_multi() && !asked.is(kNotQueued));
  if (!memory.is_full()) return {};
  return grows ? "OOM command not allowed when used memory > 'maxmemory'." : "";
}

std::string saves_failed(const Question& asked) {
  if (!asked.is(kWrites) && asked.spec.name != "ping") return {};
  return std::string(asked.server.disk_refusal());
}

std::string too_few_replicas(const Question& asked) {
  if (!asked.is(kWrites) || !asked.server.lacks_replicas()) return {};
  return "NOREPLICAS Not enough good replicas to write.";
}

std::string read_only(const Question& asked) {
  if (!asked.is(kWrites) || asked.server.data().master()) return {};
  return "READONLY You can't write against a read only replica.";
}

std::string only_pubsub(const Question& asked) {
  if (!asked.session.is(kSubscribed) || asked.session.resp3 || asked.is(kInSubscriber)) return {};
  return "ERR Can't execute '" + std::string(asked.spec.name) +
         "': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in this "
         "context";
}

std::string master_down(const Question& asked) {
  if (asked.is(kStale) || !asked.server.is_stale()) return {};
  return "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.";
}

std::string loads(const Question& asked) {
  if (!asked.server.loading() || asked.is(kLoading)) return {};
  return "LOADING Redis is loading the dataset in memory";
}

std::string busy_script(const Question& asked) {
  if (!asked.server.busy_with_script() || asked.is(kAllowBusy)) return {};
  return std::string(kBusyError);
}

using Check = std::string (*)(const Question& asked);  // the error; empty: it passes
constexpr std::array<Check, 13> kOrder = {protected_command, not_authenticated, not_in_multi,
                                          injected,          belongs_elsewhere, out_of_memory,
                                          saves_failed,      too_few_replicas,  read_only,
                                          only_pubsub,       master_down,       loads,
                                          busy_script};

bool is_held(ClientPause::Kind pause, std::uint32_t flags) {
  if (pause == ClientPause::Kind::writes) return (flags & (kWrites | kReplicates)) != 0;
  return pause == ClientPause::Kind::all;
}

}  // namespace

std::string Instance::refusal(const Session& session, const CommandSpec& spec,
                              const Command& command) {
  const Question asked{*this, session, spec, command,
                       flags_with_queue(*this, session, spec, command)};
  for (const Check check : kOrder) {
    std::string error = check(asked);
    if (!error.empty()) return error;
  }
  return {};
}

// A refused command spoils the transaction that it was to be queued for; a refused EXEC ends it.
Reply Instance::refuse(SessionId id, const CommandSpec* spec, std::string_view error) {
  Session& session = sessions_[id];
  if (spec == nullptr || (spec->flags & kRunsQueue) == 0) {
    if (session.is(kInMulti)) session.modes |= kBadQueue;
    return Reply::error(error);
  }
  discard_transaction(*this, id);
  if (cluster_ && is_redirection(error)) return Reply::error(error);
  if (error.starts_with("ERR ")) error.remove_prefix(4);
  return Reply::error("EXECABORT Transaction discarded because of: " + std::string(error));
}

Instance::Admission Instance::admit(SessionId id, const CommandSpec& spec, const Command& command,
                                    Reply& answer) {
  Session& session = sessions_[id];
  if (const std::string error = refusal(session, spec, command); !error.empty()) {
    answer = refuse(id, &spec, error);
    return Admission::answered;
  }
  if (is_held(pause_.kind(), flags_with_queue(*this, session, spec, command))) {
    session.behind.insert(session.behind.begin(), command);
    pause_.hold(id);
    return Admission::held;
  }
  if (session.is(kInMulti) && (spec.flags & kNotQueued) == 0) {
    session.more().queue.push_back({&spec, command});
    answer = Reply::status("QUEUED");
    return Admission::answered;
  }
  return Admission::runs;
}

// A write inside a script meets its refusals in another order; the script itself may run.
std::string_view Instance::script_refusal(const CommandSpec& spec, const Command& command) {
  const std::string_view error = write_refusal_in_script(spec);
  if (!error.empty() || !cluster_) return error;
  return cluster_->script_refusal(sessions_[running_session_], spec, command);
}

std::string_view Instance::write_refusal_in_script(const CommandSpec& spec) {
  if (is_stale() && (spec.flags & kStale) == 0) {
    return "ERR Can not execute the command on a stale replica";
  }
  if ((spec.flags & kWrites) == 0) return {};
  if (const std::string* text = injected_errors_.find(data_.actor(), true)) return *text;
  if (scripts_.has_written()) return {};  // to end half-way would be worse
  if (!data_.master()) return "READONLY You can't write against a read only replica.";
  if (const std::string_view error = disk_refusal(); !error.empty()) return error;
  if (lacks_replicas()) return "NOREPLICAS Not enough good replicas to write.";
  const bool full = (spec.flags & kGrows) != 0 && scripts_.refuses_growth();
  return full ? "OOM command not allowed when used memory > 'maxmemory'." : std::string_view();
}

// FID-P10: data that can no longer be saved must not grow.
std::string_view Instance::disk_refusal() {
  if (!disk_.saves_in_doubt() || !disk_.has_save_points() || !data_.master()) return {};
  if (config_.text(Setting::stop_writes_on_bgsave_error) == "no" || !disk_.last_save_failed()) {
    return {};
  }
  return "MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist "
         "to disk. Commands that may modify the data set are disabled, because this instance is "
         "configured to report errors during writes if RDB snapshotting fails "
         "(stop-writes-on-bgsave-error option). Please check the Redis logs for details about the "
         "RDB error.";
}

bool Instance::is_stale() {
  return !data_.master() && !replication_.connected() &&
         config_.text(Setting::replica_serve_stale_data) != "yes";
}

// FID-N1, N2.
bool Instance::lacks_replicas() {
  const std::int64_t wanted = config_.number(Setting::min_replicas_to_write);
  const bool on = wanted > 0 && config_.number(Setting::min_replicas_max_lag) > 0;
  return on && data_.master() && replication_.good() < wanted;
}

}  // namespace holdfast::sim::redis
