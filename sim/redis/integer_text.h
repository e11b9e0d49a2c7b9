// Integers as Redis reads and writes them in arguments and values: strict, so that "+5", " 5", "05"
// and "1.5" are not integers (FID-E16).
#pragma once

#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace holdfast::sim::redis {

inline std::optional<std::int64_t> parse_integer(std::string_view text) {
  if (text.empty()) return std::nullopt;
  const bool negative = text.front() == '-';
  const std::string_view digits = negative ? text.substr(1) : text;
  if (digits.empty() || digits.front() < '0' || digits.front() > '9') return std::nullopt;
  if (digits.front() == '0' && text.size() > 1) return std::nullopt;  // also "-0"
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// The decimal text of a number, without allocation. Valid as long as the object lives.
class IntegerText {
 public:
  explicit IntegerText(std::int64_t value) {
    end_ = std::to_chars(digits_.data(), digits_.data() + digits_.size(), value).ptr;
  }
  IntegerText(const IntegerText&) = delete;
  IntegerText& operator=(const IntegerText&) = delete;
  std::string_view view() const { return {digits_.data(), end_}; }

 private:
  std::array<char, 24> digits_;
  char* end_ = nullptr;
};

}  // namespace holdfast::sim::redis
