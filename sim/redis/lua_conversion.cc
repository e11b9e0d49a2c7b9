#include "sim/redis/lua_conversion.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

#include "sim/redis/integer_text.h"
#include "sim/redis/lua_library.h"
#include "sim/redis/scripting.h"

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

void take_text(lua_State* lua, Reply::Type type, Reply& reply) {
  reply.type = type;
  reply.text.assign(text_at(lua, -1));
}

// Of what a line of the protocol holds.
void take_line(lua_State* lua, Reply::Type type, Reply& reply) {
  take_text(lua, type, reply);
  for (char& letter : reply.text) {
    if (letter == '\r' || letter == '\n') letter = ' ';
  }
}

void make_reply_at(lua_State* lua, Reply& reply, int depth);

// Tables with such a field are no arrays; the first of them that is there, and is of this Lua type,
// says what the table is. Each gets the field's value at the stack's top.
struct ReplyField {
  const char* name;
  int type;
  bool (*take)(lua_State* lua, Reply& reply, int depth);  // false: it is not that after all
};

bool take_error(lua_State* lua, Reply& reply, int) {
  take_line(lua, Reply::Type::error, reply);
  return true;
}

bool take_status(lua_State* lua, Reply& reply, int) {
  take_line(lua, Reply::Type::status, reply);
  return true;
}

bool take_double(lua_State* lua, Reply& reply, int) {
  char text[64];
  const int length = std::snprintf(text, sizeof text, "%.17g", lua_tonumber(lua, -1));
  reply.type = Reply::Type::real;
  reply.text.assign(text, static_cast<std::size_t>(length));
  return true;
}

// RESP3's own type for it is not there: a bulk string, which RESP2 has in its place.
bool take_big_number(lua_State* lua, Reply& reply, int) {
  take_line(lua, Reply::Type::bulk, reply);
  return true;
}

bool take_verbatim(lua_State* lua, Reply& reply, int) {
  lua_getfield(lua, -1, "format");
  lua_getfield(lua, -2, "string");
  const bool whole = lua_type(lua, -1) == LUA_TSTRING && lua_type(lua, -2) == LUA_TSTRING;
  if (whole) take_text(lua, Reply::Type::verbatim, reply);
  lua_pop(lua, 2);
  return whole;
}

bool take_map(lua_State* lua, Reply& reply, int depth) {
  reply.type = Reply::Type::map;
  for (lua_pushnil(lua); lua_next(lua, -2) != 0; lua_pop(lua, 1)) {
    lua_pushvalue(lua, -2);
    make_reply_at(lua, reply.elements.emplace_back(), depth + 1);
    lua_pop(lua, 1);
    make_reply_at(lua, reply.elements.emplace_back(), depth + 1);
  }
  return true;
}

bool take_set(lua_State* lua, Reply& reply, int depth) {
  reply.type = Reply::Type::set;
  for (lua_pushnil(lua); lua_next(lua, -2) != 0;) {
    lua_pop(lua, 1);
    lua_pushvalue(lua, -1);
    make_reply_at(lua, reply.elements.emplace_back(), depth + 1);
    lua_pop(lua, 1);
  }
  return true;
}

constexpr ReplyField kReplyFields[] = {
    {"err", LUA_TSTRING, take_error},
    {"ok", LUA_TSTRING, take_status},
    {"double", LUA_TNUMBER, take_double},
    {"big_number", LUA_TSTRING, take_big_number},
    {"verbatim_string", LUA_TTABLE, take_verbatim},
    {"map", LUA_TTABLE, take_map},
    {"set", LUA_TTABLE, take_set},
};

void make_array(lua_State* lua, Reply& reply, int depth) {
  reply.type = Reply::Type::array;
  for (int i = 1;; ++i) {
    lua_rawgeti(lua, -1, i);
    if (lua_isnil(lua, -1)) break;
    make_reply_at(lua, reply.elements.emplace_back(), depth + 1);
    lua_pop(lua, 1);
  }
  lua_pop(lua, 1);
}

