// Validity: until when a lock is certain, from what its nodes have confirmed (DESIGN §4.3).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "lockcore/time.h"

namespace holdfast {

inline constexpr std::size_t kMaxNodes = 16;

// A pure value: knows no clock and no network. Per node the instant until which its last confirmed
// set or extend keeps the key for certain (send time + ttl - drift); the lock is valid until the
// quorum-th largest of them. What is unknown changes nothing: it is simply not confirmed.
class Validity {
 public:
  // Before any clock reading: "not confirmed".
  static constexpr Instant kNever = Instant::min();

  Validity(std::size_t nodes, std::size_t quorum) noexcept : nodes_(nodes), quorum_(quorum) {
    confirmed_until_.fill(kNever);
  }

  // Confirmations of one node arrive in the order of its connection; an older one never shortens.
  void confirm(std::size_t node, Instant until) noexcept {
    confirmed_until_[node] = std::max(confirmed_until_[node], until);
  }
  // The node is known not to hold the key any more, whatever it confirmed.
  void forget(std::size_t node) noexcept { confirmed_until_[node] = kNever; }
  void clear() noexcept { confirmed_until_.fill(kNever); }

  Instant confirmed_until(std::size_t node) const noexcept { return confirmed_until_[node]; }
  // kNever while fewer than a quorum are confirmed.
  Instant valid_until() const noexcept {
    auto sorted = confirmed_until_;
    const auto nth = sorted.begin() + static_cast<std::ptrdiff_t>(quorum_ - 1);
    std::nth_element(sorted.begin(), nth, sorted.begin() + static_cast<std::ptrdiff_t>(nodes_),
                     std::greater<>());
    return *nth;
  }

 private:
  std::array<Instant, kMaxNodes> confirmed_until_;
  std::size_t nodes_;
  std::size_t quorum_;
};

}  // namespace holdfast
