// A command as the server's table knows it, and one execution of it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "lockcore/redis_client.h"
#include "sim/redis/dataset.h"
#include "sim/redis/server.h"

namespace holdfast::sim::redis {

class Instance;
struct Execution;

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
std::span<const CommandSpec> database_commands();
std::span<const CommandSpec> key_commands();
std::span<const CommandSpec> ttl_commands();
std::span<const CommandSpec> hash_commands();
std::span<const CommandSpec> list_commands();
std::span<const CommandSpec> connection_commands();
std::span<const CommandSpec> server_commands();
std::span<const CommandSpec> script_commands();

// Null when there is no such command. Any letter case.
const CommandSpec* find_command(std::string_view name);

inline bool fits_arity(const CommandSpec& spec, std::size_t size) {
  const auto count = static_cast<std::int64_t>(size);
  return spec.arity >= 0 ? count == spec.arity : count >= -spec.arity;
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
  bool changed = false;   // data changed
  bool deferred = false;  // the reply comes later (WAIT)

  std::size_t size() const { return command.size(); }
  std::string_view operator[](std::size_t index) const { return command[index]; }

  void ok() { status("OK"); }
  void status(std::string_view text);
  void number(std::int64_t value);
  void bulk(std::string_view text);
  void array() { reply.type = Reply::Type::array; }
  void element(std::string_view text) { reply.elements.push_back(Reply::bulk(text)); }
  void error(std::string_view text);  // with its code
  void syntax_error() { error("ERR syntax error"); }
  void not_an_integer() { error("ERR value is not an integer or out of range"); }
  void wrong_arity();
  void invalid_expire();

  // The argument as a strict integer; otherwise answers with the error and false.
  bool integer(std::size_t index, std::int64_t& value);
  // The live key when it has this type or is absent (null); false after a WRONGTYPE answer.
  bool find(std::string_view key, ValueType type, Entry*& entry);

  // Data changed. What is propagated is the command itself ...
  void changed_as_said();
  // ... or what is put into this; null when nobody repeats it.
  Command* changed_as();
};

}  // namespace holdfast::sim::redis
