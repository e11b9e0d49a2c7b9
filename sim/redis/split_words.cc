#include "sim/redis/split_words.h"

#include <string>

namespace holdfast::sim::redis {
namespace {

bool is_white_space(char letter) { return letter == ' ' || (letter >= '\t' && letter <= '\r'); }

int hex_value(char letter) {
  if (letter >= '0' && letter <= '9') return letter - '0';
  if (letter >= 'a' && letter <= 'f') return letter - 'a' + 10;
  if (letter >= 'A' && letter <= 'F') return letter - 'A' + 10;
  return -1;
}

// One word of an inline request, from `at` on.
class QuotedWord {
 public:
  QuotedWord(std::string_view line, std::size_t& at) : line_(line), at_(at) {}

  bool read(std::string& word) {
    for (; at_ < line_.size() && !is_white_space(line_[at_]); ++at_) {
      const char letter = line_[at_];
      if (letter != '"' && letter != '\'') {
        word.push_back(letter);
        continue;
      }
      ++at_;
      if (!(letter == '"' ? double_quoted(word) : single_quoted(word))) return false;
      // A closing quote ends the word: white space or nothing follows.
      return at_ == line_.size() || is_white_space(line_[at_]);
    }
    return true;
  }

 private:
  bool double_quoted(std::string& word) {
    for (; at_ < line_.size(); ++at_) {
      if (line_[at_] == '"') return ++at_, true;
      if (line_[at_] != '\\' || at_ + 1 == line_.size()) {
        word.push_back(line_[at_]);
      } else {
        ++at_;
        word.push_back(escaped());
      }
    }
    return false;
  }
  // The byte that the escape at the position means; the position is left on its last letter.
  char escaped() {
    const char letter = line_[at_];
    if (letter == 'x' && at_ + 2 < line_.size()) {
      const int high = hex_value(line_[at_ + 1]);
      const int low = hex_value(line_[at_ + 2]);
      if (high >= 0 && low >= 0) {
        at_ += 2;
        return static_cast<char>(high * 16 + low);
      }
    }
    constexpr std::string_view kLetters = "nrtba";
    constexpr std::string_view kMeanings = "\n\r\t\b\a";
    const std::size_t known = kLetters.find(letter);
    return known == std::string_view::npos ? letter : kMeanings[known];
  }
  bool single_quoted(std::string& word) {
    for (; at_ < line_.size(); ++at_) {
      if (line_[at_] == '\'') return ++at_, true;
      const bool quote = line_[at_] == '\\' && at_ + 1 < line_.size() && line_[at_ + 1] == '\'';
      if (quote) ++at_;
      word.push_back(line_[at_]);
    }
    return false;
  }

  std::string_view line_;
  std::size_t& at_;
};

}  // namespace

bool split_words(std::string_view line, Command& words) {
  for (std::size_t at = 0;;) {
    while (at < line.size() && is_white_space(line[at])) ++at;
    if (at == line.size()) return true;
    std::string word;
    if (!QuotedWord(line, at).read(word)) return false;
    words.add(word);
  }
}

}  // namespace holdfast::sim::redis
