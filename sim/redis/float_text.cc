#include "sim/redis/float_text.h"

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace holdfast::sim::redis {

namespace {

template <class Number>
std::optional<Number> parse(std::string_view text, Number (*read)(const char*, char**)) {
  if (text.empty() || (text.front() >= '\t' && text.front() <= '\r') || text.front() == ' ') {
    return std::nullopt;
  }
  const std::string copy(text);
  char* end = nullptr;
  errno = 0;
  const Number value = read(copy.c_str(), &end);
  if (end != copy.c_str() + copy.size() || std::isnan(value)) return std::nullopt;
  if (errno == ERANGE && (std::isinf(value) || std::fpclassify(value) == FP_ZERO)) {
    return std::nullopt;
  }
  return value;
}

}  // namespace

std::optional<double> parse_double(std::string_view text) { return parse(text, &std::strtod); }

std::optional<double> parse_score_bound(std::string_view text) {
  const std::string copy(text);
  char* end = nullptr;
  const double value = std::strtod(copy.c_str(), &end);
  if (*end != '\0' || std::isnan(value)) return std::nullopt;
  return value;
}

std::optional<long double> parse_long_double(std::string_view text) {
  return parse(text, &std::strtold);
}

ScoreText::ScoreText(double score) {
  const int size = std::isinf(score)
                       ? std::snprintf(text_.data(), text_.size(), score > 0 ? "inf" : "-inf")
                       : std::snprintf(text_.data(), text_.size(), "%.17g", score);
  size_ = static_cast<std::size_t>(size);
}

std::string plain_text(long double value) {
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  const int size = std::snprintf(nullptr, 0, "%.17Lf", value);
  std::string text(static_cast<std::size_t>(size) + 1, '\0');
  std::snprintf(text.data(), text.size(), "%.17Lf", value);
  text.pop_back();
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

}  // namespace holdfast::sim::redis
