// History: everything that happened in one run, with what the judge must know about the set-up.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reports/history/event.h"

namespace holdfast::history {

// A table of names; 0 is the empty name. Lookups are linear: tables hold a handful of entries on
// the steady path, and no hash order may leak into a run.
class Names {
 public:
  Names() : names_{std::string()} {}
  std::uint32_t intern(std::string_view name);      // adds it when it is new
  std::uint32_t find(std::string_view name) const;  // 0 when it is not there
  const std::string& operator[](std::uint32_t id) const { return names_[id]; }
  std::uint32_t size() const { return size_; }
  void truncate(std::uint32_t size);  // forgets the later ones: worlds are reset, not rebuilt
  friend bool operator==(const Names& a, const Names& b);

 private:
  std::vector<std::string> names_;  // beyond size_: forgotten ones, kept for their memory
  std::uint32_t size_ = 1;
};

// Whether a world has the evidence that an invariant needs.
struct Evidence {
  bool server_keys = true;  // key_* events tell every change of every lock key at its true time
  bool handle = true;       // valid_until_reached, lost_told: the client has a public handle
  bool resource = true;     // access_executed tells what the guarded resource accepted, in order
  friend bool operator==(const Evidence&, const Evidence&) = default;
};

enum class Belief : std::uint8_t {
  handle,         // our lock core: the promise ends by valid_until, loss, release
  until_release,  // protocol: believes itself owner until it releases
  ttl_from_send,  // protocol: until lease after the acquire was sent (world writes
                  // valid_until_reached)
  ttl_from_reply,
  not_judged,
};

struct LockSetup {
  ResourceId resource = 0;
  std::vector<NodeId> nodes;  // as addressed by clients; master + replicas: the one address
  std::uint32_t quorum = 1;
  Nanos ttl = 0;
  Nanos node_deadline = 0;
  Nanos poll = 0;    // longest pause between two tries of a waiter
  int replicas = 0;  // acknowledgements that an acquire waits for
  bool watchdog = false;
  Belief belief = Belief::handle;
  std::vector<ResourceId> guards;  // guarded resources; empty: the lock's own name
  friend bool operator==(const LockSetup&, const LockSetup&) = default;
};

struct NodeSetup {
  NodeId node = 0;
  NodeId replica_of = 0;
  bool guarded = false;  // hosts guarded resources, never a lock
  friend bool operator==(const NodeSetup&, const NodeSetup&) = default;
};

struct Setup {
  std::string scenario;  // name
  std::string world;     // "sim" or "live"
  std::uint64_t seed = 0;
  Nanos until = 0;
  double scale = 1.0;
  std::vector<LockSetup> locks;
  std::vector<NodeSetup> nodes;
  std::vector<ResourceId> guarded;  // guarded resources
  std::vector<ActorId> clients;     // in the order of the file
  std::uint32_t fault_count = 0;
  std::vector<bool> fault_unconditional;  // by index - 1: must fire and be proved
  Nanos slack = 0;                        // live: tolerance for "told by the first step" and bounds
  Evidence evidence;
  friend bool operator==(const Setup&, const Setup&) = default;
};

struct History {
  Setup setup;
  Names actors, nodes, resources, tokens;
  std::vector<std::string> fault_text{std::string()};  // by fault index, for people
  std::vector<std::string> notes{std::string()};
  std::vector<Event> events;      // in total order
  std::uint64_t fingerprint = 0;  // of the simulated run; 0 live
  std::uint64_t kernel_events = 0;

  void clear_run();  // keeps set-up, names and capacity
};

// As JSON lines: see reports/read/history_json.h.

}  // namespace holdfast::history
