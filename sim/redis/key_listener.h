// KeyListener: who wants to know which keys commands touch: WATCH, keyspace events, tracking.
// Dataset announces every change here, in the order in which Redis does.
#pragma once

#include <cstdint>
#include <string_view>

#include "sim/redis/keyspace.h"

namespace holdfast::sim::redis {

// The classes of keyspace events; the value is the letter of notify-keyspace-events.
enum class EventClass : char {
  generic = 'g',
  string = '$',
  list = 'l',
  set = 's',
  hash = 'h',
  sorted_set = 'z',
  expired = 'x',
  evicted = 'e',
  added = 'n',  // a key came into being; not part of A
};

// The entry tells name and database. Entries must not be kept; nothing may be changed from here.
class KeyListener {
 public:
  virtual ~KeyListener() = default;
  // Its value or deadline was changed, or it is gone (then the entry is not present any more).
  virtual void key_modified(const Entry& entry) = 0;
  // As notify-keyspace-events would publish it: "set", "expire", "del", "expired", ... (FID-E23).
  virtual void key_event(const Entry& entry, EventClass kind, std::string_view event) = 0;
  // All keys of one database, or of all of them (kAllDatabases), are about to go.
  virtual void emptying(int database) = 0;
  // The contents of two databases have changed places.
  virtual void swapped(int one, int other) = 0;
};

inline constexpr int kAllDatabases = -1;

}  // namespace holdfast::sim::redis
