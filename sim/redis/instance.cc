// How a client's command runs: checks, execution, effects, watcher, reply.
#include "sim/redis/instance.h"

#include <algorithm>
#include <utility>

#include "sim/redis/integer_text.h"
#include "sim/redis/letter_case.h"
#include "sim/redis/resp.h"

namespace holdfast::sim::redis {

namespace {

constexpr std::string_view kReadOnly = "READONLY You can't write against a read only replica.";

// As Redis shows a word in this error: up to a NUL.
std::string_view shown(std::string_view word, std::size_t room) {
  return word.substr(0, std::min(room, word.find('\0')));
}

std::string unknown_command(const Command& command) {
  std::string text = "ERR unknown command '";
  text.append(shown(command[0], 128)).append("', with args beginning with: ");
  std::string arguments;
  for (std::size_t i = 1; i < command.size() && arguments.size() < 128; ++i) {
    const std::size_t room = 128 - arguments.size();
    arguments.append("'").append(shown(command[i], room)).append("' ");
  }
  text.append(arguments);
  for (char& letter : text) {
    if (letter == '\r' || letter == '\n') letter = ' ';
  }
  return text;
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

void Instance::close_session(SessionId session) {
  if (!sessions_.knows(session)) return;
  Session& closed = sessions_[session];
  closed.open = false;
  closed.behind.clear();  // behind a WAIT nothing runs once the client is gone
  waiting_.forget(session);
  closed.blocked = false;
}

void Instance::receive(SessionId session, Command command) {
  if (!running_ || !sessions_.knows(session) || command.empty()) return;
  if (busy() || sessions_.has_arrivals()) return sessions_.queue(session, std::move(command));
  dispatch(session, command);
}

void Instance::dispatch(SessionId session, const Command& command) {
  if (sessions_[session].blocked) {
    sessions_[session].behind.push_back(command);
    return;
  }
  Reply answer;
  const CommandSpec* spec = find_command(command[0]);
  bool deferred = false;
  Duration fsync{};
  if (!refuse(session, spec, command, answer)) {
    execute(session, *spec, command, answer, deferred);
    sessions_[session].replicated_up_to = replication_.offset();
    fsync = disk_.take_fsync_time();
  }
  if (deferred) return;
  kernel_.mix(digest(answer));
  if (fsync > Duration::zero()) return stall(session, std::move(answer), fsync);
  reply(session, std::move(answer));
}

// FIDELITY 7, order of checks.
bool Instance::refuse(SessionId session, const CommandSpec* spec, const Command& command,
                      Reply& answer) {
  if (spec == nullptr) {
    answer = Reply::error(unknown_command(command));
    return true;
  }
  if (!fits_arity(*spec, command.size())) {
    answer =
        Reply::error("ERR wrong number of arguments for '" + std::string(spec->name) + "' command");
    return true;
  }
  const bool writes = (spec->flags & kWrites) != 0;
  if (const std::string* text = injected_errors_.find(sessions_[session].client, writes)) {
    answer = Reply::error(*text);
    return true;
  }
  if (writes && !data_.master()) {
    answer = Reply::error(kReadOnly);
    return true;
  }
  return false;
}

void Instance::execute(SessionId session, const CommandSpec& spec, const Command& command,
                       Reply& answer, bool& deferred) {
  data_.begin(sessions_[session].client);
  data_.select(sessions_[session].database);
  if ((spec.flags & (kWrites | kScript)) != 0) disk_.before_change();
  note_named_keys(spec, command);
  Execution execution{*this, data_, spec, command, answer, session};
  spec.run(execution);
  deferred = execution.deferred;
  propagation_.flush(true);
  if (named_count_ > 0) tell_executed(command);
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
  const auto size = static_cast<std::int64_t>(command.size());
  if ((spec.flags & kScript) != 0) {
    const auto count = parse_integer(command[2]);
    if (!count || *count < 0 || *count > size - 3) return;
    for (std::int64_t i = 0; i < *count; ++i) {
      note_named_key(command[static_cast<std::size_t>(3 + i)]);
    }
    return;
  }
  if (spec.first_key == 0) return;
  const std::int64_t last = spec.last_key < 0 ? size + spec.last_key : spec.last_key;
  for (std::int64_t i = spec.first_key; i <= last; i += spec.key_step) {
    note_named_key(command[static_cast<std::size_t>(i)]);
  }
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
  const CommandSpec* spec = find_command(command[0]);
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
  if ((spec->flags & kWrites) != 0) {
    if (const std::string* text = injected_errors_.find(data_.actor(), true)) return fail(*text);
    if (!data_.master()) return fail(kReadOnly);
  }
  Execution execution{*this, data_, *spec, command, answer};
  execution.in_script = true;
  spec->run(execution);
  make_resp2(answer);
}

void Instance::replay(const Command& command, int& database) {
  const CommandSpec* spec = find_command(command[0]);
  if (spec == nullptr) return;  // MULTI, EXEC: units arrive whole
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

void Instance::reply(SessionId session, Reply answer) {
  if (!sessions_[session].open) return;
  sessions_[session].resp3 ? make_resp3(answer) : make_resp2(answer);
  host_.send_reply(session, std::move(answer));
}

void Instance::push(SessionId session, Reply message) {
  if (!sessions_[session].open) return;
  sessions_[session].resp3 ? make_resp3(message) : make_resp2(message);
  host_.send_push(session, std::move(message));
}

}  // namespace holdfast::sim::redis
