// EventHeap: the order of pending events. A four-way heap of 16-byte keys whose groups of siblings
// each fill one cache line, so that a step down costs one line and three comparisons.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

#include "sim/wide_integer.h"

namespace holdfast::sim {

// Time in the high half; below it what orders events of one time, and the event's slot.
using EventKey = Unsigned128;

class EventHeap {
 public:
  bool empty() const { return end_ == kRoot; }
  std::size_t size() const { return end_ - kRoot; }
  void clear() {
    while (end_ > kRoot) keys_[--end_] = kNone;
  }

  EventKey top() const { return keys_[kRoot]; }  // the least; not when empty

  void push(EventKey key) {
    if (end_ == capacity_) grow();
    std::size_t hole = end_++;
    while (hole != kRoot) {
      const std::size_t parent = hole / 4 + 2;
      if (keys_[parent] < key) break;
      keys_[hole] = keys_[parent];
      hole = parent;
    }
    keys_[hole] = key;
  }

  // The least goes and `key` comes: one way down instead of a way down and a way up.
  void replace_top(EventKey key) { sift_down(kRoot, key); }

  void pop() {
    const EventKey last = keys_[--end_];
    keys_[end_] = kNone;
    if (end_ != kRoot) sift_down(kRoot, last);
  }

  // Drops the keys for which `gone` says so.
  template <class Gone>
  void remove_if(Gone gone) {
    std::size_t kept = kRoot;
    for (std::size_t index = kRoot; index < end_; ++index) {
      if (!gone(keys_[index])) keys_[kept++] = keys_[index];
    }
    while (end_ > kept) keys_[--end_] = kNone;
    if (size() < 2) return;
    for (std::size_t index = (end_ - 1) / 4 + 3; index-- > kRoot;) sift_down(index, keys_[index]);
  }

 private:
  // With the root at 3, the children of i are 4(i-2) to 4(i-2)+3: each family starts a line.
  static constexpr std::size_t kRoot = 3;
  static constexpr std::size_t kLine = 64;
  static constexpr EventKey kNone = ~EventKey{0};  // later than anything: pads the last family

  struct Release {
    void operator()(EventKey* keys) const { ::operator delete(keys, std::align_val_t(kLine)); }
  };

  void sift_down(std::size_t hole, EventKey key) {
    EventKey* const keys = keys_.get();
    const std::size_t end = end_;
    for (;;) {
      const std::size_t first = 4 * (hole - 2);
      if (first >= end) break;
      // Which sibling is least is a coin toss: arithmetic instead of branches.
      const std::size_t left = first + std::size_t{keys[first + 1] < keys[first]};
      const std::size_t right = first + 2 + std::size_t{keys[first + 3] < keys[first + 2]};
      const std::size_t least =
          left ^ ((left ^ right) & (0 - std::size_t{keys[right] < keys[left]}));
      if (key < keys[least]) break;
      keys[hole] = keys[least];
      hole = least;
    }
    keys[hole] = key;
  }

  void grow();

  std::unique_ptr<EventKey[], Release> keys_;
  std::size_t capacity_ = kRoot;  // a multiple of 4, but for the first
  std::size_t end_ = kRoot;
};

}  // namespace holdfast::sim
