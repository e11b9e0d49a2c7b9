// TextCursor: walks the tokens of a JSON text in step with a parser that keeps no positions.
#pragma once

#include <string>
#include <string_view>

#include "scenarios/format/model.h"

namespace holdfast::scenario {

// Tokens are strings, numbers, words and brackets; white space, comments, commas and colons between
// them are passed over. Columns count characters (UTF-8 code points), not bytes.
class TextCursor {
 public:
  TextCursor(std::string_view text, std::string file);
  Origin next_token();  // where it begins (or the text ends); does not move past it
  Origin take_token();  // the same, and goes behind it

 private:
  bool at(std::string_view what) const { return text_.substr(position_).starts_with(what); }
  void step();                         // one byte on
  void skip_to(std::string_view end);  // behind the next `end`
  void skip_between();
  void skip_string();

  std::string_view text_;
  std::size_t position_ = 0;
  Origin here_;
};

}  // namespace holdfast::scenario
