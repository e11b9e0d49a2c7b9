// A replica's part in replication: connecting, synchronizing, following the stream, acknowledging.
#include <algorithm>
#include <utility>

#include "sim/redis/event_kinds.h"
#include "sim/redis/instance.h"
#include "sim/redis/random_id.h"
#include "sim/redis/replication.h"

namespace holdfast::sim::redis {

void Replication::follow(Replication& master) {
  if (master_ == &master) return;
  const bool was_master = master_ == nullptr;
  if (!was_master) leave_master();
  if (was_master) {
    server_.waiting().disconnect_all();
    server_.key_waiting().disconnect_all();
    server_.data().set_master(false);
    server_.review();
    server_.propagation().set_replicas(nullptr);
  }
  master_ = &master;
  master.configured_.push_back(this);
  link_ = Link::down;
  link_changed_ = server_.kernel().now();
  disconnect_followers();
  connect();
}

void Replication::leave_master() {
  lose_link(false);
  waits_for_release_ = false;
  std::erase(master_->configured_, this);
  master_ = nullptr;
  link_ = Link::none;
}

// FID-R7: a new history, the old one valid up to here.
void Replication::promote() {
  if (master_ == nullptr) return;
  leave_master();
  replid2_ = replid_;
  second_offset_ = log_.offset() + 1;
  make_random_id(server_.options().node, 0x10000 + ++ids_, replid_);
  selected_ = kAnyDatabase;
  log_on_ = true;
  server_.data().set_master(true);
  server_.review();
  server_.propagation().set_replicas(this);
  disconnect_followers();
}

Duration Replication::down_for() const { return server_.kernel().now() - link_changed_; }

void Replication::connect() {
  if (!server_.running() || server_.paused() || cut_ || !master_->server_.running()) return;
  waits_for_release_ = held_ || acks_held_;
  if (waits_for_release_) return;
  inbox_.clear();
  link_ = Link::syncing;
  Kernel& kernel = server_.kernel();
  const Duration delay =
      server_.host().replication_delay(server_.options().node, master_->server_.options().node);
  kernel.after(delay, {&Replication::on_sync, this, epoch_, kSyncArrives});
}

void Replication::on_sync(void* self, std::uint64_t epoch) {
  auto& replica = *static_cast<Replication*>(self);
  if (epoch != replica.epoch_) return;
  replica.master_->accept(replica);
}

// FID-R11: a lost link is tried again once a second.
void Replication::connect_later() {
  if (link_ != Link::down || cut_ || master_ == nullptr) return;
  const TrueTime now = server_.kernel().now();
  constexpr Duration kSecond = std::chrono::seconds(1);
  const TrueTime at = link_changed_ + ((now - link_changed_) / kSecond + 1) * kSecond;
  server_.kernel().at(at, {&Replication::on_reconnect, this, epoch_, kReconnect});
}

void Replication::refused() {
  link_ = Link::down;
  link_changed_ = server_.kernel().now();
  connect_later();
}

void Replication::on_reconnect(void* self, std::uint64_t epoch) {
  auto& replica = *static_cast<Replication*>(self);
  if (epoch == replica.epoch_ && replica.link_ == Link::down) replica.connect();
}

// What was sent by a master that died is still delivered, unless the network held it.
void Replication::lose_link(bool keep_in_flight) {
  if (master_ != nullptr) master_->forget_follower(*this);
  ++epoch_;
  link_ = Link::down;
  link_changed_ = server_.kernel().now();
  acks_.clear();
  ack_due_.stop(server_.kernel());
  ack_timer_.stop(server_.kernel());
  if (keep_in_flight && !held_ && !inbox_.has_handshake()) return;
  inbox_.clear();
  inbox_timer_.stop(server_.kernel());
}

NodeAddress Replication::announced() const {
  NodeAddress address = server_.options().address();
  const std::string& host = server_.config().text(Setting::replica_announce_ip);
  const std::int64_t port = server_.config().number(Setting::replica_announce_port);
  if (!host.empty()) address.host = host;
  if (port != 0) address.port = static_cast<std::uint16_t>(port);
  return address;
}

void Replication::hold(bool held) {
  if (held == held_) return;
  if (held && master_ != nullptr) loses_sight_of_master();
  held_ = held;
  if (held) return;
  pinged_since_ = server_.kernel().now();
  read_stream();
  if (!acks_held_ && waits_for_release_) connect();
}

void Replication::cut(bool cut) {
  if (cut == cut_) return;
  cut_ = cut;
  if (master_ == nullptr) return;
  if (cut) {
    lose_link(false);
  } else {
    connect_later();
  }
}

void Replication::arm_inbox() {
  if (inbox_.empty()) return;
  inbox_timer_.arm(server_.kernel(), inbox_.front().arrival,
                   {&Replication::on_stream, this, run_, kStreamArrives});
}

void Replication::on_stream(void* self, std::uint64_t run) {
  auto& replica = *static_cast<Replication*>(self);
  if (run != replica.run_) return;
  replica.inbox_timer_.fired();
  replica.read_stream();
}

void Replication::read_stream() {
  while (!inbox_.empty() && !held_ && !server_.busy() && !server_.loading()) {
    if (inbox_.front().arrival > server_.kernel().now()) return arm_inbox();
    if (is_postponed(inbox_.front())) return;
    apply(inbox_.front());
    inbox_.pop();
  }
}

// CLIENT PAUSE holds the master's commands as those of any client; the acknowledgements go on
// (FID-N5).
bool Replication::is_postponed(const Message& message) {
  if (message.kind != Message::Kind::effects) return false;
  const ClientPause::Kind pause = server_.pausing().kind();
  if (pause != ClientPause::Kind::writes) return pause == ClientPause::Kind::all;
  const auto* const end = message.commands.data() + message.count;
  return std::any_of(message.commands.data(), end, [](const Command& command) {
    const CommandSpec* spec = find_command(command);
    return spec != nullptr && (spec->flags & (kWrites | kReplicates)) != 0;
  });
}

void Replication::apply(Message& message) {
  master_heard_ = {server_.kernel().now(), wall_second(server_.kernel().now())};
  switch (message.kind) {
    case Message::Kind::effects:
      apply_commands(message);
      break;
    case Message::Kind::resume:
      adopt(message.replid);
      apply_commands(message);
      break;
    case Message::Kind::snapshot:
      load(message);
      break;
  }
  if (message.kind != Message::Kind::effects && !server_.loading()) return link_is_up();
  arm_ack();
}

void Replication::link_is_up() {
  link_ = Link::connected;
  link_changed_ = server_.kernel().now();
  beats_since_ = pinged_since_ = link_changed_;
  send_ack(log_.offset());  // brings us online at the master
  arm_ack();
}

void Replication::apply_commands(const Message& message) {
  const std::span<const Command> commands(message.commands.data(), message.count);
  for (const Command& command : commands) {
    if (command[0] == "REPLCONF") send_ack(log_.offset());
    server_.replay(command, stream_database_);
    log_.append(command);
  }
  for (Follower& follower : followers_) {
    if (follower.waits_for_sync) continue;
    Message& copy = message_to(follower, Message::Kind::effects);
    for (const Command& command : commands) copy.add(command);
    follower.replica->arm_inbox();
  }
}

void Replication::adopt(const std::string& replid) {
  if (replid == replid_) return;
  replid2_ = replid_;
  second_offset_ = log_.offset() + 1;
  replid_ = replid;
  disconnect_followers();
}

// FID-R8: what we had and the master has not is gone.
void Replication::load(Message& message) {
  server_.data().replace(*message.keys);
  stream_database_ = message.database;
  log_.restart(message.offset);
  log_on_ = true;
  replid_ = message.replid;
  replid2_.clear();
  second_offset_ = -1;
  server_.disk().rebase();
  server_.load_takes(loading_time(server_.data().databases()));
  disconnect_followers();
}

void Replication::send_ack(std::int64_t offset) {
  if (master_ == nullptr || link_ != Link::connected) return;
  ack_sent_ = offset;
  const Duration delay =
      server_.host().replication_delay(server_.options().node, master_->server_.options().node);
  TrueTime arrival = server_.kernel().now() + delay;
  if (!acks_.empty()) arrival = std::max(arrival, acks_.back().arrival);
  acks_.push_back({arrival, offset});
  ack_timer_.arm(server_.kernel(), acks_.front().arrival,
                 {&Replication::on_ack, this, run_, kAckArrives});
}

void Replication::on_ack(void* self, std::uint64_t run) {
  auto& replica = *static_cast<Replication*>(self);
  if (run != replica.run_) return;
  replica.ack_timer_.fired();
  replica.deliver_acks();
}

// A frozen master reads them when it goes on.
void Replication::deliver_acks() {
  const TrueTime now = server_.kernel().now();
  while (!acks_.empty() && acks_.front().arrival <= now) {
    if (master_ == nullptr || master_->server_.busy() || acks_held_) return;
    const Ack ack = acks_.front();
    acks_.erase(acks_.begin());
    master_->take_ack(*this, ack.offset);
  }
  if (acks_.empty()) return;
  ack_timer_.arm(server_.kernel(), acks_.front().arrival,
                 {&Replication::on_ack, this, run_, kAckArrives});
}

// FID-R1: once a second. Only when there is news: repeating an offset changes nothing.
void Replication::arm_ack() {
  if (link_ != Link::connected || ack_sent_ >= log_.offset()) return;
  constexpr Duration kSecond = std::chrono::seconds(1);
  const TrueTime now = server_.kernel().now();
  const TrueTime at = link_changed_ + ((now - link_changed_) / kSecond + 1) * kSecond;
  ack_due_.arm(server_.kernel(), at, {&Replication::on_ack_due, this, run_, kAckDue});
}

void Replication::on_ack_due(void* self, std::uint64_t run) {
  auto& replica = *static_cast<Replication*>(self);
  if (run != replica.run_) return;
  replica.ack_due_.fired();
  if (!replica.server_.busy()) replica.send_ack(replica.log_.offset());
}

}  // namespace holdfast::sim::redis
