#include "scenarios/format/text_cursor.h"

#include <utility>

namespace holdfast::scenario {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kBetween = " \t\r\n,:";
constexpr std::string_view kBrackets = "{}[]";
constexpr std::string_view kNumber = "+-.0123456789eE";
constexpr std::string_view kWord = "abcdefghijklmnopqrstuvwxyz";  // true, false, null

}  // namespace

TextCursor::TextCursor(std::string_view text, std::string file)
    : text_(text), here_{std::move(file), 1, 1} {
  if (text_.starts_with(kByteOrderMark)) position_ = kByteOrderMark.size();
}

Origin TextCursor::next_token() {
  skip_between();
  return here_;
}

Origin TextCursor::take_token() {
  skip_between();
  const Origin start = here_;
  if (position_ >= text_.size()) return start;
  const char first = text_[position_];
  if (first == '"') {
    skip_string();
  } else if (kBrackets.find(first) != std::string_view::npos) {
    step();
  } else {
    const std::string_view belongs =
        kNumber.find(first) != std::string_view::npos ? kNumber : kWord;
    do {
      step();
    } while (position_ < text_.size() && belongs.find(text_[position_]) != std::string_view::npos);
  }
  return start;
}

void TextCursor::step() {
  const auto byte = static_cast<unsigned char>(text_[position_++]);
  if (byte == '\n') {
    ++here_.line;
    here_.column = 1;
    return;
  }
  const bool continues_character = (byte & 0xC0U) == 0x80U;
  if (!continues_character) ++here_.column;
}

void TextCursor::skip_to(std::string_view end) {
  while (position_ < text_.size() && !at(end)) step();
  for (std::size_t i = 0; i < end.size() && position_ < text_.size(); ++i) step();
}

void TextCursor::skip_between() {
  while (position_ < text_.size()) {
    if (at("//")) {
      skip_to("\n");
    } else if (at("/*")) {
      step();
      step();
      skip_to("*/");
    } else if (kBetween.find(text_[position_]) != std::string_view::npos) {
      step();
    } else {
      return;
    }
  }
}

void TextCursor::skip_string() {
  step();
  while (position_ < text_.size() && text_[position_] != '"') {
    if (text_[position_] == '\\') step();
    if (position_ < text_.size()) step();
  }
  if (position_ < text_.size()) step();
}

}  // namespace holdfast::scenario
