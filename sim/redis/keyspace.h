// Keyspace: names and their values, in the order in which names first came up. It knows no time and
// tells nobody; Dataset does.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/redis/value.h"

namespace holdfast::sim::redis {

inline constexpr std::int64_t kNoDeadline = -1;

struct Entry {
  std::string name;
  std::uint64_t hash = 0;
  Value value;                             // ValueType::none: there is no such key
  std::int64_t deadline_ms = kNoDeadline;  // absolute wall time; dead when the clock is beyond it
  std::uint32_t changed_by = 0;            // the command (Dataset's count) that changed it last
  std::uint16_t watch = 0;                 // ServerWatcher's number; 0: nobody watches
  bool told_dead = false;                  // the watcher knows that it has expired

  bool present() const { return value.type != ValueType::none; }
};

// Entries keep their address until the next clear() or forget_absent(). Those of keys that are gone
// stay, so that the same lock's key comes and goes without a search for memory.
class Keyspace {
 public:
  Keyspace() = default;
  Keyspace(const Keyspace&) = delete;
  Keyspace& operator=(const Keyspace&) = delete;

  Entry* find(std::string_view name);
  const Entry* find(std::string_view name) const;
  Entry& intern(std::string_view name, bool& is_new);

  std::size_t size() const { return used_; }  // names, present or not
  Entry& operator[](std::size_t index) { return *entries_[index]; }
  const Entry& operator[](std::size_t index) const { return *entries_[index]; }
  std::size_t present() const;

  void clear();
  // Drops the names of absent keys when they are many. Moves entries.
  void forget_absent() {
    if (used_ >= forget_at_) forget();
  }
  void copy_from(const Keyspace& other);  // present keys and their deadlines only

 private:
  static constexpr std::size_t kIndexed = 8;  // beyond this many names the index is used
  static constexpr std::size_t kForgetAt = 256;

  const Entry* find(std::string_view name, std::uint64_t hash) const;
  void rebuild_index();
  void add_to_index(std::size_t position);
  void forget();

  std::vector<std::unique_ptr<Entry>> entries_;  // the first used_ are in use
  std::size_t used_ = 0;
  std::size_t forget_at_ = kForgetAt;
  std::vector<std::uint32_t> index_;  // open addressing, power of two; position + 1, 0 free
};

}  // namespace holdfast::sim::redis
