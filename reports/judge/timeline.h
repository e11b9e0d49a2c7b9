// Timeline: what the invariants ask a history about, derived from its events in one pass: grants
// with their sections and promises, and which server held which token from when to when.
//
// Under-estimates throughout, so that a reported overlap is real: of two possible instants an
// interval begins at the later and ends at the earlier one.
#pragma once

#include <cstdint>
#include <vector>

#include "reports/history/history.h"
#include "reports/judge/verdict.h"

namespace holdfast::judge {

using history::ActorId;
using history::Event;
using history::GrantId;
using history::Nanos;
using history::NodeId;
using history::ResourceId;
using history::TokenId;

using EventIndex = std::uint32_t;  // in History::events
inline constexpr EventIndex kNoEvent = 0xFFFF'FFFF;
using GrantIndex = std::uint32_t;    // in Timeline::grants; 0 is none
using HoldingIndex = std::uint32_t;  // in Timeline::holdings; 0 is none
using LockIndex = std::uint16_t;     // in Setup::locks
inline constexpr LockIndex kNoLock = 0xFFFF;

// An event and when it was.
struct Moment {
  Nanos at = 0;
  EventIndex event = kNoEvent;
  bool happened() const { return event != kNoEvent; }
  // In the total order of events, which also orders what happened at one instant.
  bool before(const Moment& other) const {
    return happened() && other.happened() && event < other.event;
  }
};

inline bool overlap(const Interval& a, const Interval& b) {
  return !a.empty() && !b.empty() && a.begin < b.end && b.begin < a.end;
}
inline Interval intersection(const Interval& a, const Interval& b) {
  return {a.begin > b.begin ? a.begin : b.begin, a.end < b.end ? a.end : b.end};
}

// One acquire call of one owner (an actor's incarnation) and what became of it. A nested acquire
// (same owner, same lock and token while the outer section is open) points to its outer grant and
// has neither section nor promise.
struct Grant {
  GrantId id = 0;
  ActorId actor = 0;
  std::uint32_t incarnation = 0;
  LockIndex lock = kNoLock;
  GrantIndex outer = 0;              // itself when it is outermost
  GrantIndex previous_of_actor = 0;  // the actor's acquire call before this one
  TokenId token = 0;                 // the winning attempt's
  bool acquired = false;
  bool promise_judged = false;  // the world can tell when this lock's promises end
  bool section_open = false, promise_open = false, promise_over = false;
  std::int64_t release_outcome = -1;  // 0: released
  Nanos acquire_bound = 0, release_bound = 0;

  Moment called, first_attempt, last_attempt, returned;
  Moment sent;  // the winning attempt
  Moment release_called, release_sent, release_returned;
  Moment lost, validity_reached, crashed;
  Interval section, promise;
  EventIndex section_end = kNoEvent, promise_end = kNoEvent;  // kNoEvent: the run's end

  // Whether the acquire call is still open at the end of the run.
  bool waiting() const { return called.happened() && !returned.happened() && !crashed.happened(); }
};

// One token in a lock's key on one node, with one deadline: a change of the TTL or of the node's
// clock closes one holding and opens the next. A node that died keeps what it held until it is back
// without it: nobody can get the key from it meanwhile.
struct Holding {
  LockIndex lock = kNoLock;
  NodeId node = 0;
  TokenId token = 0;
  ActorId setter = 0;    // the client whose SET it was; 0 unknown
  GrantIndex grant = 0;  // whose attempt token; 0 unknown
  bool visible = false;  // opened while the node was behind an address of the lock
  EventIndex opened = kNoEvent, closed = kNoEvent;  // kNoEvent: still there at the run's end
  Nanos from = 0, to = 0;
  Nanos deadline = 0;  // true ns; kNoTtl; kUnknownDeadline after a change of the node's clock
};
inline constexpr Nanos kNoTtl = -1;
inline constexpr Nanos kUnknownDeadline = -2;

// From this event on the node behind one address of a lock holds `holding` (0: nothing).
struct Change {
  Nanos at = 0;
  EventIndex event = kNoEvent;
  std::uint32_t cell = 0;  // lock's first cell + index in LockSetup::nodes
  HoldingIndex holding = 0;
};

// A client's command set, deleted or changed the TTL of a key that was alive until then.
struct Touch {
  EventIndex event = kNoEvent;
  HoldingIndex previous = 0;
  HoldingIndex next = 0;  // what it opened; 0 for a deletion
};

struct Pause {
  ActorId actor = 0;
  std::uint8_t lane = 0;  // 0 whole process, 1 caller alone, 2 watchdog alone
  Nanos from = 0, to = 0;
};

class Timeline {
 public:
  // Everything below is of this history until the next call; keeps its memory between calls.
  void build(const history::History& history);

