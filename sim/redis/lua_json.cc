// The `cjson` table of scripts: encode, decode and their settings. Written for it rather than taken
// from a library: scripts see lua-cjson's own texts of errors, its order of keys, its numbers.
#include "sim/redis/lua_json.h"

#include <cstdio>
#include <new>

#include "sim/redis/lua_library.h"
#include "sim/redis/scripting.h"

namespace holdfast::sim::redis {

namespace {

// Those of the table that the running function belongs to.
JsonSettings& json_settings(lua_State* lua) {
  auto& settings = *static_cast<JsonSettings*>(lua_touserdata(lua, lua_upvalueindex(1)));
  const std::uint64_t now = engine_of(lua).generation();
  if (settings.generation != now) {
    settings = JsonSettings();
    settings.generation = now;
  }
  return settings;
}

int json_encode(lua_State* lua) {
  luaL_argcheck(lua, lua_gettop(lua) == 1, 1, "expected 1 argument");
  std::string text;
  write_json(lua, json_settings(lua), text);
  lua_pushlstring(lua, text.data(), text.size());
  return 1;
}

int json_decode(lua_State* lua) {
  luaL_argcheck(lua, lua_gettop(lua) == 1, 1, "expected 1 argument");
  std::size_t length = 0;
  const char* text = luaL_checklstring(lua, 1, &length);
  read_json(lua, json_settings(lua), {text, length});
  return 1;
}

// -- settings: each takes new values, or nil to keep them, and answers what they are
JsonSettings& open_json(lua_State* lua, int arguments) {
  luaL_argcheck(lua, lua_gettop(lua) <= arguments, arguments + 1, "found too many arguments");
  lua_settop(lua, arguments);
  return json_settings(lua);
}

int json_integer(lua_State* lua, int argument, int& setting, int least, int most) {
  if (!lua_isnil(lua, argument)) {
    const auto value = static_cast<int>(luaL_checkinteger(lua, argument));
    char message[64];
    std::snprintf(message, sizeof message, "expected integer between %d and %d", least, most);
    luaL_argcheck(lua, least <= value && value <= most, 1, message);
    setting = value;
  }
  lua_pushinteger(lua, setting);
  return 1;
}

// One of the words, of which the first two are false and true.
int json_choice(lua_State* lua, int argument, int& setting, const char* const words[]) {
  if (lua_isboolean(lua, argument)) {
    setting = lua_toboolean(lua, argument);
  } else if (!lua_isnil(lua, argument)) {
    setting = luaL_checkoption(lua, argument, nullptr, words);
  }
  setting < 2 ? lua_pushboolean(lua, setting) : lua_pushstring(lua, words[setting]);
  return 1;
}

constexpr int kJsonMost = 2'147'483'647;
constexpr const char* kJsonOffOn[] = {"off", "on", nullptr};
constexpr const char* kJsonOffOnNull[] = {"off", "on", "null", nullptr};

int encode_sparse_array(lua_State* lua) {
  JsonSettings& settings = open_json(lua, 3);
  json_choice(lua, 1, settings.sparse_convert, kJsonOffOn);
  json_integer(lua, 2, settings.sparse_ratio, 0, kJsonMost);
  json_integer(lua, 3, settings.sparse_safe, 0, kJsonMost);
  return 3;
}
int encode_max_depth(lua_State* lua) {
  return json_integer(lua, 1, open_json(lua, 1).encode_max_depth, 1, kJsonMost);
}
int decode_max_depth(lua_State* lua) {
  return json_integer(lua, 1, open_json(lua, 1).decode_max_depth, 1, kJsonMost);
}
int encode_number_precision(lua_State* lua) {
  return json_integer(lua, 1, open_json(lua, 1).precision, 1, 14);
}
int encode_keep_buffer(lua_State* lua) {
  return json_choice(lua, 1, open_json(lua, 1).keep_buffer, kJsonOffOn);
}
int encode_invalid_numbers(lua_State* lua) {
  return json_choice(lua, 1, open_json(lua, 1).encode_invalid, kJsonOffOnNull);
}
int decode_invalid_numbers(lua_State* lua) {
  return json_choice(lua, 1, open_json(lua, 1).decode_invalid, kJsonOffOn);
}

// Another such table with settings of its own.
int new_json(lua_State* lua) {
  push_json_library(lua);
  return 1;
}

constexpr luaL_Reg kJsonFunctions[] = {{"encode", json_encode},
                                       {"decode", json_decode},
                                       {"encode_sparse_array", encode_sparse_array},
                                       {"encode_max_depth", encode_max_depth},
                                       {"decode_max_depth", decode_max_depth},
                                       {"encode_number_precision", encode_number_precision},
                                       {"encode_keep_buffer", encode_keep_buffer},
                                       {"encode_invalid_numbers", encode_invalid_numbers},
                                       {"decode_invalid_numbers", decode_invalid_numbers},
                                       {"new", new_json}};

}  // namespace

void push_json_library(lua_State* lua) {
  lua_newtable(lua);
  auto* const settings = new (lua_newuserdata(lua, sizeof(JsonSettings))) JsonSettings();
  settings->generation = engine_of(lua).generation();
  for (const luaL_Reg& function : kJsonFunctions) {
    lua_pushvalue(lua, -1);
    lua_pushcclosure(lua, function.func, 1);
    lua_setfield(lua, -3, function.name);
  }
  lua_pop(lua, 1);
  lua_pushlightuserdata(lua, nullptr);
  lua_setfield(lua, -2, "null");
  lua_pushliteral(lua, "cjson");
  lua_setfield(lua, -2, "_NAME");
  lua_pushliteral(lua, "2.1.0");
  lua_setfield(lua, -2, "_VERSION");
}

}  // namespace holdfast::sim::redis
