#include "sim/redis/memory.h"

#include "sim/redis/instance.h"

namespace holdfast::sim::redis {

namespace {

// What an empty 7.0.15 reports, and what each connection adds.
constexpr std::int64_t kServer = 870'000;
constexpr std::int64_t kClient = 22'272;
constexpr std::int64_t kKey = 56;      // hash table entry and object
constexpr std::int64_t kElement = 48;  // of a collection, with a short text

}  // namespace

std::int64_t size_of(const Entry& entry) {
  if (!entry.present()) return 0;
  const std::size_t text = entry.name.size() + entry.value.text.size();
  const auto elements = static_cast<std::int64_t>(entry.value.elements());
  const std::int64_t bytes = kKey + static_cast<std::int64_t>(text) + kElement * elements;
  return (bytes + 7) / 8 * 8;
}

void Memory::reset() {
  limit_ = 0;
  forget();
}

void Memory::set_limit(std::int64_t bytes) {
  limit_ = bytes;
  forget();
}

std::int64_t Memory::used() {
  if (!limited()) forget();  // nobody has told us of changes
  if (!counted_) count_all();
  std::int64_t clients = 0;
  for (SessionId id = 1; id <= server_.sessions().size(); ++id) {
    clients += server_.sessions()[id].open ? 1 : 0;
  }
  return kServer + clients * kClient + keys_;
}

void Memory::count_all() {
  sizes_.clear();
  keys_ = 0;
  counted_ = true;
  server_.data().databases().each([this](const Entry& entry) { key_modified(entry); });
}

void Memory::key_modified(const Entry& entry) {
  if (!counted_) return;
  const KeyView key(entry.database, entry.name);
  const std::int64_t now = size_of(entry);
  auto it = sizes_.find(key);
  if (it != sizes_.end()) {
    keys_ += now - it->second;
    it->second = now;
    if (now == 0) sizes_.erase(it);
  } else if (now > 0) {
    keys_ += now;
    sizes_.emplace(KeyName{entry.database, entry.name}, now);
  }
}

}  // namespace holdfast::sim::redis
