// The `redis` table of scripts.
#include <algorithm>
#include <string>
#include <string_view>

#include "sim/redis/instance.h"
#include "sim/redis/lua_conversion.h"
#include "sim/redis/lua_library.h"
#include "sim/redis/scripting.h"
#include "sim/redis/sha1.h"

namespace holdfast::sim::redis {

namespace {

// The arguments as a command; false with an error pushed when they are none.
bool take_command(lua_State* lua, Command& command) {
  const int count = lua_gettop(lua);
  if (count == 0) {
    push_error(lua, "Please specify at least one argument for this redis lib call", false);
    return false;
  }
  command.clear();
  for (int i = 1; i <= count; ++i) {
    if (add_argument(lua, i, command)) continue;
    push_error(lua, "Lua redis lib command arguments must be strings or integers", false);
    return false;
  }
  return true;
}

// Runs the command of the arguments and pushes its reply; an error is pushed as a table.
// Returns whether it is an error.
bool run_command(lua_State* lua) {
  ScriptEngine& engine = engine_of(lua);
  engine.count_instructions(lua, kInstructionsOfACall);
  Command& command = engine.call_buffer();
  if (!take_command(lua, command)) return true;
  Reply& reply = engine.call_reply();
  reply.type = Reply::Type::nil;
  reply.text.clear();
  reply.elements.clear();
  engine.server().call_from_script(command, engine.read_only(), reply);
  push_reply(lua, reply);
  if (!reply.is_error()) return false;
  lua_pushboolean(lua, 1);
  lua_setfield(lua, -2, "ignore_error_stats_update");
  return true;
}

int redis_call(lua_State* lua) {
  if (run_command(lua)) return lua_error(lua);
  return 1;
}

int redis_pcall(lua_State* lua) {
  run_command(lua);
  return 1;
}

int redis_sha1hex(lua_State* lua) {
  if (lua_gettop(lua) != 1) {
    push_error(lua, "wrong number of arguments", false);
    return lua_error(lua);
  }
  std::size_t length = 0;
  const char* text = lua_tolstring(lua, 1, &length);
  const std::string hex = sha1_hex({text == nullptr ? "" : text, length});
  lua_pushlstring(lua, hex.data(), hex.size());
  return 1;
}

// FID-L5: one word gets ERR in front.
int redis_error_reply(lua_State* lua) {
  if (lua_gettop(lua) != 1 || lua_type(lua, 1) != LUA_TSTRING) {
    push_error(lua, "wrong number or type of arguments", false);
    return 1;
  }
  std::size_t length = 0;
  std::string_view text = lua_tolstring(lua, 1, &length);
  if (!text.empty() && text.front() == '-') text.remove_prefix(1);
  push_error(lua, text, text.find(' ') != std::string_view::npos);
  return 1;
}

int redis_status_reply(lua_State* lua) {
  if (lua_gettop(lua) != 1 || lua_type(lua, 1) != LUA_TSTRING) {
    push_error(lua, "wrong number or type of arguments", false);
    return 1;
  }
  lua_createtable(lua, 0, 1);
  lua_pushvalue(lua, 1);
  lua_setfield(lua, -2, "ok");
  return 1;
}

int does_nothing(lua_State*) { return 0; }

int refuse_call(lua_State* lua, std::string_view text) {
  push_error(lua, text, false);
  return lua_error(lua);
}

int redis_log(lua_State* lua) {
  constexpr lua_Number kWarning = 3;
  if (lua_gettop(lua) < 2) return refuse_call(lua, "redis.log() requires two arguments or more.");
  if (lua_isnumber(lua, 1) == 0) {
    return refuse_call(lua, "First argument must be a number (log level).");
  }
  const lua_Number level = lua_tonumber(lua, 1);
  if (level <= -1 || level >= kWarning + 1) return refuse_call(lua, "Invalid debug level.");
  return 0;
}

// How the script sees replies from now on, and how its own booleans are sent.
int redis_setresp(lua_State* lua) {
  if (lua_gettop(lua) != 1) return refuse_call(lua, "redis.setresp() requires one argument.");
  const auto version = lua_tointeger(lua, 1);
  if (version != 2 && version != 3) return refuse_call(lua, "RESP version must be 2 or 3.");
  engine_of(lua).set_resp3(version == 3);
  return 0;
}

// Who repeats what the script changes from now on.
int redis_set_repl(lua_State* lua) {
  if (lua_gettop(lua) != 1) return refuse_call(lua, "redis.set_repl() requires two arguments.");
  const auto targets = lua_tointeger(lua, 1);
  if ((targets & ~lua_Integer{kToEverybody}) != 0) {
    return refuse_call(
        lua, "Invalid replication flags. Use REPL_AOF, REPL_REPLICA, REPL_ALL or REPL_NONE.");
  }
  engine_of(lua).server().propagation().set_targets(static_cast<std::uint8_t>(targets));
  return 0;
}

// There is one user, who may do everything.
int redis_acl_check_cmd(lua_State* lua) {
  Command& command = engine_of(lua).call_buffer();
  if (!take_command(lua, command)) return lua_error(lua);
  if (find_command(command) == nullptr) {
    return refuse_call(lua, "Invalid command passed to redis.acl_check_cmd()");
  }
  lua_pushboolean(lua, 1);
  return 1;
}

int answers_false(lua_State* lua) {
  lua_pushboolean(lua, 0);
  return 1;
}

int answers_true(lua_State* lua) {
  lua_pushboolean(lua, 1);
  return 1;
}

constexpr luaL_Reg kRedisFunctions[] = {{"call", redis_call},
                                        {"pcall", redis_pcall},
                                        {"sha1hex", redis_sha1hex},
                                        {"error_reply", redis_error_reply},
                                        {"status_reply", redis_status_reply},
                                        {"log", redis_log},
                                        {"setresp", redis_setresp},
                                        {"breakpoint", answers_false},
                                        {"debug", does_nothing},
                                        {"set_repl", redis_set_repl},
                                        {"replicate_commands", answers_true},
                                        {"acl_check_cmd", redis_acl_check_cmd}};

struct Constant {
  const char* name;
  int value;
};
constexpr Constant kConstants[] = {{"LOG_DEBUG", 0},  {"LOG_VERBOSE", 1},
                                   {"LOG_NOTICE", 2}, {"LOG_WARNING", 3},
                                   {"REPL_NONE", 0},  {"REPL_AOF", 1},
                                   {"REPL_SLAVE", 2}, {"REPL_REPLICA", 2},
                                   {"REPL_ALL", 3},   {"REDIS_VERSION_NUM", 0x0007000f}};

}  // namespace

void push_redis_library(lua_State* lua) {
  lua_newtable(lua);
  for (const luaL_Reg& function : kRedisFunctions) {
    lua_pushcfunction(lua, function.func);
    lua_setfield(lua, -2, function.name);
  }
  for (const Constant& constant : kConstants) {
    lua_pushinteger(lua, constant.value);
    lua_setfield(lua, -2, constant.name);
  }
  lua_pushliteral(lua, "7.0.15");
  lua_setfield(lua, -2, "REDIS_VERSION");
}

}  // namespace holdfast::sim::redis
