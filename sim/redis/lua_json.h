// The two directions of the `cjson` table, as lua-cjson 2.1 inside Redis has them. Errors are
// Lua's.
#pragma once

#include <cstdint>
#include <lua.hpp>
#include <string>
#include <string_view>

namespace holdfast::sim::redis {

struct JsonSettings {
  enum Invalid : int { refused, written, as_null };  // numbers that JSON has not
  int sparse_convert = 0;                            // sparse arrays become objects, not errors
  int sparse_ratio = 2;                              // 0: no array is sparse
  int sparse_safe = 10;
  int encode_max_depth = 1000;
  int decode_max_depth = 1000;
  int precision = 14;
  int keep_buffer = 1;  // remembered, no more
  int encode_invalid = refused;
  int decode_invalid = written;
  std::uint64_t generation = 0;  // of the engine that they were made in
};

// Appends the value at the top of the stack.
void write_json(lua_State* lua, const JsonSettings& settings, std::string& text);
// Pushes what the text, which a NUL follows, says.
void read_json(lua_State* lua, const JsonSettings& settings, std::string_view text);

}  // namespace holdfast::sim::redis
