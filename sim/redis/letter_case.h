// Letter case as Redis compares it: ASCII only, no locale.
#pragma once

#include <string>
#include <string_view>

namespace holdfast::sim::redis {

inline char lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

// True when `text` is `lowered` in any letter case; `lowered` has no capitals.
inline bool same_word(std::string_view text, std::string_view lowered) {
  if (text.size() != lowered.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != lowered[i] && lower(text[i]) != lowered[i]) return false;
  }
  return true;
}

inline std::string lowered(std::string_view text) {
  std::string result(text);
  for (char& letter : result) letter = lower(letter);
  return result;
}

}  // namespace holdfast::sim::redis
