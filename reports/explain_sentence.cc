#include "reports/explain_sentence.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/explain_words.h"

namespace holdfast::report {
namespace {

using history::Event;
using history::Kind;
using judge::Invariant;
using judge::Witness;

// The last event of the witness that is of one of these kinds; kNoEvent when there is none.
template <typename... Kinds>
EventIndex witness_event(const Record& record, const Witness& witness, Kinds... kinds) {
  for (auto it = witness.events.rbegin(); it != witness.events.rend(); ++it) {
    if (*it >= record.history.events.size()) continue;
    const Kind kind = record.event(*it).kind;
    if (((kind == kinds) || ...)) return *it;
  }
  return kNoEvent;
}

const Grant* first_grant(const Record& record, const Witness& witness) {
  return record.grant(witness.first_grant);
}

std::string lock_name(const Record& record, const Witness& witness) {
  const Grant* grant = first_grant(record, witness);
  const bool known = grant != nullptr && grant->resource != 0;
  return resource_name(record.history, known ? grant->resource : witness.resource);
}

std::string backed(const Record& record, const Witness& witness) {
  const std::string who = actor_name(record.history, witness.first_actor);
  const Grant* grant = first_grant(record, witness);
  const history::LockSetup* lock = grant == nullptr ? nullptr : record.lock(grant->resource);
  const std::string tail =
      fmt::format("From {} until {} {} believed that it holds {}", seconds(witness.overlap.begin),
                  seconds(witness.overlap.end), who, lock_name(record, witness));
  if (lock == nullptr) return tail + ", and too few servers agreed";
  // The state just after the last event of that instant.
  EventIndex index = 0;
  while (index < record.history.events.size() && record.event(index).at <= witness.overlap.begin) {
    ++index;
  }
  std::vector<std::string> yes;
  std::vector<std::string> no;
  for (const history::NodeId node : record.masters(*lock, index)) {
    const Holding* held = record.held_at(node, grant->resource, index);
    const bool own = held != nullptr && held->grant == grant->id;
    (own ? yes : no).push_back(node_name(record.history, node));
  }
  if (lock->nodes.size() == 1) {
    return fmt::format("{}, but {}, the server that clients were told to ask, did not hold its key",
                       tail, listed(no));
  }
  return fmt::format("{}, but {} of {} servers held its key ({} needed){}{}", tail, yes.size(),
                     lock->nodes.size(), lock->quorum, no.empty() ? "" : "; missing on ",
                     listed(no));
}

std::string foreign_touch(const Record& record, const Witness& witness) {
  const EventIndex index =
      witness_event(record, witness, Kind::key_deleted, Kind::key_ttl_changed, Kind::key_set);
  const std::string a = actor_name(record.history, witness.first_actor);
  std::string owner = actor_name(record.history, witness.second_actor);
  std::string did = "touched";
  history::NodeId node = witness.node;
  history::Nanos at = witness.overlap.begin;
  std::string since;
  if (index != kNoEvent) {
    const Event& e = record.event(index);
    did = e.kind == Kind::key_deleted
              ? "deleted"
              : (e.kind == Kind::key_set ? "overwrote" : "changed the TTL of");
    node = e.node;
    at = e.at;
    const Holding* held = record.held_at(e.node, e.resource, index);
    if (held != nullptr) {
      since = fmt::format(" since {}", seconds(held->from));
      if (witness.second_actor == 0) owner = actor_name(record.history, held->actor);
    }
  }
  return fmt::format("At {} {} {} the key {} on {}, which was {}'s{}", seconds(at), a, did,
                     lock_name(record, witness), node_name(record.history, node), owner, since);
}

std::string validity(const Record& record, const Witness& witness) {
  const EventIndex index = witness_event(record, witness, Kind::validity_checked);
  const std::string who = actor_name(record.history, witness.first_actor);
  const std::string lock = lock_name(record, witness);
  if (index == kNoEvent) {
    return fmt::format("At {} {} was told a longer lease of {} than a quorum would keep",
                       seconds(witness.overlap.begin), who, lock);
  }
  const Event& e = record.event(index);
  std::string kept;
  for (const Holding& holding : record.holdings) {
    if (holding.grant != witness.first_grant || holding.grant == 0) continue;
    const auto deadline = std::find_if(holding.deadlines.rbegin(), holding.deadlines.rend(),
                                       [index](const auto& d) { return d.event < index; });
    if (deadline == holding.deadlines.rend() || deadline->deadline < 0) continue;
    kept += fmt::format("{}{} until {}", kept.empty() ? ": " : ", ",
                        node_name(record.history, holding.node), seconds(deadline->deadline));
  }
  return fmt::format(
      "At {} {}'s {} of {} was said to last until {}, longer than a quorum of servers "
      "would keep its key by their own clocks{}",
      seconds(e.at), who, e.b == 1 ? "renewal" : "lease", lock, seconds(e.a), kept);
}

std::string late_loss(const Record& record, const Witness& witness) {
  const EventIndex held = witness_event(record, witness, Kind::held_returned);
  const std::string who = actor_name(record.history, witness.first_actor);
  const std::string lock = lock_name(record, witness);
  const Grant* grant = first_grant(record, witness);
  const std::string ended = grant != nullptr && grant->promise_end != kNoEvent
                                ? seconds(record.event(grant->promise_end).at)
                                : seconds(witness.first.end);
  if (held != kNoEvent) {
    return fmt::format(
        "At {} {} was told that it still holds {}, although its promise had ended at {}",
        seconds(record.event(held).at), who, lock, ended);
  }
  return fmt::format(
      "At {} {} ran on without being told that {} was lost: its promise had ended at {}",
      seconds(witness.overlap.begin), who, lock, ended);
}

std::string zombie(const Record& record, const Witness& witness) {
  const EventIndex sent =
      witness_event(record, witness, Kind::renewal_sent, Kind::key_ttl_changed, Kind::key_set);
  const Grant* grant = first_grant(record, witness);
  std::string after;
  if (grant != nullptr && grant->release_called != kNoEvent) {
    after = fmt::format("it had begun to release it at {}",
                        seconds(record.event(grant->release_called).at));
  } else if (grant != nullptr && grant->lost_told != kNoEvent) {
    after = fmt::format("it had been told of its loss at {}",
                        seconds(record.event(grant->lost_told).at));
  } else {
    after = fmt::format("its hold had ended at {}", seconds(witness.first.end));
  }
  const bool changed = sent != kNoEvent && record.event(sent).kind != Kind::renewal_sent;
  return fmt::format("At {} {} {} {}, although {}",
                     seconds(sent == kNoEvent ? witness.overlap.begin : record.event(sent).at),
                     actor_name(record.history, witness.first_actor),
                     changed ? "still changed the key" : "sent a renewal of",
                     lock_name(record, witness), after);
}

std::string leak(const Record& record, const Witness& witness) {
  const std::string node = node_name(record.history, witness.node);
  const std::string lock = lock_name(record, witness);
  const std::string who = actor_name(record.history, witness.first_actor);
  const Holding* kept = nullptr;
  for (const Holding& holding : record.holdings) {
    if (holding.node != witness.node) continue;
    if (witness.first_actor != 0 && holding.actor != witness.first_actor) continue;
    if (holding.from <= witness.overlap.begin && holding.until >= witness.overlap.begin) {
      kept = &holding;
    }
  }
  const bool without_ttl = kept != nullptr && kept->deadlines.back().deadline == -1;
  if (without_ttl) {
    return fmt::format(
        "At {} {} held {} with {}'s token and no TTL: nothing would ever remove it{}",
        seconds(witness.overlap.begin), node, lock, who,
        kept->end == kNoEvent
            ? fmt::format("; still there at the run's end, {}", seconds(record.end))
            : "");
  }
  return fmt::format("At {} {} still held {} with {}'s token, after {} had given it up{}",
                     seconds(witness.overlap.begin), node, lock, who, who,
                     kept != nullptr && kept->end != kNoEvent
                         ? fmt::format("; it went at {}", seconds(kept->until))
                         : "");
}

std::string progress(const Record& record, const Witness& witness) {
  const Grant* grant = first_grant(record, witness);
  const std::string lock = lock_name(record, witness);
  std::string text =
      fmt::format("{} waited {} for {} and nobody got it, although nobody held a promise",
                  actor_name(record.history, witness.first_actor),
                  span(witness.overlap.end - witness.overlap.begin), lock);
  text = fmt::format("From {} to {} {}", seconds(witness.overlap.begin),
                     seconds(witness.overlap.end), text);
  const history::LockSetup* setup = grant == nullptr ? nullptr : record.lock(grant->resource);
  if (setup == nullptr) return text;
  EventIndex index = 0;
  while (index < record.history.events.size() && record.event(index).at < witness.overlap.end) {
    ++index;
  }
  std::vector<std::string> nodes;
  std::string whose;
  for (const history::NodeId node : record.masters(*setup, index)) {
    const Holding* held = record.held_at(node, grant->resource, index);
    if (held == nullptr) continue;
    nodes.push_back(node_name(record.history, node));
    whose = fmt::format("{}'s token{}", actor_name(record.history, held->actor),
                        held->deadlines.back().deadline == -1 ? " without TTL" : "");
  }
  if (nodes.empty()) return text + "; no key stood in the way";
  return fmt::format("{}; in the way: {} on {}", text, whose, listed(nodes));
}

std::string bounded_calls(const Record& record, const Witness& witness) {
  const EventIndex called =
      witness_event(record, witness, Kind::acquire_called, Kind::release_called);
  const std::string who = actor_name(record.history, witness.first_actor);
  const std::string lock = lock_name(record, witness);
  if (called == kNoEvent) {
    return fmt::format("A call of {} on {}, made at {}, outlived its bound at {}", who, lock,
                       seconds(witness.first.begin), seconds(witness.overlap.begin));
  }
  const Event& e = record.event(called);
  return fmt::format("{}'s {} of {}, called at {}, had not returned within its bound of {} at {}",
                     who, e.kind == Kind::acquire_called ? "acquire" : "release", lock,
                     seconds(e.at), span(e.a), seconds(witness.overlap.begin));
}

}  // namespace

std::string sentence(const Record& record, Invariant invariant, const Witness& witness) {
  switch (invariant) {
    case Invariant::mutual_exclusion:
    case Invariant::promise:
    case Invariant::stale_write:
      return sentence_of_pair(record, invariant, witness);
    case Invariant::backed:
      return backed(record, witness);
    case Invariant::foreign_touch:
      return foreign_touch(record, witness);
    case Invariant::zombie_renewal:
      return zombie(record, witness);
    case Invariant::leak:
      return leak(record, witness);
    case Invariant::progress:
      return progress(record, witness);
    case Invariant::late_loss:
      return late_loss(record, witness);
    case Invariant::validity:
      return validity(record, witness);
    case Invariant::bounded_calls:
      return bounded_calls(record, witness);
  }
  return "";
}

}  // namespace holdfast::report
