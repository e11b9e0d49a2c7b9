// What a node tells the others and makes of what they tell.
#include <algorithm>

#include "sim/fabric.h"
#include "sim/redis/cluster/cluster.h"
#include "sim/redis/instance.h"

namespace holdfast::sim::redis {

// -- telling

BusMessage Cluster::message(BusKind kind) const {
  const MemberId master = map_.master_of(map_.self());
  BusMessage message;
  message.kind = kind;
  message.sender = map_.self();
  message.epoch = map_.epoch;
  message.config_epoch = map_[master].config_epoch;
  message.offset = server_.replication().offset();
  message.master = map_.own().master;
  message.is_paused = map_.own().is_master() && manual_.end_ms != 0;
  message.slots = map_.ranges(master);
  return message;
}

void Cluster::send(MemberId to, const BusMessage& message) {
  if (to == map_.self() || !links_[to]->is_open()) return;
  ++sent_;
  links_[to]->send(message.written());
}

void Cluster::broadcast(const BusMessage& message) {
  map_.each_known([&](MemberId id) { send(id, message); });
}

void Cluster::ping(MemberId to) {
  map_[to].ping_sent_ms = now_ms();
  BusMessage message = this->message(BusKind::ping);
  add_gossip(message);
  send(to, message);
}

// A tenth of the members, at least three, and all that seem to be down.
void Cluster::add_gossip(BusMessage& message) {
  constexpr std::size_t kLeast = 3;
  const std::size_t others = map_.size() < 2 ? 0 : map_.size() - 2;
  const std::size_t wanted = std::min(std::max(map_.size() / 10, kLeast), others);
  std::vector<bool> told(map_.size());
  const auto add = [&](MemberId id) {
    const ClusterMember& member = map_[id];
    told[id] = true;
    message.gossip.push_back({id, member.maybe_down, member.down, member.pong_ms / 1000});
  };
  for (std::size_t draws = 3 * wanted; draws > 0 && message.gossip.size() < wanted; --draws) {
    const auto id = static_cast<MemberId>(random_.below(map_.size()));
    const ClusterMember& member = map_[id];
    if (id == map_.self() || !member.known || member.maybe_down || told[id]) continue;
    if (!links_[id]->is_open() && member.slots == 0) continue;
    add(id);
  }
  map_.each_known([&](MemberId id) {
    if (map_[id].maybe_down && !told[id]) add(id);
  });
}

// -- hearing

bool Cluster::take_request(SessionId session, const Command& command) {
  if (command[0] != kBusWord || command.size() != 2) return false;
  if (!is_node_actor(server_.sessions()[session].client)) return false;
  const auto message = BusMessage::read(command[1]);
  if (!message) return true;
  if (message->kind == BusKind::ping) {
    BusMessage pong = this->message(BusKind::pong);
    add_gossip(pong);
    ++sent_;
    server_.reply(session, Reply::bulk(pong.written()));
  }
  heard(command[1], false);
  return true;
}

void Cluster::heard(std::string_view text, bool is_answer) {
  const auto message = BusMessage::read(text);
  if (!message || message->sender >= map_.size() || message->sender == map_.self()) return;
  if (!map_[message->sender].known) return;
  ++received_;
  take(*message, is_answer);
  settle();
}

void Cluster::take(const BusMessage& message, bool is_answer) {
  ClusterMember& sender = map_[message.sender];
  sender.heard_ms = now_ms();
  map_.epoch = std::max(map_.epoch, message.epoch);
  if (message.kind != BusKind::update) {
    if (message.master == kNobody && message.config_epoch > sender.config_epoch) {
      sender.config_epoch = message.config_epoch;
    }
    sender.offset = message.offset;
    const bool is_waited_for = manual_.end_ms != 0 && manual_.master_offset < 0 &&
                               map_.own().master == message.sender && message.is_paused;
    if (is_waited_for) {
      manual_.master_offset = message.offset;
      to_do_ |= kStepManualFailover;
    }
  }
  switch (message.kind) {
    case BusKind::ping:
    case BusKind::pong:
      return take_heartbeat(message, is_answer);
    case BusKind::failed:
      return take_failure(message);
    case BusKind::vote_request:
      return consider_vote(message);
    case BusKind::vote:
      return take_vote(message);
    case BusKind::start_failover:
      if (map_.own().is_master() && sender.master == map_.self()) hold_writes_for(message.sender);
      return;
    case BusKind::update:
      return take_update(message);
  }
}

void Cluster::take_heartbeat(const BusMessage& message, bool is_answer) {
  if (is_answer && message.kind == BusKind::pong) answered(message.sender);
  take_role(message);
  take_slots(message);
  settle_epoch_collision(message);
  take_gossip(message);
}

void Cluster::take_role(const BusMessage& message) {
  ClusterMember& sender = map_[message.sender];
  if (message.master == sender.master) return;
  if (message.master == kNobody) {
    map_.make_master(message.sender);
  } else {
    map_.make_replica(message.sender, message.master);
  }
  to_do_ |= kReviewState;
}

void Cluster::take_slots(const BusMessage& message) {
  const ClusterMember& sender = map_[message.sender];
  const MemberId master = map_.master_of(message.sender);
  if (message.slots == map_.ranges(master)) return;
  if (sender.is_master()) claim_slots(message.sender, message.config_epoch, message.slots);
  tell_newer_owner(message);
}

// The owner with the newest epoch is believed. Who loses its last slot, or its master's, follows
// the one who took it; who keeps others forgets the keys of those that went.
void Cluster::claim_slots(MemberId owner, std::uint64_t config_epoch,
                          const std::vector<SlotRange>& slots) {
  if (owner == map_.self()) return;
  const MemberId our_master = map_.master_of(map_.self());
  bool took_ours = false;
  std::vector<Slot> lost;
  for (const SlotRange& range : slots) {
    for (unsigned number = range.first; number <= range.last; ++number) {
      const auto slot = static_cast<Slot>(number);
      const MemberId before = map_.owner(slot);
      if (before == owner || map_.imported_from(slot) != kNobody) continue;
      if (before != kNobody && map_[before].config_epoch >= config_epoch) continue;
      if (before == map_.self()) lost.push_back(slot);
      took_ours = took_ours || before == our_master;
      map_.assign(slot, owner);
      map_.migrate(slot, kNobody);
      to_do_ |= kReviewState;
    }
  }
  if (took_ours && map_[our_master].slots == 0) {
    follow_master(owner);
  } else if (!lost.empty()) {
    drop_keys(lost);
  }
}

void Cluster::drop_keys(const std::vector<Slot>& slots) {
  std::vector<std::string> keys;
  server_.data().databases()[0].each([&](const Entry& entry) {
    if (std::binary_search(slots.begin(), slots.end(), slot_of(entry.name))) {
      keys.push_back(entry.name);
    }
  });
  for (const std::string& key : keys) server_.evict(key);
}

// A sender that still believes in a former owner is told.
void Cluster::tell_newer_owner(const BusMessage& message) {
  for (const SlotRange& range : message.slots) {
    for (unsigned number = range.first; number <= range.last; ++number) {
      const MemberId owner = map_.owner(static_cast<Slot>(number));
      if (owner == kNobody || owner == message.sender) continue;
      if (map_[owner].config_epoch <= message.config_epoch) continue;
      BusMessage update = this->message(BusKind::update);
      update.about = owner;
      update.config_epoch = map_[owner].config_epoch;
      update.slots = map_.ranges(owner);
      return send(message.sender, update);
    }
  }
}

void Cluster::take_update(const BusMessage& message) {
  if (message.about >= map_.size()) return;
  ClusterMember& owner = map_[message.about];
  if (owner.config_epoch >= message.config_epoch) return;
  if (!owner.is_master()) map_.make_master(message.about);
  owner.config_epoch = message.config_epoch;
  claim_slots(message.about, message.config_epoch, message.slots);
}

// Two masters with one epoch: the one with the smaller name takes a new one.
void Cluster::settle_epoch_collision(const BusMessage& message) {
  const ClusterMember& sender = map_[message.sender];
  if (!sender.is_master() || !map_.own().is_master()) return;
  if (message.config_epoch != map_.own().config_epoch || sender.id <= map_.own().id) return;
  map_.own().config_epoch = ++map_.epoch;
}

void Cluster::take_gossip(const BusMessage& message) {
  const bool from_master = map_[message.sender].is_master();
  const std::int64_t now = now_ms();
  for (const Gossip& said : message.gossip) {
    if (said.about >= map_.size()) continue;
    if (!map_[said.about].known && !said.maybe_down && !said.down) meet(said.about);
    if (!map_[said.about].known) continue;
    ClusterMember& member = map_[said.about];
    const bool is_bad = said.maybe_down || said.down;
    if (from_master && said.about != map_.self()) {
      report(member, message.sender, is_bad);
      if (is_bad) judge(said.about);
    }
    const std::int64_t pong = said.pong_s * 1000;
    const bool is_quiet = member.ping_sent_ms == 0 && member.reports.empty();
    constexpr std::int64_t kSkew = 500;
    if (!is_bad && is_quiet && pong <= now + kSkew && pong > member.pong_ms) member.pong_ms = pong;
  }
}

}  // namespace holdfast::sim::redis
