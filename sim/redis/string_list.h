// A list of strings that grows at both ends. It keeps its memory when it is emptied.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::sim::redis {

class StringList {
 public:
  std::size_t size() const { return size_; }
  const std::string& operator[](std::size_t index) const { return slots_[slot(index)]; }
  void set(std::size_t index, std::string_view item) { slots_[slot(index)].assign(item); }
  void push_back(std::string_view item);
  void push_front(std::string_view item);
  void insert(std::size_t index, std::string_view item);  // before the item at `index`
  void pop_back() { --size_; }
  void pop_front() {
    head_ = (head_ + 1) & (slots_.size() - 1);
    --size_;
  }
  void erase(std::size_t index);
  void keep(std::size_t first, std::size_t count);  // and nothing else
  void clear() { head_ = size_ = 0; }
  void copy_from(const StringList& other);

 private:
  std::size_t slot(std::size_t index) const { return (head_ + index) & (slots_.size() - 1); }
  void grow();

  std::vector<std::string> slots_;  // a ring; a power of two
  std::size_t head_ = 0;
  std::size_t size_ = 0;
};

}  // namespace holdfast::sim::redis
