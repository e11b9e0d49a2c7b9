// A master's part in replication: numbering effects, feeding replicas, counting their acks.
#include <algorithm>
#include <utility>

#include "sim/redis/event_kinds.h"
#include "sim/redis/instance.h"
#include "sim/redis/integer_text.h"
#include "sim/redis/random_id.h"
#include "sim/redis/replication.h"

namespace holdfast::sim::redis {

// The first replica makes a master keep a stream; a new history begins with it.
void Replication::start_log() {
  if (log_on_) return;
  log_on_ = true;
  log_.restart(log_.offset());
  make_random_id(server_.options().node, 0x10000 + ++ids_, replid_);
  replid2_.clear();
  second_offset_ = -1;
}

void Replication::repeat(std::span<const Effect> effects, bool published) {
  (void)published;
  for (Follower& follower : followers_) {
    if (!follower.waits_for_sync) message_to(follower, Message::Kind::effects);
  }
  for (const Effect& effect : effects) {
    select(effect.database);
    send(effect.command);
  }
  for (Follower& follower : followers_) follower.replica->arm_inbox();
}

void Replication::select(int database) {
  if (database == kAnyDatabase || database == selected_) return;
  selected_ = database;
  send(Command{"SELECT", IntegerText(database).view()});
}

void Replication::send(const Command& command) {
  log_.append(command);
  for (Follower& follower : followers_) {
    if (!follower.waits_for_sync) follower.replica->inbox_.back().add(command);
  }
}

Message& Replication::message_to(Follower& follower, Message::Kind kind) {
  Instance& receiver = follower.replica->server_;
  const Duration delay =
      server_.host().replication_delay(server_.options().node, receiver.options().node);
  // The stream leaves when the append-only file is safe, as the reply does (FID-P1).
  const TrueTime arrival = server_.kernel().now() + server_.disk().fsync_owed() + delay;
  follower.last_arrival = std::max(follower.last_arrival, arrival);
  return follower.replica->inbox_.add(kind, follower.last_arrival);
}

void Replication::accept(Replication& replica) {
  if (server_.busy()) {
    pending_syncs_.push_back(&replica);
    return;
  }
  if (server_.loading() || (master_ != nullptr && link_ != Link::connected)) {
    return replica.refused();  // Redis: -LOADING, -NOMASTERLINK
  }
  start_log();
  if (server_.data().master()) server_.propagation().set_replicas(this);
  server_.data().watch_removals(RemovalWitness::replicas, true);
  const TrueTime now = server_.kernel().now();
  followers_.push_back({&replica, 0, false, false, now, {now, wall_second(now)}});
  Follower& follower = followers_.back();
  const bool same = replica.replid_ == replid_;
  const bool forked = replica.replid_ == replid2_ && replica.offset() < second_offset_;
  if (!replica.replid_.empty() && (same || forked) && log_.covers(replica.offset())) {
    ++syncs_.partial;
    offer_rest(follower);
    return replica.arm_inbox();
  }
  ++syncs_.full;
  syncs_.not_partial += replica.replid_.empty() ? 0 : 1;
  follower.waits_for_sync = true;
  start_due_syncs();
}

// FID-R10: a snapshot that goes straight to sockets waits for more replicas, by the whole seconds
// of the wall clock, looked at once a second.
void Replication::start_due_syncs() {
  const auto waits = [](const Follower& follower) { return follower.waits_for_sync; };
  const auto first = std::find_if(followers_.begin(), followers_.end(), waits);
  if (first == followers_.end()) return;
  const TrueTime now = server_.kernel().now();
  const bool diskless = server_.config().text(Setting::repl_diskless_sync) == "yes";
  const std::int64_t delay =
      diskless ? server_.config().number(Setting::repl_diskless_sync_delay) : 0;
  const bool is_over = wall_second(now) - first->heard.second >= delay;
  if (delay > 0 && !(is_over && tick_before(now) == now)) {
    sync_due_.arm(server_.kernel(), tick_before(now) + std::chrono::seconds(1),
                  {&Replication::on_sync_due, this, run_, kSyncDue});
    return;
  }
  for (Follower& follower : followers_) {
    if (!std::exchange(follower.waits_for_sync, false)) continue;
    offer_snapshot(follower);
    follower.replica->arm_inbox();
  }
}

void Replication::on_sync_due(void* self, std::uint64_t run) {
  auto& replication = *static_cast<Replication*>(self);
  if (run != replication.run_) return;
  replication.sync_due_.fired();
  if (!replication.server_.paused()) replication.start_due_syncs();
}

void Replication::offer_rest(Follower& follower) {
  Message& message = message_to(follower, Message::Kind::resume);
  message.replid = replid_;
  log_.after(follower.replica->offset(), [&](const Command& command) { message.add(command); });
  follower.online = true;
  recount();
}

void Replication::offer_snapshot(Follower& follower) {
  Message& message = message_to(follower, Message::Kind::snapshot);
  message.replid = replid_;
  message.offset = log_.offset();
  if (!message.keys) message.keys = std::make_unique<Databases>();
  message.keys->copy_from(server_.data().databases());
  message.database = stream_database_;
  selected_ = kAnyDatabase;
}

void Replication::accept_pending() {
  std::vector<Replication*> pending;
  pending.swap(pending_syncs_);
  for (Replication* replica : pending) accept(*replica);
}

Replication::Follower* Replication::find(const Replication& replica) {
  for (Follower& follower : followers_) {
    if (follower.replica == &replica) return &follower;
  }
  return nullptr;
}

void Replication::forget_follower(Replication& replica) {
  std::erase_if(followers_, [&](const Follower& follower) { return follower.replica == &replica; });
  std::erase(pending_syncs_, &replica);
  if (followers_.empty()) server_.data().watch_removals(RemovalWitness::replicas, false);
  recount();
}

// They come back at once and learn of the new history.
void Replication::disconnect_followers() {
  std::vector<Follower> followers;
  followers.swap(followers_);
  server_.data().watch_removals(RemovalWitness::replicas, false);
  recount();
  for (const Follower& follower : followers) {
    follower.replica->lose_link(false);
    follower.replica->connect();
  }
}

int Replication::online() const {
  return static_cast<int>(std::count_if(followers_.begin(), followers_.end(),
                                        [](const Follower& follower) { return follower.online; }));
}

std::int64_t Replication::acked(std::int64_t offset) const {
  return std::count_if(followers_.begin(), followers_.end(), [offset](const Follower& follower) {
    return follower.online && follower.acked >= offset;
  });
}

void Replication::request_acks() {
  if (followers_.empty()) return;
  const Effect ask{Command{"REPLCONF", "GETACK", "*"}, kAnyDatabase};
  repeat({&ask, 1}, true);
}

void Replication::take_ack(Replication& replica, std::int64_t offset) {
  Follower* follower = find(replica);
  if (follower == nullptr) return;
  refresh_good();
  const TrueTime now = server_.kernel().now();
  follower->heard = {now, wall_second(now)};
  if (!std::exchange(follower->online, true)) recount();
  follower->acked = std::max(follower->acked, offset);
  server_.waiting().check_acks();
}

}  // namespace holdfast::sim::redis
