// Databases: the sixteen numbered key spaces of one server. Nearly always only the first is used.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "sim/redis/keyspace.h"

namespace holdfast::sim::redis {

class Databases {
 public:
  static constexpr int kCount = 16;

  Databases() {
    for (int i = 0; i < kCount; ++i) all_[static_cast<std::size_t>(i)].set_database(i);
  }
  static bool has(std::int64_t number) { return number >= 0 && number < kCount; }

  Keyspace& operator[](int number) {
    in_use_ = std::max(in_use_, number + 1);
    return all_[static_cast<std::size_t>(number)];
  }
  const Keyspace& operator[](int number) const { return all_[static_cast<std::size_t>(number)]; }
  int in_use() const { return in_use_; }  // databases from this number on are empty

  // Calls use(entry) for every present key of every database.
  template <class Use>
  void each(Use use) {
    for (int i = 0; i < in_use_; ++i) (*this)[i].each(use);
  }
  template <class Use>
  void each(Use use) const {
    for (int i = 0; i < in_use_; ++i) (*this)[i].each(use);
  }
  std::size_t present() const {
    std::size_t count = 0;
    for (int i = 0; i < in_use_; ++i) count += (*this)[i].present();
    return count;
  }

  void clear() {
    for (int i = 0; i < in_use_; ++i) (*this)[i].clear();
    in_use_ = 1;
  }
  void copy_from(const Databases& other) {
    clear();
    for (int i = 0; i < other.in_use_; ++i) (*this)[i].copy_from(other[i]);
  }

 private:
  std::array<Keyspace, kCount> all_;
  int in_use_ = 1;
};

}  // namespace holdfast::sim::redis
