// KeyInterest: passes on what happens to keys to those who have asked: WATCH, blocked clients,
// tracking, keyspace events, the count of memory. While nobody asks, nothing is announced.
#pragma once

#include <string_view>

#include "sim/redis/key_listener.h"

namespace holdfast::sim::redis {

class Instance;

class KeyInterest : public KeyListener {
 public:
  explicit KeyInterest(Instance& server) : server_(server) {}
  void review();  // somebody began or ceased to ask
  bool on() const { return on_; }

  void key_modified(const Entry& entry) override;
  void key_event(const Entry& entry, EventClass kind, std::string_view event) override;
  void emptying(int database) override;
  void swapped(int one, int other) override;

 private:
  void send_unless_running();

  Instance& server_;
  bool on_ = false;
};

}  // namespace holdfast::sim::redis
