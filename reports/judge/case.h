// Case: one history before the judge, what was derived from it, and where the findings go.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "reports/judge/reachability.h"
#include "reports/judge/timeline.h"
#include "reports/judge/verdict.h"

namespace holdfast::judge {

// An acquire call that has not returned, as `progress` counts it.
struct Waiter {
  GrantIndex grant = 0;
  Nanos since = -1;          // entitled to the lock since then; -1: not now
  Nanos last_attempt = -1;   // sent
  std::uint64_t served = 0;  // addresses at which its commands executed since then, as bits
  bool eternal = false;      // a key without TTL stood in its way since then
  bool told = false;         // its wait has been reported
};

// Memory that invariants use while they judge and that is kept between runs. Whoever takes one of
// these clears or assigns it first.
struct Workspace {
  std::vector<GrantIndex> active;
  std::vector<HoldingIndex> cells;    // by cell: what the node behind that address holds
  std::vector<std::uint32_t> counts;  // by grant or cell
  std::vector<Moment> moments;        // by grant or cell
  std::vector<std::uint8_t> flags;    // by grant or node
  std::vector<Waiter> waiters;
  Reachability reachability;
};

class Case {
 public:
  static constexpr std::size_t kWitnesses = 8;  // at most, per invariant

  Case(const history::History& the_history, const Timeline& the_timeline, Judgement& the_judgement,
       Workspace& the_workspace, std::vector<Witness>& spare)
      : history(the_history),
        timeline(the_timeline),
        judgement(the_judgement),
        workspace(the_workspace),
        spare_(spare) {}
  Case(const Case&) = delete;
  Case& operator=(const Case&) = delete;

  // A fresh witness against `invariant`. Beyond the eighth it is filled in and thrown away.
  Witness& violated(Invariant invariant);
  // ... of two grants, with their acquires as its first events.
  Witness& violated(Invariant invariant, GrantIndex first, GrantIndex second);
  // No more witnesses to come: violated when there is one; else held when there was something to
  // judge and evidence to judge it by (`why_not` empty), else not judged.
  void close(Invariant invariant, std::string_view why_not);

  const Event& event(EventIndex index) const { return history.events[index]; }
  const history::LockSetup& lock(LockIndex index) const { return history.setup.locks[index]; }
  const Grant& grant(GrantIndex index) const { return timeline.grants[index]; }

  const history::History& history;
  const Timeline& timeline;
  Judgement& judgement;
  Workspace& workspace;

 private:
  std::vector<Witness>& spare_;  // used ones, for their memory
  Witness surplus_;
};

// Adds an event to a witness, in order and once; kNoEvent is ignored.
void add_event(Witness& witness, EventIndex event);

}  // namespace holdfast::judge
