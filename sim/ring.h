// Ring: a queue that keeps its memory and can be looked into.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace holdfast::sim {

template <class T>
class Ring {
 public:
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](std::size_t index) { return slots_[(head_ + index) & (slots_.size() - 1)]; }
  T& front() { return (*this)[0]; }

  template <class Value>
  void push_back(Value&& value) {
    if (size_ == slots_.size()) grow();
    (*this)[size_++] = std::forward<Value>(value);
  }
  T pop_front() {
    T value = std::move(front());
    head_ = (head_ + 1) & (slots_.size() - 1);
    --size_;
    return value;
  }
  // Forgets all but the oldest `size`.
  void truncate(std::size_t size) {
    while (size_ > size) (*this)[--size_] = T();
  }
  void clear() {
    truncate(0);
    head_ = 0;
  }

 private:
  void grow() {
    std::vector<T> larger(slots_.empty() ? 8 : 2 * slots_.size());
    for (std::size_t i = 0; i < size_; ++i) larger[i] = std::move((*this)[i]);
    slots_ = std::move(larger);
    head_ = 0;
  }

  std::vector<T> slots_;  // a power of two
  std::size_t head_ = 0;
  std::size_t size_ = 0;
};

}  // namespace holdfast::sim
