// Keyspace: names and their values, in the order in which names first came up. It knows no time and
// tells nobody; Dataset does.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/redis/name_index.h"
#include "sim/redis/value.h"

namespace holdfast::sim::redis {

inline constexpr std::int64_t kNoDeadline = -1;

struct Entry {
  std::string name;
  std::uint64_t hash = 0;
  std::uint64_t number = 0;                // grows in the order in which names came up
  std::int64_t used_ms = 0;                // the last command that used it, by the server's clock
  Value value;                             // ValueType::none: there is no such key
  std::int64_t deadline_ms = kNoDeadline;  // absolute wall time; dead when the clock is beyond it
  std::uint32_t changed_by = 0;            // the command (Dataset's count) that changed it last
  std::uint16_t watch = 0;                 // ServerWatcher's number; 0: nobody watches
  bool told_dead = false;                  // the watcher knows that it has expired
  std::uint8_t database = 0;

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
  // Calls use(entry) for every present key, in the order of their names' first coming up.
  template <class Use>
  void each(Use use) {
    for (std::size_t i = 0; i < used_; ++i) {
      if (entries_[i]->present()) use(*entries_[i]);
    }
  }
  template <class Use>
  void each(Use use) const {
    for (std::size_t i = 0; i < used_; ++i) {
      if (entries_[i]->present()) use(std::as_const(*entries_[i]));
    }
  }

  void set_database(int number) { database_ = static_cast<std::uint8_t>(number); }
  void clear();
  void swap(Keyspace& other) noexcept;  // contents and names; the databases' numbers stay
  // Drops the names of absent keys when they are many. Moves entries.
  void forget_absent() {
    if (used_ >= forget_at_) forget();
  }
  void copy_from(const Keyspace& other);  // present keys and their deadlines only

 private:
  static constexpr std::size_t kForgetAt = 256;

  const Entry* find(std::string_view name, std::uint64_t hash) const;
  void forget();

  std::vector<std::unique_ptr<Entry>> entries_;  // the first used_ are in use
  std::size_t used_ = 0;
  std::uint8_t database_ = 0;
  std::size_t forget_at_ = kForgetAt;
  std::uint64_t numbers_ = 0;
  NameIndex index_;
};

}  // namespace holdfast::sim::redis
