#include "sim/redis/sha1.h"

#include <bit>
#include <cstddef>

namespace holdfast::sim::redis {

namespace {

using State = std::array<std::uint32_t, 5>;

std::uint32_t big_endian(const std::uint8_t* at) {
  return (std::uint32_t{at[0]} << 24) | (std::uint32_t{at[1]} << 16) | (std::uint32_t{at[2]} << 8) |
         std::uint32_t{at[3]};
}

// One round's function of b, c, d and its constant (FIPS 180-4, 4.1.1 and 4.2.1).
std::uint32_t mixed(int round, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
  if (round < 20) return ((b & c) | (~b & d)) + 0x5a827999U;
  if (round < 40) return (b ^ c ^ d) + 0x6ed9eba1U;
  if (round < 60) return ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdcU;
  return (b ^ c ^ d) + 0xca62c1d6U;
}

void absorb(State& state, const std::uint8_t* block) {
  std::array<std::uint32_t, 80> word{};
  for (std::size_t i = 0; i < 16; ++i) word[i] = big_endian(block + 4 * i);
  for (std::size_t i = 16; i < 80; ++i) {
    word[i] = std::rotl(word[i - 3] ^ word[i - 8] ^ word[i - 14] ^ word[i - 16], 1);
  }
  auto [a, b, c, d, e] = state;
  for (int i = 0; i < 80; ++i) {
    const std::uint32_t next =
        std::rotl(a, 5) + mixed(i, b, c, d) + e + word[static_cast<std::size_t>(i)];
    e = d;
    d = c;
    c = std::rotl(b, 30);
    b = a;
    a = next;
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
}

}  // namespace

std::array<std::uint8_t, 20> sha1(std::string_view bytes) {
  State state = {0x67452301U, 0xefcdab89U, 0x98badcfeU, 0x10325476U, 0xc3d2e1f0U};
  std::string padded(bytes);
  padded.push_back(static_cast<char>(0x80));
  while (padded.size() % 64 != 56) padded.push_back('\0');
  const std::uint64_t bits = std::uint64_t{bytes.size()} * 8;
  for (int shift = 56; shift >= 0; shift -= 8) {
    padded.push_back(static_cast<char>((bits >> shift) & 0xff));
  }
  for (std::size_t at = 0; at < padded.size(); at += 64) {
    std::array<std::uint8_t, 64> block{};
    for (std::size_t i = 0; i < 64; ++i) block[i] = static_cast<std::uint8_t>(padded[at + i]);
    absorb(state, block.data());
  }
  std::array<std::uint8_t, 20> digest{};
  for (std::size_t i = 0; i < 20; ++i) {
    digest[i] = static_cast<std::uint8_t>((state[i / 4] >> (24 - 8 * (i % 4))) & 0xff);
  }
  return digest;
}

std::string sha1_hex(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  hex.reserve(40);
  for (const std::uint8_t byte : sha1(bytes)) {
    hex.push_back(kDigits[byte >> 4]);
    hex.push_back(kDigits[byte & 15]);
  }
  return hex;
}

}  // namespace holdfast::sim::redis
