// AttemptToken: what a lock key holds: "id:attempt" (DESIGN §4.2).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "lockcore/env.h"

namespace holdfast {

// The id is 128 random bits as 32 hex digits, one an acquisition; the attempt counts from 1. A
// token for which a release has been sent is burnt: the next try carries the next attempt, so that
// a late release cannot free it, and may still take over what an earlier try has set.
class AttemptToken {
 public:
  static constexpr std::size_t kIdDigits = 32;

  explicit AttemptToken(Env& env) {
    std::array<std::byte, kIdDigits / 2> bits;
    env.random(bits);
    text_.reserve(kIdDigits + 8);
    text_.resize(kIdDigits);
    for (std::size_t index = 0; index < bits.size(); ++index) {
      constexpr std::string_view kDigits = "0123456789abcdef";
      text_[2 * index] = kDigits[std::to_integer<std::size_t>(bits[index] >> 4)];
      text_[2 * index + 1] = kDigits[std::to_integer<std::size_t>(bits[index] & std::byte{15})];
    }
    text_ += ":1";
  }

  const std::string& text() const noexcept { return text_; }
  // "id:", the beginning that all attempts share.
  std::string_view id_prefix() const noexcept {
    return std::string_view(text_).substr(0, kIdDigits + 1);
  }
  std::uint32_t attempt() const noexcept { return attempt_; }

  void next_attempt() {
    ++attempt_;
    text_.resize(kIdDigits + 1);
    text_ += std::to_string(attempt_);
  }

 private:
  std::string text_;
  std::uint32_t attempt_ = 1;
};

}  // namespace holdfast
