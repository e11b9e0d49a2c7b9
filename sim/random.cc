#include "sim/random.h"

#include "sim/wide_integer.h"

namespace holdfast::sim {
namespace {

std::uint64_t split_mix(std::uint64_t& state) {
  state += 0x9E3779B97F4A7C15;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

}  // namespace

// Neighbouring seeds, purposes and indices must not give related streams: each goes through a full
// mix before the next is added.
Random::Random(std::uint64_t seed, Purpose purpose, std::uint64_t index) {
  std::uint64_t state = seed;
  state = split_mix(state) ^ static_cast<std::uint64_t>(purpose);
  state = split_mix(state) ^ index;
  state_[0] = split_mix(state);
  state_[1] = split_mix(state);
  if ((state_[0] | state_[1]) == 0) state_[0] = 1;  // the one state that never moves
}

// Lemire's multiply-and-reject: the product's high half is the answer, unless its low half falls
// in the short range that would be drawn once too often.
std::uint64_t Random::below(std::uint64_t bound) {
  Unsigned128 product = static_cast<Unsigned128>(next()) * bound;
  auto low = static_cast<std::uint64_t>(product);
  if (low < bound) {
    const std::uint64_t short_range = (0 - bound) % bound;
    while (low < short_range) {
      product = static_cast<Unsigned128>(next()) * bound;
      low = static_cast<std::uint64_t>(product);
    }
  }
  return static_cast<std::uint64_t>(product >> 64);
}

}  // namespace holdfast::sim
