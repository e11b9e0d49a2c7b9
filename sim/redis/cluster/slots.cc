#include "sim/redis/cluster/slots.h"

#include <array>

namespace holdfast::sim::redis {

namespace {

constexpr std::array<std::uint16_t, 256> make_crc_table() {
  constexpr unsigned kPolynomial = 0x1021;
  std::array<std::uint16_t, 256> table{};
  for (unsigned byte = 0; byte < 256; ++byte) {
    unsigned value = byte << 8;
    for (int bit = 0; bit < 8; ++bit) {
      value = (value & 0x8000U) != 0 ? (value << 1) ^ kPolynomial : value << 1;
    }
    table[byte] = static_cast<std::uint16_t>(value);
  }
  return table;
}
constexpr auto kCrcTable = make_crc_table();

std::string_view hashed_part(std::string_view key) {
  const std::size_t open = key.find('{');
  if (open == std::string_view::npos) return key;
  const std::size_t close = key.find('}', open + 1);
  if (close == std::string_view::npos || close == open + 1) return key;
  return key.substr(open + 1, close - open - 1);
}

}  // namespace

Slot slot_of(std::string_view key) {
  unsigned crc = 0;
  for (const char letter : hashed_part(key)) {
    const auto byte = static_cast<unsigned char>(letter);
    crc = ((crc << 8) & 0xFFFFU) ^ kCrcTable[((crc >> 8) ^ byte) & 0xFFU];
  }
  return static_cast<Slot>(crc % kSlots);
}

SlotRange even_share(std::size_t index, std::size_t count) {
  // Rounded to the nearest slot: 0-5460, 5461-10922, 10923-16383 for three.
  const auto bound = [count](std::size_t part) {
    return (2 * part * kSlots + count) / (2 * count);
  };
  return {static_cast<Slot>(bound(index)), static_cast<Slot>(bound(index + 1) - 1)};
}

}  // namespace holdfast::sim::redis
