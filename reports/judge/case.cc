#include "reports/judge/case.h"

#include <algorithm>
#include <utility>

namespace holdfast::judge {
namespace {

void clear(Witness& witness) {
  std::vector<std::uint32_t> events = std::move(witness.events);
  events.clear();
  witness = Witness();
  witness.events = std::move(events);
}

}  // namespace

Witness& Case::violated(Invariant invariant) {
  auto& witnesses = judgement[invariant].witnesses;
  if (witnesses.size() >= kWitnesses) {
    clear(surplus_);
    return surplus_;
  }
  if (spare_.empty()) return witnesses.emplace_back();
  witnesses.push_back(std::move(spare_.back()));
  spare_.pop_back();
  clear(witnesses.back());
  return witnesses.back();
}

Witness& Case::violated(Invariant invariant, GrantIndex first, GrantIndex second) {
  Witness& witness = violated(invariant);
  const Grant& one = grant(first);
  witness.first_actor = one.actor;
  witness.first_grant = one.id;
  if (one.lock != kNoLock) witness.resource = lock(one.lock).resource;
  add_event(witness, one.returned.event);
  if (second == 0) return witness;
  const Grant& two = grant(second);
  witness.second_actor = two.actor;
  witness.second_grant = two.id;
  add_event(witness, two.returned.event);
  return witness;
}

void Case::close(Invariant invariant, std::string_view why_not) {
  Finding& finding = judgement[invariant];
  finding.why.clear();
  if (!finding.witnesses.empty()) {
    finding.state = State::violated;
    std::sort(finding.witnesses.begin(), finding.witnesses.end(),
              [](const Witness& a, const Witness& b) {
                if (a.overlap.begin != b.overlap.begin) return a.overlap.begin < b.overlap.begin;
                return a.events < b.events;
              });
    return;
  }
  finding.state = why_not.empty() ? State::held : State::not_judged;
  finding.why = why_not;
}

void add_event(Witness& witness, EventIndex event) {
  if (event == kNoEvent) return;
  auto& events = witness.events;
  const auto place = std::lower_bound(events.begin(), events.end(), event);
  if (place == events.end() || *place != event) events.insert(place, event);
}

}  // namespace holdfast::judge
