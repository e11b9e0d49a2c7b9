// Reading scenario files: JSON with // comments. Every error is located (file:line:column), says
// what was expected and, for an unknown name, the nearest known one.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "scenarios/format/model.h"

namespace holdfast::scenario {

struct ParseError {
  Origin origin;
  std::string message;
  std::string text() const;  // "file:line:column: message"
};

// All errors that could be found in one reading; nothing is half-done.
using ParseResult = std::variant<Scenario, std::vector<ParseError>>;

// `set`: JSON pointer -> JSON text, applied to the document before it is checked.
ParseResult parse_file(const std::string& path, const std::map<std::string, std::string>& set = {});
ParseResult parse_text(std::string_view text, const std::string& file,
                       const std::map<std::string, std::string>& set = {});

}  // namespace holdfast::scenario