  // Index of a grant by the actor that it belongs to; 0 when there is none.
  GrantIndex find(ActorId actor, GrantId id) const;
  // The actor's last acquire of the lock called before that event; 0 when there is none.
  GrantIndex latest_before(ActorId actor, LockIndex lock, EventIndex event) const;
  // The first instant from `at` on from which no lane of the actor is paused for `span`.
  Nanos running_from(ActorId actor, Nanos at, Nanos span) const;
  // How long some lane of the actor was paused within the interval; lanes count apart.
  Nanos paused_within(ActorId actor, Interval interval) const;
  LockIndex lock_of(ResourceId resource) const {
    return resource < lock_of_.size() ? lock_of_[resource] : kNoLock;
  }
  bool share_a_resource(LockIndex a, LockIndex b) const { return share_[a * locks_ + b] != 0; }
  bool is_client(ActorId actor) const { return actor < actors_.size() && actors_[actor].client; }
  // Whether the holding carries an attempt token of this grant.
  bool backs(const Holding& holding, GrantIndex grant) const {
    if (holding.grant != 0) return grants[holding.grant].outer == grant;
    return holding.token == grants[grant].token &&
           (holding.setter == 0 || holding.setter == grants[grant].actor);
  }
  // The grant that alone announced this token; 0 when none or several did.
  GrantIndex owner_of(TokenId token) const {
    return token < tokens_.size() && tokens_[token].owner != kAmbiguous ? tokens_[token].owner : 0;
  }
  // Cells of a lock: one per address, in the order of LockSetup::nodes.
  std::uint32_t first_cell(LockIndex lock) const { return first_cell_[lock]; }
  LockIndex lock_of_cell(std::uint32_t cell) const { return lock_of_cell_[cell]; }
  std::uint32_t cells() const { return static_cast<std::uint32_t>(lock_of_cell_.size()); }

  Nanos end = 0;                       // of the run
  std::vector<Grant> grants;           // in order of their first event; element 0 is none
  std::vector<GrantIndex> acquired;    // outermost successful ones, in order of their return
  std::vector<Holding> holdings;       // in order of their opening; element 0 is none
  std::vector<Change> changes;         // in order
  std::vector<Touch> touches;          // in order
  std::vector<Pause> pauses;           // in order of their end
  std::vector<EventIndex> accesses;    // access_executed
  std::vector<EventIndex> renewals;    // renewal_sent
  std::vector<EventIndex> helds;       // held_returned
  std::vector<EventIndex> validities;  // validity_checked
  std::vector<EventIndex> faults;      // fault_fired, fault_proved
  EventIndex environment_failed = kNoEvent;
  Nanos clients_over = -1;  // when the last client was done or dead for good; -1: never
  bool out_of_budget = false;
  bool reachability = false;  // any event of links, nodes, replication after the start

 private:
  static constexpr GrantIndex kAmbiguous = 0xFFFF'FFFF;
  struct Actor {
    bool client = false;
    std::uint32_t incarnation = 1;
    GrantIndex last_grant = 0;
    Nanos paused_since[3] = {-1, -1, -1};  // by lane
    Nanos over = -1;                       // its steps were done or its process dead since then
  };
  struct Token {
    GrantIndex owner = 0;
    Moment sent;
  };
  struct Cell {  // one lock's key on one node
    HoldingIndex holding = 0;
    bool lost_at_restart = false;
  };

  void prepare(const history::History& history);
  void prepare_locks(const history::Setup& setup);
  void finish();

  GrantIndex grant_for(const Event& event);
  void on_process(const Event& event, Moment now);
  void on_pause(const Event& event, Moment now);
  void on_crash(ActorId actor, Moment now);
  void on_acquire(const Event& event, Moment now);
  void on_acquired(GrantIndex index, const Event& event, Moment now);
  void on_handle(const Event& event, Moment now);
  void on_release(const Event& event, Moment now);
  void end_section(Grant& grant, Moment now);
  void end_promise(Grant& grant, Nanos at, EventIndex event);
  void announce(TokenId token, GrantIndex grant);

  void on_key(const Event& event, Moment now);
  void on_key_set(const Event& event, Moment now, LockIndex lock);
  void on_key_dropped(const Event& event, Moment now, LockIndex lock);
  void on_node(const Event& event, Moment now);
  void on_master_changed(const Event& event, Moment now);
  Cell& cell(NodeId node, LockIndex lock) { return node_cells_[node * locks_ + lock]; }
  void open(Holding holding, Moment now);
  void close(NodeId node, LockIndex lock, Moment now);
  void replace_deadline(NodeId node, LockIndex lock, Nanos deadline, Moment now);
  bool publish(NodeId node, LockIndex lock, Moment now);  // whether an address shows it
  GrantIndex writer_of(const Event& event, LockIndex lock) const;

  const history::History* history_ = nullptr;
  std::size_t locks_ = 0;
  std::size_t nodes_ = 0;
  std::vector<LockIndex> lock_of_;  // by resource
  std::vector<std::uint8_t> share_;
  std::vector<std::uint32_t> first_cell_;  // by lock
  std::vector<LockIndex> lock_of_cell_;
  std::vector<NodeId> behind_;  // by address
  std::vector<Actor> actors_;
  std::vector<Token> tokens_;
  std::vector<Cell> node_cells_;
  std::vector<std::uint8_t> down_;  // by node
};

}  // namespace holdfast::judge
