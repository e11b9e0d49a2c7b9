// What a sentinel knows of each process that it looks after: masters, their replicas, the other
// sentinels. Instants are milliseconds of the sentinel's own wall clock, as everything Sentinel
// decides by (FID-E3).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/redis/sentinel/options.h"
#include "sim/redis/sentinel/uplink.h"

namespace holdfast::sim::redis {

using WallMs = std::int64_t;

struct MasterSet;

enum class MonitoredKind : std::uint8_t { master, replica, sentinel };

enum MonitoredFlags : std::uint32_t {
  kSubjectivelyDown = 1,
  kObjectivelyDown = 1 << 1,
  kSaidDown = 1 << 2,  // a sentinel: it said that the master is down
  kFailingOver = 1 << 3,
  kPromoted = 1 << 4,
  kReconfigureSent = 1 << 5,
  kReconfiguring = 1 << 6,
  kReconfigured = 1 << 7,
  kForced = 1 << 8,  // a failover that was asked for: no election
};

// The two connections to one process, and what their activity says.
struct Contact {
  Contact(Sentinel& sentinel, Monitored& target)
      : commands(sentinel, target), events(sentinel, target) {}

  Uplink commands;
  Uplink events;             // what is published there; not to sentinels
  bool disconnected = true;  // one of those that there should be is missing
  int pending = 0;           // commands without an answer
  WallMs tried = 0;          // to connect
  WallMs commands_opened = 0;
  WallMs events_opened = 0;
  WallMs event_heard = 0;
  WallMs unanswered_since = 0;  // the oldest PING without a good answer; 0: none
  WallMs pinged = 0;
  WallMs available = 0;  // when it last answered a PING well
  WallMs ponged = 0;     // when it last answered one at all
};

struct Monitored {
  Monitored(Sentinel& sentinel, MasterSet& of, MonitoredKind what, NodeAddress where, WallMs now);

  bool is(std::uint32_t flag) const { return (flags & flag) != 0; }
  bool is_master() const { return kind == MonitoredKind::master; }
  bool is_replica() const { return kind == MonitoredKind::replica; }
  bool is_sentinel() const { return kind == MonitoredKind::sentinel; }

  MasterSet& set;
  MonitoredKind kind;
  std::uint32_t flags = 0;
  NodeAddress address;
  std::string run_id = {};
  Contact contact;
  WallMs published = 0;  // hello
  WallMs subjectively_down_since = 0;
  WallMs objectively_down_since = 0;

  // -- a master or replica, as its INFO said
  WallMs refreshed = 0;  // 0: never
  bool reports_master = false;
  WallMs role_reported = 0;  // when it last changed
  WallMs master_link_down = 0;
  bool master_link_up = false;
  NodeAddress its_master = {};
  WallMs its_master_changed = 0;
  std::int64_t priority = 100;
  std::int64_t offset = 0;
  WallMs reconfigure_sent = 0;

  // -- a sentinel; leader also a master: whom we vote for
  WallMs hello_heard = 0;
  WallMs master_down_answered = 0;
  std::string leader = {};
  std::uint64_t leader_epoch = 0;
};

enum class FailoverState : std::uint8_t {
  none,
  wait_start,  // for the election
  select_replica,
  send_promotion,
  wait_promotion,
  reconfigure_replicas,
  update_config,
};

// A master with everything that belongs to it.
struct MasterSet {
  MasterSet(Sentinel& sentinel, const MonitorOptions& monitor, WallMs now);

  const MonitorOptions options;
  Monitored master;
  std::vector<std::unique_ptr<Monitored>> replicas;
  std::vector<std::unique_ptr<Monitored>> sentinels;
  std::uint64_t config_epoch = 0;

  FailoverState failover = FailoverState::none;
  std::uint64_t failover_epoch = 0;
  WallMs failover_started = 0;
  WallMs failover_state_since = 0;
  Monitored* promoted = nullptr;

  WallMs down_after() const { return options.down_after / std::chrono::milliseconds(1); }
  WallMs failover_timeout() const {
    return options.failover_timeout / std::chrono::milliseconds(1);
  }
  // The one that clients are told of.
  const NodeAddress& current() const {
    const bool moved = promoted != nullptr && failover >= FailoverState::reconfigure_replicas;
    return moved ? promoted->address : master.address;
  }
};

}  // namespace holdfast::sim::redis
