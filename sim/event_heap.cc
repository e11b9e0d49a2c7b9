#include "sim/event_heap.h"

#include <algorithm>

namespace holdfast::sim {

void EventHeap::grow() {
  const std::size_t capacity = capacity_ < 64 ? 128 : capacity_ * 2;
  auto* memory =
      static_cast<EventKey*>(::operator new(capacity * sizeof(EventKey), std::align_val_t(kLine)));
  if (keys_) std::copy_n(keys_.get(), capacity_, memory);
  std::fill(memory + (keys_ ? capacity_ : 0), memory + capacity, kNone);
  keys_.reset(memory);
  capacity_ = capacity;
}

}  // namespace holdfast::sim
