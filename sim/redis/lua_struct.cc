// The `struct` table of scripts: numbers and texts as the bytes that a format names, and back.
// As Roberto Ierusalimschy's library inside Redis.
#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>

#include "sim/redis/lua_library.h"

namespace holdfast::sim::redis {

namespace {

constexpr int kLargestStructInteger = 32;  // bytes
constexpr int kStructAlignment = 8;

// One option of a format, with the state that the options before it have set.
class StructFormat {
 public:
  StructFormat(lua_State* lua, const char* text) : lua_(lua), at_(text) {}

  // The next one; false at the end. Its size and the bytes before it, at this position, that its
  // alignment asks for.
  bool next(std::size_t position) {
    if (*at_ == '\0') return false;
    option_ = *at_++;
    size_ = size_of_option();
    padding_ = 0;
    const std::size_t step = std::min(size_, static_cast<std::size_t>(alignment_));
    if (step > 0 && option_ != 'c') padding_ = (step - (position & (step - 1))) & (step - 1);
    return true;
  }
  char option() const { return option_; }
  std::size_t size() const { return size_; }
  std::size_t padding() const { return padding_; }
  bool little() const { return little_; }
  bool is_integer() const {
    return option_ != '\0' && std::strchr("bBhHlLTiI", option_) != nullptr;
  }

  // What is no value: byte order, alignment, a space.
  void control() {
    if (option_ == '<' || option_ == '>') {
      little_ = option_ == '<';
    } else if (option_ == '!') {
      alignment_ = number(kStructAlignment);
      if (!std::has_single_bit(static_cast<unsigned>(alignment_))) {
        luaL_error(lua_, "alignment %d is not a power of 2", alignment_);
      }
    } else if (option_ != ' ') {
      luaL_argerror(lua_, 1, lua_pushfstring(lua_, "invalid format option '%c'", option_));
    }
  }

 private:
  std::size_t size_of_option() {
    switch (option_) {
      case 'b':
      case 'B':
      case 'x':
        return 1;
      case 'h':
      case 'H':
        return 2;
      case 'f':
        return 4;
      case 'l':
      case 'L':
      case 'T':
      case 'd':
        return 8;
      case 'c':
        return static_cast<std::size_t>(number(1));
      case 'i':
      case 'I': {
        const int size = number(4);
        if (size > kLargestStructInteger) {
          luaL_error(lua_, "integral size %d is larger than limit of %d", size,
                     kLargestStructInteger);
        }
        return static_cast<std::size_t>(size);
      }
      default:
        return 0;
    }
  }

  int number(int otherwise) {
    if (std::isdigit(static_cast<unsigned char>(*at_)) == 0) return otherwise;
    std::int64_t value = 0;
    for (; std::isdigit(static_cast<unsigned char>(*at_)) != 0; ++at_) {
      value = value * 10 + (*at_ - '0');
      if (value > std::numeric_limits<int>::max()) luaL_error(lua_, "integral size overflow");
    }
    return static_cast<int>(value);
  }

  lua_State* lua_;
  const char* at_;
  char option_ = '\0';
  std::size_t size_ = 0;
  std::size_t padding_ = 0;
  bool little_ = true;
  int alignment_ = 1;
};

// As x86-64 converts: what does not fit is the smallest integer, and nothing above 64 bits.
std::uint64_t struct_bits(lua_Number number) {
  constexpr lua_Number kHalf = 9223372036854775808.0;
  constexpr std::uint64_t kTop = std::uint64_t{1} << 63;
  if (std::isnan(number) || number < -kHalf) return kTop;
  if (number >= 2 * kHalf) return 0;
  if (number >= kHalf) return kTop + static_cast<std::uint64_t>(number - kHalf);
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(number));
}

void add_struct_bytes(std::string& text, std::uint64_t bits, std::size_t size, bool little) {
  const std::size_t begin = text.size();
  for (std::size_t i = 0; i < size; ++i) {
    text += static_cast<char>(i < 8 ? bits >> (8 * i) : 0);
  }
  if (!little) std::reverse(text.begin() + static_cast<std::ptrdiff_t>(begin), text.end());
}

// The lowest 64 bits.
std::uint64_t take_struct_bytes(std::string_view bytes, bool little) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const char byte = little ? bytes[bytes.size() - 1 - i] : bytes[i];
    bits = bits << 8 | static_cast<unsigned char>(byte);
  }
  return bits;
}

lua_Number struct_number(std::string_view bytes, bool little, bool is_signed) {
  std::uint64_t bits = take_struct_bytes(bytes, little);
  if (!is_signed) return static_cast<lua_Number>(bits);
  const std::size_t width = std::min<std::size_t>(bytes.size(), 8) * 8;
  if (width > 0 && width < 64 && (bits >> (width - 1)) != 0) bits |= ~std::uint64_t{0} << width;
  return static_cast<lua_Number>(static_cast<std::int64_t>(bits));
}

void pack_struct_text(lua_State* lua, const StructFormat& format, int argument, std::string& text) {
  std::size_t length = 0;
  const char* begin = luaL_checklstring(lua, argument, &length);
  const std::size_t size = format.size() == 0 ? length : format.size();
  luaL_argcheck(lua, length >= size, argument + 1, "string too short");
  text.append(begin, size);
  if (format.option() == 's') text += '\0';
}

