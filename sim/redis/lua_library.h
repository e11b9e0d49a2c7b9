// What a script finds in its world: the redis table, the allowed parts of Lua's libraries, and
// read-only globals (FID-L4, L9).
#pragma once

#include <lua.hpp>

namespace holdfast::sim::redis {

class ScriptEngine;

// Builds it in a new state and leaves these at the bottom of its stack.
void open_script_library(lua_State* lua);

inline constexpr int kErrorHandler = 1;  // stack index: adds source and line to an error
inline constexpr int kGlobals = 2;       // the table in which KEYS and ARGV are put
inline constexpr int kKeysName = 3;
inline constexpr int kArgvName = 4;
inline constexpr int kBottom = 4;

// The engine whose state this is.
ScriptEngine& engine_of(lua_State* lua);

// The parts: each leaves one table at the top.
void push_redis_library(lua_State* lua);
void push_bit_library(lua_State* lua);
void push_json_library(lua_State* lua);
void push_struct_library(lua_State* lua);
void push_msgpack_library(lua_State* lua);

}  // namespace holdfast::sim::redis
