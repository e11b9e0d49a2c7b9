// The servers that rows ask for.
#pragma once

#include "tests/conformance/row.h"

namespace holdfast::conformance {

inline constexpr NodePlan kN1{"n1"}, kR1{"r1", "n1"}, kR2{"r2", "n1"};

// One master whose clock stands still until it is stepped; dead keys stay until they are accessed.
inline constexpr Topology kFrozen{{kN1}, WallClock::frozen, false, false};
// One master whose clock runs.
inline constexpr Topology kRunning{{kN1}};
inline constexpr Topology kReplica{{kN1, kR1}};
inline constexpr Topology kReplicas{{kN1, kR1, kR2}};
inline constexpr Topology kFrozenReplica{{kN1, kR1}, WallClock::frozen, false, false};
// Another master beside.
inline constexpr Topology kTwoMasters{{kN1, NodePlan{"r1"}}};
inline constexpr Topology kLinked{{kN1}, WallClock::runs, true};

constexpr Topology persistent(Persistence persistence, WallClock clock = WallClock::runs) {
  return {{NodePlan{"n1", "", persistence}}, clock};
}

}  // namespace holdfast::conformance
