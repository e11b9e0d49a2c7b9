// The `cmsgpack` table of scripts, as lua-cmsgpack 0.4 has it.
#include "sim/redis/lua_msgpack.h"

#include <limits>

#include "sim/redis/lua_library.h"

namespace holdfast::sim::redis {

namespace {

int pack_messages(lua_State* lua) {
  const int count = lua_gettop(lua);
  if (count == 0) return luaL_argerror(lua, 0, "MessagePack pack needs input.");
  luaL_checkstack(lua, 1, "Too many arguments for MessagePack pack.");
  std::string bytes;
  for (int i = 1; i <= count; ++i) {
    lua_pushvalue(lua, i);
    write_msgpack(lua, bytes);
    lua_pop(lua, 1);
  }
  lua_pushlstring(lua, bytes.data(), bytes.size());
  return 1;
}

// Up to `limit` values from `offset` on; before them where the rest begins, -1 when there is none.
// All of them, and nothing before them, when both are 0.
int unpack_messages_from(lua_State* lua, lua_Integer limit, lua_Integer offset) {
  std::size_t length = 0;
  const char* data = luaL_checklstring(lua, 1, &length);
  lua_settop(lua, 1);
  if (offset < 0 || limit < 0) {  // the library's own slip: it shows the length as the limit
    return luaL_error(lua, "Invalid request to unpack with offset of %d and limit of %d.",
                      static_cast<int>(offset), static_cast<int>(length));
  }
  if (static_cast<std::size_t>(offset) > length) {
    return luaL_error(lua, "Start offset %d greater than input length %d.",
                      static_cast<int>(offset), static_cast<int>(length));
  }
  const bool all = limit == 0 && offset == 0;
  if (all) limit = std::numeric_limits<lua_Integer>::max();
  std::string_view rest(data + offset, length - static_cast<std::size_t>(offset));
  int count = 0;
  for (; !rest.empty() && count < limit; ++count) read_msgpack(lua, rest);
  if (all) return count;
  luaL_checkstack(lua, 1, "in function mp_unpack_full");
  lua_pushinteger(lua, rest.empty() ? -1 : static_cast<lua_Integer>(length - rest.size()));
  lua_insert(lua, 2);
  return count + 1;
}

int unpack_messages(lua_State* lua) { return unpack_messages_from(lua, 0, 0); }

int unpack_one_message(lua_State* lua) {
  return unpack_messages_from(lua, 1, luaL_optinteger(lua, 2, 0));
}

int unpack_most_messages(lua_State* lua) {
  const auto limit = luaL_checkinteger(lua, 2);
  return unpack_messages_from(lua, limit, luaL_optinteger(lua, 3, 0));
}

struct MessageText {
  const char* name;
  const char* value;
};
constexpr MessageText kMessageTexts[] = {{"_NAME", "cmsgpack"},
                                         {"_VERSION", "lua-cmsgpack 0.4.0"},
                                         {"_COPYRIGHT", "Copyright (C) 2012, Salvatore Sanfilippo"},
                                         {"_DESCRIPTION", "MessagePack C implementation for Lua"}};
constexpr luaL_Reg kMessageFunctions[] = {{"pack", pack_messages},
                                          {"unpack", unpack_messages},
                                          {"unpack_one", unpack_one_message},
                                          {"unpack_limit", unpack_most_messages}};

}  // namespace

void push_msgpack_library(lua_State* lua) {
  lua_newtable(lua);
  for (const luaL_Reg& function : kMessageFunctions) {
    lua_pushcfunction(lua, function.func);
    lua_setfield(lua, -2, function.name);
  }
  for (const MessageText& text : kMessageTexts) {
    lua_pushstring(lua, text.value);
    lua_setfield(lua, -2, text.name);
  }
}

}  // namespace holdfast::sim::redis