void make_table_reply(lua_State* lua, Reply& reply, int depth) {
  if (depth == kDeepest || lua_checkstack(lua, 8) == 0) {
    reply = Reply::error("ERR reached lua stack limit");
    return;
  }
  for (const ReplyField& field : kReplyFields) {
    lua_pushstring(lua, field.name);
    lua_rawget(lua, -2);
    const bool taken = lua_type(lua, -1) == field.type && field.take(lua, reply, depth);
    lua_pop(lua, 1);
    if (taken) return;
  }
  make_array(lua, reply, depth);
}

void make_reply_at(lua_State* lua, Reply& reply, int depth) {
  switch (lua_type(lua, -1)) {
    case LUA_TSTRING:
      take_text(lua, Reply::Type::bulk, reply);
      break;
    case LUA_TBOOLEAN:
      if (engine_of(lua).resp3()) {
        reply.type = Reply::Type::boolean;
      } else if (lua_toboolean(lua, -1) == 0) {
        break;
      } else {
        reply.type = Reply::Type::integer;
      }
      reply.integer = lua_toboolean(lua, -1);
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

// {name = the value at the top}
void wrap_reply(lua_State* lua, const char* name) {
  lua_createtable(lua, 0, 1);
  lua_insert(lua, -2);
  lua_setfield(lua, -2, name);
}

void push_elements(lua_State* lua, const Reply& reply) {
  lua_createtable(lua, static_cast<int>(reply.elements.size()), 0);
  for (std::size_t i = 0; i < reply.elements.size(); ++i) {
    push_reply(lua, reply.elements[i]);
    lua_rawseti(lua, -2, static_cast<int>(i + 1));
  }
}

void push_map(lua_State* lua, const Reply& reply) {
  lua_newtable(lua);
  for (std::size_t i = 0; i + 1 < reply.elements.size(); i += 2) {
    push_reply(lua, reply.elements[i]);
    push_reply(lua, reply.elements[i + 1]);
    lua_rawset(lua, -3);
  }
  wrap_reply(lua, "map");
}

void push_set(lua_State* lua, const Reply& reply) {
  lua_newtable(lua);
  for (const Reply& element : reply.elements) {
    push_reply(lua, element);
    lua_pushboolean(lua, 1);
    lua_rawset(lua, -3);
  }
  wrap_reply(lua, "set");
}

void push_verbatim(lua_State* lua, const Reply& reply) {
  lua_createtable(lua, 0, 2);
  lua_pushlstring(lua, reply.text.data(), reply.text.size());
  lua_setfield(lua, -2, "string");
  lua_pushliteral(lua, "txt");
  lua_setfield(lua, -2, "format");
  wrap_reply(lua, "verbatim_string");
}

}  // namespace

void push_reply(lua_State* lua, const Reply& reply) {
  luaL_checkstack(lua, 8, "reply too deep");
  switch (reply.type) {
    case Reply::Type::nil:
    case Reply::Type::null_array:
    case Reply::Type::null:
      engine_of(lua).resp3() ? lua_pushnil(lua) : lua_pushboolean(lua, 0);
      break;
    case Reply::Type::integer:
      lua_pushnumber(lua, static_cast<lua_Number>(reply.integer));
      break;
    case Reply::Type::bulk:
      lua_pushlstring(lua, reply.text.data(), reply.text.size());
      break;
    case Reply::Type::status:
      lua_pushlstring(lua, reply.text.data(), reply.text.size());
      wrap_reply(lua, "ok");
      break;
    case Reply::Type::error:
      push_error(lua, reply.text, true);
      break;
    case Reply::Type::array:
    case Reply::Type::push:
      push_elements(lua, reply);
      break;
    // After redis.setresp(3) alone.
    case Reply::Type::boolean:
      lua_pushboolean(lua, static_cast<int>(reply.integer));
      break;
    case Reply::Type::real:
      lua_pushnumber(lua, std::strtod(reply.text.c_str(), nullptr));
      wrap_reply(lua, "double");
      break;
    case Reply::Type::verbatim:
      push_verbatim(lua, reply);
      break;
    case Reply::Type::map:
      push_map(lua, reply);
      break;
    case Reply::Type::set:
      push_set(lua, reply);
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
