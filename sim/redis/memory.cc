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

Duration loading_time(const Databases& all) {
  constexpr std::int64_t kNanosPerByte = 14;
  std::int64_t bytes = 0;
  all.each([&bytes](const Entry& entry) { bytes += size_of(entry); });
  return Duration(bytes * kNanosPerByte);
}

void Memory::reset() {
  evicted_ = 0;
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

void Memory::make_room() {
  if (!is_full() || server_.config().text(Setting::maxmemory_policy) == "noeviction") return;
  while (is_full()) {
    const Entry* entry = victim();
    if (entry == nullptr) return;
    const std::string name = entry->name;
    server_.evict(name, entry->database);
    ++evicted_;
  }
}

// Redis takes the best of a few samples; here it is the best of all. Frequencies are not counted:
// the least frequently used key is the one that was not used for longest.
const Entry* Memory::victim() {
  const std::string_view policy = server_.config().text(Setting::maxmemory_policy);
  const bool any = policy.starts_with("allkeys");
  const bool nearest = policy.ends_with("ttl");
  const bool random = policy.ends_with("random");
  const Entry* best = nullptr;
  std::uint64_t seen = 0;
  server_.data().databases().each([&](const Entry& entry) {
    if (!any && entry.deadline_ms == kNoDeadline) return;
    ++seen;
    const bool better = best == nullptr || (random    ? server_.data().random().below(seen) == 0
                                            : nearest ? entry.deadline_ms < best->deadline_ms
                                                      : entry.used_ms < best->used_ms);
    if (better) best = &entry;
  });
  return best;
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
