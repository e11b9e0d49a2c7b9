#include "reports/explain.h"

#include "reports/explain_causes.h"
#include "reports/explain_record.h"
#include "reports/explain_sentence.h"
#include "reports/report.h"

namespace holdfast::report {
namespace {

using judge::Invariant;

constexpr Invariant kByStrength[] = {
    Invariant::mutual_exclusion, Invariant::promise,        Invariant::stale_write,
    Invariant::backed,           Invariant::foreign_touch,  Invariant::validity,
    Invariant::late_loss,        Invariant::zombie_renewal, Invariant::leak,
    Invariant::progress,         Invariant::bounded_calls};
static_assert(std::size(kByStrength) == judge::kInvariants);

}  // namespace

std::size_t strongest(const judge::Judgement& judgement) {
  for (const Invariant invariant : kByStrength) {
    if (judgement[invariant].state == judge::State::violated) {
      return static_cast<std::size_t>(invariant);
    }
  }
  return judge::kInvariants;
}

std::string_view blame_text(judge::Blame blame) {
  switch (blame) {
    case judge::Blame::none:
      return "";
    case judge::Blame::application_outlived_lease:
      return "the application outlived its lease: its promise had ended, its code went on";
    case judge::Blame::lock_lied:
      return "the lock lied: both clients had its promise at the same time";
    case judge::Blame::lied_nobody_hurt:
      return "the lock lied, nobody was hurt: both had its promise, their sections did not meet";
  }
  return "";
}

Explanation explain(const history::History& history, const judge::Judgement& judgement) {
  Explanation explanation;
  const std::size_t found = strongest(judgement);
  explanation.blame = judgement.blame;
  explanation.blame_text = std::string(blame_text(judgement.blame));
  if (found == judge::kInvariants) {
    explanation.sentence = "No invariant was violated.";
    return explanation;
  }
  explanation.invariant = static_cast<Invariant>(found);
  const judge::Finding& finding = judgement.findings[found];
  if (finding.witnesses.empty()) {
    explanation.sentence = std::string(judge::one_line(explanation.invariant)) + ": not so here";
    return explanation;
  }
  const Record record(history);
  const judge::Witness& witness = finding.witnesses.front();
  explanation.sentence = sentence(record, explanation.invariant, witness);
  explanation.causes = causes(record, explanation.invariant, witness);
  return explanation;
}

}  // namespace holdfast::report
