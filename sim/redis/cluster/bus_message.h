// BusMessage: what nodes of a cluster tell each other, and how it travels: as numbers in one text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/redis/cluster/layout.h"

namespace holdfast::sim::redis {

enum class BusKind : std::uint8_t {
  ping,
  pong,          // the answer to a ping, or news told to all
  failed,        // `about` is down
  vote_request,  // a replica wants to be master
  vote,
  start_failover,  // a replica asks its master to hold writes for it
  update,          // `about` has these slots with this config_epoch
};

// What one node thinks of another.
struct Gossip {
  MemberId about = kNobody;
  bool maybe_down = false;
  bool down = false;
  std::int64_t pong_s = 0;  // when it last answered, in whole seconds of the teller's wall clock
};

struct BusMessage {
  BusKind kind = BusKind::ping;
  MemberId sender = kNobody;
  std::uint64_t epoch = 0;
  std::uint64_t config_epoch = 0;  // of the sender's master, as the slots
  std::int64_t offset = 0;         // of its replication
  MemberId master = kNobody;       // of a sender that is a replica
  bool is_paused = false;          // it holds writes for a replica that takes over
  bool is_forced = false;          // a vote is wanted although the master is not down
  MemberId about = kNobody;
  std::vector<SlotRange> slots = {};
  std::vector<Gossip> gossip = {};

  std::string written() const;
  static std::optional<BusMessage> read(std::string_view text);
};

}  // namespace holdfast::sim::redis
