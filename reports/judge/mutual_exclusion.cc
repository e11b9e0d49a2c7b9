// mutual-exclusion: no two sections of different owners overlap on one guarded resource.
//
// An owner is one incarnation of one actor. A section lasts from the outermost acquire's return to
// the first of: the owner's code leaves it, its process crashes, the run ends. A pause does not end
// it: this is what users mean by mutual exclusion, and no lease lock gives it under an unbounded
// pause. Sections of zero length and sections that only touch do not overlap. Two locks meet here
// when they guard a common resource.
//
// Not judged: nobody got the lock, or no second client asked for it.
#include "reports/judge/invariants.h"

namespace holdfast::judge {
namespace {

bool same_owner(const Grant& a, const Grant& b) {
  return a.actor == b.actor && a.incarnation == b.incarnation;
}

// Promises of locks that have nothing to do with each other are both kept when they overlap.
Blame blame_of(const Grant& a, const Grant& b) {
  if (a.lock != b.lock || !a.promise_judged) return Blame::none;
  return overlap(a.promise, b.promise) ? Blame::lock_lied : Blame::application_outlived_lease;
}

ResourceId common_resource(const history::LockSetup& a, const history::LockSetup& b) {
  if (a.guards.empty()) return a.resource;
  for (const ResourceId one : a.guards) {
    if (b.guards.empty() && b.resource == one) return one;
    for (const ResourceId other : b.guards) {
      if (one == other) return one;
    }
  }
  return a.resource;
}

void witness_overlap(Case& one, GrantIndex first, GrantIndex second) {
  const Grant& a = one.grant(first);
  const Grant& b = one.grant(second);
  Witness& witness = one.violated(Invariant::mutual_exclusion, first, second);
  witness.resource = common_resource(one.lock(a.lock), one.lock(b.lock));
  witness.first = a.section;
  witness.second = b.section;
  witness.overlap = intersection(a.section, b.section);
  add_event(witness, a.promise_end);
  add_event(witness, a.section_end);
  add_event(witness, b.section_end);
  witness.blame = blame_of(a, b);
}

bool has_rivals(const Case& one) {
  const auto& grants = one.timeline.grants;
  for (const GrantIndex holder : one.timeline.acquired) {
    for (std::size_t i = 1; i < grants.size(); ++i) {
      if (!same_owner(grants[holder], grants[i]) &&
          one.timeline.share_a_resource(grants[holder].lock, grants[i].lock)) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace

void mutual_exclusion(Case& one) {
  auto& active = one.workspace.active;
  active.clear();
  for (const GrantIndex index : one.timeline.acquired) {
    const Grant& grant = one.grant(index);
    std::erase_if(active, [&](GrantIndex other) {
      return one.grant(other).section.end <= grant.section.begin;
    });
    for (const GrantIndex other : active) {
      const Grant& elder = one.grant(other);
      if (same_owner(elder, grant) || !overlap(elder.section, grant.section)) continue;
      if (one.timeline.share_a_resource(elder.lock, grant.lock)) witness_overlap(one, other, index);
    }
    active.push_back(index);
  }
  if (one.timeline.acquired.empty()) {
    one.close(Invariant::mutual_exclusion, "nobody got a lock");
  } else {
    one.close(Invariant::mutual_exclusion, has_rivals(one) ? "" : "no rival");
  }
}

}  // namespace holdfast::judge
