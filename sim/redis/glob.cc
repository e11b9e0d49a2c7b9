#include "sim/redis/glob.h"

#include <algorithm>

namespace holdfast::sim::redis {

namespace {

// Consumes one [..] set from the pattern's front and says whether `letter` is in it.
bool in_set(std::string_view& pattern, char letter) {
  pattern.remove_prefix(1);
  const bool negated = !pattern.empty() && pattern.front() == '^';
  if (negated) pattern.remove_prefix(1);
  bool found = false;
  while (!pattern.empty() && pattern.front() != ']') {
    if (pattern.front() == '\\' && pattern.size() > 1) {
      found = found || pattern[1] == letter;
      pattern.remove_prefix(2);
    } else if (pattern.size() > 2 && pattern[1] == '-') {
      const auto [first, last] = std::minmax(pattern[0], pattern[2]);
      found = found || (letter >= first && letter <= last);
      pattern.remove_prefix(3);
    } else {
      found = found || pattern.front() == letter;
      pattern.remove_prefix(1);
    }
  }
  if (!pattern.empty()) pattern.remove_prefix(1);
  return found != negated;
}

// Consumes one element that stands for one letter.
bool one_letter(std::string_view& pattern, char letter) {
  if (pattern.front() == '[') return in_set(pattern, letter);
  if (pattern.front() == '\\' && pattern.size() > 1)
    pattern.remove_prefix(1);
  else if (pattern.front() == '?')
    letter = '?';
  const bool same = pattern.front() == letter;
  pattern.remove_prefix(1);
  return same;
}

}  // namespace

bool matches_glob(std::string_view pattern, std::string_view text) {
  std::string_view after_star;
  std::string_view star_text;
  bool starred = false;
  while (!text.empty()) {
    if (!pattern.empty() && pattern.front() == '*') {
      pattern.remove_prefix(1);
      after_star = pattern;
      star_text = text;
      starred = true;
      continue;
    }
    if (!pattern.empty() && one_letter(pattern, text.front())) {
      text.remove_prefix(1);
      continue;
    }
    if (!starred) return false;
    star_text.remove_prefix(1);  // the star takes one letter more
    text = star_text;
    pattern = after_star;
  }
  while (!pattern.empty() && pattern.front() == '*') pattern.remove_prefix(1);
  return pattern.empty();
}

}  // namespace holdfast::sim::redis
