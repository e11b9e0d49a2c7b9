// Event: one entry of the flat history that both worlds write and the judge reads.
//
// Compact and without strings: names, keys and tokens are numbers of tables in History. All times
// are nanoseconds of true time since the start of the run (live: of the one host's clock).
#pragma once

#include <cstdint>

namespace holdfast::history {

using Nanos = std::int64_t;

// Indices into the tables of History. 0 is "none" in each of them.
using ActorId = std::uint16_t;     // a client process of the scenario, or the fault injector
using NodeId = std::uint16_t;      // a Redis server (lock node, replica, guarded resource's server)
using ResourceId = std::uint16_t;  // a lock (its name) or a guarded resource
using TokenId = std::uint32_t;     // a value of a lock key: an attempt token
// One acquire call of one incarnation of one actor: unique in the run and above 0, but neither
// dense nor in the order of the calls.
using GrantId = std::uint32_t;

// What happened. In brackets the fields that count beside at, seq and kind; `a` and `b` as said.
// "actor" events are written by the client's world just before the action that they announce.
enum class Kind : std::uint8_t {
  none,

  // -- processes and owners [actor]
  process_started,  // b: incarnation from 1; a restarted process is a new owner
  process_paused,   // a: Lane paused (0 whole process, 1 caller alone, 2 watchdog alone)
  process_resumed,  // a: as above
  process_crashed,
  client_done,   // the actor's steps are over
  point_passed,  // a: Point, b: how often passed by this actor, from 1

  // -- acquiring [actor, resource, grant]
  acquire_called,  // a: bound of the call in ns of running time (wait + node deadline + slack)
  attempt_sent,    // token; a: attempt number from 1
  quorum_counted,
  validity_checked,  // token; a: valid_until in true ns at the process's present clock rate; b: 1
                     // for a renewal, 0 for an acquire. at = t2
  acquire_returned,  // a: AcquireOutcome (0 = acquired); token; b: fencing token (0 none).
                     // Outcome 0 opens the section and the promise of the grant.
  valid_until,       // as sampled from the handle; a: true ns of the instant at the process's
                     // present clock rate (for people; the judge uses valid_until_reached)
  valid_until_reached,  // the process's clock passed valid_until (written at the true instant)
  lost_told,            // a: LossReason
  held_called,
  held_returned,  // a: 0 or 1; b: true ns at which the call began
  renewal_sent,   // token
  renewed,        // token
  renewal_failed,
  release_called,    // a: bound of the call in ns of running time
  release_sent,      // token; a: 1 for a clean-up after a failed acquire
  release_returned,  // a: ReleaseOutcome
  section_left,      // the owner's code left the section (release about to be called, loss obeyed,
                     // or its steps ended)

  // -- guarded resource
  write_sent,       // [actor, resource, grant] a: value; b: fencing token
  read_sent,        // [actor, resource, grant] b: fencing token
  access_returned,  // [actor, resource, grant] a: 1 accepted, 0 refused, -1 unknown; b: value read
  access_executed,  // [actor, resource, grant, node] at the resource, in execution order.
                    // a: value; b: fencing token; flag bit 0: write, bit 1: accepted

  // -- lock keys at the servers [node, resource, token]; actor = the client whose command did it
  key_set,           // a: deadline in true ns at the node's present clock rate, -1 without TTL
  key_ttl_changed,   // a: as key_set
  key_deleted,       // by a command of `actor`
  key_expired,       // the node's wall clock passed the deadline (at the true instant, not removal)
  key_revived,       // a dead but unremoved key became alive again by the node's clock
  key_dropped,       // not by a lock client; a: DropCause
  command_executed,  // [actor, node, resource, token] a command that names the lock key ran; a: 1
                     // when it changed the key. Grant: as far as the world knows it, else 0

  // -- nodes [node]
  node_started,  // b: incarnation from 1
  node_paused,
  node_resumed,
  node_crashed,
  node_promoted,
  node_demoted,    // a: NodeId of its new master
  master_changed,  // clients are told that `node` is the address a (NodeId of the address) from now
  link_up,         // [actor, node]: connections between them can be made from now on
  link_down,       // [actor, node] b: 1 hold, 2 refuse, 3 reset
  connection_lost,   // [actor, node]
  clock_stepped,     // [node or actor] a: ns
  clock_rate,        // [node or actor] a: ppm relative to true time
  replication_held,  // [node = replica] link from its master stopped delivering
  replication_resumed,
  node_impaired,  // [actor (0: all clients), node] a: 1 from now on, 0 no longer: the node answers
                  // that client with errors, or late, or not at all, though the link is up; b: 1
                  // when late and no more. The judge takes it as not reachable for progress.
  write_lost,     // [node, resource, token] an acknowledged change that this node does not have
                  // (failover, resync, restart); a: DropCause

  // -- faults: index from 1 in the scenario's list
  fault_fired,         // a: index
  fault_proved,        // a: index: it was seen to have taken effect
  fault_ended,         // a: index
  environment_failed,  // live: a server died by itself, a port was taken, ...; note says what
  run_ended,           // a: 1 all clients done, 2 `until` reached, 3 out of budget
};

enum class DropCause : std::uint8_t { none, flush, evict, restart, resync, failover, operator_del };

struct Event {
  Nanos at = 0;
  std::uint32_t seq = 0;  // order of writing; the total order is the order in History::events
  Kind kind = Kind::none;
  std::uint8_t flag = 0;
  ActorId actor = 0;
  NodeId node = 0;
  ResourceId resource = 0;
  GrantId grant = 0;
  TokenId token = 0;
  std::uint32_t note = 0;  // index in History::notes; only in full recordings
  std::int64_t a = 0;
  std::int64_t b = 0;
  friend bool operator==(const Event&, const Event&) = default;
};

}  // namespace holdfast::history
