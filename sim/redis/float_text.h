// Floating-point numbers as Redis reads and writes them: scores are doubles, INCRBYFLOAT counts
// with long doubles.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace holdfast::sim::redis {

// The whole text is a number ("inf" and hexadecimal included), not NaN and in range.
std::optional<double> parse_double(std::string_view text);
// As the bound of a range of scores: blanks may stand before it, what is out of range is infinite
// or zero, and no text at all is zero.
std::optional<double> parse_score_bound(std::string_view text);
std::optional<long double> parse_long_double(std::string_view text);

// A score as answers show it: 17 significant digits at most, "inf", "-inf".
class ScoreText {
 public:
  explicit ScoreText(double score);
  ScoreText(const ScoreText&) = delete;
  ScoreText& operator=(const ScoreText&) = delete;
  std::string_view view() const { return {text_.data(), size_}; }

 private:
  std::array<char, 40> text_;
  std::size_t size_ = 0;
};

// For people: never an exponent, 17 decimals at most, no zeros at the end.
std::string plain_text(long double value);

}  // namespace holdfast::sim::redis
