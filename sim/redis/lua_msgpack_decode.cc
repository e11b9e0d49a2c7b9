// MessagePack as Lua values.
#include <bit>
#include <cstdint>

#include "sim/redis/lua_msgpack.h"

namespace holdfast::sim::redis {

namespace {

class MessageReader {
 public:
  MessageReader(lua_State* lua, std::string_view& bytes) : lua_(lua), bytes_(bytes) {}

  void value() {
    const auto tag = static_cast<unsigned>(number(1));
    if (tag <= 0x7f || tag >= 0xe0) {
      return push(static_cast<std::int8_t>(tag));
    }
    if (tag <= 0x8f) return map(tag & 15);
    if (tag <= 0x9f) return array(tag & 15);
    if (tag <= 0xbf) return text(tag & 31);
    tagged(tag);
  }

 private:
  std::string_view take(std::size_t size) {
    if (bytes_.size() < size) luaL_error(lua_, "Missing bytes in input.");
    const std::string_view taken = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return taken;
  }
  std::uint64_t number(std::size_t size) {
    std::uint64_t value = 0;
    for (const char byte : take(size)) value = value << 8 | static_cast<unsigned char>(byte);
    return value;
  }
  void push(std::int64_t value) { lua_pushinteger(lua_, value); }

  void tagged(unsigned tag) {
    switch (tag) {
      case 0xc0:
        return lua_pushnil(lua_);
      case 0xc2:
      case 0xc3:
        return lua_pushboolean(lua_, tag == 0xc3 ? 1 : 0);
      case 0xca:
        return lua_pushnumber(lua_, std::bit_cast<float>(static_cast<std::uint32_t>(number(4))));
      case 0xcb:
        return lua_pushnumber(lua_, std::bit_cast<double>(number(8)));
      case 0xcc:
      case 0xcd:
      case 0xce:
      case 0xcf:  // those of 64 bits wrap
        return push(static_cast<std::int64_t>(number(std::size_t{1} << (tag - 0xcc))));
      case 0xd0:
        return push(static_cast<std::int8_t>(number(1)));
      case 0xd1:
        return push(static_cast<std::int16_t>(number(2)));
      case 0xd2:
        return push(static_cast<std::int32_t>(number(4)));
      case 0xd3:
        return push(static_cast<std::int64_t>(number(8)));
      case 0xd9:
      case 0xda:
      case 0xdb:
        return text(number(std::size_t{1} << (tag - 0xd9)));
      case 0xdc:
      case 0xdd:
        return array(number(tag == 0xdc ? 2 : 4));
      case 0xde:
      case 0xdf:
        return map(number(tag == 0xde ? 2 : 4));
      default:
        luaL_error(lua_, "Bad data format in input.");
    }
  }

  void text(std::uint64_t length) {
    const std::string_view taken = take(length);
    lua_pushlstring(lua_, taken.data(), taken.size());
  }

  void array(std::uint64_t length) {
    lua_newtable(lua_);
    luaL_checkstack(lua_, 1, "in function mp_decode_to_lua_array");
    for (std::uint64_t i = 1; i <= length; ++i) {
      lua_pushnumber(lua_, static_cast<lua_Number>(i));
      value();
      lua_settable(lua_, -3);
    }
  }

  void map(std::uint64_t length) {
    lua_newtable(lua_);
    luaL_checkstack(lua_, 2, "in function mp_decode_to_lua_hash");
    for (std::uint64_t i = 0; i < length; ++i) {
      value();
      value();
      lua_settable(lua_, -3);
    }
  }

  lua_State* lua_;
  std::string_view& bytes_;
};

}  // namespace

void read_msgpack(lua_State* lua, std::string_view& bytes) {
  luaL_checkstack(lua, 1, "in function mp_decode_to_lua_type");
  MessageReader(lua, bytes).value();
}

}  // namespace holdfast::sim::redis
