// Sentences of the invariants that two clients break together: mutual-exclusion, promise,
// stale-write.
#include <fmt/format.h>

#include "reports/explain_sentence.h"
#include "reports/explain_words.h"

namespace holdfast::report {
namespace {

using history::Event;
using history::Kind;
using judge::Invariant;
using judge::Witness;

bool accepted_write(const Event& e) {
  return e.kind == Kind::access_executed && (e.flag & 3U) == 3U;
}

bool refused_access(const Event& e) {
  return e.kind == Kind::access_executed && (e.flag & 2U) == 0;
}

// "A (token 7, since 2.103 s)".
std::string party(const Record& record, history::ActorId actor, history::GrantId id,
                  history::Nanos since) {
  const Grant* grant = record.grant(id);
  const std::string who = actor_name(record.history, actor);
  if (grant != nullptr && grant->fencing != 0) {
    return fmt::format("{} (token {}, since {})", who, grant->fencing, seconds(since));
  }
  return fmt::format("{} (since {})", who, seconds(since));
}

std::string late_clause(const Record& record, const LateWrite& write) {
  if (write.late == kNoEvent) return "";
  const Event& late = record.event(write.late);
  const Event& other = record.event(write.later_owner);
  const std::string a = actor_name(record.history, late.actor);
  const std::string b = actor_name(record.history, other.actor);
  const bool is_write = (late.flag & 1U) != 0;
  const std::string when = seconds(late.at);
  if (!write.accepted) {
    return fmt::format("; at {} {}'s late {} was refused: its fencing token {} is older than {}",
                       when, a, is_write ? "write" : "read", late.b, other.b);
  }
  if (late.b != 0 && other.b != 0) {
    return fmt::format("; at {} {} wrote value {} with token {} after token {} had been accepted",
                       when, a, late.a, late.b, other.b);
  }
  return fmt::format("; at {} {} wrote value {} after {}'s write had been accepted", when, a,
                     late.a, b);
}

// Both grants are of one lock: its name; else the guarded resource that two locks guard.
std::string shared_resource(const Record& record, const Witness& witness) {
  const Grant* first = record.grant(witness.first_grant);
  const Grant* second = record.grant(witness.second_grant);
  const bool one_lock =
      first != nullptr && second != nullptr && first->resource == second->resource;
  return resource_name(record.history, one_lock ? first->resource : witness.resource);
}

std::string stale(const Record& record, const Witness& witness) {
  LateWrite write = late_write(record, witness.first_grant, witness.second_grant);
  if (write.late == kNoEvent || !write.accepted) {
    write = late_write(record, witness.second_grant, witness.first_grant);
  }
  const std::string what = resource_name(record.history, witness.resource);
  const std::string a = actor_name(record.history, witness.first_actor);
  const std::string b = actor_name(record.history, witness.second_actor);
  if (write.late == kNoEvent) {
    return fmt::format("At {} {} accepted a write of {} after one of {}, which had acquired later",
                       seconds(witness.overlap.begin), what, a, b);
  }
  const Event& late = record.event(write.late);
  const Event& other = record.event(write.later_owner);
  const auto token = [](const Event& e) {
    return e.b == 0 ? std::string() : fmt::format(" (token {})", e.b);
  };
  std::string text = fmt::format("At {} {} accepted {}'s write of value {}{}", seconds(late.at),
                                 resource_name(record.history, late.resource),
                                 actor_name(record.history, late.actor), late.a, token(late));
  text += fmt::format(", although it had accepted {}'s write of value {}{} at {}",
                      actor_name(record.history, other.actor), other.a, token(other),
                      seconds(other.at));
  const Grant* first = record.grant(late.grant);
  const Grant* second = record.grant(other.grant);
  if (first != nullptr && second != nullptr && first->acquired && second->acquired) {
    text += fmt::format(
        "; {} had acquired at {}, {} at {}", actor_name(record.history, first->actor),
        seconds(record.event(first->returned).at), actor_name(record.history, second->actor),
        seconds(record.event(second->returned).at));
  }
  return text;
}

}  // namespace

LateWrite late_write(const Record& record, history::GrantId first, history::GrantId second) {
  LateWrite refused;
  EventIndex later_owner = kNoEvent;
  for (EventIndex i = 0; i < record.history.events.size(); ++i) {
    const Event& e = record.event(i);
    if (e.kind != Kind::access_executed || e.grant == 0) continue;
    if (e.grant == second && accepted_write(e)) later_owner = i;
    if (e.grant != first || later_owner == kNoEvent) continue;
    if (e.resource != record.event(later_owner).resource) continue;
    if (accepted_write(e)) return {later_owner, i, true};
    if (refused_access(e) && refused.late == kNoEvent) refused = {later_owner, i, false};
  }
  return refused;
}

std::string sentence_of_pair(const Record& record, Invariant invariant, const Witness& witness) {
  if (invariant == Invariant::stale_write) return stale(record, witness);
  const LateWrite write = late_write(record, witness.first_grant, witness.second_grant);
  const std::string at = seconds(witness.overlap.begin);
  const std::string both = fmt::format(
      "{} and {}", party(record, witness.first_actor, witness.first_grant, witness.first.begin),
      party(record, witness.second_actor, witness.second_grant, witness.second.begin));
  const std::string what = shared_resource(record, witness);
  const std::string overlap = span(witness.overlap.end - witness.overlap.begin);
  if (invariant == Invariant::promise) {
    return fmt::format("At {} {} was promised to two clients at once: {}; overlap {}{}", at, what,
                       both, overlap, late_clause(record, write));
  }
  return fmt::format("At {} two clients held {}: {}; overlap {}{}", at, what, both, overlap,
                     late_clause(record, write));
}

}  // namespace holdfast::report
