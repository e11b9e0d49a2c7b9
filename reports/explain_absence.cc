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

// What made the servers' clocks run ahead. A step is written just after what it made expire: the
// same instant counts.
// Whether there was any.
bool add_clocks(Chain& chain, const Record& record, const Ending& ending) {
  std::vector<EventIndex> clocks;
  std::vector<NodeId> nodes;
  for (EventIndex i = 0; i < record.history.events.size(); ++i) {
    const Event& e = record.event(i);
    if (e.at > record.event(ending.event).at + kAlike) break;
    const bool clock = e.kind == Kind::clock_stepped || e.kind == Kind::clock_rate;
    if (!clock || e.a <= 0) continue;
    if (std::find(ending.nodes.begin(), ending.nodes.end(), e.node) == ending.nodes.end()) continue;
    clocks.push_back(i);
    if (std::find(nodes.begin(), nodes.end(), e.node) == nodes.end()) nodes.push_back(e.node);
  }
  if (clocks.empty()) return false;
  std::sort(nodes.begin(), nodes.end());
  const auto same = [&record](EventIndex a, EventIndex b) {
    return record.event(a).kind == record.event(b).kind && record.event(a).a == record.event(b).a;
  };
  const bool alike_all = std::all_of(clocks.begin(), clocks.end(),
                                     [&](EventIndex i) { return same(i, clocks.front()); });
  if (nodes.size() < 2 || !alike_all) {
    for (const EventIndex i : clocks) chain.add_effect(i, weight::kFault);
    return true;
  }
  const Event& first = record.event(clocks.front());
  chain.add_effects(clocks, weight::kFault,
                    fmt::format("the clocks of {} {}", listed(names(record, nodes)),
                                first.kind == Kind::clock_stepped
                                    ? fmt::format("jumped by +{}", span(first.a))
                                    : fmt::format("run {} against true time", rate(first.a))));
  return true;
}

// What the deadline of the SET itself tells about a clock that nothing has changed since the start.
std::string wrong_from_the_start(const Holding& held, history::Nanos ttl) {
  const history::Nanos left = held.deadlines.front().deadline - held.from;
  if (held.deadlines.front().deadline < 0 || left >= ttl) return "";
  // Almost nothing left: no rate does that, the key was copied to a clock that was ahead.
  if (left < ttl / 2) return ": that clock was ahead from the start";
  const history::Nanos left_ms = std::max<history::Nanos>(left / 1'000'000, 1);
  const history::Nanos permille = ((ttl / 1'000'000 - left_ms) * 1000 + left_ms / 2) / left_ms;
  return fmt::format(": that clock runs {} from the start", rate(permille * 1000));
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
    const bool told = add_clocks(chain, record, ending);
    chain.add(
        ending.event, weight::kKeyEnd,
        fmt::format(
            "{}'s key expired on {} by the server's own clock, {} before its TTL of {} was over{}",
            who, where, span(early), span(ttl), told ? "" : wrong_from_the_start(held, ttl)));
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
  std::vector<NodeId> left_out = ending.nodes;
  std::vector<EventIndex> cuts;
  std::vector<NodeId> cut_off;
  for (EventIndex i = 0; i < index; ++i) {
    const Event& e = record.event(i);
    if (std::find(ending.nodes.begin(), ending.nodes.end(), e.node) == ending.nodes.end()) continue;
    if (e.kind == Kind::node_promoted) {
      std::erase(left_out, e.node);
      chain.add_effects({i}, weight::kFault,
                        fmt::format("{} became master without {}'s key, which had never reached it",
                                    node_name(record.history, e.node), who));
    }
    if (e.kind == Kind::link_down && e.actor == grant.actor) {
      cuts.push_back(i);
      if (std::find(cut_off.begin(), cut_off.end(), e.node) == cut_off.end()) {
        cut_off.push_back(e.node);
      }
    }
  }
  std::sort(cut_off.begin(), cut_off.end());
  chain.add_effects(cuts, weight::kOrigin,
                    fmt::format("{} was cut off from {}", who, listed(names(record, cut_off))));
  add_effects(chain, record, {{}, left_out, 0, index}, weight::kContext);
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
