#include "reports/explain_absence.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "reports/explain_words.h"

namespace holdfast::report {
namespace {

using history::Event;
using history::Kind;
using history::NodeId;

// How the grant's keys on some servers ended: one line for all that ended alike.
struct Ending {
  Kind kind = Kind::none;  // none: they never held it
  EventIndex event = kNoEvent;
  std::vector<const Holding*> held = {};
  std::vector<NodeId> nodes = {};
};

constexpr history::Nanos kAlike = 100'000'000;  // ended within this: one line

const Holding* last_holding(const Record& record, const Grant& grant, NodeId node,
                            EventIndex index) {
  const Holding* found = nullptr;
  for (const Holding& holding : record.holdings) {
    if (holding.node == node && holding.grant == grant.id && holding.set < index) found = &holding;
  }
  return found;
}

bool alike(const Record& record, const Ending& ending, const Holding* held) {
  if (held == nullptr || ending.kind == Kind::none) return held == nullptr && ending.held.empty();
  const Event& a = record.event(ending.event);
  const Event& b = record.event(held->end);
  return a.kind == b.kind && a.actor == b.actor && b.at - a.at < kAlike && a.at - b.at < kAlike;
}

std::vector<Ending> endings(const Record& record, const Grant& grant,
                            const std::vector<NodeId>& nodes, EventIndex index) {
  std::vector<Ending> all;
  for (const NodeId node : nodes) {
    const Holding* held = last_holding(record, grant, node, index);
    // Still there, or ended later than the question was asked.
    if (held != nullptr && (held->end == kNoEvent || held->end > index)) continue;
    auto it = std::find_if(all.begin(), all.end(),
                           [&](const Ending& e) { return alike(record, e, held); });
    if (it == all.end()) {
      all.push_back({});
      it = all.end() - 1;
      if (held != nullptr) {
        it->kind = record.event(held->end).kind;
        it->event = held->end;
      }
    }
    it->nodes.push_back(node);
    if (held != nullptr) {
      it->held.push_back(held);
      it->event = std::min(it->event, held->end);
    }
  }
  return all;
}

std::vector<std::string> names(const Record& record, const std::vector<NodeId>& nodes) {
  std::vector<std::string> texts;
  texts.reserve(nodes.size());
  for (const NodeId node : nodes) texts.push_back(node_name(record.history, node));
  return texts;
}

bool paused_between(const Record& record, history::ActorId actor, history::Nanos from,
                    history::Nanos to, EventIndex& pause) {
  bool paused = false;
  for (EventIndex i = 0; i < record.history.events.size(); ++i) {
    const Event& e = record.event(i);
    if (e.actor != actor) continue;
    if (e.at >= to) break;
    if (e.kind == Kind::process_paused) {
      paused = true;
      pause = i;
    } else if (e.kind == Kind::process_resumed && e.at <= from) {
      paused = false;
    }
  }
  return paused;
}

// The key's TTL ran out by the server's own clock: early (the clock is to blame) or in time (why
// did nothing renew it?).
void add_expiry(Chain& chain, const Record& record, const Grant& grant, const Ending& ending) {
  const Holding& held = *ending.held.front();
  const history::LockSetup* lock = record.lock(grant.resource);
  const history::Nanos ttl = lock == nullptr ? 0 : lock->ttl;
  const Event& end = record.event(ending.event);
  const std::string who = actor_name(record.history, grant.actor);
  const std::string where = listed(names(record, ending.nodes));
  const history::Nanos early = held.deadlines.back().at + ttl - end.at;
  if (ttl > 0 && early > ttl / 1000 + 2'000'000) {
    for (EventIndex i = 0; i < ending.event; ++i) {
      const Event& e = record.event(i);
      const bool clock = e.kind == Kind::clock_stepped || e.kind == Kind::clock_rate;
      const bool here =
          std::find(ending.nodes.begin(), ending.nodes.end(), e.node) != ending.nodes.end();
      if (clock && here && e.a > 0) chain.add_effect(i, weight::kFault);
    }
    chain.add(
        ending.event, weight::kKeyEnd,
        fmt::format("{}'s key expired on {} by the server's own clock, {} before its TTL of {} "
                    "was over",
                    who, where, span(early), span(ttl)));
    return;
  }
  EventIndex pause = kNoEvent;
  const bool stopped = paused_between(record, grant.actor, held.deadlines.back().at, end.at, pause);
  const bool watchdog = lock == nullptr || lock->watchdog;
  std::string why = watchdog ? "; no renewal had reached it" : "; no watchdog renewed it";
  if (stopped) {
    why = watchdog ? fmt::format("; {} was stopped and could not renew it", who)
                   : fmt::format("; no watchdog renewed it, and {} was stopped", who);
    chain.add_effect(pause, weight::kFault);
  }
  Around around{{grant.actor}, {}, held.set, ending.event};
  for (const NodeId node : ending.nodes) around.nodes.push_back(node);
  add_effects(chain, record, around, weight::kOrigin);
  chain.add(ending.event, weight::kKeyEnd,
            fmt::format("{}'s key expired on {} when its TTL{} was over{}", who, where,
                        ttl > 0 ? " of " + span(ttl) : "", why));
}

// Someone's command removed or replaced it.
void add_removal(Chain& chain, const Record& record, const Grant& grant, const Ending& ending) {
  const Event& end = record.event(ending.event);
  const std::string owner = actor_name(record.history, grant.actor);
  const std::string by = actor_name(record.history, end.actor);
  const std::string did = ending.kind == Kind::key_set ? "overwrote" : "deleted";
  const std::string where = listed(names(record, ending.nodes));
  if (end.actor == grant.actor || end.actor == 0) {
    chain.add(ending.event, weight::kKeyEnd,
              end.actor == 0 ? fmt::format("{}'s key was deleted on {}", owner, where)
                             : fmt::format("{} {} its own key on {}", owner, did, where));
    chain.add(grant.release_called, weight::kOrigin);
    return;
  }
  chain.add(ending.event, weight::kViolation,
            fmt::format("{} {} {}'s key on {}", by, did, owner, where));
  // How came the other to touch a key that was not its own? Its own had ended before.
  const Grant* toucher = record.grant_before(end.actor, end.resource, ending.event);
  if (toucher == nullptr) return;
  if (toucher->release_called != kNoEvent && toucher->release_called < ending.event) {
    chain.add(toucher->release_called, weight::kOrigin);
  }
  if (toucher->acquired && toucher->returned < ending.event) {
    chain.add(toucher->returned, weight::kContext);
    for (const Ending& own : endings(record, *toucher, ending.nodes, ending.event)) {
      if (own.kind == Kind::key_expired) add_expiry(chain, record, *toucher, own);
    }
  }
}

void add_drop(Chain& chain, const Record& record, const Grant& grant, const Ending& ending) {
  const Event& end = record.event(ending.event);
  Around around{{}, ending.nodes, ending.held.front()->set, ending.event};
  add_effects(chain, record, around, weight::kFault);
  chain.add(ending.event, weight::kKeyEnd,
            fmt::format("{}'s key was lost on {} by {}", actor_name(record.history, grant.actor),
                        listed(names(record, ending.nodes)), drop_cause_name(end.a)));
}

// Never there: the server became master without it, or the grant's quorum left it out.
void add_never(Chain& chain, const Record& record, const Grant& grant, const Ending& ending,
               EventIndex index) {
  const std::string who = actor_name(record.history, grant.actor);
  const std::string where = listed(names(record, ending.nodes));
  EventIndex promoted = kNoEvent;
  EventIndex lost = kNoEvent;
  for (EventIndex i = 0; i < index; ++i) {
    const Event& e = record.event(i);
    if (std::find(ending.nodes.begin(), ending.nodes.end(), e.node) == ending.nodes.end()) continue;
    if (e.kind == Kind::node_promoted) promoted = i;
    if (e.kind == Kind::write_lost && e.resource == grant.resource) lost = i;
  }
  if (promoted != kNoEvent) {
    chain.add_effect(promoted, weight::kFault);
    if (lost != kNoEvent) {
      chain.add(lost, weight::kKeyEnd,
                fmt::format("{} became master without {}'s key: the write had never reached it",
                            where, who));
    }
    return;
  }
  std::vector<EventIndex> cuts;
  for (EventIndex i = 0; i < index; ++i) {
    const Event& e = record.event(i);
    const bool cut = e.kind == Kind::link_down && e.actor == grant.actor;
    if (cut && std::find(ending.nodes.begin(), ending.nodes.end(), e.node) != ending.nodes.end()) {
      cuts.push_back(i);
    }
  }
  chain.add_effects(cuts, weight::kOrigin, fmt::format("{} was cut off from {}", who, where));
  Around around{{}, ending.nodes, 0, index};
  add_effects(chain, record, around, weight::kContext);
}

// A failover put another server behind the lock's address: the old master's death and the held
// replication are part of the story whatever became of the key.
void add_failover(Chain& chain, const Record& record, const std::vector<NodeId>& nodes,
                  EventIndex index) {
  std::vector<NodeId> old;
  for (EventIndex i = 0; i < index; ++i) {
    const Event& e = record.event(i);
    if (std::find(nodes.begin(), nodes.end(), e.node) == nodes.end()) continue;
    if (e.kind == Kind::node_promoted) chain.add_effect(i, weight::kOrigin);
    if (e.kind == Kind::replication_held) chain.add_effect(i, weight::kFault);
    if (e.kind != Kind::master_changed) continue;
    chain.add(i, weight::kContext);
    old.push_back(static_cast<NodeId>(e.a));
  }
  for (EventIndex i = 0; i < index && !old.empty(); ++i) {
    const Event& e = record.event(i);
    if (e.kind != Kind::node_crashed && e.kind != Kind::node_paused) continue;
    if (std::find(old.begin(), old.end(), e.node) == old.end()) continue;
    chain.add_effect(i, weight::kFault);
  }
}

bool is_effect(const Event& e) {
  switch (e.kind) {
    case Kind::process_paused:
    case Kind::process_crashed:
    case Kind::node_paused:
    case Kind::node_crashed:
    case Kind::node_promoted:
    case Kind::link_down:
    case Kind::clock_stepped:
    case Kind::clock_rate:
    case Kind::replication_held:
      return true;
    default:
      return false;
  }
}

}  // namespace

void add_effects(Chain& chain, const Record& record, const Around& around, int weight) {
  const auto in = [](const auto& ids, auto id) {
    return id != 0 && std::find(ids.begin(), ids.end(), id) != ids.end();
  };
  for (EventIndex i = around.from; i < around.to && i < record.history.events.size(); ++i) {
    const Event& e = record.event(i);
    if (!is_effect(e)) continue;
    // A cut concerns a pair: both must be of interest.
    const bool actor = in(around.actors, e.actor);
    const bool node = in(around.nodes, e.node);
    const bool link = e.kind == Kind::link_down;
    const bool meant = link ? node && actor : actor || node;
    if (meant) chain.add_effect(i, weight);
  }
}

void add_absence(Chain& chain, const Record& record, const Grant& grant,
                 const std::vector<NodeId>& nodes, EventIndex index) {
  add_failover(chain, record, nodes, index);
  for (const Ending& ending : endings(record, grant, nodes, index)) {
    switch (ending.kind) {
      case Kind::none:
        add_never(chain, record, grant, ending, index);
        break;
      case Kind::key_expired:
        add_expiry(chain, record, grant, ending);
        break;
      case Kind::key_dropped:
        add_drop(chain, record, grant, ending);
        break;
      default:
        add_removal(chain, record, grant, ending);
    }
  }
}

}  // namespace holdfast::report
