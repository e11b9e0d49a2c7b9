// A command as the server's table knows it, and one execution of it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "lockcore/redis_client.h"
#include "sim/redis/dataset.h"
#include "sim/redis/integer_text.h"
#include "sim/redis/server.h"
#include "sim/redis/version.h"

namespace holdfast::sim::redis {

class Instance;
struct Execution;
struct Session;

enum CommandFlags : std::uint32_t {
  kNoFlags = 0,
  kWrites = 1,            // refused on a replica; replicated when it changed something
  kNotInScript = 1 << 1,  // FID-L10 ("noscript")
  kScript = 1 << 2,       // its keys are counted by its third argument
  kReads = 1 << 3,        // "readonly": looks at keys and changes nothing
  kGrows = 1 << 4,        // "denyoom": refused when maxmemory is reached
  kFast = 1 << 5,
  kStale = 1 << 6,       // served by a replica that has lost its master
  kLoading = 1 << 7,     // served while the data set is loaded
  kNoAuth = 1 << 8,      // served before AUTH
  kNoMulti = 1 << 9,     // refused inside MULTI
  kAllowBusy = 1 << 10,  // served while a script is BUSY
  kPubSub = 1 << 11,
  kBlocking = 1 << 12,
  kAdmin = 1 << 13,
  kReplicates =
      1 << 14,           // may replicate without writing: EVAL, PUBLISH; held by CLIENT PAUSE WRITE
  kProtected = 1 << 15,  // DEBUG: off unless configured
  kSkipsMonitor = 1 << 16,
  kContainer = 1 << 17,     // only its subcommands ("client|id") can run
  kNotQueued = 1 << 18,     // runs at once inside MULTI
  kRunsQueue = 1 << 19,     // EXEC
  kInSubscriber = 1 << 20,  // allowed to a RESP2 client that has subscribed (FID-X10)
  kSince70 = 1 << 21,       // commands of later versions than 6.2
  kSince72 = 1 << 22,
  kSince84 = 1 << 23,
  kValkey9 = 1 << 24,
};

struct CommandSpec {
  std::string_view name;  // lower case
  int arity;              // with the name; negative: at least that many
  std::uint32_t flags;    // CommandFlags
  int first_key;          // 0: none
  int last_key;           // negative: counted from the end
  int key_step;
  void (*run)(Execution& execution);
};

// Tables of the commands of one kind.
std::span<const CommandSpec> string_commands();
std::span<const CommandSpec> string_part_commands();
std::span<const CommandSpec> compare_commands();
std::span<const CommandSpec> database_commands();
std::span<const CommandSpec> key_commands();
std::span<const CommandSpec> key_move_commands();
std::span<const CommandSpec> object_commands();
std::span<const CommandSpec> ttl_commands();
std::span<const CommandSpec> hash_commands();
std::span<const CommandSpec> list_commands();
std::span<const CommandSpec> list_move_commands();
std::span<const CommandSpec> set_commands();
std::span<const CommandSpec> set_algebra_commands();
std::span<const CommandSpec> sorted_set_commands();
std::span<const CommandSpec> sorted_set_range_commands();
std::span<const CommandSpec> blocking_commands();
std::span<const CommandSpec> connection_commands();
std::span<const CommandSpec> client_commands();
std::span<const CommandSpec> client_kill_commands();
std::span<const CommandSpec> tracking_commands();
std::span<const CommandSpec> transaction_commands();
std::span<const CommandSpec> pubsub_commands();
std::span<const CommandSpec> config_commands();
std::span<const CommandSpec> command_commands();
std::span<const CommandSpec> info_commands();
std::span<const CommandSpec> debug_commands();
std::span<const CommandSpec> cluster_commands();
std::span<const CommandSpec> persistence_commands();
std::span<const CommandSpec> absent_commands();
std::span<const CommandSpec> diagnosis_commands();
std::span<const CommandSpec> server_commands();
std::span<const CommandSpec> replication_commands();
std::span<const CommandSpec> script_commands();

// Null when there is no such command. Any letter case.
const CommandSpec* find_command(std::string_view name);
// That of a whole command: of its subcommand, or null, when it has some.
const CommandSpec* find_command(const Command& command);
std::span<const CommandSpec* const> all_commands();  // without subcommands, by name
// As Redis shows a client's word in an error: up to a NUL.
inline std::string_view shown_word(std::string_view word,
                                   std::size_t room = std::string_view::npos) {
  return word.substr(0, std::min(room, word.find('\0')));
}
// What a client is told of a command that this version has not; `container`: of which it would be
// one.
std::string unknown_command(const Command& command, const CommandSpec* container,
                            const VersionTraits& version);
// The same of a sentinel's commands.
const CommandSpec* find_sentinel_command(const Command& command);
std::string unknown_sentinel_command(const Command& command, const VersionTraits& version);

inline bool fits_arity(const CommandSpec& spec, std::size_t size) {
  const auto count = static_cast<std::int64_t>(size);
  return spec.arity >= 0 ? count == spec.arity : count >= -spec.arity;
}

// Calls use(key) for each key that the command names.
template <class Use>
void each_key(const CommandSpec& spec, const Command& command, Use use) {
  const auto size = static_cast<std::int64_t>(command.size());
  std::int64_t first = spec.first_key;
  std::int64_t last = spec.last_key < 0 ? size + spec.last_key : spec.last_key;
  if ((spec.flags & kScript) != 0) {
    const auto count = parse_integer(command[2]);
    if (!count || *count < 0 || *count > size - 3) return;
    first = 3;
    last = 2 + *count;
  }
  if (first == 0) return;
  for (std::int64_t i = first; i <= last; i += std::max(spec.key_step, 1)) {
    use(command[static_cast<std::size_t>(i)]);
  }
}

// One run of one command: by a client, inside a script, from the master's stream or from disk.
struct Execution {
  Instance& server;
  Dataset& data;
  const CommandSpec& spec;
  const Command& command;
  Reply& reply;  // empty (nil) at the start
  SessionId session = 0;
  bool in_script = false;
  bool changed = false;         // data changed
  bool deferred = false;        // the reply comes later (WAIT), or never (CLIENT REPLY)
  bool in_transaction = false;  // EXEC runs it: it must not wait

