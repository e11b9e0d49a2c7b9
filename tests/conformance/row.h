// A row of FIDELITY as a test: the servers it needs, and steps with what they must show. The same
// rows are played on real redis-servers (RealLab) and on simulated ones (SimulatedLab, NetworkLab).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/redis/server.h"

namespace holdfast::conformance {

using namespace std::chrono_literals;
using sim::Persistence;

enum class Label : std::uint8_t {
  ci,    // its real half takes under 2 s
  slow,  // by the documented command only
};

// How a server's wall clock goes. Frozen: it stands at kEpoch until a step moves it, so that times
// are exact on a real server too.
enum class WallClock : std::uint8_t { runs, frozen };

inline constexpr Duration kEpoch = std::chrono::seconds(1'700'000'000);

struct NodePlan {
  std::string_view name = {};
  std::string_view replica_of = {};  // a node before it in the plan; empty: a master
  Persistence persistence = Persistence::none;
};

struct Topology {
  std::array<NodePlan, 3> nodes;
  WallClock clock = WallClock::runs;
  bool linked = false;  // clients reach servers over links that a step can disturb
  bool sweeps = true;   // false: no active expiry; dead keys stay until they are accessed

  std::span<const NodePlan> plan() const {
    std::size_t count = 0;
    while (count < nodes.size() && !nodes[count].name.empty()) ++count;
    return {nodes.data(), count};
  }
};

// A client's connection, opened when it is first used.
struct Connection {
  std::string_view name;
  std::string_view node;
};
inline constexpr Connection A{"A", "n1"}, B{"B", "n1"}, C{"C", "n1"};
inline constexpr Connection R{"R", "r1"}, R2{"R2", "r2"};  // to replicas

class Play;  // one run of a row on one lab

struct Step {
  std::string text;  // for messages
  std::function<void(Play&)> run;
};

struct Row {
  std::string_view id;    // as in FIDELITY; several rows may show one statement
  std::string_view what;  // a sentence in capitals, for the test's name
  Label label;
  Topology topology;
  std::vector<Step> steps;
};

// The whole table, in FIDELITY's order.
std::vector<const Row*> all_rows();

}  // namespace holdfast::conformance
