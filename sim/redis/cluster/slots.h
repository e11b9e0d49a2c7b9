// Hash slots: which of the 16384 parts of a cluster's key space a key belongs to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace holdfast::sim::redis {

using Slot = std::uint16_t;
inline constexpr std::size_t kSlots = 16384;
inline constexpr Slot kNoSlot = 0xFFFF;

// CRC16 (XMODEM) of the key, or of what stands between its first "{" and the next "}" when that is
// not empty.
Slot slot_of(std::string_view key);

struct SlotRange {
  Slot first = 0;
  Slot last = 0;  // included
  friend bool operator==(const SlotRange&, const SlotRange&) = default;
};

// The `index`th of `count` parts of all slots, as even as redis-cli --cluster create makes them.
SlotRange even_share(std::size_t index, std::size_t count);

}  // namespace holdfast::sim::redis
