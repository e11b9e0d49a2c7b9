// What concerns both roles: the life of the process.
#include "sim/redis/replication.h"

#include <utility>

#include "sim/redis/instance.h"
#include "sim/redis/random_id.h"

namespace holdfast::sim::redis {

Replication::~Replication() {
  if (master_ != nullptr) std::erase(master_->configured_, this);
  if (master_ != nullptr) {
    std::erase_if(master_->followers_, [&](const Follower& each) { return each.replica == this; });
    std::erase(master_->pending_syncs_, this);
  }
  for (Replication* replica : configured_) {
    ++replica->epoch_;
    replica->master_ = nullptr;
  }
}

void Replication::reset() {
  if (master_ != nullptr) {
    std::erase(master_->configured_, this);
    std::erase_if(master_->followers_, [&](const Follower& each) { return each.replica == this; });
    std::erase(master_->pending_syncs_, this);
  }
  for (Replication* replica : configured_) {
    ++replica->epoch_;
    replica->master_ = nullptr;
    replica->link_ = Link::none;
  }
  ++run_;
  ++epoch_;
  ids_ = 0;
  log_.restart(0);
  log_on_ = false;
  selected_ = kAnyDatabase;
  replid_.clear();
  replid2_.clear();
  second_offset_ = -1;
  followers_.clear();
  configured_.clear();
  pending_syncs_.clear();
  master_ = nullptr;
  link_ = Link::none;
  log_.set_capacity(server_.config().number(Setting::repl_backlog_size));
  stream_database_ = 0;
  held_ = acks_held_ = waits_for_release_ = cut_ = false;
  beats_since_ = pinged_since_ = good_as_of_ = {};
  master_heard_ = {};
  good_ = 0;
  syncs_ = {};
  inbox_.clear();
  inbox_timer_.forget();
  ack_timer_.forget();
  ack_due_.forget();
  silence_.forget();
  sync_due_.forget();
  acks_.clear();
  ack_sent_ = -1;
}

void Replication::catch_up() {
  read_stream();
  arm_ack();
  accept_pending();
  const std::vector<Follower> followers = followers_;
  for (const Follower& follower : followers) follower.replica->deliver_acks();
}

void Replication::crash() {
  ++run_;
  const std::vector<Replication*> replicas = configured_;
  for (Replication* replica : replicas) {
    if (replica->link_ != Link::none) replica->lose_link(true);
  }
  followers_.clear();
  pending_syncs_.clear();
  if (master_ != nullptr) lose_link(false);
  inbox_timer_.stop(server_.kernel());
  silence_.stop(server_.kernel());
  sync_due_.stop(server_.kernel());
  good_ = 0;
  syncs_ = {};
  good_as_of_ = {};
  log_.restart(0);
  log_on_ = false;
  selected_ = kAnyDatabase;
  replid_.clear();
  replid2_.clear();
  second_offset_ = -1;
  ack_sent_ = -1;
}

void Replication::loaded() {
  if (link_ != Link::syncing) return restart();
  link_is_up();
  read_stream();
}

// The role of before; a replica needs a full resync, replicas of a master come back by themselves.
void Replication::restart() {
  if (master_ != nullptr) connect();
  for (Replication* replica : configured_) replica->connect_later();
}

}  // namespace holdfast::sim::redis
