// backed: at every instant of every promise at least a quorum of the lock's nodes hold an attempt
// token of the grant, unexpired by their own clocks. Computed from what the servers did alone;
// needs no rival, does not believe the lock core, and implies `promise`.
//
// Of each address the node counts that clients are told is behind it at that instant. A node that
// died still counts with what it held: nobody can get the key from it before it is back, and only
// coming back without the token, or another node taking over its address, takes a promise's backing
// away. So a restart that loses nothing breaks nothing, and one that loses the key breaks it at the
// instant at which others can take it. Equal tokens (a constant in a protocol) count for the client
// whose SET wrote them. What changes at one instant is one change: a gap of zero length is none.
//
// Not judged: the world does not see the keys, or there was no promise (see promise.cc).
#include <algorithm>
#include <cstdint>

#include "reports/judge/invariants.h"

namespace holdfast::judge {
namespace {

class Backing {
 public:
  explicit Backing(Case& one)
      : case_(one),
        timeline_(one.timeline),
        active_(one.workspace.active),
        cells_(one.workspace.cells),
        bad_since_(one.workspace.moments) {
    active_.clear();
    cells_.assign(timeline_.cells(), 0);
    bad_since_.assign(timeline_.grants.size(), Moment());
  }

  // True when there was a promise to judge.
  bool judge();

 private:
  Nanos next_begin() const;
  void step(Nanos now);
  void apply_changes(Nanos now);
  void assess(GrantIndex index, Nanos now);
  void retire(GrantIndex index);
  void witness(GrantIndex index, Nanos until);
  GrantIndex rival(GrantIndex index) const;

  Case& case_;
  const Timeline& timeline_;
  std::vector<GrantIndex>& active_;
  std::vector<HoldingIndex>& cells_;
  std::vector<Moment>& bad_since_;  // by grant
  std::size_t next_change_ = 0, next_grant_ = 0;
  EventIndex last_change_ = kNoEvent;
  bool judged_ = false;
};

bool Backing::judge() {
  constexpr Nanos kNever = INT64_MAX;
  for (;;) {
    Nanos now = next_begin();
    if (!active_.empty() && next_change_ < timeline_.changes.size()) {
      now = std::min(now, timeline_.changes[next_change_].at);
    }
    if (now == kNever) break;
    step(now);
  }
  for (const GrantIndex index : active_) retire(index);
  return judged_;
}

Nanos Backing::next_begin() const {
  if (next_grant_ == timeline_.acquired.size()) return INT64_MAX;
  return timeline_.grants[timeline_.acquired[next_grant_]].returned.at;
}

void Backing::step(Nanos now) {
  apply_changes(now);
  std::erase_if(active_, [&](GrantIndex index) {
    if (timeline_.grants[index].promise.end > now) return false;
    retire(index);
    return true;
  });
  for (; next_begin() == now; ++next_grant_) {
    const GrantIndex index = timeline_.acquired[next_grant_];
    const Grant& grant = timeline_.grants[index];
    if (!grant.promise_judged || grant.promise.empty()) continue;
    judged_ = true;
    active_.push_back(index);
  }
  for (const GrantIndex index : active_) assess(index, now);
}

void Backing::apply_changes(Nanos now) {
  const auto& changes = timeline_.changes;
  for (; next_change_ < changes.size() && changes[next_change_].at <= now; ++next_change_) {
    cells_[changes[next_change_].cell] = changes[next_change_].holding;
    last_change_ = changes[next_change_].event;
  }
}

void Backing::assess(GrantIndex index, Nanos now) {
  const LockIndex lock = timeline_.grants[index].lock;
  const auto& setup = case_.lock(lock);
  const std::uint32_t first = timeline_.first_cell(lock);
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < setup.nodes.size(); ++i) {
    const HoldingIndex held = cells_[first + i];
    if (held != 0 && timeline_.backs(timeline_.holdings[held], index)) ++count;
  }
  if (count >= setup.quorum) {
    if (bad_since_[index].happened()) witness(index, now);
    bad_since_[index] = Moment();
  } else if (!bad_since_[index].happened()) {
    const EventIndex cause =
        last_change_ == kNoEvent ? timeline_.grants[index].returned.event : last_change_;
    bad_since_[index] = {now, cause};
  }
}

void Backing::retire(GrantIndex index) {
  if (bad_since_[index].happened()) witness(index, timeline_.grants[index].promise.end);
}

// Another grant whose token stands where this one's should.
GrantIndex Backing::rival(GrantIndex index) const {
  const LockIndex lock = timeline_.grants[index].lock;
  const std::uint32_t first = timeline_.first_cell(lock);
  for (std::uint32_t i = 0; i < case_.lock(lock).nodes.size(); ++i) {
    const HoldingIndex held = cells_[first + i];
    if (held == 0 || timeline_.backs(timeline_.holdings[held], index)) continue;
    if (const GrantIndex other = timeline_.holdings[held].grant; other != 0) return other;
  }
  return 0;
}

void Backing::witness(GrantIndex index, Nanos until) {
  const Grant& grant = timeline_.grants[index];
  const Moment since = bad_since_[index];
  Witness& witness = case_.violated(Invariant::backed, index, rival(index));
  witness.first = grant.promise;
  witness.overlap = {since.at, until};
  if (since.event < case_.history.events.size()) {
    witness.node = case_.event(since.event).node;
  }
  add_event(witness, since.event);
  add_event(witness, grant.promise_end);
}

}  // namespace

void backed(Case& one) {
  if (!one.history.setup.evidence.server_keys) {
    one.close(Invariant::backed, "no record of the servers' keys");
    return;
  }
  const bool judged = Backing(one).judge();
  one.close(Invariant::backed, judged ? "" : "no promise whose end is known");
}

}  // namespace holdfast::judge
