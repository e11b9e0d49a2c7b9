#include "reports/explain.h"

#include <fmt/format.h>

#include "reports/explain_causes.h"
#include "reports/explain_loss.h"
#include "reports/explain_record.h"
#include "reports/explain_sentence.h"
#include "reports/explain_words.h"
#include "reports/report.h"

namespace holdfast::report {
namespace {

using judge::Blame;
using judge::Invariant;
using judge::Witness;

// The blame is the run's worst: so must be the pair that is told of.
const Witness& telling(const judge::Judgement& judgement, Invariant invariant) {
  const auto& witnesses = judgement[invariant].witnesses;
  for (const Witness& witness : witnesses) {
    if (witness.blame == judgement.blame) return witness;
  }
  return witnesses.front();
}

// Whether the invariant is about holders that meet, and so about whose fault that was.
bool has_blame(Invariant invariant) {
  return invariant == Invariant::mutual_exclusion || invariant == Invariant::promise ||
         invariant == Invariant::stale_write || invariant == Invariant::backed;
}

const Witness* lost_backing(const judge::Judgement& judgement, history::GrantId grant) {
  for (const Witness& witness : judgement[Invariant::backed].witnesses) {
    if (witness.first_grant == grant) return &witness;
  }
  return nullptr;
}

// What the blame leaves out: that servers had lost the key before the application outlived its
// lease, and that the application had been told.
std::string whole_blame(const Record& record, const judge::Judgement& judgement,
                        const Witness& pair) {
  std::string text(blame_text(judgement.blame));
  const Grant* holder = record.grant(pair.first_grant);
  if (judgement.blame != Blame::application_outlived_lease || holder == nullptr) return text;
  const IgnoredLoss ignored = ignored_loss(record, *holder);
  if (ignored.written != kNoEvent) {
    text = fmt::format("{}; it ignored the loss that it was told of at {}{}", text,
                       seconds(record.event(ignored.told).at),
                       record.history.setup.world.empty() ? "" : " (obey_loss is off)");
  }
  if (const Witness* lost = lost_backing(judgement, holder->id)) {
    text = fmt::format("servers lost its key, which was not backed from {} until {}; then {}",
                       seconds(lost->overlap.begin), seconds(lost->overlap.end), text);
  }
  return text;
}

void add_also(const Record& record, const judge::Judgement& judgement, Explanation& explanation) {
  for (const Invariant invariant : kByStrength) {
    const judge::Finding& finding = judgement[invariant];
    if (invariant == explanation.invariant || finding.witnesses.empty()) continue;
    explanation.also.push_back(
        {invariant, sentence(record, invariant, telling(judgement, invariant))});
  }
}

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

std::string_view blame_word(Blame blame) {
  switch (blame) {
    case Blame::none:
      return "";
    case Blame::application_outlived_lease:
      return "outlived";
    case Blame::lock_lied:
      return "lied";
    case Blame::lied_nobody_hurt:
      return "lied, nobody hurt";
  }
  return "";
}

Explanation explain(const history::History& history, const judge::Judgement& judgement,
                    std::optional<Invariant> focus) {
  Explanation explanation;
  std::size_t found = strongest(judgement);
  if (focus && judgement[*focus].state == judge::State::violated) {
    found = static_cast<std::size_t>(*focus);
  }
  if (found == judge::kInvariants) {
    explanation.sentence = "No invariant was violated.";
    return explanation;
  }
  explanation.invariant = static_cast<Invariant>(found);
  if (has_blame(explanation.invariant)) explanation.blame = judgement.blame;
  explanation.blame_text = std::string(blame_text(explanation.blame));
  const judge::Finding& finding = judgement.findings[found];
  if (finding.witnesses.empty()) {
    explanation.sentence = std::string(judge::one_line(explanation.invariant)) + ": not so here";
    return explanation;
  }
  const Record record(history);
  const Witness& witness = telling(judgement, explanation.invariant);
  explanation.sentence = sentence(record, explanation.invariant, witness);
  if (has_blame(explanation.invariant)) {
    explanation.blame_text = whole_blame(record, judgement, witness);
  }
  explanation.causes = causes(record, explanation.invariant, witness);
  add_also(record, judgement, explanation);
  return explanation;
}

}  // namespace holdfast::report
