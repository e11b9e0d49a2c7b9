// Sentinel: what makes an Instance a redis-sentinel (FID-T1 to T16): it looks after masters, their
// replicas and the other sentinels over connections of its own, and fails over. Everything happens
// in its timer, or when an answer or message arrives; all it decides by is its own wall clock.
//
// The order of looks and steps is Redis's, because the measured instants (FID-T5) follow from it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/random.h"
#include "sim/redis/sentinel/monitored.h"
#include "sim/redis/timer.h"

namespace holdfast::sim::redis {

class Instance;

inline constexpr std::string_view kHelloChannel = "__sentinel__:hello";

class Sentinel {
 public:
  explicit Sentinel(Instance& server) : server_(server) {}
  Sentinel(const Sentinel&) = delete;
  Sentinel& operator=(const Sentinel&) = delete;

  // -- life, with that of its server
  void reset(const SentinelOptions& options);  // a new run, in a new network
  void crash();
  void restart();   // from its configuration file, which is written at every change
  void catch_up();  // after a pause: what has arrived, then the timer

  // -- for its connections
  Instance& server() { return server_; }
  void answered(Monitored& from, Asked asked, const Reply& reply);
  void heard(Monitored& from, const Reply& message);
  void link_lost(Monitored& at, const Uplink& link);

  // -- for its clients' commands
  using Sets = std::vector<std::unique_ptr<MasterSet>>;
  const std::string& id() const { return id_; }
  const Sets& sets() const { return sets_; }
  std::uint64_t epoch() const { return epoch_; }
  bool tilted() const { return tilted_; }
  WallMs tilted_since() const { return tilted_since_; }
  WallMs now() const;
  MasterSet* find(std::string_view name) const;
  MasterSet* find_by_master(const NodeAddress& address) const;
  void take_hello(std::string_view message);
  // The vote of that epoch: the first who asked for it.
  const std::string& vote(MasterSet& set, std::uint64_t epoch, std::string_view candidate,
                          std::uint64_t& of_epoch);
  Monitored* choose_replica(MasterSet& set) const;
  void start_failover(MasterSet& set);
  void forget_others(MasterSet& set);  // SENTINEL RESET
  int usable_sentinels(const MasterSet& set) const;

 private:
  // -- the timer
  void begin();
  static void on_tick(void* self, std::uint64_t run);
  void tick();
  void arm(Duration delay);
  void check_tilt();
  void look_after(MasterSet& set);
  bool look_after(Monitored& instance);  // false: the sentinel is tilted
  void act(MasterSet& set);

  // -- contact
  void reconnect(Monitored& instance);
  void converse(Monitored& instance);
  void ping(Monitored& instance);
  void say_hello(Monitored& instance);
  void say_hello_soon(MasterSet& set);
  void ponged(Monitored& instance, const Reply& reply);
  void ask(Monitored& instance, Command command, Asked asked);
  static void close(Contact& contact);

  // -- down
  void judge_subjectively(Monitored& instance);
  void judge_objectively(MasterSet& set);
  void ask_others(MasterSet& set, bool at_once);
  void take_master_down(Monitored& from, const Reply& reply);

  // -- failover
  bool start_failover_if_needed(MasterSet& set);
  std::string elected(MasterSet& set, std::uint64_t epoch);
  WallMs desync();
  void step_failover(MasterSet& set);
  void wait_for_election(MasterSet& set);
  void select_replica(MasterSet& set);
  void send_promotion(MasterSet& set);
  void wait_for_promotion(MasterSet& set);
  void reconfigure_replicas(MasterSet& set);
  void end_failover_if_done(MasterSet& set);
  void abort_failover(MasterSet& set);
  void enter(MasterSet& set, FailoverState state);
  void switch_master(MasterSet& set, const NodeAddress& to);
  void reset_set(MasterSet& set);
  void send_replica_of(Monitored& instance, const NodeAddress* master);

  // -- what INFO says
  void take_info(Monitored& instance, std::string_view text);
  void add_replica(MasterSet& set, NodeAddress address);
  void note_role(Monitored& instance, bool is_master);
  void act_on_role(Monitored& instance);
  void replica_became_master(Monitored& instance);
  void check_its_master(Monitored& instance);
  void check_reconfiguration(Monitored& instance);
  bool looks_sane(const Monitored& master) const;
  bool has_been_up_for(const Monitored& instance, WallMs time) const;

  // -- events
  void tell(std::string_view event, const Monitored& about, std::string_view more = {});
  void tell_plainly(std::string_view event, std::string_view text);
  void learn_epoch(std::uint64_t epoch);
  void tell_current(const MasterSet& set);  // the world: whom clients are told of
  Monitored& add_sentinel(MasterSet& set, NodeAddress address, std::string_view id);
  void retire(std::vector<std::unique_ptr<Monitored>>& instances);

  Instance& server_;
  std::string id_;
  std::uint64_t epoch_ = 0;
  Sets sets_;
  bool tilted_ = false;
  WallMs tilted_since_ = 0;
  WallMs last_tick_ = 0;
  Random random_;
  Timer timer_;
  bool tick_is_due_ = false;  // while the server was stopped
  std::uint64_t run_ = 0;
  // Dismissed while one of their messages may be in hand: gone with the next tick.
  std::vector<std::unique_ptr<Monitored>> retired_;
};

}  // namespace holdfast::sim::redis
