// ScriptEngine: Lua 5.1 as Redis 7.0 embeds it (FID-L1 to L11). The state and the compiled scripts
// live as long as the server object; which of them a client can name belongs to the run.
//
// Deterministic: no addresses (tostring numbers tables in order of asking), one seed for
// math.random, no clocks but redis.call('time').
// Left out: cjson, cmsgpack, struct, shebang flags, SCRIPT KILL and BUSY. A script that goes on for
// ever ends with an error after a bound of instructions.
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

struct Script {
  std::string sha;  // 40 hexadecimal digits
  std::string body;
  int function = 0;              // reference in Lua's registry
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

  // The script of this body, compiled when it is new; null with the compiler's message in `error`.
  // Visible from now on.
  Script* load(std::string_view body, std::string& error);
  // By its hash in any letter case; null when clients cannot name it.
  Script* find(std::string_view sha);

  // Runs it with the command's keys and arguments: EVAL script numkeys key... argument...
  void run(const Script& script, const Command& command, std::size_t keys, bool read_only,
           Reply& reply);

  // For the Lua side.
  Instance& server() { return server_; }
  bool read_only() const { return read_only_; }
  std::uint64_t take_number() { return ++numbers_; }
  std::uint64_t& random_state() { return random_state_; }
  bool count_instructions();  // false: the bound is reached
  Command& call_buffer() { return call_buffer_; }
  Reply& call_reply() { return call_reply_; }

 private:
  void open_state();
  void push_list(const Command& command, std::size_t first, std::size_t end);
  void answer_error(const Script& script, Reply& reply);
  Script* find_known(std::string_view sha);

  Instance& server_;
  std::unique_ptr<LuaMemory> memory_;
  lua_State* lua_ = nullptr;  // made when the first script comes
  std::vector<std::unique_ptr<Script>> scripts_;
  std::uint64_t generation_ = 1;
  std::uint64_t numbers_ = 0;
  std::uint64_t random_state_ = 0;
  std::uint64_t instructions_ = 0;
  bool read_only_ = false;
  Command call_buffer_;
  Reply call_reply_;
};

}  // namespace holdfast::sim::redis
