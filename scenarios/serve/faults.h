// Faults: strikes faults at the served nodes: those of the scenario's timeline and those that are
// asked for while it runs. A fault of clients needs the scenario's own clients, which are not here:
// it is not struck, and said so at the start.
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/history/event.h"
#include "scenarios/format/model.h"
#include "scenarios/serve/front.h"
#include "sim/random.h"

namespace holdfast::serve {

// Told of what happens to nodes and addresses, in words of histories and in plain ones.
class Chronicle {
 public:
  virtual ~Chronicle() = default;
  virtual void happened(history::Kind kind, NodeId node, std::int64_t a, std::int64_t b) = 0;
  virtual void fault(const std::string& words) = 0;  // struck, or over
};

// Why something did not take effect; empty: it did.
using Problem = std::string;

class Faults {
 public:
  using Spec = scenario::FaultSpec;

  // A link is an address here, not a pair: target is the address's node, peer is empty.
  Faults(Front& front, const scenario::Scenario& scenario, Chronicle& chronicle);

  // Draws what is random and schedules the timeline's faults of nodes from now on.
  void begin(std::uint64_t seed);
  // Why a fault of the scenario is not struck by itself; empty: it is.
  Problem not_applicable(const Spec& fault) const;

  // Strikes at once; what has a duration ends by itself, later. `words` are for the chronicle.
  Problem strike(const Spec& fault, const std::string& words);
  Problem resume(NodeId node);
  // `to` becomes master, and clients of the chain's address reach it; `from` follows it, as far as
  // it runs, and so do its other replicas. 0: whichever is its only replica.
  Problem fail_over(NodeId from, NodeId to);
  Problem follow(NodeId replica, NodeId master);
  void heal_clients(NodeId node);
  void heal_replication(NodeId replica);

 private:
  enum class Phase : std::uint8_t { begin, end, restart };
  struct Struck {
    Spec fault;
    std::string words;
  };

  static void run_phase(void* self, std::uint64_t argument);
  void schedule(std::size_t index, Phase phase, Duration delay);
  void end(const Spec& fault);
  Problem take_effect(const Spec& fault);
  Problem pause(NodeId node);
  Problem crash(NodeId node, sim::CrashKind kind);
  Problem restart(const Spec& fault);
  Problem bend_clock(const Spec& fault, bool back);
  Problem cut(const Spec& fault);
  Problem promote(NodeId node);
  Problem take_over(NodeId replica);  // in a Redis Cluster
  Problem evict(const Spec& fault);
  void impaired(NodeId node, bool begins);
  NodeId node(const std::string& name) const { return front_.cluster().find(name); }
  sim::RedisServer& server(NodeId node) const { return front_.cluster().server(node); }
  std::string not_running(NodeId node) const {
    return front_.cluster().name(node) + " does not run";
  }

  Front& front_;
  const scenario::Scenario& scenario_;
  Chronicle& chronicle_;
  std::deque<Struck> struck_;
  std::vector<std::int64_t> incarnations_;  // by node - 1
};

}  // namespace holdfast::serve
