#include "sim/redis/lua_library.h"

#include <cstdio>
#include <string_view>

#include "sim/redis/lua_conversion.h"
#include "sim/redis/lua_memory.h"
#include "sim/redis/scripting.h"

namespace holdfast::sim::redis {

namespace {

// Every proxy's metatable has this field, by which rawset knows what it must not touch.
constexpr const char* kReadOnlyMark = "__readonly";

int refuse_change(lua_State* lua) { return luaL_error(lua, "Attempt to modify a readonly table"); }

int refuse_unknown(lua_State* lua) {
  const char* name = lua_tostring(lua, 2);
  return luaL_error(lua, "Script attempted to access nonexistent global variable '%s'",
                    name == nullptr ? "?" : name);
}

// Replaces the table at the top by an empty one that shows it and cannot be written to.
void protect(lua_State* lua) {
  lua_newtable(lua);           // real proxy
  lua_createtable(lua, 0, 3);  // real proxy meta
  lua_pushvalue(lua, -3);
  lua_setfield(lua, -2, "__index");
  lua_pushcfunction(lua, refuse_change);
  lua_setfield(lua, -2, "__newindex");
  lua_pushboolean(lua, 1);
  lua_setfield(lua, -2, kReadOnlyMark);
  lua_setmetatable(lua, -2);
  lua_remove(lua, -2);
}

bool is_read_only(lua_State* lua, int index) {
  if (luaL_getmetafield(lua, index, kReadOnlyMark) == 0) return false;
  lua_pop(lua, 1);
  return true;
}

// As Redis's own Lua says it: without a place.
int refuse_raw_change(lua_State* lua) {
  lua_pushliteral(lua, "Attempt to modify a readonly table");
  return lua_error(lua);
}

int raw_set(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  if (is_read_only(lua, 1)) return refuse_raw_change(lua);
  lua_settop(lua, 3);
  lua_rawset(lua, 1);
  return 1;
}

int raw_get(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  luaL_checkany(lua, 2);
  lua_settop(lua, 2);
  if (is_read_only(lua, 1)) {
    luaL_getmetafield(lua, 1, "__index");
    lua_replace(lua, 1);
  }
  lua_rawget(lua, 1);
  return 1;
}

int set_metatable(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  if (is_read_only(lua, 1)) return refuse_raw_change(lua);
  luaL_argcheck(lua, lua_isnil(lua, 2) || lua_istable(lua, 2), 2, "nil or table expected");
  if (luaL_getmetafield(lua, 1, "__metatable") != 0) {
    return luaL_error(lua, "cannot change a protected metatable");
  }
  lua_settop(lua, 2);
  lua_setmetatable(lua, 1);
  return 1;
}

// What is read-only shows an empty metatable: through the real one it could be written to.
int get_metatable(lua_State* lua) {
  luaL_checkany(lua, 1);
  if (lua_type(lua, 1) == LUA_TSTRING || is_read_only(lua, 1)) {
    lua_newtable(lua);
    return 1;
  }
  if (luaL_getmetafield(lua, 1, "__metatable") != 0) return 1;
  if (lua_getmetatable(lua, 1) == 0) lua_pushnil(lua);
  return 1;
}

// Tables and functions are numbered in the order in which a script asks, never shown by address.
int to_string(lua_State* lua) {
  luaL_checkany(lua, 1);
  if (luaL_callmeta(lua, 1, "__tostring") != 0) return 1;
  switch (lua_type(lua, 1)) {
    case LUA_TNUMBER:
      lua_pushstring(lua, lua_tostring(lua, 1));
      return 1;
    case LUA_TSTRING:
      lua_pushvalue(lua, 1);
      return 1;
    case LUA_TBOOLEAN:
      lua_pushstring(lua, lua_toboolean(lua, 1) != 0 ? "true" : "false");
      return 1;
    case LUA_TNIL:
      lua_pushliteral(lua, "nil");
      return 1;
    case LUA_TLIGHTUSERDATA:  // there is one: cjson.null
      lua_pushliteral(lua, "userdata: (nil)");
      return 1;
    default:
      break;
  }
  lua_pushvalue(lua, 1);
  lua_rawget(lua, lua_upvalueindex(1));  // numbers given so far, by object
  if (lua_isnil(lua, -1)) {
    lua_pushnumber(lua, static_cast<lua_Number>(engine_of(lua).take_number()));
    lua_pushvalue(lua, 1);
    lua_pushvalue(lua, -2);
    lua_rawset(lua, lua_upvalueindex(1));
  }
  char text[64];
  std::snprintf(text, sizeof text, "%s: 0x%08x", luaL_typename(lua, 1),
                static_cast<unsigned>(lua_tonumber(lua, -1)));
  lua_pushstring(lua, text);
  return 1;
}

// The generator of Redis's own rand.c: 48-bit linear congruence, 31 bits out.
std::uint32_t next_random(ScriptEngine& engine) {
  std::uint64_t& state = engine.random_state();
  state = (state * 0x5deece66dULL + 0xb) & ((1ULL << 48) - 1);
  return static_cast<std::uint32_t>(state >> 17);
}

int math_random(lua_State* lua) {
  constexpr lua_Number kMax = 2147483647.0;
  const lua_Number fraction =
      static_cast<lua_Number>(next_random(engine_of(lua)) % 2147483647U) / kMax;
  const int count = lua_gettop(lua);
  if (count == 0) {
    lua_pushnumber(lua, fraction);
    return 1;
  }
  const lua_Number low = count == 1 ? 1 : static_cast<lua_Number>(luaL_checkint(lua, 1));
  const lua_Number high = static_cast<lua_Number>(luaL_checkint(lua, count == 1 ? 1 : 2));
  luaL_argcheck(lua, low <= high, count == 1 ? 1 : 2, "interval is empty");
  const lua_Number drawn = fraction * (high - low + 1);
  lua_pushnumber(lua, static_cast<lua_Number>(static_cast<std::int64_t>(drawn)) + low);
  return 1;
}

int math_randomseed(lua_State* lua) {
  const auto seed = static_cast<std::uint32_t>(static_cast<std::int64_t>(luaL_checknumber(lua, 1)));
  engine_of(lua).random_state() = (std::uint64_t{seed} << 16) | 0x330eU;
  return 0;
}

// Redis's own pcall gives an error table's text instead of the table.
int protected_call(lua_State* lua) {
  luaL_checkany(lua, 1);
  const int status = lua_pcall(lua, lua_gettop(lua) - 1, LUA_MULTRET, 0);
  if (status != 0 && lua_istable(lua, -1)) {
    lua_pushliteral(lua, "err");
    lua_rawget(lua, -2);
    if (lua_isstring(lua, -1) == 0) lua_pop(lua, 1);
    lua_replace(lua, 1);
    lua_settop(lua, 1);
  }
  lua_pushboolean(lua, status == 0 ? 1 : 0);
  lua_insert(lua, 1);
  return lua_gettop(lua);
}

int collects_nothing(lua_State* lua) {  // when garbage goes must not be visible
  lua_pushinteger(lua, 0);
  return 1;
}

// FID-L3: the place in the script at which it failed.
int handle_error(lua_State* lua) {
  lua_Debug place{};
  bool found = lua_getstack(lua, 1, &place) != 0 && lua_getinfo(lua, "Sl", &place) != 0;
  if (found && std::string_view(place.what) == "C") {
    found = lua_getstack(lua, 2, &place) != 0 && lua_getinfo(lua, "Sl", &place) != 0;
  }
  if (!lua_istable(lua, 1)) {
    const char* text = lua_tostring(lua, 1);
    push_error(lua, text == nullptr ? luaL_typename(lua, 1) : text, false);
    lua_replace(lua, 1);
  }
  lua_settop(lua, 1);
  if (!found) return 1;
  lua_pushstring(lua, place.source);
  lua_setfield(lua, 1, "source");
  lua_pushinteger(lua, place.currentline);
  lua_setfield(lua, 1, "line");
  return 1;
}

void open_library(lua_State* lua, const char* name, lua_CFunction open) {
  lua_pushcfunction(lua, open);
  lua_pushstring(lua, name);
  lua_call(lua, 1, 0);
}

// Copies globals[name] of the plain libraries into the table at `into`, read-only when a table.
void keep(lua_State* lua, int into, const char* name) {
  lua_getglobal(lua, name);
  if (lua_istable(lua, -1)) protect(lua);
  lua_setfield(lua, into, name);
}

void replace_functions(lua_State* lua) {
  lua_newtable(lua);  // numbers of objects, by object, not keeping them alive
  lua_newtable(lua);
  lua_pushliteral(lua, "k");
  lua_setfield(lua, -2, "__mode");
  lua_setmetatable(lua, -2);
  lua_pushcclosure(lua, to_string, 1);
  lua_setglobal(lua, "tostring");
  lua_register(lua, "pcall", protected_call);
  lua_register(lua, "rawset", raw_set);
  lua_register(lua, "rawget", raw_get);
  lua_register(lua, "setmetatable", set_metatable);
  lua_register(lua, "getmetatable", get_metatable);
  lua_register(lua, "collectgarbage", collects_nothing);
  lua_register(lua, "gcinfo", collects_nothing);
  lua_getglobal(lua, "math");
  lua_pushcfunction(lua, math_random);
  lua_setfield(lua, -2, "random");
  lua_pushcfunction(lua, math_randomseed);
  lua_setfield(lua, -2, "randomseed");
  lua_pop(lua, 1);
}

constexpr const char* kKept[] = {
    "assert", "collectgarbage", "coroutine",  "error",    "gcinfo", "getmetatable",
    "ipairs", "load",           "loadstring", "math",     "next",   "pairs",
    "pcall",  "rawequal",       "rawget",     "rawset",   "select", "setmetatable",
    "string", "table",          "tonumber",   "tostring", "type",   "unpack",
    "xpcall", "_VERSION"};

struct OwnLibrary {
  const char* name;
  void (*push)(lua_State* lua);
};
constexpr OwnLibrary kOwnLibraries[] = {{"redis", push_redis_library},
                                        {"bit", push_bit_library},
                                        {"cjson", push_json_library},
                                        {"struct", push_struct_library},
                                        {"cmsgpack", push_msgpack_library}};

}  // namespace

ScriptEngine& engine_of(lua_State* lua) {
  void* memory = nullptr;
  lua_getallocf(lua, &memory);
  return static_cast<LuaMemory*>(memory)->engine();
}

void open_script_library(lua_State* lua) {
  open_library(lua, "", luaopen_base);
  open_library(lua, LUA_STRLIBNAME, luaopen_string);
  open_library(lua, LUA_TABLIBNAME, luaopen_table);
  open_library(lua, LUA_MATHLIBNAME, luaopen_math);
  replace_functions(lua);

  lua_settop(lua, 0);
  lua_pushcfunction(lua, handle_error);
  lua_newtable(lua);
  for (const char* name : kKept) keep(lua, kGlobals, name);
  for (const OwnLibrary& library : kOwnLibraries) {
    library.push(lua);
    protect(lua);
    lua_setfield(lua, kGlobals, library.name);
  }
  lua_newtable(lua);
  lua_pushcfunction(lua, refuse_unknown);
  lua_setfield(lua, -2, "__index");
  lua_setmetatable(lua, kGlobals);
  lua_pushliteral(lua, "KEYS");
  lua_pushliteral(lua, "ARGV");

  lua_pushvalue(lua, kGlobals);
  protect(lua);
  lua_pushvalue(lua, -1);
  lua_setfield(lua, kGlobals, "_G");
  lua_replace(lua, LUA_GLOBALSINDEX);  // the environment of every script compiled from now on
}

}  // namespace holdfast::sim::redis
