// LiveFaults: strikes a scenario's faults on real servers, links and client processes, and records
// when each fired, how it was proved, and when it ended.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lockcore/time.h"
#include "scenarios/format/model.h"
#include "scenarios/live/client_process.h"
#include "scenarios/live/lab.h"
#include "scenarios/live/live_history.h"

namespace holdfast::live {

class LiveFaults {
 public:
  // What the faults need of the run's clients.
  struct Clients {
    std::function<ClientProcess*(const std::string& name)> find;  // null: not running
    std::function<void(const std::string& name)> start_again;
    std::function<bool(const std::string& name)> done;  // all of its steps are over
  };

  LiveFaults(const scenario::Scenario& scenario, Lab& lab, LiveHistory& history,
             const history::History& names, Clients clients);

  // Schedules what has a time. `seed` draws what is random.
  void begin(Instant start, std::uint64_t seed);
  // A client has told that it passes a point where a fault waits for it; `at` from its line.
  void on_point(ClientProcess& client, Point point, std::uint64_t nth, Instant at);
  // Strikes, ends and restarts what is due.
  void run_due(Instant now);
  // The next instant at which something is due.
  std::optional<Instant> next() const;
  // No fault is to come or has not ended.
  bool over() const { return due_.empty(); }
  // Notes which faults are seen to have taken effect only later: dropped replies.
  void look_for_proofs();

 private:
  enum class Phase : std::uint8_t { strike, end, restart, clear };
  struct Due {
    Instant at;
    std::size_t fault;
    Phase phase;
  };
  // Proved by the first reply that the link drops beyond these.
  struct Dropping {
    std::size_t fault;
    std::uint64_t before;
  };
  using Spec = scenario::FaultSpec;

  void schedule(std::size_t index, Phase phase, Instant at);
  void schedule_aftermath(std::size_t index, Instant struck);
  void strike(std::size_t index);
  bool comes_too_late(const Spec& fault) const;
  std::optional<Proof> take_effect(const Spec& fault);
  std::optional<Proof> take_link_effect(const Spec& fault);
  std::optional<Proof> take_server_effect(const Spec& fault);
  std::optional<Proof> bend_clock(const Spec& fault, bool back);
  std::optional<Proof> pause(const Spec& fault);
  std::optional<Proof> crash(const Spec& fault);
  std::optional<Proof> restart_target(const Spec& fault);
  std::optional<Proof> promote(const Spec& fault);
  void end(std::size_t index);
  void end_effect(const Spec& fault);
  void own_signal(std::size_t index, ClientProcess& client, Instant at);

  bool is_client(const std::string& name) const { return names_.actors.find(name) != 0; }
  void node_event(history::Kind kind, Instant at, const std::string& name, std::int64_t a = 0,
                  std::int64_t b = 0);
  void actor_event(history::Kind kind, Instant at, const std::string& name, std::int64_t a = 0);
  void link_event(history::Kind kind, Instant at, const Spec& fault, std::int64_t b);
  void impaired(const Spec& fault, bool begins);
  void fault_event(history::Kind kind, Instant at, std::size_t index, const std::string& note);
  history::NodeId node(const std::string& name) const {
    return static_cast<history::NodeId>(names_.nodes.find(name));
  }

  const scenario::Scenario& scenario_;
  Lab& lab_;
  LiveHistory& history_;
  const history::History& names_;
  Clients clients_;
  std::vector<Due> due_;
  std::vector<Dropping> dropping_;
  std::vector<std::int64_t> incarnations_;
};

}  // namespace holdfast::live
