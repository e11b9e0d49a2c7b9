#include "reports/render/escape.h"

#include <algorithm>
#include <cstdint>

namespace holdfast::report {
namespace {

// Leaves room for a suffix under the 255 bytes of common file systems.
constexpr std::size_t kLongestFileName = 200;
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// Length of the well-formed UTF-8 sequence at the beginning of `text` (not empty), 0 when it is
// none; `point` becomes its code point. Surrogates and overlong forms are not well-formed.
std::size_t decode(std::string_view text, std::uint32_t& point) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) {
    point = first;
    return 1;
  }
  std::size_t length = 0;
  std::uint32_t least = 0;
  if (first >= 0xC2 && first <= 0xDF) {
    length = 2;
    point = first & 0x1FU;
    least = 0x80;
  } else if (first >= 0xE0 && first <= 0xEF) {
    length = 3;
    point = first & 0x0FU;
    least = 0x800;
  } else if (first >= 0xF0 && first <= 0xF4) {
    length = 4;
    point = first & 0x07U;
    least = 0x10000;
  }
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return 0;
    point = (point << 6U) | (byte(i) & 0x3FU);
  }
  const bool surrogate = point >= 0xD800 && point <= 0xDFFF;
  return point < least || surrogate || point > 0x10FFFF ? 0 : length;
}

bool allowed_in_xml(std::uint32_t point) {
  if (point == 0x9 || point == 0xA || point == 0xD) return true;
  return point >= 0x20 && point != 0x7F && !(point >= 0x80 && point <= 0x9F) &&
         (point & 0xFFFEU) != 0xFFFE;
}

// Calls `put(character, code point)` for each character; for a bad byte with U+FFFD.
template <typename Put>
void each(std::string_view text, Put put) {
  while (!text.empty()) {
    std::uint32_t point = 0;
    const std::size_t length = decode(text, point);
    if (length == 0) {
      put(kReplacement, std::uint32_t{0xFFFD});
      text.remove_prefix(1);
    } else {
      put(text.substr(0, length), point);
      text.remove_prefix(length);
    }
  }
}

}  // namespace

std::string escape_markup(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  each(text, [&out](std::string_view character, std::uint32_t point) {
    switch (point) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += allowed_in_xml(point) ? character : kReplacement;
    }
  });
  return out;
}

std::string escape_markdown(std::string_view text) {
  constexpr std::string_view kSpecial = "\\`*_[]<>|#~&";
  std::string out;
  each(text, [&](std::string_view character, std::uint32_t point) {
    if (point < 0x20 || point == 0x7F) {
      out += ' ';
      return;
    }
    if (point < 0x80 && kSpecial.find(static_cast<char>(point)) != std::string_view::npos) {
      out += '\\';
    }
    out += character;
  });
  return out;
}

std::string escape_terminal(std::string_view text) {
  std::string out;
  each(text, [&out](std::string_view character, std::uint32_t point) {
    const bool control = point < 0x20 || (point >= 0x7F && point <= 0x9F);
    out += control ? std::string_view("?") : character;
  });
  return out;
}

std::string file_name(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '.' || c == '_' || c == '-';
    out += plain ? c : '-';
  }
  if (out.empty() || out.front() == '.') out.insert(0, "_");
  out.resize(std::min(out.size(), kLongestFileName));
  return out;
}

std::string valid_utf8(std::string_view text) {
  std::string out;
  each(text, [&out](std::string_view character, std::uint32_t) { out += character; });
  return out;
}

std::size_t width(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U ? 1 : 0;
  return count;
}

}  // namespace holdfast::report
