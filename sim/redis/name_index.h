// NameIndex: finds items of a growing row by their names: in a row while they are few, else through
// open addressing. An item that is gone keeps its place in the row until the row is closed up.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace holdfast::sim::redis {

// Eight bytes at a step, multiplied and folded. Only speed hangs on it: nothing visible follows the
// order of hashes.
inline std::uint64_t hash_of(std::string_view text) {
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15ULL;
  std::uint64_t hash = text.size() * kOdd;
  std::size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < 8; ++i) {
      word |= std::uint64_t{static_cast<unsigned char>(text[at + i])} << (8 * i);
    }
    hash = (hash ^ word) * kOdd;
    hash ^= hash >> 32;
  }
  for (; at < text.size(); ++at) hash = (hash ^ static_cast<unsigned char>(text[at])) * kOdd;
  return hash ^ (hash >> 29);
}

class NameIndex {
 public:
  static constexpr std::size_t kNone = ~std::size_t{0};

  // The position, among the first `used`, for which is_it(position) holds; only those with this
  // hash are asked (and, while there are few, all).
  template <class IsIt>
  std::size_t find(std::uint64_t hash, std::size_t used, IsIt is_it) const {
    if (used <= kInARow) {
      for (std::size_t i = 0; i < used; ++i) {
        if (is_it(i)) return i;
      }
      return kNone;
    }
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = hash & mask; slots_[at] != 0; at = (at + 1) & mask) {
      if (is_it(slots_[at] - 1)) return slots_[at] - 1;
    }
    return kNone;
  }

  // The item at the row's end, position used - 1, is new.
  template <class HashAt>
  void add(std::size_t used, HashAt hash_at) {
    if (used <= kInARow) return;
    if (used == kInARow + 1 || 2 * used > slots_.size()) return rebuild(used, hash_at);
    put(hash_at(used - 1), used);
  }

  // The first `used` have other positions than before.
  template <class HashAt>
  void rebuild(std::size_t used, HashAt hash_at) {
    if (used <= kInARow) return;
    const std::size_t wanted = std::max<std::size_t>(64, std::bit_ceil(4 * used));
    slots_.assign(std::max(wanted, slots_.size()), 0);
    for (std::size_t i = 0; i < used; ++i) put(hash_at(i), i + 1);
  }

  void swap(NameIndex& other) noexcept { slots_.swap(other.slots_); }

 private:
  static constexpr std::size_t kInARow = 8;

  void put(std::uint64_t hash, std::size_t value) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = hash & mask;
    while (slots_[at] != 0) at = (at + 1) & mask;
    slots_[at] = static_cast<std::uint32_t>(value);
  }

  std::vector<std::uint32_t> slots_;  // a power of two; position + 1, 0 free
};

}  // namespace holdfast::sim::redis
