// FaultSchedule: strikes a scenario's faults in the simulated world, at their times and points, and
// records when each fired, was seen to have taken effect, and ended.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "reports/history/history.h"
#include "scenarios/format/model.h"
#include "sim/process.h"
#include "sim/random.h"
#include "sim/world.h"

namespace holdfast::runner {

// What the schedule tells its run.
class FaultLog {
 public:
  virtual ~FaultLog() = default;
  virtual void record(history::Event event) = 0;
  // The run does not end while a fault is to come or has not ended.
  virtual void fault_opened() = 0;
  virtual void fault_closed() = 0;
  // All steps of that client are over: nothing can happen to it any more.
  virtual bool client_done(history::ActorId actor) const = 0;
};

class FaultSchedule {
 public:
  FaultSchedule(const scenario::Scenario& scenario, const history::History& names,
                sim::World& world, FaultLog& log);

  // Draws what is random and schedules what has a time; for a world that was just reset.
  void begin(std::uint64_t seed);
  // A client passes a point.
  sim::AtPoint at_point(history::ActorId actor, Point point, std::uint64_t nth);

 private:
  enum class Phase : std::uint32_t { strike, prove, end, restart, clear };

  static void run_phase(void* self, std::uint64_t argument);
  sim::Action action(std::size_t index, Phase phase);
  void schedule(std::size_t index, Phase phase, sim::Duration delay);
  void strike(std::size_t index);
  bool comes_too_late(const scenario::FaultSpec& fault) const;
  bool take_effect(std::size_t index);
  bool take_link_effect(std::size_t index);
  struct Way;
  bool take_effect_on(const Way& way, std::size_t index);
  bool take_server_effect(std::size_t index);
  void end(std::size_t index);
  void restart(std::size_t index);
  void clear(std::size_t index);  // the last of a fault that had ended
  void fired(std::size_t index);
  void proved(std::size_t index);
  bool strike_at_point(std::size_t index, sim::AtPoint& answer);

  bool bend_clock(std::size_t index, bool back);
  bool crash_target(std::size_t index);
  bool restart_target(std::size_t index);
  bool promote_target(std::size_t index);
  void node_event(history::Kind kind, history::NodeId node, std::int64_t a = 0, std::int64_t b = 0);
  void link_event(history::Kind kind, history::ActorId actor, history::NodeId node,
                  std::int64_t b = 0);
  enum class Impairment : std::uint8_t { loses, is_late };
  // Answers of that node to that client (0: to all) are late, or lost or errors, from now on, or no
  // more.
  void impaired(history::ActorId actor, history::NodeId node, bool begins, Impairment how);
  bool is_client(const std::string& name) const;
  bool is_sentinel(const std::string& name) const;
  // Who has opened the connections of a link, and to which server.
  struct Way {
    history::ActorId opener = 0;
    history::NodeId node = 0;
  };
  // Two nodes of one cluster, which replicate each other or may come to.
  bool is_in_cluster(const scenario::FaultSpec& fault) const;
  void cut_streams(const scenario::FaultSpec& fault, bool is_cut);
  // None for a replication link; two between those who both open some.
  std::vector<Way> ways(const scenario::FaultSpec& fault) const;
  bool cut_replication(const scenario::FaultSpec& fault);
  history::ActorId actor(const std::string& name) const;
  history::NodeId node(const std::string& name) const;
  sim::RedisServer& server(const std::string& name) { return world_.server(node(name)); }

  const scenario::Scenario& scenario_;
  const history::History& names_;
  sim::World& world_;
  FaultLog& log_;
  sim::Random random_;
  std::vector<std::uint32_t> incarnations_;  // by node
};

}  // namespace holdfast::runner
