// PubSub: who listens to which channels, patterns and shard channels of one server (FID-X10).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lockcore/redis_client.h"
#include "sim/redis/server.h"

namespace holdfast::sim::redis {

class Instance;

enum class ChannelKind : std::uint8_t { channel, pattern, shard };
inline constexpr std::size_t kChannelKinds = 3;

class PubSub {
 public:
  using Listeners = std::map<std::string, std::vector<SessionId>, std::less<>>;

  explicit PubSub(Instance& server) : server_(server) {}
  void reset();

  void subscribe(SessionId session, ChannelKind kind, std::string_view name);
  void unsubscribe(SessionId session, ChannelKind kind, std::string_view name);
  void forget(SessionId session);  // from everything, silently
  // As SUBSCRIBE and UNSUBSCRIBE report it: channels and patterns together, shard channels apart.
  std::int64_t count(SessionId session, ChannelKind kind) const;
  const Listeners& listeners(ChannelKind kind) const { return of(kind); }

  // To this server's listeners; how many they were.
  std::int64_t publish(std::string_view channel, std::string_view message);
  std::int64_t publish_to_shard(std::string_view channel, std::string_view message);

 private:
  Listeners& of(ChannelKind kind) { return listeners_[static_cast<std::size_t>(kind)]; }
  const Listeners& of(ChannelKind kind) const { return listeners_[static_cast<std::size_t>(kind)]; }
  void changed(SessionId session);

  Instance& server_;
  std::array<Listeners, kChannelKinds> listeners_;
};

// A message, confirmation or invalidation as a subscriber gets it.
inline Reply push_of(std::vector<Reply> parts) {
  Reply message;
  message.type = Reply::Type::push;
  message.elements = std::move(parts);
  return message;
}

}  // namespace holdfast::sim::redis
