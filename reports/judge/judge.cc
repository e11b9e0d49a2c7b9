#include <utility>

#include "reports/judge/case.h"
#include "reports/judge/contention.h"
#include "reports/judge/invariants.h"
#include "reports/judge/time_words.h"

namespace holdfast::judge {

struct Judge::Scratch {
  Timeline timeline;
  Workspace workspace;
  Judgement judgement;
  std::vector<Witness> spare;
};

Judge::Judge() : scratch_(new Scratch()) {}
Judge::~Judge() { delete scratch_; }

namespace {

// The worst of all pairs. Promises that overlap while nobody is hurt are told only when nobody is.
Blame worst_blame(const Judgement& judgement) {
  Blame worst = Blame::none;
  for (const Witness& witness : judgement[Invariant::mutual_exclusion].witnesses) {
    if (witness.blame == Blame::lock_lied) return Blame::lock_lied;
    if (worst == Blame::none) worst = witness.blame;
  }
  for (const Witness& witness : judgement[Invariant::promise].witnesses) {
    if (witness.blame == Blame::lock_lied) return Blame::lock_lied;
    if (worst == Blame::none) worst = witness.blame;
  }
  return worst;
}

Moment first(const Case& one, history::Kind kind, std::size_t fault) {
  for (const EventIndex index : one.timeline.faults) {
    const Event& event = one.event(index);
    if (event.kind == kind && event.a == static_cast<std::int64_t>(fault)) return {event.at, index};
  }
  return {};
}

// Why the fault proves nothing; empty when it has taken effect. Nobody is left whom a fault could
// hurt that strikes after the last client was done.
std::string without_effect(const Case& one, std::size_t fault) {
  const Moment fired = first(one, history::Kind::fault_fired, fault);
  if (!fired.happened()) return " did not fire";
  const Nanos over = one.timeline.clients_over;
  if (over >= 0 && fired.at > over) {
    return " struck at " + instant_text(fired.at) + ", after the last client was done at " +
           instant_text(over);
  }
  const bool proved = first(one, history::Kind::fault_proved, fault).happened();
  return proved ? "" : " was not proved to have taken effect";
}

// What makes the run prove nothing; empty when it proves something.
std::string vacuity(const Case& one, std::string_view unmet_requires) {
  const auto& setup = one.history.setup;
  for (std::size_t i = 0; i < setup.fault_unconditional.size(); ++i) {
    if (!setup.fault_unconditional[i]) continue;
    const std::string why = without_effect(one, i + 1);
    if (why.empty()) continue;
    const auto& texts = one.history.fault_text;
    std::string fault = "fault " + std::to_string(i + 1);
    if (i + 1 < texts.size() && !texts[i + 1].empty()) fault += " (" + texts[i + 1] + ")";
    return fault + why;
  }
  if (!unmet_requires.empty()) return "did not occur: " + std::string(unmet_requires);
  return {};
}

RunVerdict verdict_of(const Case& one, std::string_view unmet_requires) {
  Judgement& judgement = one.judgement;
  judgement.vacuous_because = vacuity(one, unmet_requires);
  for (const Finding& finding : judgement.findings) {
    if (finding.state == State::violated) return RunVerdict::violated;
  }
  if (one.timeline.environment_failed != kNoEvent) return RunVerdict::environment_failure;
  if (one.timeline.out_of_budget) return RunVerdict::out_of_budget;
  return judgement.vacuous_because.empty() ? RunVerdict::no_violation : RunVerdict::vacuous;
}

}  // namespace

const Judgement& Judge::judge(const history::History& history, std::string_view unmet_requires) {
  Judgement& judgement = scratch_->judgement;
  for (Finding& finding : judgement.findings) {
    for (Witness& witness : finding.witnesses) scratch_->spare.push_back(std::move(witness));
    finding.witnesses.clear();
  }
  scratch_->timeline.build(history);
  Case one(history, scratch_->timeline, judgement, scratch_->workspace, scratch_->spare);
  mutual_exclusion(one);
  promise(one);
  backed(one);
  stale_write(one);
  foreign_touch(one);
  zombie_renewal(one);
  leak(one);
  progress(one);
  late_loss(one);
  validity(one);
  bounded_calls(one);
  count_grants(one);
  judgement.blame = worst_blame(judgement);
  judgement.verdict = verdict_of(one, unmet_requires);
  return judgement;
}

}  // namespace holdfast::judge
