#include "reports/explain_causes.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "reports/explain_absence.h"
#include "reports/explain_chain.h"
#include "reports/explain_loss.h"
#include "reports/explain_sentence.h"
#include "reports/explain_words.h"

namespace holdfast::report {
namespace {

using history::Event;
using history::Kind;
using history::NodeId;
using judge::Invariant;
using judge::Witness;

// The first event after the instant: everything of the instant itself is before it.
EventIndex index_after(const Record& record, history::Nanos at) {
  EventIndex index = 0;
  while (index < record.history.events.size() && record.event(index).at <= at) ++index;
  return index;
}

// Servers whose keys made the grant's acquire succeed: masters at its return that had taken its
// token by then (not replicas that had copied it).
std::vector<NodeId> voters(const Record& record, const Grant& grant) {
  const history::LockSetup* lock = record.lock(grant.resource);
  std::vector<NodeId> nodes;
  if (lock == nullptr) return nodes;
  for (const NodeId node : record.masters(*lock, grant.returned)) {
    const bool took =
        std::any_of(record.holdings.begin(), record.holdings.end(), [&](const Holding& holding) {
          return holding.node == node && holding.grant == grant.id && holding.set < grant.returned;
        });
    if (took) nodes.push_back(node);
  }
  return nodes;
}

std::string acquired_text(const Record& record, const Grant& grant, const std::string& tail) {
  std::string text = fmt::format("{} acquired {}", actor_name(record.history, grant.actor),
                                 resource_name(record.history, grant.resource));
  const history::LockSetup* lock = record.lock(grant.resource);
  if (lock != nullptr && lock->nodes.size() > 1) {
    std::vector<std::string> names;
    for (const NodeId node : voters(record, grant))
      names.push_back(node_name(record.history, node));
    if (!names.empty()) text += " on " + listed(names);
  }
  if (grant.fencing != 0) text += fmt::format(" with token {}", grant.fencing);
  return text + tail;
}

void add_acquired(Chain& chain, const Record& record, const Grant& grant, int weight) {
  if (!grant.acquired) {
    chain.add(grant.called, weight);
    return;
  }
  std::string until;
  if (grant.valid_until >= 0) {
    until = fmt::format("; its lease ran until {}", seconds(grant.valid_until));
  }
  chain.add(grant.returned, weight, acquired_text(record, grant, until));
}

// What the first owner did after the second had come in.
void add_aftermath(Chain& chain, const Record& record, const Grant& first, const Grant& second) {
  const LateWrite write = late_write(record, first.id, second.id);
  EventIndex to = first.section_end == kNoEvent
                      ? static_cast<EventIndex>(record.history.events.size())
                      : first.section_end;
  if (write.late != kNoEvent) {
    chain.add(write.later_owner, weight::kAccess);
    std::string late = describe(record.history, record.event(write.late));
    if (write.accepted)
      late += fmt::format(", after {}'s", actor_name(record.history, second.actor));
    chain.add(write.late, weight::kViolation, late);
    to = write.late;
  }
  for (EventIndex i = second.returned; i < to; ++i) {
    const Event& e = record.event(i);
    if (e.kind != Kind::process_resumed || e.actor != first.actor) continue;
    chain.add(i, weight::kContext,
              fmt::format("{} ran again and went on as if nothing had happened",
                          actor_name(record.history, first.actor)));
    break;
  }
}

// That it was told of its loss and wrote all the same.
void add_ignored_loss(Chain& chain, const Record& record, const Grant& grant) {
  const IgnoredLoss ignored = ignored_loss(record, grant);
  if (ignored.written == kNoEvent) return;
  const Event& told = record.event(ignored.told);
  const std::string_view how =
      told.kind == Kind::held_returned ? "held() returned false" : loss_reason_name(told.a);
  chain.add(ignored.told, weight::kOrigin,
            fmt::format("{} was told that it had lost {} ({}), and wrote all the same at {}",
                        actor_name(record.history, grant.actor),
                        resource_name(record.history, grant.resource), how,
                        seconds(record.event(ignored.written).at)));
}

// An acquire that returned when its own keys were gone already: something had held it up.
void add_belated(Chain& chain, const Record& record, const Grant& grant) {
  const history::LockSetup* lock = record.lock(grant.resource);
  if (lock == nullptr) return;
  add_effects(chain, record, {{grant.actor}, {}, grant.called, grant.returned}, weight::kFault);
  std::size_t held = 0;
  const std::vector<NodeId> nodes = voters(record, grant);
  for (const NodeId node : nodes) {
    const Holding* holding = record.held_at(node, grant.resource, grant.returned);
    held += holding != nullptr && holding->grant == grant.id ? 1 : 0;
  }
  if (held < lock->quorum) add_absence(chain, record, grant, nodes, grant.returned);
}

// Its key was taken by servers that were the lock's masters no more: they came back, or had been
// cut off, while another was promoted. Whose keys would have been in the way then.
std::vector<NodeId> add_strays(Chain& chain, const Record& record, const Grant& grant) {
  const history::LockSetup* lock = record.lock(grant.resource);
  if (lock == nullptr) return {};
  std::vector<NodeId> masters = record.masters(*lock, grant.returned);
  std::vector<std::string> names;
  for (const NodeId master : masters) names.push_back(node_name(record.history, master));
  for (const Holding& holding : record.holdings) {
    if (holding.grant != grant.id || holding.set >= grant.returned) continue;
    chain.add(holding.set, weight::kKeyEnd,
              fmt::format("{} took {}'s key, though {} was the master by then",
                          node_name(record.history, holding.node),
                          actor_name(record.history, grant.actor), listed(names)));
  }
  return masters;
}

void of_pair(Chain& chain, const Record& record, const Witness& witness) {
  const Grant* first = record.grant(witness.first_grant);
  const Grant* second = record.grant(witness.second_grant);
  if (first == nullptr || second == nullptr || !second->acquired) return;
  add_acquired(chain, record, *first, weight::kAcquire);
  const std::string other = actor_name(record.history, first->actor);
  const judge::Interval section = record.section(*first);
  const history::Nanos came = record.event(second->returned).at;
  std::string tail;
  if (section.begin <= came && came < section.end) {
    tail = fmt::format(" while {} was still inside its section", other);
  }
  chain.add(second->returned, weight::kViolation, acquired_text(record, *second, tail));
  std::vector<NodeId> nodes = voters(record, *second);
  if (nodes.empty()) nodes = add_strays(chain, record, *second);
  add_absence(chain, record, *first, nodes, second->returned);
  add_belated(chain, record, *second);
  add_effects(chain, record, {{first->actor}, {}, first->called, second->returned},
              weight::kOrigin);
  if (first->promise_end != kNoEvent && first->promise_end < second->returned) {
    const Kind ended = record.event(first->promise_end).kind;
    if (ended == Kind::valid_until_reached || ended == Kind::lost_told) {
      chain.add(first->promise_end, weight::kContext);
    }
  }
  add_ignored_loss(chain, record, *first);
  add_aftermath(chain, record, *first, *second);
}

void of_backed(Chain& chain, const Record& record, const Witness& witness) {
  const Grant* grant = record.grant(witness.first_grant);
  if (grant == nullptr) return;
  add_acquired(chain, record, *grant, weight::kAcquire);
  const EventIndex index = index_after(record, witness.overlap.begin);
  const history::LockSetup* lock = record.lock(grant->resource);
  if (lock != nullptr) add_absence(chain, record, *grant, record.masters(*lock, index), index);
  if (grant->last_renewed != kNoEvent && grant->last_renewed < index) {
    chain.add(grant->last_renewed, weight::kContext);
  }
}

void of_touch(Chain& chain, const Record& record, const Witness& witness) {
  const Grant* victim = record.grant(witness.second_grant);
  EventIndex touch = kNoEvent;
  for (const std::uint32_t index : witness.events) {
    if (index >= record.history.events.size()) continue;
    const Kind kind = record.event(index).kind;
    if (kind == Kind::key_deleted || kind == Kind::key_ttl_changed || kind == Kind::key_set) {
      touch = index;
    }
  }
  if (victim != nullptr) {
    add_acquired(chain, record, *victim, weight::kAcquire);
    if (touch != kNoEvent) {
      add_absence(chain, record, *victim, {record.event(touch).node}, touch + 1);
    }
  }
  chain.add(touch, weight::kViolation);
  const Grant* toucher = record.grant(witness.first_grant);
  if (toucher != nullptr) add_acquired(chain, record, *toucher, weight::kOrigin);
}

// Invariants of one client, or of a key that stays: the calls of its grant, the key in question and
// every fault that concerned it or its servers.
void of_one(Chain& chain, const Record& record, const Witness& witness, EventIndex violation) {
  const Grant* grant = record.grant(witness.first_grant);
  Around around{{witness.first_actor}, {}, 0, violation};
  if (witness.second_actor != 0) around.actors.push_back(witness.second_actor);
  if (grant != nullptr) {
    add_acquired(chain, record, *grant, weight::kAcquire);
    chain.add(grant->called, weight::kFiller);
    for (const EventIndex index :
         {grant->release_called, grant->lost_told, grant->promise_end, grant->release_returned}) {
      if (index != kNoEvent && index <= violation) chain.add(index, weight::kContext);
    }
    const history::LockSetup* lock = record.lock(grant->resource);
    if (lock != nullptr) around.nodes = record.masters(*lock, violation);
  }
  if (witness.node != 0) around.nodes.push_back(witness.node);
  add_effects(chain, record, around, weight::kFault);
}

std::string kept_text(const Record& record, const Holding& holding) {
  const std::string node = node_name(record.history, holding.node);
  const std::string who = actor_name(record.history, holding.actor);
  const history::Nanos deadline = holding.deadlines.front().deadline;
  const std::string until =
      deadline < 0 ? std::string("without TTL") : "to expire at " + seconds(deadline);
  // Nobody's command: loaded at a restart, or copied from a master.
  const bool by_client = record.event(holding.set).actor != 0;
  return fmt::format("{} {} {}'s key, {}", node, by_client ? "took" : "came to hold", who, until);
}

// The key that stands in the way, or that should have gone.
void of_standing_key(Chain& chain, const Record& record, const Witness& witness,
                     EventIndex violation) {
  const Grant* grant = record.grant(witness.first_grant);
  const history::ResourceId lock = grant != nullptr ? grant->resource : witness.resource;
  for (const Holding& holding : record.holdings) {
    if (holding.resource != lock || holding.set >= violation) continue;
    if (holding.end != kNoEvent && holding.end < violation) continue;
    if (witness.node != 0 && holding.node != witness.node) continue;
    chain.add(holding.set, weight::kViolation, kept_text(record, holding));
    Around around{{holding.actor}, {holding.node}, 0, violation};
    add_effects(chain, record, around, weight::kFault);
  }
}

// Until when each server would keep the key, by its own clock.
void of_validity(Chain& chain, const Record& record, const Witness& witness) {
  for (const Holding& holding : record.holdings) {
    if (holding.grant != witness.first_grant || holding.grant == 0) continue;
    for (const Holding::Deadline& kept : holding.deadlines) {
      if (kept.at > witness.overlap.begin || kept.deadline < 0) continue;
      chain.add(kept.event, weight::kKeyEnd,
                fmt::format("{} took {}'s key and would drop it at {} by its own clock",
                            node_name(record.history, holding.node),
                            actor_name(record.history, holding.actor), seconds(kept.deadline)));
    }
  }
}

EventIndex violation_index(const Record& record, const Witness& witness) {
  EventIndex index = index_after(record, witness.overlap.begin);
  for (const std::uint32_t event : witness.events) {
    if (event < record.history.events.size()) index = std::max(index, event + 1);
  }
  return index;
}

}  // namespace

std::vector<Cause> causes(const Record& record, Invariant invariant, const Witness& witness) {
  Chain chain(record);
  const EventIndex violation = violation_index(record, witness);
  switch (invariant) {
    case Invariant::mutual_exclusion:
    case Invariant::promise:
    case Invariant::stale_write:
      of_pair(chain, record, witness);
      break;
    case Invariant::backed:
      of_backed(chain, record, witness);
      break;
    case Invariant::foreign_touch:
      of_touch(chain, record, witness);
      break;
    case Invariant::leak:
    case Invariant::progress:
      of_one(chain, record, witness, violation);
      of_standing_key(chain, record, witness, violation);
      break;
    case Invariant::validity:
      of_validity(chain, record, witness);
      of_one(chain, record, witness, violation);
      break;
    case Invariant::zombie_renewal:
    case Invariant::late_loss:
    case Invariant::bounded_calls:
      of_one(chain, record, witness, violation);
      break;
  }
  const bool pair = invariant <= Invariant::stale_write && invariant != Invariant::backed;
  for (std::size_t i = 0; i < witness.events.size(); ++i) {
    const bool last = i + 1 == witness.events.size();
    const int weight = last && !pair ? weight::kViolation : weight::kFiller;
    Around itself{{}, {}, witness.events[i], witness.events[i] + 1};
    if (witness.events[i] < record.history.events.size()) {
      itself.actors.push_back(record.event(witness.events[i]).actor);
      itself.nodes.push_back(record.event(witness.events[i]).node);
    }
    chain.add(witness.events[i], weight);
    add_effects(chain, record, itself, weight);
  }
  chain.add_loose_faults(violation);
  return chain.causes();
}

}  // namespace holdfast::report
