// ScriptEngine: Lua 5.1 as Redis 7.0 embeds it (FID-L1 to L11). The state and the compiled scripts
// live as long as the server object; which of them a client can name belongs to the run.
//
// Deterministic: no addresses (tostring numbers tables in order of asking), one seed for
// math.random, no clocks but redis.call('time').
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lockcore/redis_client.h"

struct lua_State;

namespace holdfast::sim::redis {

class Instance;
class LuaMemory;

inline constexpr std::string_view kBusyError =
    "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.";

struct ScriptAbandoned {};  // thrown by run() when its server is no more

// What a script's first line says of it: "#!lua flags=no-writes,allow-oom".
enum ScriptFlags : std::uint32_t {
  kSaysFlags = 1,  // it has such a line
  kNoWrites = 1 << 1,
  kAllowsOom = 1 << 2,
  kAllowsStale = 1 << 3,
  kNoCluster = 1 << 4,
  kAllowsCrossSlot = 1 << 5,
};

struct Script {
  std::string sha;  // 40 hexadecimal digits
  std::string body;
  int function = 0;              // reference in Lua's registry
  std::uint32_t flags = 0;       // ScriptFlags
  bool may_last = false;         // it has loops or functions
  std::uint64_t visible_in = 0;  // the generation of the cache in which clients can name it
};

class ScriptEngine {
 public:
  explicit ScriptEngine(Instance& server);
  ~ScriptEngine();
  ScriptEngine(const ScriptEngine&) = delete;
  ScriptEngine& operator=(const ScriptEngine&) = delete;

  void reset();           // as a server that has just started
  void forget_scripts();  // SCRIPT FLUSH: NOSCRIPT from now on (FID-L2)

  // The script of this body, compiled when it is new; null with the answer in `error`.
  // Visible from now on.
  Script* load(std::string_view body, std::string& error);
  // By its hash in any letter case; null when clients cannot name it.
  Script* find(std::string_view sha);

  // Runs it with the command's keys and arguments: EVAL script numkeys key... argument... Or says
  // why it may not run.
  void run(const Script& script, const Command& command, std::size_t keys, bool read_only,
           Reply& reply);

  // A command's flags as the script that it runs changes them: what says that it does not write is
  // no write. (scripting_flags.cc)
  std::uint32_t command_flags(std::uint32_t flags, const Command& command);
  // Why a script with these flags may not run now; empty: it may.
  std::string_view refusal(std::uint32_t script_flags, bool read_only);

  // Whether the script of this EVAL or EVALSHA may go on for long.
  bool may_last(const Command& command);
  // The running script ends at its next instruction, whatever it has around it.
  enum class Ending : std::uint8_t { none, killed, abandoned };
  void end_by(Ending ending) { ending_ = ending; }
  bool has_written() const { return has_written_; }
  void note_write() { has_written_ = true; }
  // Memory was short when the script began, and it does not say that it may run nevertheless.
  bool refuses_growth() const { return refuses_growth_; }
  bool resp3() const { return resp3_; }  // redis.setresp
  void set_resp3(bool resp3) { resp3_ = resp3; }

  // For the Lua side.
  // Changes when the settings that scripts have made are forgotten (SCRIPT FLUSH, restart).
  std::uint64_t generation() const { return generation_; }
  Instance& server() { return server_; }
  bool read_only() const { return read_only_; }
  std::uint32_t flags() const { return flags_; }  // of the running script
  std::uint64_t take_number() { return ++numbers_; }
  std::uint64_t& random_state() { return random_state_; }
  // So many instructions have been executed; raises the error that ends the script, if one does.
  void count_instructions(lua_State* lua, int count);
  Command& call_buffer() { return call_buffer_; }
  Reply& call_reply() { return call_reply_; }

 private:
  void open_state();
  void push_list(const Command& command, std::size_t first, std::size_t end);
  void begin(const Script& script, bool read_only);
  void answer_error(const Script& script, Reply& reply);
  Script* find_known(std::string_view sha);

  Instance& server_;
  std::unique_ptr<LuaMemory> memory_;
  lua_State* lua_ = nullptr;  // made when the first script comes
  std::vector<std::unique_ptr<Script>> scripts_;
  std::uint64_t generation_ = 1;
  std::uint64_t numbers_ = 0;
  std::uint64_t random_state_ = 0;
  int instructions_ = 0;  // of the present step
  std::uint64_t steps_ = 0;
  Ending ending_ = Ending::none;
  bool has_written_ = false;
  bool refuses_growth_ = false;
  bool resp3_ = false;
  bool read_only_ = false;
  std::uint32_t flags_ = 0;
  Command call_buffer_;
  Reply call_reply_;
};

}  // namespace holdfast::sim::redis
