#include "sim/redis/lua_conversion.h"

#include <cmath>
#include <cstdio>
#include <limits>

#include "sim/redis/integer_text.h"

namespace holdfast::sim::redis {

namespace {

constexpr int kDeepest = 64;

std::string_view text_at(lua_State* lua, int index) {
  std::size_t length = 0;
  const char* text = lua_tolstring(lua, index, &length);
  return {text, length};
}

// FID-L7: truncated toward zero; what does not fit is the smallest integer, as on x86-64.
std::int64_t truncated(lua_Number number) {
  constexpr lua_Number kLimit = 9223372036854775808.0;
  if (!(number > -kLimit && number < kLimit)) return std::numeric_limits<std::int64_t>::min();
  return static_cast<std::int64_t>(number);
}

// The string field of the table at the top; false when it has none.
bool take_field(lua_State* lua, const char* name, Reply::Type type, Reply& reply) {
  lua_pushstring(lua, name);
  lua_rawget(lua, -2);
  const bool found = lua_type(lua, -1) == LUA_TSTRING;
  if (found) {
    reply.type = type;
    reply.text.assign(text_at(lua, -1));
    for (char& letter : reply.text) {
      if (letter == '\r' || letter == '\n') letter = ' ';
    }
  }
  lua_pop(lua, 1);
  return found;
}

void make_reply_at(lua_State* lua, Reply& reply, int depth);

void make_table_reply(lua_State* lua, Reply& reply, int depth) {
  if (take_field(lua, "err", Reply::Type::error, reply)) return;
  if (take_field(lua, "ok", Reply::Type::status, reply)) return;
  reply.type = Reply::Type::array;
  if (depth == kDeepest || lua_checkstack(lua, 4) == 0) {
    reply = Reply::error("ERR reached lua stack limit");
    return;
  }
  for (int i = 1;; ++i) {
    lua_rawgeti(lua, -1, i);
    if (lua_isnil(lua, -1)) break;
    reply.elements.emplace_back();
    make_reply_at(lua, reply.elements.back(), depth + 1);
    lua_pop(lua, 1);
  }
  lua_pop(lua, 1);
}

void make_reply_at(lua_State* lua, Reply& reply, int depth) {
  switch (lua_type(lua, -1)) {
    case LUA_TSTRING:
      reply.type = Reply::Type::bulk;
      reply.text.assign(text_at(lua, -1));
      break;
    case LUA_TBOOLEAN:
      if (lua_toboolean(lua, -1) == 0) break;
      reply.type = Reply::Type::integer;
      reply.integer = 1;
      break;
    case LUA_TNUMBER:
      reply.type = Reply::Type::integer;
      reply.integer = truncated(lua_tonumber(lua, -1));
      break;
    case LUA_TTABLE:
      make_table_reply(lua, reply, depth);
      break;
    default:
      break;  // nil, functions: null
  }
}

}  // namespace

void push_reply(lua_State* lua, const Reply& reply) {
  switch (reply.type) {
    case Reply::Type::nil:
    case Reply::Type::null_array:
    case Reply::Type::null:
      lua_pushboolean(lua, 0);
      break;
    case Reply::Type::integer:
    case Reply::Type::boolean:
      lua_pushnumber(lua, static_cast<lua_Number>(reply.integer));
      break;
    case Reply::Type::bulk:
    case Reply::Type::real:
    case Reply::Type::verbatim:
      lua_pushlstring(lua, reply.text.data(), reply.text.size());
      break;
    case Reply::Type::status:
      lua_createtable(lua, 0, 1);
      lua_pushlstring(lua, reply.text.data(), reply.text.size());
      lua_setfield(lua, -2, "ok");
      break;
    case Reply::Type::error:
      push_error(lua, reply.text, true);
      break;
    case Reply::Type::array:
    case Reply::Type::map:
    case Reply::Type::set:
    case Reply::Type::push:
      luaL_checkstack(lua, 4, "reply too deep");
      lua_createtable(lua, static_cast<int>(reply.elements.size()), 0);
      for (std::size_t i = 0; i < reply.elements.size(); ++i) {
        push_reply(lua, reply.elements[i]);
        lua_rawseti(lua, -2, static_cast<int>(i + 1));
      }
      break;
  }
}

void make_reply(lua_State* lua, Reply& reply) { make_reply_at(lua, reply, 0); }

bool add_argument(lua_State* lua, int index, Command& command) {
  const int type = lua_type(lua, index);
  if (type == LUA_TSTRING) {
    command.add(text_at(lua, index));
    return true;
  }
  if (type != LUA_TNUMBER) return false;
  const lua_Number number = lua_tonumber(lua, index);
  constexpr lua_Number kPlain = 1e17;  // up to here %.17g writes whole numbers as digits
  if (number > -kPlain && number < kPlain && number == std::trunc(number) &&
      !(number == 0 && std::signbit(number))) {
    command.add(IntegerText(static_cast<std::int64_t>(number)).view());
    return true;
  }
  char text[64];
  const int length = std::snprintf(text, sizeof text, "%.17g", number);
  command.add(std::string_view(text, static_cast<std::size_t>(length)));
  return true;
}

void push_error(lua_State* lua, std::string_view text, bool coded) {
  lua_createtable(lua, 0, 3);
  if (coded) {
    lua_pushlstring(lua, text.data(), text.size());
  } else {
    lua_pushliteral(lua, "ERR ");
    lua_pushlstring(lua, text.data(), text.size());
    lua_concat(lua, 2);
  }
  lua_setfield(lua, -2, "err");
}

}  // namespace holdfast::sim::redis
