// Replication: one server's part in it. As a master it numbers its effects, keeps a backlog and
// feeds its replicas; as a replica it follows the stream of its master (FID-R1 to R9, R11, R12).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/redis/inbox.h"
#include "sim/redis/propagation.h"
#include "sim/redis/server.h"
#include "sim/redis/stream_log.h"
#include "sim/redis/timer.h"

namespace holdfast::sim::redis {

class Instance;

class Replication : public EffectListener {
 public:
  explicit Replication(Instance& server) : server_(server) {}
  ~Replication() override;
  Replication(const Replication&) = delete;
  Replication& operator=(const Replication&) = delete;
  void reset();

  // -- both roles
  std::int64_t offset() const { return log_.offset(); }
  const std::string& replid() const { return replid_; }
  const std::string& replid2() const { return replid2_; }
  std::int64_t second_offset() const { return second_offset_; }
  Replication* master() const { return master_; }
  Instance& server() { return server_; }
  void catch_up();  // the server goes on after a pause: what has arrived meanwhile
  void crash();
  void restart();

  // -- as a master (replication_source.cc)
  void repeat(std::span<const Effect> effects, bool published) override;
  int online() const;
  std::int64_t acked(std::int64_t offset) const;  // online replicas that have acknowledged it
  void request_acks();
  struct Follower {
    Replication* replica = nullptr;
    std::int64_t acked = 0;
    bool online = false;
    TrueTime last_arrival{};  // the stream stays in order
  };
  const std::vector<Follower>& followers() const { return followers_; }

  // -- as a replica (replication_link.cc)
  void follow(Replication& master);
  void promote();
  void hold(bool held);
  void cut(bool cut);
  bool connected() const { return link_ == Link::connected; }
  Duration down_for() const;  // when not connected

 private:
  enum class Link : std::uint8_t { none, down, syncing, connected };

  // As a master.
  void start_log();
  void select(int database);
  void send(const Command& command);
  void accept(Replication& replica);
  void accept_pending();
  void offer_rest(Follower& follower);
  void offer_snapshot(Follower& follower);
  Message& message_to(Follower& follower, Message::Kind kind);
  void forget_follower(Replication& replica);
  void disconnect_followers();
  void take_ack(Replication& replica, std::int64_t offset);
  Follower* find(const Replication& replica);

  // As a replica.
  void connect();
  void connect_later();  // at the next whole second since the link went down
  void refused();
  void lose_link(bool keep_in_flight);
  void read_stream();
  void apply(Message& message);
  void apply_commands(const Message& message);
  void adopt(const std::string& replid);
  void load(Message& message);
  void send_ack(std::int64_t offset);
  void deliver_acks();
  void arm_ack();
  void arm_inbox();
  void leave_master();
  static void on_stream(void* self, std::uint64_t run);
  static void on_ack(void* self, std::uint64_t run);
  static void on_ack_due(void* self, std::uint64_t run);
  static void on_sync(void* self, std::uint64_t epoch);
  static void on_reconnect(void* self, std::uint64_t epoch);

  struct Ack {
    TrueTime arrival;
    std::int64_t offset;
  };

  Instance& server_;
  std::uint64_t run_ = 0;
  std::uint32_t ids_ = 0;  // replication ids made so far
  StreamLog log_;
  bool log_on_ = false;
  int selected_ = kAnyDatabase;  // the database that our stream is about, when it has said so
  std::string replid_;
  std::string replid2_;  // the history of our former master, valid up to second_offset_
  std::int64_t second_offset_ = -1;

  std::vector<Follower> followers_;          // attached
  std::vector<Replication*> configured_;     // replicas that are told to follow us
  std::vector<Replication*> pending_syncs_;  // asked while we were frozen

  Replication* master_ = nullptr;
  Link link_ = Link::none;
  int stream_database_ = 0;  // that the master's stream is about
  std::uint64_t epoch_ = 0;  // of the link: what belongs to an earlier one is void
  bool held_ = false;
  bool cut_ = false;
  TrueTime link_changed_{};  // came up, or went down
  Inbox inbox_;
  Timer inbox_timer_;
  Timer ack_timer_;
  Timer ack_due_;
  std::vector<Ack> acks_;  // on their way to the master
  std::int64_t ack_sent_ = -1;
};

}  // namespace holdfast::sim::redis
