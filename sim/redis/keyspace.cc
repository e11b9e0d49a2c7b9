#include "sim/redis/keyspace.h"

#include <algorithm>
#include <utility>

namespace holdfast::sim::redis {

const Entry* Keyspace::find(std::string_view name, std::uint64_t hash) const {
  const std::size_t found = index_.find(hash, used_, [&](std::size_t at) {
    return entries_[at]->hash == hash && entries_[at]->name == name;
  });
  return found == NameIndex::kNone ? nullptr : entries_[found].get();
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
  entry.database = database_;
  entry.number = ++numbers_;
  index_.add(used_, [this](std::size_t at) { return entries_[at]->hash; });
  return entry;
}

std::size_t Keyspace::present() const {
  std::size_t count = 0;
  for (std::size_t i = 0; i < used_; ++i) count += entries_[i]->present() ? 1 : 0;
  return count;
}

void Keyspace::clear() {
  used_ = 0;
  numbers_ = 0;
  forget_at_ = kForgetAt;
}

void Keyspace::swap(Keyspace& other) noexcept {
  entries_.swap(other.entries_);
  index_.swap(other.index_);
  std::swap(used_, other.used_);
  std::swap(numbers_, other.numbers_);
  std::swap(forget_at_, other.forget_at_);
  for (Keyspace* each : {this, &other}) {
    for (std::size_t i = 0; i < each->used_; ++i) each->entries_[i]->database = each->database_;
  }
}

void Keyspace::forget() {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < used_; ++i) {
    if (entries_[i]->present()) std::swap(entries_[kept++], entries_[i]);
  }
  used_ = kept;
  forget_at_ = std::max(kForgetAt, 2 * kept);
  index_.rebuild(used_, [this](std::size_t at) { return entries_[at]->hash; });
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
