#include "scenarios/format/errors.h"

#include <algorithm>
#include <tuple>

namespace holdfast::scenario {

std::string ParseError::text() const {
  std::string text = origin.file;
  if (origin.line > 0) {
    text += ':' + std::to_string(origin.line) + ':' + std::to_string(origin.column);
  }
  return text + ": " + message;
}

std::vector<ParseError> Errors::sorted() const {
  auto key = [](const ParseError& error) {
    return std::tie(error.origin.file, error.origin.line, error.origin.column, error.message);
  };
  std::vector<ParseError> sorted = list_;
  std::sort(sorted.begin(), sorted.end(),
            [&](const ParseError& a, const ParseError& b) { return key(a) < key(b); });
  auto same = [&](const ParseError& a, const ParseError& b) { return key(a) == key(b); };
  sorted.erase(std::unique(sorted.begin(), sorted.end(), same), sorted.end());
  return sorted;
}

}  // namespace holdfast::scenario
