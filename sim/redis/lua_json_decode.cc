// JSON as Lua values. As lua-cjson, it reads on to the first NUL, takes numbers as strtod does, and
// names what it found where it expected something else.
#include <strings.h>

#include <cstdlib>
#include <cstring>

#include "sim/redis/lua_json.h"

namespace holdfast::sim::redis {

namespace {

enum class JsonToken : std::uint8_t {
  object_begins,
  object_ends,
  array_begins,
  array_ends,
  string,
  number,
  boolean,
  null,
  colon,
  comma,
  end,
  wrong
};
constexpr const char* kJsonTokenNames[] = {"T_OBJ_BEGIN", "T_OBJ_END", "T_ARR_BEGIN", "T_ARR_END",
                                           "T_STRING",    "T_NUMBER",  "T_BOOLEAN",   "T_NULL",
                                           "T_COLON",     "T_COMMA",   "T_END"};

class JsonReader {
 public:
  JsonReader(lua_State* lua, const JsonSettings& settings, std::string_view text)
      : lua_(lua), settings_(settings), begin_(text.data()), at_(text.data()) {}

  void whole() {
    next();
    value();
    next();
    if (token_ != JsonToken::end) expected("the end");
  }

 private:
  void expected(const char* what) {
    const char* found =
        token_ == JsonToken::wrong ? wrong_ : kJsonTokenNames[static_cast<int>(token_)];
    luaL_error(lua_, "Expected %s but found %s at character %d", what, found,
               static_cast<int>(place_ - begin_) + 1);
  }

  void wrong(const char* what) {
    token_ = JsonToken::wrong;
    wrong_ = what;
    place_ = at_;
  }

  // -- values: each begins at its first token and ends at its last
  void value() {
    switch (token_) {
      case JsonToken::string:
        lua_pushlstring(lua_, text_.data(), text_.size());
        return;
      case JsonToken::number:
        lua_pushnumber(lua_, number_);
        return;
      case JsonToken::boolean:
        lua_pushboolean(lua_, number_ != 0);
        return;
      case JsonToken::null:
        lua_pushlightuserdata(lua_, nullptr);
        return;
      case JsonToken::object_begins:
        return object();
      case JsonToken::array_begins:
        return array();
      default:
        return expected("value");
    }
  }

  void descend() {
    ++depth_;
    if (depth_ <= settings_.decode_max_depth && lua_checkstack(lua_, 4) != 0) return;
    luaL_error(lua_, "Found too many nested data structures (%d) at character %d", depth_,
               static_cast<int>(at_ - begin_));
  }

  void object() {
    descend();
    lua_newtable(lua_);
    next();
    while (token_ != JsonToken::object_ends) {
      if (token_ != JsonToken::string) expected("object key string");
      lua_pushlstring(lua_, text_.data(), text_.size());
      next();
      if (token_ != JsonToken::colon) expected("colon");
      next();
      value();
      lua_rawset(lua_, -3);
      next();
      if (token_ == JsonToken::object_ends) break;
      if (token_ != JsonToken::comma) expected("comma or object end");
      next();
      if (token_ == JsonToken::object_ends) expected("object key string");
    }
    --depth_;
  }

  void array() {
    descend();
    lua_newtable(lua_);
    next();
    for (int i = 1; token_ != JsonToken::array_ends; ++i) {
      value();
      lua_rawseti(lua_, -2, i);
      next();
      if (token_ == JsonToken::array_ends) break;
      if (token_ != JsonToken::comma) expected("comma or array end");
      next();
      if (token_ == JsonToken::array_ends) expected("value");
    }
    --depth_;
  }

  // -- tokens
  void next() {
    while (*at_ == ' ' || *at_ == '\t' || *at_ == '\n' || *at_ == '\r') ++at_;
    place_ = at_;
    constexpr std::string_view kSigns = "{}[]:,";
    constexpr JsonToken kTokens[] = {JsonToken::object_begins, JsonToken::object_ends,
                                     JsonToken::array_begins,  JsonToken::array_ends,
                                     JsonToken::colon,         JsonToken::comma};
    const std::size_t sign = kSigns.find(*at_);
    if (*at_ == '\0') {
      token_ = JsonToken::end;
    } else if (sign != std::string_view::npos) {
      token_ = kTokens[sign];
      ++at_;
    } else if (*at_ == '"') {
      string();
    } else if (!word("true", JsonToken::boolean, 1) && !word("false", JsonToken::boolean, 0) &&
               !word("null", JsonToken::null, 0)) {
      number();
    }
  }

