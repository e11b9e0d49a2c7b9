// SHA-1, for the test that recomputes the constants of the lock's scripts. Short, not fast.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace holdfast::test {

inline std::string sha1_hex(std::string_view text) {
  std::string message(text);
  message += static_cast<char>(0x80);
  while (message.size() % 64 != 56) message += '\0';
  for (int shift = 56; shift >= 0; shift -= 8) {
    message += static_cast<char>((static_cast<std::uint64_t>(text.size()) * 8 >> shift) & 0xFF);
  }
  std::array<std::uint32_t, 5> hash = {0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0};
  for (std::size_t block = 0; block < message.size(); block += 64) {
    std::array<std::uint32_t, 80> word = {};
    for (std::size_t index = 0; index < 64; ++index) {
      word[index / 4] = word[index / 4] << 8 | static_cast<unsigned char>(message[block + index]);
    }
    for (std::size_t index = 16; index < 80; ++index) {
      word[index] =
          std::rotl(word[index - 3] ^ word[index - 8] ^ word[index - 14] ^ word[index - 16], 1);
    }
    auto [a, b, c, d, e] = hash;
    for (std::size_t index = 0; index < 80; ++index) {
      std::uint32_t mixed = 0;
      if (index < 20) {
        mixed = ((b & c) | (~b & d)) + 0x5A827999;
      } else if (index < 40) {
        mixed = (b ^ c ^ d) + 0x6ED9EBA1;
      } else if (index < 60) {
        mixed = ((b & c) | (b & d) | (c & d)) + 0x8F1BBCDC;
      } else {
        mixed = (b ^ c ^ d) + 0xCA62C1D6;
      }
      const std::uint32_t next = std::rotl(a, 5) + mixed + e + word[index];
      e = d;
      d = c;
      c = std::rotl(b, 30);
      b = a;
      a = next;
    }
    hash = {hash[0] + a, hash[1] + b, hash[2] + c, hash[3] + d, hash[4] + e};
  }
  std::string hex;
  for (auto part : hash) {
    for (int shift = 28; shift >= 0; shift -= 4) hex += "0123456789abcdef"[part >> shift & 15];
  }
  return hex;
}

}  // namespace holdfast::test
