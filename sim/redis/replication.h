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
  void catch_up();      // the server is no longer busy: what has arrived meanwhile
  void arm_inbox();     // reads what has arrived as an event of its own
  void loaded();        // the server has, from disk or from its master's snapshot
  void falls_silent();  // the server is about to be frozen
  void speaks_again();
  void clock_changes();  // the wall clock is about to change
  void clock_changed();
  void crash();

  // -- as a master (replication_source.cc)
  void repeat(std::span<const Effect> effects, bool published) override;
  int online() const;
  std::int64_t acked(std::int64_t offset) const;  // online replicas that have acknowledged it
  void request_acks();
  // Replicas that are online and whose last acknowledgement is no older than the whole seconds of
  // min-replicas-max-lag, as of the last cron tick, attachment or detachment (FID-N2).
  std::int64_t good();
  void recount();
  void configure();  // repl-*, min-replicas-* have changed
  // The last sign of life of a peer, by the hearer's wall clock.
  struct Heard {
    TrueTime at{};
    std::int64_t second = 0;
  };
  struct Follower {
    Replication* replica = nullptr;
    std::int64_t acked = 0;
    bool online = false;
    bool waits_for_sync = false;  // repl-diskless-sync-delay
    TrueTime last_arrival{};      // the stream stays in order
    Heard heard = {};
  };
  const std::vector<Follower>& followers() const { return followers_; }
  struct Syncs {
    std::int64_t full = 0;
    std::int64_t partial = 0;
    std::int64_t not_partial = 0;  // asked for, and not possible
  };
  const Syncs& syncs() const { return syncs_; }  // since the start
  std::int64_t lag(std::size_t follower);        // whole seconds since its last acknowledgement

  // -- as a replica (replication_link.cc)
  void follow(Replication& master);
  void promote();
  void hold(bool held);
  void hold_acks(bool held);
  void cut(bool cut);
  NodeAddress announced() const;  // where it says that it is reached (replica-announce-*)
  TrueTime heard_master();        // when anything came from it last
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
  void start_due_syncs();
  Message& message_to(Follower& follower, Message::Kind kind);
  void forget_follower(Replication& replica);
  void disconnect_followers();
  void take_ack(Replication& replica, std::int64_t offset);
  Follower* find(const Replication& replica);
  void hear_beats(Follower& follower, TrueTime before);
  void count_good(TrueTime at);
  void refresh_good();
  void loses_sight_of(Replication& replica);
  void drop_silent_followers();

  // Both (replication_beats.cc).
  std::int64_t wall_second(TrueTime at) const;
  TrueTime tick_before(TrueTime at) const;
  void expect_silence(const Heard& since);
  void look_for_silence();
  static void on_silence(void* self, std::uint64_t run);

  // As a replica.
  bool beats() const;
  bool is_pinged() const;
  void hear_pings();
  void loses_sight_of_master();
  void drop_silent_master();
  void restart();
  void connect();
  void connect_later();  // at the next whole second since the link went down
  void refused();
  void lose_link(bool keep_in_flight);
  void read_stream();
  bool is_postponed(const Message& message);
  void apply(Message& message);
  void apply_commands(const Message& message);
  void adopt(const std::string& replid);
  void load(Message& message);
  void send_ack(std::int64_t offset);
  void deliver_acks();
  void arm_ack();
  void link_is_up();
  void leave_master();
  static void on_stream(void* self, std::uint64_t run);
  static void on_ack(void* self, std::uint64_t run);
  static void on_ack_due(void* self, std::uint64_t run);
  static void on_sync_due(void* self, std::uint64_t run);
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
  Syncs syncs_;
  std::int64_t good_ = 0;
  TrueTime good_as_of_{};
  Timer sync_due_;
  Timer silence_;  // of either role: a peer may have been silent for too long

  Replication* master_ = nullptr;
  Link link_ = Link::none;
  int stream_database_ = 0;  // that the master's stream is about
  std::uint64_t epoch_ = 0;  // of the link: what belongs to an earlier one is void
  bool held_ = false;
  bool acks_held_ = false;
  bool waits_for_release_ = false;  // the handshake does, on a link that is held
  bool cut_ = false;
  TrueTime beats_since_{};   // our acknowledgements go out once a second
  TrueTime pinged_since_{};  // the master's PINGs come
  Heard master_heard_ = {};
  TrueTime link_changed_{};  // came up, or went down
  Inbox inbox_;
  Timer inbox_timer_;
  Timer ack_timer_;
  Timer ack_due_;
  std::vector<Ack> acks_;  // on their way to the master
  std::int64_t ack_sent_ = -1;
};

}  // namespace holdfast::sim::redis
