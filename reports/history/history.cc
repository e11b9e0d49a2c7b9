#include "reports/history/history.h"

namespace holdfast::history {

std::uint32_t Names::find(std::string_view name) const {
  if (name.empty()) return 0;
  // From the newest: on the steady path that is what is asked for.
  for (std::uint32_t id = size_; id-- > 1;) {
    if (names_[id] == name) return id;
  }
  return 0;
}

std::uint32_t Names::intern(std::string_view name) {
  if (name.empty()) return 0;
  const std::uint32_t known = find(name);
  if (known != 0) return known;
  if (size_ < names_.size()) {
    names_[size_].assign(name);  // the capacity of a forgotten name
  } else {
    names_.emplace_back(name);
  }
  return size_++;
}

void Names::truncate(std::uint32_t size) {
  if (size < size_) size_ = size == 0 ? 1 : size;
}

bool operator==(const Names& a, const Names& b) {
  if (a.size_ != b.size_) return false;
  for (std::uint32_t id = 0; id < a.size_; ++id) {
    if (a.names_[id] != b.names_[id]) return false;
  }
  return true;
}

void History::clear_run() {
  events.clear();
  notes.resize(1);
  fingerprint = 0;
  kernel_events = 0;
}

}  // namespace holdfast::history
