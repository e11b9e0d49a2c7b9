#include "tests/conformance/fuzz_libraries.h"

#include <array>
#include <span>

namespace holdfast::conformance {
namespace {

using namespace std::string_view_literals;

constexpr std::array kNumbers{"0"sv,       "1"sv,      "-1"sv,   "1.5"sv,   "-2.5e3"sv,
                              "1e300"sv,   "255"sv,    "256"sv,  "-33"sv,   "2147483648"sv,
                              "0.1"sv,     "2 ^ 53"sv, "-129"sv, "70000"sv, "2 ^ 63"sv,
                              "-2 ^ 63"sv, "2 ^ 64"sv, "1 / 0"sv};
constexpr std::array kLuaValues{"{}"sv,
                                "{1, 2, 3}"sv,
                                "{1, nil, 3}"sv,
                                "{a = 1}"sv,
                                "{{}, {b = {1}}}"sv,
                                "'text'"sv,
                                "'q\"\\\\/\\n'"sv,
                                "''"sv,
                                "true"sv,
                                "nil"sv,
                                "cjson.null"sv,
                                "{cjson.null}"sv,
                                "{[3] = 1}"sv,
                                "{[20] = 1}"sv,
                                "{[1.5] = 1}"sv,
                                "tostring"sv,
                                "{[true] = 1}"sv,
                                "{x = tonumber}"sv,
                                "ARGV"sv,
                                "KEYS"sv,
                                "('x'):rep(40)"sv,
                                "{[0] = 'z'}"sv,
                                "'\\0\\1\\200'"sv,
                                "{a = {b = {c = {}}}}"sv};
constexpr std::array kJsonAtoms{"null"sv,
                                "true"sv,
                                "false"sv,
                                "0"sv,
                                "-1"sv,
                                "1.5"sv,
                                "1e3"sv,
                                "01"sv,
                                "0x1f"sv,
                                "nan"sv,
                                "-inf"sv,
                                "+1"sv,
                                "\"\""sv,
                                "\"a\""sv,
                                "\"\\n\""sv,
                                "\"\\u20ac\""sv,
                                "\"\\ud83d\\ude00\""sv,
                                "\"\\ud83d\""sv,
                                "\"\\x\""sv,
                                "12345678901"sv};
constexpr std::array kFormats{"b"sv,  "B"sv,  "h"sv,  "H"sv,   "i"sv,   "I"sv, "l"sv,  "L"sv,
                              "T"sv,  "i3"sv, "I3"sv, "i8"sv,  "i16"sv, "f"sv, "d"sv,  "s"sv,
                              "c2"sv, "c0"sv, "x"sv,  ">"sv,   "<"sv,   "!"sv, "!4"sv, "!3"sv,
                              " "sv,  "q"sv,  "i0"sv, "i33"sv, "Bc0"sv, "c"sv};
constexpr std::array kBits{"band"sv, "bor"sv, "bxor"sv,    "bnot"sv,  "lshift"sv, "rshift"sv,
                           "rol"sv,  "ror"sv, "arshift"sv, "bswap"sv, "tobit"sv,  "tohex"sv};
constexpr std::array kSettings{"encode_max_depth"sv,        "decode_max_depth"sv,
                               "encode_number_precision"sv, "encode_invalid_numbers"sv,
                               "decode_invalid_numbers"sv,  "encode_keep_buffer"sv,
                               "encode_sparse_array"sv};
constexpr std::array kSettingValues{"1"sv,   "2"sv,    "3"sv,     "0"sv,
                                    "15"sv,  "true"sv, "false"sv, "'null'"sv,
                                    "'x'"sv, "nil"sv,  "1, 2"sv,  "true, 1, 0"sv};

class LibraryWriter {
 public:
  explicit LibraryWriter(sim::Random& random) : random_(random) {}

