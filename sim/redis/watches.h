// Watches: which sessions WATCH which keys (FID-X9).
#pragma once

#include <string_view>
#include <vector>

#include "sim/redis/key_listener.h"
#include "sim/redis/key_map.h"
#include "sim/redis/server.h"

namespace holdfast::sim::redis {

class Instance;

// One key that a session watches.
struct WatchedKey {
  KeyName key;
  // It had expired when WATCH came: its removal changes nothing for the transaction.
  bool was_dead = false;
};

class Watches {
 public:
  explicit Watches(Instance& server) : server_(server) {}
  void reset() { sessions_.clear(); }
  bool any() const { return !sessions_.empty(); }

  void add(SessionId session, KeyView key);
  void forget(SessionId session);             // UNWATCH, EXEC, DISCARD, the end
  bool has_expired(SessionId session) const;  // a watched key, since WATCH

  void key_modified(const Entry& entry);
  void emptying(int database);
  void swapped(int one, int other);

 private:
  template <class Changed>
  void touch(const std::vector<SessionId>& watching, KeyView key, Changed changed);
  bool exists(KeyView key) const;

  Instance& server_;
  KeyMap<std::vector<SessionId>> sessions_;
};

}  // namespace holdfast::sim::redis
