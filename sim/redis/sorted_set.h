// SortedSet: members by score, equal scores by bytes of the name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/redis/member_table.h"

namespace holdfast::sim::redis {

class SortedSet {
 public:
  using Member = MemberTable<double>::Member;  // value: the score, never NaN
  static constexpr std::size_t kNone = NameIndex::kNone;

  std::size_t size() const { return order_.size(); }
  const Member& operator[](std::size_t rank) const { return members_[order_[rank]]; }
  const double* score(std::string_view name) const { return members_.find(name); }
  const MemberTable<double>& members() const { return members_; }
  std::size_t rank(std::string_view name) const;  // kNone: not a member
  // How many members, from the lowest on, are before some bound: before(member) holds for them.
  template <class Before>
  std::size_t count_before(Before before) const {
    std::size_t low = 0;
    std::size_t high = order_.size();
    while (low < high) {
      const std::size_t middle = low + (high - low) / 2;
      before((*this)[middle]) ? low = middle + 1 : high = middle;
    }
    return low;
  }

  void set(std::string_view name, double score);
  bool erase(std::string_view name);
  void erase_ranks(std::size_t first, std::size_t count);
  void clear() {
    members_.clear();
    order_.clear();
  }
  void copy_from(const SortedSet& other);
  bool equals(const SortedSet& other) const { return members_.equals(other.members_); }

 private:
  std::size_t rank_of(double score, std::string_view name) const;
  void sort();

  MemberTable<double> members_;
  std::vector<std::uint32_t> order_;  // places in members_
};

}  // namespace holdfast::sim::redis
