#include "scenarios/format/starter.h"

namespace holdfast::scenario {
namespace {

constexpr std::string_view kHead = R"({
  "holdfast": 1,
  "name": ")";

constexpr std::string_view kRest = R"(",
  "shows": "A client that stops for longer than its lease writes after another one",
  "worlds": ["sim", "live"],          // simulated, and on real redis-servers

  // The Redis servers. "n1r": { "replica_of": "n1" } makes a replica.
  "servers": { "n1": { "persistence": "none" } },

  // What the lock protects, on a server of its own. "fencing": true refuses lower tokens.
  "guarded": { "stock": { "fencing": false } },

  "lock": {
    "algorithm": "single",            // or "redlock"; or "protocol": a file of protocols/
    "nodes": ["n1"],
    "ttl": "10s",                     // the lease
    "watchdog": false,                // true: renewed every ttl/3
    "retry": "100ms",                 // mean pause between two tries of a waiter
    "node_deadline": "250ms"          // one node's answer
  },

  "clients": {
    "A": [
      { "acquire": "jobs/42" },
      { "write": "stock" },
      { "work": "2s" },
      { "write": "stock" },
      { "release": "jobs/42" }
    ],
    "B": [
      { "sleep": "1s" },
      { "acquire": "jobs/42", "wait": "60s" },
      { "write": "stock" },
      { "work": "5s" },
      { "write": "stock" },
      { "release": "jobs/42" }
    ]
  },

  // What goes wrong, and when: "at" a time, "on" a client's passing of a point, or "sometimes".
  "faults": [
    { "pause": "A", "on": { "client": "A", "point": "before_write", "nth": 2 }, "for": "15s" }
  ],

  // A run in which this did not happen proves nothing.
  "requires": ["B acquired while A is paused", "A wrote after B wrote"],

  "until": "60s",
  "live_scale": 0.2,                  // live runs take a fifth of the time

  // Invariants that are not named must hold.
  "expect": { "mutual-exclusion": "violated", "stale-write": "violated" }
}
)";

}  // namespace

std::string starter_scenario(std::string_view name) {
  return std::string(kHead) + std::string(name) + std::string(kRest);
}

}  // namespace holdfast::scenario