  bool word(std::string_view text, JsonToken token, int value) {
    if (std::strncmp(at_, text.data(), text.size()) != 0) return false;
    token_ = token;
    number_ = value;
    at_ += text.size();
    return true;
  }

  void number() {
    const bool plain = *at_ == '-' || (*at_ >= '0' && *at_ <= '9');
    const bool allowed = settings_.decode_invalid != JsonSettings::refused;
    if (!plain && !(allowed && unknown_to_json())) return wrong("invalid token");
    if (!allowed && unknown_to_json()) return wrong("invalid number");
    char* end = nullptr;
    number_ = std::strtod(at_, &end);
    if (end == at_) return wrong("invalid number");
    token_ = JsonToken::number;
    at_ = end;
  }

  // A number for strtod that is none in JSON: +1, 01, 0x1, inf, nan.
  bool unknown_to_json() const {
    if (*at_ == '+') return true;
    const char* digits = *at_ == '-' ? at_ + 1 : at_;
    if (*digits == '0') {
      return digits[1] == 'x' || digits[1] == 'X' || (digits[1] >= '0' && digits[1] <= '9');
    }
    return ::strncasecmp(digits, "inf", 3) == 0 || ::strncasecmp(digits, "nan", 3) == 0;
  }

  void string() {
    text_.clear();
    for (++at_; *at_ != '"'; ++at_) {
      if (*at_ == '\0') return wrong("unexpected end of string");
      if (*at_ != '\\') {
        text_ += *at_;
      } else if (!escape()) {
        return;
      }
    }
    ++at_;
    token_ = JsonToken::string;
  }

  // At a backslash; ends at the last character that belongs to it.
  bool escape() {
    constexpr std::string_view kEscaped = "\"\\/bfnrt";
    constexpr std::string_view kPlain = "\"\\/\b\f\n\r\t";
    const std::size_t place = at_[1] == '\0' ? std::string_view::npos : kEscaped.find(at_[1]);
    if (place != std::string_view::npos) {
      text_ += kPlain[place];
      ++at_;
      return true;
    }
    if (at_[1] == 'u' && unicode()) return true;
    wrong(at_[1] == 'u' ? "invalid unicode escape code" : "invalid escape code");
    return false;
  }

  bool unicode() {
    long code = hexadecimal(at_ + 2);
    const char* last = at_ + 5;
    if (code < 0 || (code & 0xfc00) == 0xdc00) return false;
    if ((code & 0xfc00) == 0xd800) {
      if (at_[6] != '\\' || at_[7] != 'u') return false;
      const long low = hexadecimal(at_ + 8);
      if (low < 0 || (low & 0xfc00) != 0xdc00) return false;
      code = 0x10000 + ((code & 0x3ff) << 10) + (low & 0x3ff);
      last = at_ + 11;
    }
    add_utf8(static_cast<std::uint32_t>(code));
    at_ = last;
    return true;
  }

  static long hexadecimal(const char* digits) {
    long value = 0;
    for (int i = 0; i < 4; ++i) {
      constexpr std::string_view kDigits = "0123456789abcdef";
      const char digit =
          digits[i] >= 'A' && digits[i] <= 'F' ? static_cast<char>(digits[i] + 32) : digits[i];
      const std::size_t place = digit == '\0' ? std::string_view::npos : kDigits.find(digit);
      if (place == std::string_view::npos) return -1;
      value = value * 16 + static_cast<long>(place);
    }
    return value;
  }

  void add_utf8(std::uint32_t code) {
    if (code < 0x80) {
      text_ += static_cast<char>(code);
      return;
    }
    const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    constexpr std::uint32_t kHeads[] = {0, 0xc0, 0xe0, 0xf0};
    text_ += static_cast<char>(kHeads[more] | (code >> (6 * more)));
    for (int i = more; --i >= 0;) text_ += static_cast<char>(0x80 | ((code >> (6 * i)) & 0x3f));
  }

  lua_State* lua_;
  const JsonSettings& settings_;
  const char* begin_;
  const char* at_;
  const char* place_ = nullptr;  // of the token
  JsonToken token_ = JsonToken::end;
  const char* wrong_ = "";
  std::string text_;
  lua_Number number_ = 0;
  int depth_ = 0;
};

}  // namespace

void read_json(lua_State* lua, const JsonSettings& settings, std::string_view text) {
  if (text.size() >= 2 && (text[0] == '\0' || text[1] == '\0')) {
    luaL_error(lua, "JSON parser does not support UTF-16 or UTF-32");
  }
  JsonReader(lua, settings, text).whole();
}

}  // namespace holdfast::sim::redis