  std::size_t size() const { return command.size(); }
  std::string_view operator[](std::size_t index) const { return command[index]; }

  void ok() { status("OK"); }
  void status(std::string_view text);
  void number(std::int64_t value);
  void bulk(std::string_view text);
  void array() { reply.type = Reply::Type::array; }
  void no_array() { reply.type = Reply::Type::null_array; }
  void set() { reply.type = Reply::Type::set; }
  void map() { reply.type = Reply::Type::map; }
  void real(double value);
  void real_element(double value);
  bool resp3() const;  // the client has asked for it
  void element(std::string_view text) { reply.elements.push_back(Reply::bulk(text)); }
  void error(std::string_view text);  // with its code
  void syntax_error() { error("ERR syntax error"); }
  void not_an_integer() { error("ERR value is not an integer or out of range"); }
  void wrong_arity();
  void invalid_expire();

  // The argument as a strict integer; otherwise answers with the error and false.
  bool integer(std::size_t index, std::int64_t& value);
  // Also within the bounds; the message, when there is one, answers both kinds of error.
  bool integer_between(std::size_t index, std::int64_t low, std::int64_t high, std::int64_t& value,
                       std::string_view message);
  bool integer32(std::size_t index, std::int64_t& value, std::string_view message = {});
  // The live key when it has this type or is absent (null); false after a WRONGTYPE answer.
  bool find(std::string_view key, ValueType type, Entry*& entry);

  Session& client();  // of a command that scripts cannot call
  // Whether it may be a connection's name; false after an error answer.
  bool client_name(std::string_view name);

  // Data changed. What is propagated is the command itself ...
  void changed_as_said();
  // ... or what is put into this; null when nobody repeats it.
  Command* changed_as();
};

}  // namespace holdfast::sim::redis
