// Cluster: what makes an Instance a node of a Redis Cluster (FID-K1 to K7): its map of the cluster,
// where it sends clients, and the bus, by which the nodes find out who is down and who takes over.
// Everything happens in its timer, or when a message arrives; all it decides by is its own wall
// clock. The order of looks is Redis's, because the measured instants follow from it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/random.h"
#include "sim/redis/cluster/bus_link.h"
#include "sim/redis/cluster/bus_message.h"
#include "sim/redis/cluster/cluster_map.h"
#include "sim/redis/command.h"
#include "sim/redis/timer.h"

namespace holdfast::sim::redis {

class Instance;
struct Session;

class Cluster {
 public:
  explicit Cluster(Instance& server) : server_(server) {}
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  // -- life, with that of its server
  // A new run, in a new network: the cluster was formed long ago. `layout` outlives it.
  void reset(const ClusterLayout& layout);
  void crash();
  void restart();   // from its nodes.conf, which is written at every change
  void catch_up();  // after a pause: what has arrived, then the timer

  Instance& server() const { return server_; }
  ClusterMap& map() { return map_; }
  const ClusterMap& map() const { return map_; }
  bool is_ok() const { return ok_; }  // cluster_state
  std::int64_t now_ms() const;

  // -- clients (redirection.cc)
  // Why the command cannot run here; empty: it can.
  std::string redirection(const Session& session, const CommandSpec& spec, const Command& command);
  std::string_view script_refusal(const Session& session, const CommandSpec& spec,
                                  const Command& command);
  void command_over(Session& session);  // ASKING is for one command

  // -- operators (cluster_commands.cc)
  void set_owner(Slot slot, MemberId to);
  void raise_epoch();               // our slots are the newest truth, without asking anybody
  void follow_master(MemberId of);  // CLUSTER REPLICATE, or because our slots are its now
  void forget_all();                // CLUSTER RESET
  void meet(MemberId id);
  enum class Failover : std::uint8_t { lossless, force, takeover };
  void begin_failover(Failover how);  // of a replica (FID-K5)

  // -- the bus
  bool take_request(SessionId session, const Command& command);  // false: it is none of the bus
  void heard(std::string_view text, bool is_answer);
  void link_is_up(MemberId to);
  bool is_linked(MemberId to) const;
  std::uint64_t messages_sent() const { return sent_; }
  std::uint64_t messages_received() const { return received_; }

 private:
  struct Asked;
  enum class Answer : std::uint8_t;
  Answer place(const Asked& asked, MemberId& where, Slot& slot);
  bool leaves_its_slot(Slot slot);

  std::int64_t timeout_ms() const;  // cluster-node-timeout
  std::int64_t draw_ms(std::int64_t below) {
    return static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(below)));
  }

  void begin();

  // -- timer (heartbeat.cc)
  void arm(Duration delay);
  static void on_tick(void* self, std::uint64_t run);
  void tick();
  void reconnect(MemberId to);
  void ping_one_at_random();
  bool look_at(MemberId id);  // true: it is newly in doubt
  void settle();              // what a turn of the event loop ends with
  void review_state();

  // -- messages (messages.cc)
  BusMessage message(BusKind kind) const;
  void send(MemberId to, const BusMessage& message);
  void broadcast(const BusMessage& message);
  void ping(MemberId to);
  void add_gossip(BusMessage& message);
  void take(const BusMessage& message, bool is_answer);
  void take_heartbeat(const BusMessage& message, bool is_answer);
  void take_update(const BusMessage& message);
  void take_role(const BusMessage& message);
  void take_slots(const BusMessage& message);
  void take_gossip(const BusMessage& message);
  void claim_slots(MemberId owner, std::uint64_t config_epoch, const std::vector<SlotRange>& slots);
  void tell_newer_owner(const BusMessage& message);
  void settle_epoch_collision(const BusMessage& message);
  void drop_keys(const std::vector<Slot>& slots);

  // -- who is down (failure.cc)
  void answered(MemberId id);
  void report(ClusterMember& member, MemberId by, bool is_bad);
  void judge(MemberId id);
  void take_failure(const BusMessage& message);
  void mark_down(MemberId id);

  // -- who takes over (election.cc)
  void step_election();
  bool has_old_data() const;
  int rank() const;
  void begin_election(bool by_hand);
  void ask_for_votes();
  void consider_vote(const BusMessage& message);
  void take_vote(const BusMessage& message);
  void take_over();
  void hold_writes_for(MemberId replica);
  void step_manual_failover();
  void check_manual_failover();
  void end_manual_failover();

  struct Election {
    std::int64_t at_ms = 0;
    std::uint64_t epoch = 0;
    std::size_t votes = 0;
    int rank = 0;
    bool asked = false;
  };
  struct ManualFailover {
    std::int64_t end_ms = 0;          // 0: none
    bool can_start = false;           // at the replica: it has all that its master has
    MemberId replica = kNobody;       // at the master
    std::int64_t master_offset = -1;  // at the replica, when its master holds writes
  };
  enum ToDo : std::uint32_t { kReviewState = 1, kStepElection = 2, kStepManualFailover = 4 };

  Instance& server_;
  ClusterMap map_;
  MemberId first_master_ = kNobody;   // of our slots, at the start of the run
  std::uint32_t script_command_ = 0;  // Dataset's count: the script that script_slot_ is about
  Slot script_slot_ = 0;              // the first that it has touched
  bool ok_ = true;
  std::int64_t started_ms_ = 0;    // the process
  std::int64_t minority_ms_ = 0;   // when we last saw too few masters
  std::int64_t connected_ms_ = 0;  // when we last saw our master's stream
  Random random_;
  std::uint32_t ticks_ = 0;
  Timer timer_;
  bool tick_is_due_ = false;  // while the server was stopped
  std::uint64_t run_ = 0;
  std::uint32_t to_do_ = 0;
  Election election_;
  ManualFailover manual_;
  std::vector<std::unique_ptr<BusLink>> links_;  // by member; null for ourselves
  std::uint64_t sent_ = 0;
  std::uint64_t received_ = 0;
};

// An EXEC that is answered so is over, without more words.
bool is_redirection(std::string_view error);

}  // namespace holdfast::sim::redis
