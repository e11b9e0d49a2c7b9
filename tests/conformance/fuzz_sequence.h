// What the differential fuzzer does to two servers: a sequence of steps on a few connections.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lockcore/redis_client.h"

namespace holdfast::conformance {

inline constexpr int kConnections = 3;     // to the master: 0, 1, 2
inline constexpr int kOnReplica = 3;       // the connection to its replica
inline constexpr int kAllConnections = 4;  // with it

struct FuzzStep {
  int connection = 0;    // kOnReplica: after the replica has caught up
  bool joined = false;   // sent in one write with the next command of the same connection
  Command command = {};  // empty: the clocks of both servers are stepped instead
  Duration clock_step{};
};
using Sequence = std::vector<FuzzStep>;

// A line a step, as a person would repeat it.
std::string text_of(const Sequence& sequence);

// The sequence of that number; a pure function of both.
Sequence generate(std::uint64_t seed, std::uint64_t number);

}  // namespace holdfast::conformance