int struct_pack(lua_State* lua) {
  StructFormat format(lua, luaL_checkstring(lua, 1));
  int argument = 2;
  std::string text;
  lua_pushnil(lua);  // what stands for a missing argument
  while (format.next(text.size())) {
    text.append(format.padding(), '\0');
    const bool little = format.little();
    if (format.is_integer()) {
      add_struct_bytes(text, struct_bits(luaL_checknumber(lua, argument++)), format.size(), little);
    } else if (format.option() == 'f') {
      const auto value = static_cast<float>(luaL_checknumber(lua, argument++));
      add_struct_bytes(text, std::bit_cast<std::uint32_t>(value), format.size(), little);
    } else if (format.option() == 'd') {
      const auto bits = std::bit_cast<std::uint64_t>(luaL_checknumber(lua, argument++));
      add_struct_bytes(text, bits, format.size(), little);
    } else if (format.option() == 'c' || format.option() == 's') {
      pack_struct_text(lua, format, argument++, text);
    } else if (format.option() == 'x') {
      text += '\0';
    } else {
      format.control();
    }
  }
  lua_pushlstring(lua, text.data(), text.size());
  return 1;
}

class StructReader {
 public:
  StructReader(lua_State* lua, std::string_view data, std::size_t position)
      : lua_(lua), data_(data), at_(position) {}

  void take(StructFormat& format) {
    at_ += format.padding();
    const std::string_view bytes = next(format.size());
    luaL_checkstack(lua_, 2, "too many results");
    const char option = format.option();
    if (format.is_integer()) {
      const bool is_signed = std::islower(static_cast<unsigned char>(option)) != 0;
      push(struct_number(bytes, format.little(), is_signed));
    } else if (option == 'f') {
      const auto bits = static_cast<std::uint32_t>(take_struct_bytes(bytes, format.little()));
      push(lua_Number{std::bit_cast<float>(bits)});
    } else if (option == 'd') {
      push(std::bit_cast<double>(take_struct_bytes(bytes, format.little())));
    } else if (option == 'c') {
      push(bytes.empty() ? counted() : bytes);
    } else if (option == 's') {
      push(terminated());
    } else if (option != 'x') {
      format.control();
    }
    at_ += format.size();
  }
  std::size_t position() const { return at_; }
  int results() const { return results_; }

 private:
  std::string_view next(std::size_t size) {
    luaL_argcheck(lua_, at_ <= data_.size() && size <= data_.size() - at_, 2,
                  "data string too short");
    return data_.substr(at_, size);
  }

  // As long as the number before it says, which is no result therefore.
  std::string_view counted() {
    if (results_ == 0 || lua_isnumber(lua_, -1) == 0) {
      luaL_error(lua_, "format 'c0' needs a previous size");
    }
    const std::string_view bytes = next(struct_bits(lua_tonumber(lua_, -1)));
    lua_pop(lua_, 1);
    --results_;
    at_ += bytes.size();
    return bytes;
  }

  std::string_view terminated() {
    const std::size_t end = data_.find('\0', at_);
    if (end == std::string_view::npos) luaL_error(lua_, "unfinished string in data");
    const std::string_view bytes = data_.substr(at_, end - at_);
    at_ = end + 1;
    return bytes;
  }

  void push(lua_Number number) {
    lua_pushnumber(lua_, number);
    ++results_;
  }
  void push(std::string_view text) {
    lua_pushlstring(lua_, text.data(), text.size());
    ++results_;
  }

  lua_State* lua_;
  std::string_view data_;
  std::size_t at_;
  int results_ = 0;
};

int struct_unpack(lua_State* lua) {
  StructFormat format(lua, luaL_checkstring(lua, 1));
  std::size_t length = 0;
  const char* data = luaL_checklstring(lua, 2, &length);
  const auto position = static_cast<std::size_t>(luaL_optinteger(lua, 3, 1));
  luaL_argcheck(lua, position > 0, 3, "offset must be 1 or greater");
  // Values that were not asked for would lie between the results.
  lua_settop(lua, 2);
  StructReader unpacker(lua, {data, length}, position - 1);
  // Also what takes no byte must lie within the data.
  while (format.next(unpacker.position())) unpacker.take(format);
  lua_pushinteger(lua, static_cast<lua_Integer>(unpacker.position() + 1));
  return unpacker.results() + 1;
}

int struct_size(lua_State* lua) {
  StructFormat format(lua, luaL_checkstring(lua, 1));
  std::size_t position = 0;
  while (format.next(position)) {
    const char option = format.option();
    if (option == 's') luaL_argerror(lua, 1, "option 's' has no fixed size");
    if (option == 'c' && format.size() == 0) {
      luaL_argerror(lua, 1, "option 'c0' has no fixed size");
    }
    if (std::isalnum(static_cast<unsigned char>(option)) == 0) format.control();
    position += format.padding() + format.size();
  }
  lua_pushinteger(lua, static_cast<lua_Integer>(position));
  return 1;
}

}  // namespace

void push_struct_library(lua_State* lua) {
  lua_createtable(lua, 0, 3);
  lua_pushcfunction(lua, struct_pack);
  lua_setfield(lua, -2, "pack");
  lua_pushcfunction(lua, struct_unpack);
  lua_setfield(lua, -2, "unpack");
  lua_pushcfunction(lua, struct_size);
  lua_setfield(lua, -2, "size");
}

}  // namespace holdfast::sim::redis
