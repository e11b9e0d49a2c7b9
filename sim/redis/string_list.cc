#include "sim/redis/string_list.h"

#include <utility>

namespace holdfast::sim::redis {

void StringList::grow() {
  std::vector<std::string> larger(slots_.empty() ? 4 : 2 * slots_.size());
  for (std::size_t i = 0; i < size_; ++i) larger[i].swap(slots_[slot(i)]);
  slots_.swap(larger);
  head_ = 0;
}

void StringList::push_back(std::string_view item) {
  if (size_ == slots_.size()) grow();
  slots_[slot(size_++)].assign(item);
}

void StringList::push_front(std::string_view item) {
  if (size_ == slots_.size()) grow();
  head_ = (head_ + slots_.size() - 1) & (slots_.size() - 1);
  ++size_;
  slots_[head_].assign(item);
}

void StringList::insert(std::size_t index, std::string_view item) {
  push_back(item);
  for (std::size_t i = size_ - 1; i > index; --i) slots_[slot(i)].swap(slots_[slot(i - 1)]);
}

void StringList::erase(std::size_t index) {
  for (std::size_t i = index; i + 1 < size_; ++i) slots_[slot(i)].swap(slots_[slot(i + 1)]);
  --size_;
}

void StringList::keep(std::size_t first, std::size_t count) {
  for (std::size_t i = 0; i < first; ++i) pop_front();
  size_ = count;
}

void StringList::copy_from(const StringList& other) {
  clear();
  for (std::size_t i = 0; i < other.size(); ++i) push_back(other[i]);
}

}  // namespace holdfast::sim::redis
