// The kernel's bound on events that no test reaches.
#pragma once

#include <cstdint>

namespace holdfast::sim {

inline constexpr std::uint64_t kNoBudget = ~std::uint64_t{0};

}  // namespace holdfast::sim
