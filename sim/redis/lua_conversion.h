// Between replies and Lua values (FID-L6, L7, L8).
#pragma once

#include <lua.hpp>
#include <string_view>

#include "lockcore/redis_client.h"

namespace holdfast::sim::redis {

// Pushes what redis.call returns for a reply. An error becomes a table with the field err.
void push_reply(lua_State* lua, const Reply& reply);

// Makes the reply that Redis sends for the value at the stack's top.
void make_reply(lua_State* lua, Reply& reply);

// Adds the value at `index` as a command's argument; false when it is neither string nor number.
bool add_argument(lua_State* lua, int index, Command& command);

// Pushes {err = text}: with the code that the text begins with when `coded`, else with ERR.
void push_error(lua_State* lua, std::string_view text, bool coded);

}  // namespace holdfast::sim::redis
