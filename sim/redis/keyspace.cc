#include "sim/redis/keyspace.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace holdfast::sim::redis {

namespace {

// Eight bytes at a step, multiplied and folded. Only speed hangs on it: nothing visible follows the
// order of hashes.
std::uint64_t hash_of(std::string_view text) {
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15ULL;
  std::uint64_t hash = text.size() * kOdd;
  std::size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < 8; ++i) {
      word |= std::uint64_t{static_cast<unsigned char>(text[at + i])} << (8 * i);
    }
    hash = (hash ^ word) * kOdd;
    hash ^= hash >> 32;
  }
  for (; at < text.size(); ++at) hash = (hash ^ static_cast<unsigned char>(text[at])) * kOdd;
  return hash ^ (hash >> 29);
}

}  // namespace

const Entry* Keyspace::find(std::string_view name, std::uint64_t hash) const {
  if (used_ <= kIndexed) {
    for (std::size_t i = 0; i < used_; ++i) {
      if (entries_[i]->hash == hash && entries_[i]->name == name) return entries_[i].get();
    }
    return nullptr;
  }
  const std::size_t mask = index_.size() - 1;
  for (std::size_t at = hash & mask; index_[at] != 0; at = (at + 1) & mask) {
    const Entry& entry = *entries_[index_[at] - 1];
    if (entry.hash == hash && entry.name == name) return &entry;
  }
  return nullptr;
}

const Entry* Keyspace::find(std::string_view name) const { return find(name, hash_of(name)); }

Entry* Keyspace::find(std::string_view name) {
  return const_cast<Entry*>(std::as_const(*this).find(name, hash_of(name)));
}

Entry& Keyspace::intern(std::string_view name, bool& is_new) {
  const std::uint64_t hash = hash_of(name);
  if (const Entry* found = std::as_const(*this).find(name, hash)) {
    is_new = false;
    return const_cast<Entry&>(*found);
  }
  is_new = true;
  if (used_ == entries_.size()) entries_.push_back(std::make_unique<Entry>());
  Entry& entry = *entries_[used_++];
  entry.name.assign(name);
  entry.hash = hash;
  entry.value.clear();
  entry.deadline_ms = kNoDeadline;
  entry.changed_by = 0;
  entry.watch = 0;
  entry.told_dead = false;
  if (used_ > kIndexed) add_to_index(used_ - 1);
  return entry;
}

std::size_t Keyspace::present() const {
  std::size_t count = 0;
  for (std::size_t i = 0; i < used_; ++i) count += entries_[i]->present() ? 1 : 0;
  return count;
}

void Keyspace::clear() {
  used_ = 0;
  forget_at_ = kForgetAt;
}

void Keyspace::add_to_index(std::size_t position) {
  if (position == kIndexed || 2 * used_ > index_.size()) return rebuild_index();
  const std::size_t mask = index_.size() - 1;
  std::size_t at = entries_[position]->hash & mask;
  while (index_[at] != 0) at = (at + 1) & mask;
  index_[at] = static_cast<std::uint32_t>(position + 1);
}

void Keyspace::rebuild_index() {
  const std::size_t wanted = std::max<std::size_t>(64, std::bit_ceil(4 * used_));
  index_.assign(std::max(wanted, index_.size()), 0);
  const std::size_t mask = index_.size() - 1;
  for (std::size_t i = 0; i < used_; ++i) {
    std::size_t at = entries_[i]->hash & mask;
    while (index_[at] != 0) at = (at + 1) & mask;
    index_[at] = static_cast<std::uint32_t>(i + 1);
  }
}

void Keyspace::forget() {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < used_; ++i) {
    if (entries_[i]->present()) std::swap(entries_[kept++], entries_[i]);
  }
  used_ = kept;
  forget_at_ = std::max(kForgetAt, 2 * kept);
  if (used_ > kIndexed) rebuild_index();
}

void Keyspace::copy_from(const Keyspace& other) {
  clear();
  for (std::size_t i = 0; i < other.size(); ++i) {
    const Entry& source = other[i];
    if (!source.present()) continue;
    bool is_new = false;
    Entry& entry = intern(source.name, is_new);
    entry.value.copy_from(source.value);
    entry.deadline_ms = source.deadline_ms;
  }
}

}  // namespace holdfast::sim::redis
