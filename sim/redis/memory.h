// Memory: a plain estimate of what the data set takes, and maxmemory (FID-X14).
#pragma once

#include <cstdint>

#include "sim/redis/databases.h"
#include "sim/redis/key_listener.h"
#include "sim/redis/key_map.h"
#include "sim/true_time.h"

namespace holdfast::sim::redis {

class Instance;

class Memory {
 public:
  explicit Memory(Instance& server) : server_(server) {}
  void reset();

  void set_limit(std::int64_t bytes);  // 0: none
  bool limited() const { return limit_ > 0; }
  std::int64_t limit() const { return limit_; }
  std::int64_t used();  // bytes
  bool is_full() { return limited() && used() > limit_; }
  // As maxmemory-policy says, until there is room or nothing that may go is left (FID-X14).
  void make_room();
  std::int64_t evicted() const { return evicted_; }  // keys, since the start

  void key_modified(const Entry& entry);
  void forget() { counted_ = false; }  // many keys changed: they are counted anew

 private:
  void count_all();
  const Entry* victim();

  Instance& server_;
  std::int64_t limit_ = 0;
  bool counted_ = false;  // sizes_ and keys_ are of now
  KeyMap<std::int64_t> sizes_;
  std::int64_t keys_ = 0;
  std::int64_t evicted_ = 0;
};

// Bytes that a key takes, about.
std::int64_t size_of(const Entry& entry);
// How long a server takes to load them: 3.7 s for a million keys of 200 bytes (FID-R16).
Duration loading_time(const Databases& all);

}  // namespace holdfast::sim::redis
