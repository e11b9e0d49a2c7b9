#include "sim/redis/sorted_set.h"

#include <algorithm>
#include <string>

namespace holdfast::sim::redis {

namespace {

bool is_before(const SortedSet::Member& member, double score, std::string_view name) {
  return member.value != score ? member.value < score : member.name < name;
}

}  // namespace

std::size_t SortedSet::rank_of(double score, std::string_view name) const {
  return count_before([&](const Member& member) { return is_before(member, score, name); });
}

std::size_t SortedSet::rank(std::string_view name) const {
  const double* found = score(name);
  return found == nullptr ? kNone : rank_of(*found, name);
}

void SortedSet::set(std::string_view name, double score) {
  const auto at = [this](std::size_t rank) {
    return order_.begin() + static_cast<std::ptrdiff_t>(rank);
  };
  if (const double* old = members_.find(name)) {
    order_.erase(at(rank_of(*old, name)));
  }
  const std::size_t rank = rank_of(score, name);
  members_.set(name, score);
  order_.insert(at(rank), static_cast<std::uint32_t>(members_.place_of(name)));
}

bool SortedSet::erase(std::string_view name) {
  const std::size_t found = rank(name);
  if (found == kNone) return false;
  erase_ranks(found, 1);
  return true;
}

void SortedSet::erase_ranks(std::size_t first, std::size_t count) {
  const std::size_t places = members_.places();
  std::vector<std::string> names;
  names.reserve(count);
  for (std::size_t i = first; i < first + count; ++i) names.push_back((*this)[i].name);
  const auto from = order_.begin() + static_cast<std::ptrdiff_t>(first);
  order_.erase(from, from + static_cast<std::ptrdiff_t>(count));
  for (const std::string& name : names) members_.erase(name);
  if (members_.places() != places) sort();
}

// The places have changed.
void SortedSet::sort() {
  order_.clear();
  for (std::size_t place = 0; place < members_.places(); ++place) {
    if (members_[place].here) order_.push_back(static_cast<std::uint32_t>(place));
  }
  std::sort(order_.begin(), order_.end(), [this](std::uint32_t left, std::uint32_t right) {
    return is_before(members_[left], members_[right].value, members_[right].name);
  });
}

void SortedSet::copy_from(const SortedSet& other) {
  members_.copy_from(other.members_);
  sort();
}

}  // namespace holdfast::sim::redis
