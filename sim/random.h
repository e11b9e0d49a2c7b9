// Random: a small seeded generator. One per purpose (ties, latency, tokens, back-off, ...), so that
// one more draw in one place does not reshuffle the rest. No <random> distributions: their results
// differ between libraries.
#pragma once

#include <bit>
#include <cstdint>

namespace holdfast::sim {

enum class Purpose : std::uint64_t {
  ties = 1,
  latency,
  tokens,
  jitter,
  faults,
  resume_order,
  service,
  sentinel
};

// xoroshiro128++ (Blackman and Vigna), seeded through SplitMix64.
class Random {
 public:
  Random() = default;
  // `index` tells the generators of one purpose apart: the actor, the link, ...
  Random(std::uint64_t seed, Purpose purpose, std::uint64_t index = 0);

  std::uint64_t next() {  // 64 uniform bits
    const std::uint64_t s0 = state_[0];
    std::uint64_t s1 = state_[1];
    const std::uint64_t result = std::rotl(s0 + s1, 17) + s0;
    s1 ^= s0;
    state_[0] = std::rotl(s0, 49) ^ s1 ^ (s1 << 21);
    state_[1] = std::rotl(s1, 28);
    return result;
  }
  std::uint64_t below(std::uint64_t bound);  // uniform in [0, bound), bound > 0; no bias
  bool chance(std::uint32_t per_million) { return below(1'000'000) < per_million; }

 private:
  std::uint64_t state_[2] = {1, 2};
};

}  // namespace holdfast::sim
