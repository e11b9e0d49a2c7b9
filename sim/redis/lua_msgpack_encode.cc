// Lua values as MessagePack.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "sim/redis/lua_msgpack.h"

namespace holdfast::sim::redis {

namespace {

constexpr int kDeepestMessage = 16;  // a table below it is nil

// A header whose tag says how wide the number behind it is.
struct MessageWidth {
  std::uint64_t most;
  unsigned char tag;
  int bytes;
};

class MessageWriter {
 public:
  MessageWriter(lua_State* lua, std::string& bytes) : lua_(lua), bytes_(bytes) {}

  // The value at the top.
  void value(int depth) {
    switch (lua_type(lua_, -1)) {
      case LUA_TSTRING:
        return text();
      case LUA_TBOOLEAN:
        return byte(lua_toboolean(lua_, -1) != 0 ? 0xc3 : 0xc2);
      case LUA_TNUMBER:
        return number(lua_tonumber(lua_, -1));
      case LUA_TTABLE:
        if (depth == kDeepestMessage) return byte(0xc0);
        luaL_checkstack(lua_, 4, "in function mp_encode_lua_type");
        is_array() ? array(depth) : map(depth);
        return;
      default:
        return byte(0xc0);
    }
  }

 private:
  void byte(int value) { bytes_ += static_cast<char>(value); }
  void big_endian(std::uint64_t value, int bytes) {
    for (int i = bytes; --i >= 0;) byte(static_cast<int>(value >> (8 * i) & 0xff));
  }
  void tagged(std::uint64_t value, std::initializer_list<MessageWidth> widths) {
    for (const MessageWidth& width : widths) {
      if (value > width.most) continue;
      byte(width.tag);
      return big_endian(value, width.bytes);
    }
  }

  void text() {
    std::size_t length = 0;
    const char* begin = lua_tolstring(lua_, -1, &length);
    if (length <= 31) {
      byte(static_cast<int>(0xa0 | length));
    } else {
      tagged(length, {{0xff, 0xd9, 1}, {0xffff, 0xda, 2}, {~std::uint64_t{0}, 0xdb, 4}});
    }
    bytes_.append(begin, length);
  }

  void number(lua_Number value) {
    constexpr lua_Number kLimit = 9223372036854775808.0;
    if (value >= -kLimit && value < kLimit && value == std::trunc(value)) {
      return integer(static_cast<std::int64_t>(value));
    }
    const auto narrow = static_cast<float>(value);
    if (value == lua_Number{narrow}) {
      byte(0xca);
      return big_endian(std::bit_cast<std::uint32_t>(narrow), 4);
    }
    byte(0xcb);
    big_endian(std::bit_cast<std::uint64_t>(value), 8);
  }

  void integer(std::int64_t value) {
    const auto bits = static_cast<std::uint64_t>(value);
    if (value >= -32 && value <= 127) return byte(static_cast<int>(bits & 0xff));
    if (value > 0) {
      return tagged(bits, {{0xff, 0xcc, 1},
                           {0xffff, 0xcd, 2},
                           {0xffffffff, 0xce, 4},
                           {~std::uint64_t{0}, 0xcf, 8}});
    }
    const int bytes = value >= -0x80 ? 1 : value >= -0x8000 ? 2 : value >= -0x80000000LL ? 4 : 8;
    byte(0xd0 + std::countr_zero(static_cast<unsigned>(bytes)));
    big_endian(bits, bytes);
  }

  // Its keys are 1 to their number.
  bool is_array() {
    lua_Number greatest = 0;
    int count = 0;
    for (lua_pushnil(lua_); lua_next(lua_, -2) != 0; lua_pop(lua_, 1)) {
      const lua_Number key = lua_type(lua_, -2) == LUA_TNUMBER ? lua_tonumber(lua_, -2) : 0;
      if (key < 1 || key > 2'147'483'647 || key != std::trunc(key)) {
        lua_pop(lua_, 2);
        return false;
      }
      greatest = std::max(greatest, key);
      ++count;
    }
    return greatest == lua_Number{1} * count;
  }

  void array(int depth) {
    const std::size_t length = lua_objlen(lua_, -1);
    header(length, 0x90, 0xdc);
    for (std::size_t i = 1; i <= length; ++i) {
      lua_rawgeti(lua_, -1, static_cast<int>(i));
      value(depth + 1);
      lua_pop(lua_, 1);
    }
  }

  void map(int depth) {
    std::size_t length = 0;
    for (lua_pushnil(lua_); lua_next(lua_, -2) != 0; lua_pop(lua_, 1)) ++length;
    header(length, 0x80, 0xde);
    for (lua_pushnil(lua_); lua_next(lua_, -2) != 0; lua_pop(lua_, 1)) {
      lua_pushvalue(lua_, -2);
      value(depth + 1);
      lua_pop(lua_, 1);
      value(depth + 1);
    }
  }

  void header(std::size_t length, unsigned char small, unsigned char wide) {
    if (length <= 15) return byte(static_cast<int>(small | length));
    const auto wider = static_cast<unsigned char>(wide + 1);
    tagged(length, {{0xffff, wide, 2}, {~std::uint64_t{0}, wider, 4}});
  }

  lua_State* lua_;
  std::string& bytes_;
};

}  // namespace

void write_msgpack(lua_State* lua, std::string& bytes) { MessageWriter(lua, bytes).value(0); }

}  // namespace holdfast::sim::redis