  std::string call() {
    switch (random_.below(9)) {
      case 0:
        return "cjson.encode(" + value() + ")";
      case 1:
        return "cjson.decode(" + lua_literal(json()) + ")";
      case 2:
        return "cjson.encode(cjson.decode(" + lua_literal(json()) + "))";
      case 3:
        return with_settings();
      case 4:
        return "cmsgpack.pack(" + list(3) + ")";
      case 5:
        return message();
      case 6:
        return "struct.pack(" + lua_literal(format()) + arguments() + ")";
      case 7:
        return "{struct.unpack(" + lua_literal(format()) + ", " + lua_literal(bytes(12)) +
               (random_.chance(200'000) ? ", " + number() : "") + ")}";
      default:
        return random_.chance(500'000) ? "bit." + one_of(kBits) + "(" + list(3) + ")"
                                       : "struct.size(" + lua_literal(format()) + ")";
    }
  }

 private:
  std::string one_of(std::span<const std::string_view> texts) {
    return std::string(texts[random_.below(texts.size())]);
  }
  std::string number() { return one_of(kNumbers); }
  std::string value() { return random_.chance(300'000) ? number() : one_of(kLuaValues); }

  std::string list(std::uint64_t most) {
    std::string text;
    for (std::uint64_t i = random_.below(most + 1); i > 0; --i) {
      text += (text.empty() ? "" : ", ") + (random_.chance(700'000) ? number() : value());
    }
    return text;
  }
  std::string arguments() {
    const std::string text = list(4);
    return text.empty() ? text : ", " + text;
  }

  // Settings of the library itself would last: of a copy.
  std::string with_settings() {
    const std::string use = random_.chance(500'000) ? "j.encode(" + value() + ")"
                                                    : "j.decode(" + lua_literal(json()) + ")";
    return "(function() local j = cjson.new() local a, b, c = j." + one_of(kSettings) + "(" +
           one_of(kSettingValues) + ") return {tostring(a), tostring(b), tostring(c), " + use +
           "} end)()";
  }

  std::string message() {
    const std::string data =
        random_.chance(500'000) ? lua_literal(bytes(8)) : "cmsgpack.pack(" + list(3) + ")";
    switch (random_.below(3)) {
      case 0:
        return "{cmsgpack.unpack_one(" + data + ", " + number() + ")}";
      case 1:
        return "{cmsgpack.unpack_limit(" + data + ", " + list(2) + ")}";
      default:
        return "{cmsgpack.unpack(" + data + ")}";
    }
  }

  std::string bytes(std::uint64_t most) {
    std::string text;
    for (std::uint64_t i = random_.below(most + 1); i > 0; --i) {
      const std::uint64_t low = random_.below(4);
      text += static_cast<char>(random_.chance(400'000) ? low : random_.below(256));
    }
    return text;
  }

  std::string format() {
    std::string text;
    for (std::uint64_t i = 1 + random_.below(4); i > 0; --i) text += one_of(kFormats);
    return text;
  }

  std::string json() {
    std::string text = json_value(3);
    if (random_.chance(700'000)) return text;
    const std::size_t place = random_.below(text.size() + 1);  // something is wrong with it
    constexpr std::string_view kSigns = "[]{},:\"\\ 1ntf-\n/";
    if (random_.chance(500'000)) {
      text.insert(place, 1, kSigns[random_.below(kSigns.size())]);
    } else {
      text.erase(place, 1 + random_.below(2));
    }
    return text;
  }

  std::string json_value(int depth) {
    const std::uint64_t kind = random_.below(depth == 0 ? 2 : 4);
    if (kind < 2) return one_of(kJsonAtoms);
    std::string text;
    for (std::uint64_t i = random_.below(4); i > 0; --i) {
      if (!text.empty()) text += random_.chance(200'000) ? " , " : ",";
      if (kind == 2) text += "\"" + std::string(1, "abc"[random_.below(3)]) + "\":";
      text += json_value(depth - 1);
    }
    return kind == 2 ? "{" + text + "}" : "[" + text + "]";
  }

  sim::Random& random_;
};

}  // namespace

std::string library_call(sim::Random& random) { return LibraryWriter(random).call(); }

std::string lua_literal(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789";
  std::string result = "'";
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    if (letter >= ' ' && letter < 127 && letter != '\'' && letter != '\\') {
      result += letter;
    } else {
      result.append("\\").append(1, kDigits[byte / 100]).append(1, kDigits[byte / 10 % 10]);
      result.append(1, kDigits[byte % 10]);
    }
  }
  return result + "'";
}

}  // namespace holdfast::conformance
