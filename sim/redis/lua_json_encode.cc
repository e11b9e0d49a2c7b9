// Lua values as JSON.
#include <array>
#include <cmath>
#include <cstdio>

#include "sim/redis/lua_json.h"

namespace holdfast::sim::redis {

namespace {

class JsonWriter {
 public:
  JsonWriter(lua_State* lua, const JsonSettings& settings, std::string& text)
      : lua_(lua), settings_(settings), text_(text) {}

  // The value at the top.
  void value(int depth) {
    switch (lua_type(lua_, -1)) {
      case LUA_TSTRING:
        return string(-1);
      case LUA_TNUMBER:
        return number(-1);
      case LUA_TBOOLEAN:
        text_ += lua_toboolean(lua_, -1) != 0 ? "true" : "false";
        return;
      case LUA_TTABLE:
        return table(depth + 1);
      case LUA_TNIL:
        text_ += "null";
        return;
      case LUA_TLIGHTUSERDATA:
        if (lua_touserdata(lua_, -1) != nullptr) return refuse(-1, "type not supported");
        text_ += "null";
        return;
      default:
        return refuse(-1, "type not supported");
    }
  }

 private:
  static constexpr std::size_t kMost = std::size_t{256} << 20;  // of text

  void refuse(int index, const char* why) {
    luaL_error(lua_, "Cannot serialise %s: %s", luaL_typename(lua_, index), why);
  }

  void string(int index) {
    std::size_t length = 0;
    const char* begin = lua_tolstring(lua_, index, &length);
    text_ += '"';
    for (const char letter : std::string_view(begin, length)) character(letter);
    text_ += '"';
  }

  void character(char letter) {
    constexpr std::string_view kPlain = "\"\\/\b\f\n\r\t";
    constexpr std::string_view kEscaped = "\"\\/bfnrt";
    const std::size_t place = kPlain.find(letter);
    if (place != std::string_view::npos) {
      text_ += '\\';
      text_ += kEscaped[place];
    } else if (const auto byte = static_cast<unsigned char>(letter); byte < 32 || byte == 127) {
      std::array<char, 8> code{};
      std::snprintf(code.data(), code.size(), "\\u%04x", byte);
      text_ += code.data();
    } else {
      text_ += letter;
    }
  }

  void number(int index) {
    const lua_Number value = lua_tonumber(lua_, index);
    if (!std::isfinite(value) && settings_.encode_invalid != JsonSettings::written) {
      if (settings_.encode_invalid == JsonSettings::refused) {
        return refuse(index, "must not be NaN or Inf");
      }
      text_ += "null";
      return;
    }
    if (std::isnan(value)) {
      text_ += "nan";  // its sign is the machine's
      return;
    }
    std::array<char, 64> digits{};
    std::snprintf(digits.data(), digits.size(), "%.*g", settings_.precision, value);
    text_ += digits.data();
  }

  void table(int depth) {
    if (depth > settings_.encode_max_depth || lua_checkstack(lua_, 4) == 0) {
      luaL_error(lua_, "Cannot serialise, excessive nesting (%d)", depth);
    }
    const int length = array_length();
    length > 0 ? array(length, depth) : object(depth);
  }

  // The greatest index when all keys are indices; -1 for an object, 0 for an empty table.
  int array_length() {
    lua_Number greatest = 0;
    int count = 0;
    for (lua_pushnil(lua_); lua_next(lua_, -2) != 0; lua_pop(lua_, 1)) {
      const lua_Number key = lua_type(lua_, -2) == LUA_TNUMBER ? lua_tonumber(lua_, -2) : 0;
      if (key < 1 || key != std::floor(key)) {
        lua_pop(lua_, 2);
        return -1;
      }
      greatest = std::max(greatest, key);
      ++count;
    }
    const bool sparse = settings_.sparse_ratio > 0 &&
                        greatest > lua_Number{1} * count * settings_.sparse_ratio &&
                        greatest > settings_.sparse_safe;
    if (sparse && settings_.sparse_convert == 0) refuse(-1, "excessively sparse array");
    return sparse || greatest > 2'147'483'647 ? -1 : static_cast<int>(greatest);
  }

  void array(int length, int depth) {
    text_ += '[';
    for (int i = 1; i <= length; ++i) {
      if (i > 1) text_ += ',';
      if (text_.size() > kMost) luaL_error(lua_, "not enough memory");
      lua_rawgeti(lua_, -1, i);
      value(depth);
      lua_pop(lua_, 1);
    }
    text_ += ']';
  }

  void object(int depth) {
    text_ += '{';
    bool first = true;
    for (lua_pushnil(lua_); lua_next(lua_, -2) != 0; lua_pop(lua_, 1)) {
      if (!first) text_ += ',';
      first = false;
      key();
      value(depth);
    }
    text_ += '}';
  }

  // That below the top.
  void key() {
    switch (lua_type(lua_, -2)) {
      case LUA_TNUMBER:
        text_ += '"';
        number(-2);
        text_ += "\":";
        return;
      case LUA_TSTRING:
        string(-2);
        text_ += ':';
        return;
      default:
        return refuse(-2, "table key must be a number or string");
    }
  }

  lua_State* lua_;
  const JsonSettings& settings_;
  std::string& text_;
};

}  // namespace

void write_json(lua_State* lua, const JsonSettings& settings, std::string& text) {
  JsonWriter(lua, settings, text).value(0);
}

}  // namespace holdfast::sim::redis
