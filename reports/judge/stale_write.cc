// stale-write: a guarded resource accepted no write of g1 after one of g2 when g1's acquire
// returned before g2's winning attempt was sent, and never writes of g1, g2, g1. Fencing tokens
// play no part in the judgement: what counts is what the resource accepted, in its own order of
// execution.
//
// "Before" is the total order of events. Writes that belong to no acquired grant are not judged.
// Locks that one owner holds together (their sections overlap) are one to the resource: the owner's
// writes name the one that it took last, and none of them is stale.
//
// Not judged: the world does not see what the resource accepts, or fewer than two grants had a
// write accepted by one resource.
#include "reports/judge/invariants.h"

namespace holdfast::judge {
namespace {

constexpr std::uint8_t kAcceptedWrite = 3;  // flag bits 0 and 1 of access_executed

class WriteOrder {
 public:
  WriteOrder(Case& one, ResourceId resource)
      : case_(one), resource_(resource), wrote_(one.workspace.moments) {
    wrote_.assign(one.timeline.grants.size(), Moment());
  }

  // True when two grants had a write accepted.
  bool judge() {
    for (const EventIndex index : case_.timeline.accesses) {
      const Event& event = case_.event(index);
      if (event.resource != resource_ || (event.flag & kAcceptedWrite) != kAcceptedWrite) continue;
      const GrantIndex found = case_.timeline.find(event.actor, event.grant);
      const GrantIndex writer = found == 0 ? 0 : case_.grant(found).outer;
      if (writer == 0 || !case_.grant(writer).acquired) continue;
      accept(writer, {event.at, index});
    }
    return writers_ > 1;
  }

 private:
  void accept(GrantIndex writer, Moment now) {
    const Grant& grant = case_.grant(writer);
    if (const GrantIndex other = later_writer(writer); other != 0) {
      witness(writer, other, now);
    } else if (last_ != 0 && !together(last_, writer) && wrote_[writer].happened()) {
      witness(writer, last_, now);
    }
    if (!wrote_[writer].happened()) ++writers_;
    wrote_[writer] = now;
    last_ = writer;
    if (newest_ == 0 || case_.grant(newest_).sent.before(grant.sent)) newest_ = writer;
  }

  bool together(GrantIndex a, GrantIndex b) const {
    const Grant& one = case_.grant(a);
    const Grant& other = case_.grant(b);
    return a == b || (one.actor == other.actor && one.incarnation == other.incarnation &&
                      overlap(one.section, other.section));
  }

  // Of the grants with an accepted write that were sent after this one had returned, the last sent;
  // 0: there is none.
  GrantIndex later_writer(GrantIndex writer) const {
    const Moment& returned = case_.grant(writer).returned;
    if (newest_ == 0 || !returned.before(case_.grant(newest_).sent)) return 0;
    if (!together(newest_, writer)) return newest_;
    GrantIndex latest = 0;
    for (const GrantIndex other : case_.timeline.acquired) {
      const Grant& grant = case_.grant(other);
      if (!wrote_[other].happened() || !returned.before(grant.sent)) continue;
      if (together(other, writer)) continue;
      if (latest == 0 || case_.grant(latest).sent.before(grant.sent)) latest = other;
    }
    return latest;
  }

  // A write of `late` was accepted after one of `other`.
  void witness(GrantIndex late, GrantIndex other, Moment now) {
    Witness& witness = case_.violated(Invariant::stale_write, late, other);
    witness.resource = resource_;
    witness.node = case_.event(now.event).node;
    witness.first = case_.grant(late).section;
    witness.second = case_.grant(other).section;
    witness.overlap = {now.at, now.at};
    add_event(witness, case_.grant(other).sent.event);
    add_event(witness, wrote_[other].event);
    add_event(witness, now.event);
  }

  Case& case_;
  ResourceId resource_;
  std::vector<Moment>& wrote_;  // by grant: its last accepted write
  GrantIndex last_ = 0;         // whose write was accepted last
  GrantIndex newest_ = 0;       // of those with an accepted write, whose attempt was sent last
  std::uint32_t writers_ = 0;
};

}  // namespace

void stale_write(Case& one) {
  if (!one.history.setup.evidence.resource) {
    one.close(Invariant::stale_write, "no record of what the resource accepted");
    return;
  }
  bool judged = false;
  for (const ResourceId resource : one.history.setup.guarded) {
    judged = WriteOrder(one, resource).judge() || judged;
  }
  one.close(Invariant::stale_write, judged                          ? ""
                                    : one.timeline.accesses.empty() ? "no write"
                                                                    : "no writes of two grants");
}

}  // namespace holdfast::judge
