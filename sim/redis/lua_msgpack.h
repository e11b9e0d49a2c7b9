// The two directions of the `cmsgpack` table. Errors are Lua's.
#pragma once

#include <lua.hpp>
#include <string>
#include <string_view>

namespace holdfast::sim::redis {

// Appends the value at the top of the stack.
void write_msgpack(lua_State* lua, std::string& bytes);
// Takes the first value from the bytes and pushes it.
void read_msgpack(lua_State* lua, std::string_view& bytes);

}  // namespace holdfast::sim::redis
