// KeyspaceEvents: notify-keyspace-events (FID-E8, E23). Which events are published, and where.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/redis/key_listener.h"

namespace holdfast::sim::redis {

class PubSub;

class KeyspaceEvents {
 public:
  explicit KeyspaceEvents(PubSub& pubsub) : pubsub_(pubsub) {}
  void reset() { classes_ = 0; }

  // The value of notify-keyspace-events as Redis keeps it: its letters in their order, "A" for all
  // classes that it stands for. Nothing when it has other letters.
  static std::optional<std::string> canonical(std::string_view letters);
  void configure(std::string_view letters);  // a canonical value
  bool on() const { return classes_ != 0; }

  void publish(const Entry& entry, EventClass kind, std::string_view event);

 private:
  PubSub& pubsub_;
  std::uint32_t classes_ = 0;
};

}  // namespace holdfast::sim::redis
