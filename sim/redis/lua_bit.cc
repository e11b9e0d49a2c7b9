// The `bit` table of scripts: operations on 32-bit numbers, as LuaBitOp defines them.
#include <bit>
#include <cstdint>

#include "sim/redis/lua_library.h"

namespace holdfast::sim::redis {

namespace {

// Rounded to the nearest, modulo 2^32: the low bits of the sum, in which the ones stand there. (So
// does LuaBitOp, whose answers for what is too large are those of this sum, too.)
std::uint32_t bits_at(lua_State* lua, int index) {
  constexpr lua_Number kOnesAtTheEnd = 6755399441055744.0;  // 2^52 + 2^51
  const lua_Number sum = luaL_checknumber(lua, index) + kOnesAtTheEnd;
  return static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(sum));
}

int push_bits(lua_State* lua, std::uint32_t bits) {
  lua_pushnumber(lua, static_cast<lua_Number>(static_cast<std::int32_t>(bits)));
  return 1;
}

template <class Operation>
int fold(lua_State* lua, Operation operation) {
  std::uint32_t bits = bits_at(lua, 1);
  for (int i = 2; i <= lua_gettop(lua); ++i) bits = operation(bits, bits_at(lua, i));
  return push_bits(lua, bits);
}

int shift_of(lua_State* lua) { return static_cast<int>(bits_at(lua, 2) & 31); }

int bit_and(lua_State* lua) {
  return fold(lua, [](std::uint32_t a, std::uint32_t b) { return a & b; });
}
int bit_or(lua_State* lua) {
  return fold(lua, [](std::uint32_t a, std::uint32_t b) { return a | b; });
}
int bit_xor(lua_State* lua) {
  return fold(lua, [](std::uint32_t a, std::uint32_t b) { return a ^ b; });
}
int bit_not(lua_State* lua) { return push_bits(lua, ~bits_at(lua, 1)); }
int bit_tobit(lua_State* lua) { return push_bits(lua, bits_at(lua, 1)); }
int bit_lshift(lua_State* lua) { return push_bits(lua, bits_at(lua, 1) << shift_of(lua)); }
int bit_rshift(lua_State* lua) { return push_bits(lua, bits_at(lua, 1) >> shift_of(lua)); }
int bit_arshift(lua_State* lua) {
  const auto signed_bits = static_cast<std::int32_t>(bits_at(lua, 1));
  return push_bits(lua, static_cast<std::uint32_t>(signed_bits >> shift_of(lua)));
}
int bit_rol(lua_State* lua) {
  const std::uint32_t bits = bits_at(lua, 1);
  return push_bits(lua, std::rotl(bits, shift_of(lua)));
}
int bit_ror(lua_State* lua) {
  const std::uint32_t bits = bits_at(lua, 1);
  return push_bits(lua, std::rotr(bits, shift_of(lua)));
}

int bit_bswap(lua_State* lua) {
  const std::uint32_t bits = bits_at(lua, 1);
  return push_bits(lua,
                   (bits << 24) | ((bits & 0xff00U) << 8) | ((bits >> 8) & 0xff00U) | (bits >> 24));
}

// Negative digit counts ask for capitals.
int bit_tohex(lua_State* lua) {
  std::uint32_t bits = bits_at(lua, 1);
  int count =
      lua_gettop(lua) < 2 ? 8 : static_cast<int>(static_cast<std::int32_t>(bits_at(lua, 2)));
  const char* digits = count < 0 ? "0123456789ABCDEF" : "0123456789abcdef";
  if (count < 0) count = -count;
  if (count > 8 || count < 0) count = 8;
  char text[8];
  for (int i = count; --i >= 0; bits >>= 4) text[i] = digits[bits & 15];
  lua_pushlstring(lua, text, static_cast<std::size_t>(count));
  return 1;
}

constexpr luaL_Reg kBitFunctions[] = {
    {"band", bit_and},    {"bor", bit_or},        {"bxor", bit_xor},      {"bnot", bit_not},
    {"tobit", bit_tobit}, {"lshift", bit_lshift}, {"rshift", bit_rshift}, {"arshift", bit_arshift},
    {"rol", bit_rol},     {"ror", bit_ror},       {"bswap", bit_bswap},   {"tohex", bit_tohex}};

}  // namespace

void push_bit_library(lua_State* lua) {
  lua_newtable(lua);
  for (const luaL_Reg& function : kBitFunctions) {
    lua_pushcfunction(lua, function.func);
    lua_setfield(lua, -2, function.name);
  }
}

}  // namespace holdfast::sim::redis
