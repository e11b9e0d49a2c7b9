// How a client's command runs: checks, execution, effects, watcher, reply.
#include "sim/redis/instance.h"

#include <utility>

#include "sim/redis/cluster/cluster.h"
#include "sim/redis/integer_text.h"
#include "sim/redis/letter_case.h"
#include "sim/redis/resp.h"

namespace holdfast::sim::redis {

namespace {

std::string wrong_arity(const CommandSpec& spec) {
  return "ERR wrong number of arguments for '" + std::string(spec.name) + "' command";
}

// Commands that this server has not, but that a script is refused by another error (FID-L10).
bool barred_from_scripts(std::string_view name) {
  for (const std::string_view barred :
       {"multi",      "exec",       "discard",     "watch",        "unwatch",   "subscribe",
        "psubscribe", "ssubscribe", "unsubscribe", "punsubscribe", "blpop",     "config",
        "auth",       "hello",      "debug",       "function",     "replicaof", "slaveof",
        "monitor",    "shutdown",   "save",        "bgsave",       "acl",       "failover"}) {
    if (same_word(name, barred)) return true;
  }
  return false;
}

// What of a reply enters the run's fingerprint.
std::uint64_t digest(const Reply& reply) {
  std::uint64_t value = static_cast<std::uint64_t>(reply.type) + 0x51ULL;
  value = value * 31 + static_cast<std::uint64_t>(reply.integer);
  value = value * 31 + reply.text.size();
  for (const char letter : reply.text) value = value * 31 + static_cast<unsigned char>(letter);
  return value * 31 + reply.elements.size();
}

}  // namespace

SessionId Instance::open_session(history::ActorId client) {
  const SessionId session = sessions_.open(client, kernel_.now());
  if (!config_.text(Setting::requirepass).empty()) sessions_[session].modes |= kNotAuthenticated;
  idle_.opened(session);
  return session;
}

void Instance::close_session(SessionId session) {
  if (!sessions_.knows(session)) return;
  if (slow_.suspended && slow_.session == session) {  // FID-L13: it goes on to its end
    sessions_[session].open = false;
    sessions_[session].behind.clear();
    return;
  }
  end_session(session);
}

// Behind a wait nothing runs once the client is gone.
void Instance::end_session(SessionId session) {
  Session& closed = sessions_[session];
  sessions_.closed(closed);
  closed.behind.clear();
  if (closed.blocked) {
    waiting_.forget(session);
    key_waiting_.forget(session);
    pause_.forget(session);
    shutdown_.forget(session);
    closed.blocked = false;
  }
  if (closed.extras) make_plain(session);
}

void Instance::make_plain(SessionId id) {
  Session& session = sessions_[id];
  discard_transaction(*this, id);
  tracking_.disable(id);
  pubsub_.forget(id);
  interest_.review();
  session.extras.reset();
  session.modes = config_.text(Setting::requirepass).empty() ? 0U : kNotAuthenticated;
  session.resp3 = false;
  session.database = 0;
  session.name.clear();
}

void Instance::receive(SessionId session, Command command) {
  if (!running_ || !sessions_.knows(session) || command.empty()) return;
  if (!serves() || sessions_.has_arrivals()) return sessions_.queue(session, std::move(command));
  dispatch(session, command);
}

void Instance::dispatch(SessionId id, const Command& command) {
  Session& session = sessions_[id];
  if (session.blocked) {
    session.behind.push_back(command);
    return;
  }
  const CommandSpec* spec =
      known(sentinel_ == nullptr ? find_command(command) : find_sentinel_command(command));
  session.last_command = spec;
  session.active = kernel_.now();
  Reply answer;
  if (spec == nullptr && cluster_ && cluster_->take_request(id, command)) return;
  if (spec == nullptr || !fits_arity(*spec, command.size())) {
    const std::string error = spec == nullptr ? unknown(command) : wrong_arity(*spec);
    return finish(id, refuse(id, spec, error));
  }
  // The usual case: a plain session of a plain master.
  if ((session.modes | concerns_ | (spec->flags & kProtected)) != 0) {
    const Admission admission = admit(id, *spec, command, answer);
    if (admission == Admission::held) return;
    if (admission == Admission::answered) return finish(id, std::move(answer));
  }
  if ((spec->flags & (kScript | kRunsQueue)) != 0 && may_last(id, *spec, command)) {
    return run_slowly(id, *spec, command);
  }
  const bool deferred = !execute(id, *spec, command, answer);
  conclude(id, deferred, std::move(answer));
}

// A command has been executed: what it cost, and its answer.
void Instance::conclude(SessionId id, bool deferred, Reply answer) {
  sessions_[id].replicated_up_to = replication_.offset();
  const Duration busy = disk_.take_fsync_time() + std::exchange(asleep_, {});
  if (busy > Duration::zero()) stall(busy);
  if (deferred) return after_command(id);
  finish(id, std::move(answer));
}

std::string Instance::unknown(const Command& command) const {
  return sentinel_ == nullptr ? unknown_command(command, find_command(command[0]), *version_)
                              : unknown_sentinel_command(command, *version_);
}

void Instance::finish(SessionId id, Reply answer) {
  kernel_.mix(digest(answer));
  Session& session = sessions_[id];
  const bool silent = session.is(kNoReplies | kSkipsNext);
  session.modes &= ~kSkipsNext;
  if (!silent || answer.type == Reply::Type::push) reply(id, std::move(answer));
  after_command(id);
}

// What follows the answer: own invalidations, clients that waited for a key, what they had sent
// meanwhile, invalidations for everybody.
void Instance::after_command(SessionId id) {
  Session& session = sessions_[id];
  if ((session.modes | concerns_) == 0 && resumed_.empty()) return;
  if (session.is(kTracking)) tracking_.command_over(session);
  if (session.is(kAsking)) cluster_->command_over(session);
  if (slow_.suspended) {
    if (session.is(kCloses)) disconnect(id);
    return;
  }
  tracking_.send_own();
  if (!serving_) {
    serving_ = true;
    key_waiting_.serve();
    serving_ = false;
  }
  if (session.is(kCloses)) disconnect(id);
  settle();
}

void Instance::settle() {
  if (settling_ || serving_) return;
  settling_ = true;
  for (std::size_t i = 0; i < resumed_.size(); ++i) run_behind(resumed_[i]);
  resumed_.clear();
  settling_ = false;
  tracking_.send_broadcasts();
}

void Instance::begin_unit(history::ActorId actor) {
  if (!slow_.suspended) data_.begin(actor);
}

void Instance::end_unit() {
  if (!slow_.suspended) propagation_.flush(true);
}

// False: the answer comes later.
bool Instance::execute(SessionId id, const CommandSpec& spec, const Command& command,
                       Reply& answer) {
  const Session& session = sessions_[id];
  begin_unit(session.client);
  data_.select(session.database);
  running_session_ = id;
  running_command_ = &command;
  Execution execution{*this, data_, spec, command, answer, id};
  run(execution);
  end_unit();
  running_session_ = 0;
  running_command_ = nullptr;
  return !execution.deferred;
}

// One command, by itself or of a transaction.
void Instance::run(Execution& execution) {
  const CommandSpec& spec = execution.spec;
  if ((spec.flags & (kWrites | kScript)) != 0) disk_.before_change();
  note_named_keys(spec, execution.command);
  spec.run(execution);
  if (named_count_ > 0) tell_executed(execution.command);
  if (tracking_.any()) remember_keys(execution);
}

void Instance::run_queued(SessionId id, const CommandSpec& spec, const Command& command,
                          Reply& answer) {
  data_.begin_queued();
  data_.select(sessions_[id].database);
  Execution execution{*this, data_, spec, command, answer, id};
  execution.in_transaction = true;
  run(execution);
  named_count_ = 0;
}

// The command of a client that waited runs now; its session goes on.
void Instance::serve_waiter(SessionId id, const CommandSpec& spec, const Command& command) {
  Reply answer;
  if (!execute(id, spec, command, answer)) return;  // it waits again
  sessions_[id].replicated_up_to = replication_.offset();
  const Duration busy = disk_.take_fsync_time();
  if (busy > Duration::zero() && !stalled_) stall(busy);
  unblock(id, std::move(answer));
}

// Scripts read in the name of their caller: for his own KEYS (as 7.0 does).
void Instance::remember_keys(const Execution& execution) {
  const SessionId id = execution.session != 0 ? execution.session : running_session_;
  if (id == 0 || !sessions_[id].is(kTracking)) return;
  const bool reads = (execution.spec.flags & kReads) != 0;
  if (execution.in_script) {
    script_reads_ = script_reads_ || reads;
    return;
  }
  if (!std::exchange(script_reads_, false) && !reads) return;
  each_key(execution.spec, execution.command,
           [this, id](std::string_view key) { tracking_.remember(id, key); });
}

void Instance::note_named_key(std::string_view key) {
  Entry& entry = data_.name(key);
  if (entry.watch == 0) return;
  for (std::size_t i = 0; i < named_count_; ++i) {
    if (named_[i].entry == &entry) return;
  }
  if (named_count_ == named_.size()) named_.emplace_back();
  Named& named = named_[named_count_++];
  named.entry = &entry;
  named.value.clear();
  named.deadline = -1;
  if (!entry.present() || data_.dead(entry)) return;
  named.value.assign(entry.value.text);
  named.deadline = data_.describe(entry, {}).deadline;
}

void Instance::note_named_keys(const CommandSpec& spec, const Command& command) {
  named_count_ = 0;
  if (spec.first_key == 0 && (spec.flags & kScript) == 0) return;
  each_key(spec, command, [this](std::string_view key) { note_named_key(key); });
}

void Instance::tell_executed(const Command& command) {
  for (std::size_t i = 0; i < named_count_; ++i) {
    const Named& named = named_[i];
    ServerWatcher::Key key = data_.describe(*named.entry, named.value);
    key.deadline = named.deadline;
    watcher_.command_executed(key, command, named.entry->changed_by == data_.command());
  }
}

void Instance::call_from_script(const Command& command, bool read_only, Reply& answer) {
  const CommandSpec* spec = known(find_command(command));
  const auto fail = [&answer](std::string_view text) { answer = Reply::error(text); };
  if (spec == nullptr) {
    return fail(barred_from_scripts(command[0])
                    ? "ERR This Redis command is not allowed from script"
                    : "ERR Unknown Redis command called from script");
  }
  if (!fits_arity(*spec, command.size())) {
    return fail("ERR Wrong number of args calling Redis command from script");
  }
  if ((spec->flags & kNotInScript) != 0) {
    return fail("ERR This Redis command is not allowed from script");
  }
  if (read_only && (spec->flags & (kWrites | kReplicates)) != 0) {
    return fail("ERR Write commands are not allowed from read-only scripts.");
  }
  if (concerns_ != 0) {
    const std::string_view error = script_refusal(*spec, command);
    if (!error.empty()) return fail(error);
  }
  if ((spec->flags & kWrites) != 0) scripts_.note_write();
  Execution execution{*this, data_, *spec, command, answer};
  execution.in_script = true;
  spec->run(execution);
  if (tracking_.any()) remember_keys(execution);
  if (!scripts_.resp3()) make_resp2(answer);
}

void Instance::replay(const Command& command, int& database) {
  const CommandSpec* spec = known(find_command(command));
  if (spec == nullptr || (spec->flags & kNotQueued) != 0) return;  // units arrive whole
  data_.begin(0);
  data_.select(database);
  disk_.before_change();
  data_.set_replaying(true);
  scratch_ = Reply();
  Execution execution{*this, data_, *spec, command, scratch_};
  spec->run(execution);
  data_.set_replaying(false);
  database = data_.selected();
  propagation_.flush(true);
}

void Instance::reply(SessionId session, Reply answer) { say({session, std::move(answer), false}); }

void Instance::push(SessionId session, Reply message) { say({session, std::move(message), true}); }

// While the server waits for its disk nothing leaves it.
void Instance::say(Saying saying) {
  if (stalled_) {
    unsaid_.push_back(std::move(saying));
    return;
  }
  const Session& session = sessions_[saying.session];
  if (!session.open) return;
  session.resp3 ? make_resp3(saying.text) : make_resp2(saying.text);
  if (saying.is_push) return host_.send_push(saying.session, std::move(saying.text));
  host_.send_reply(saying.session, std::move(saying.text));
}

}  // namespace holdfast::sim::redis
