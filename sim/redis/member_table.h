// MemberTable: names, each with a value, in the order in which they came: a hash's fields, the
// members of a set or sorted set. It keeps its memory when it is emptied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/random.h"
#include "sim/redis/name_index.h"

namespace holdfast::sim::redis {

template <class T>
class MemberTable {
 public:
  struct Member {
    std::string name;
    T value{};
    std::uint64_t hash = 0;
    std::uint64_t number = 0;  // grows in the order of coming
    bool here = false;         // false: gone, its place is not yet closed up
  };

  std::size_t size() const { return size_; }
  // For walks: the first member at or behind the place `at`, which moves behind it; null at the
  // end.
  const Member* next(std::size_t& at) const {
    while (at < used_ && !members_[at].here) ++at;
    return at < used_ ? &members_[at++] : nullptr;
  }
  // Places: members and gaps; fewer than half are gaps.
  std::size_t places() const { return used_; }
  const Member& operator[](std::size_t place) const { return members_[place]; }

  std::size_t place_of(std::string_view name) const { return place_of(name, hash_of(name)); }
  const T* find(std::string_view name) const {
    const std::size_t place = place_of(name);
    return place == NameIndex::kNone ? nullptr : &members_[place].value;
  }
  const Member& pick(Random& random) const {  // any of them; there must be one
    std::size_t place = 0;
    do {
      place = random.below(used_);
    } while (!members_[place].here);
    return members_[place];
  }
  // The places of `count` different ones (of all when there are fewer), in any order.
  std::vector<std::size_t> pick_places(Random& random, std::size_t count) const;
  T& open(std::string_view name, bool& is_new);
  template <class Value>
  bool set(std::string_view name, const Value& value) {  // true when the name is new
    bool is_new = false;
    open(name, is_new) = value;
    return is_new;
  }
  bool erase(std::string_view name);  // places may change
  void clear() {
    used_ = size_ = 0;
    numbers_ = 0;
  }
  void copy_from(const MemberTable& other) {
    clear();
    for (std::size_t at = 0; const Member* member = other.next(at);)
      set(member->name, member->value);
  }
  bool equals(const MemberTable& other) const {
    if (size_ != other.size_) return false;
    for (std::size_t at = 0; const Member* member = next(at);) {
      const T* value = other.find(member->name);
      if (value == nullptr || *value != member->value) return false;
    }
    return true;
  }

 private:
  std::size_t place_of(std::string_view name, std::uint64_t hash) const {
    return index_.find(hash, used_, [&](std::size_t at) {
      return members_[at].hash == hash && members_[at].here && members_[at].name == name;
    });
  }
  void close_up();

  std::vector<Member> members_;  // the first used_ are in use
  std::size_t used_ = 0;
  std::size_t size_ = 0;
  std::uint64_t numbers_ = 0;
  NameIndex index_;
};

template <class T>
std::vector<std::size_t> MemberTable<T>::pick_places(Random& random, std::size_t count) const {
  std::vector<std::size_t> places;
  places.reserve(size_);
  for (std::size_t at = 0; next(at) != nullptr;) places.push_back(at - 1);
  if (count >= places.size()) return places;
  for (std::size_t i = 0; i < count; ++i) {
    std::swap(places[i], places[i + random.below(places.size() - i)]);
  }
  places.resize(count);
  return places;
}

template <class T>
T& MemberTable<T>::open(std::string_view name, bool& is_new) {
  const std::uint64_t hash = hash_of(name);
  const std::size_t place = place_of(name, hash);
  is_new = place == NameIndex::kNone;
  if (!is_new) return members_[place].value;
  if (used_ == members_.size()) members_.emplace_back();
  Member& member = members_[used_++];
  ++size_;
  member.name.assign(name);
  member.hash = hash;
  member.number = ++numbers_;
  member.here = true;
  index_.add(used_, [this](std::size_t at) { return members_[at].hash; });
  return member.value;
}

template <class T>
bool MemberTable<T>::erase(std::string_view name) {
  const std::size_t place = place_of(name);
  if (place == NameIndex::kNone) return false;
  members_[place].here = false;
  --size_;
  if (2 * size_ <= used_) close_up();
  return true;
}

template <class T>
void MemberTable<T>::close_up() {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < used_; ++i) {
    if (!members_[i].here) continue;
    if (kept != i) std::swap(members_[kept], members_[i]);
    ++kept;
  }
  used_ = kept;
  index_.rebuild(used_, [this](std::size_t at) { return members_[at].hash; });
}

}  // namespace holdfast::sim::redis
