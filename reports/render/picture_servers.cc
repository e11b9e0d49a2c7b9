// Lanes of servers and the band of faults.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "reports/explain_words.h"
#include "reports/render/picture.h"

namespace holdfast::report {
namespace {

using history::Event;
using history::Kind;
using history::Nanos;
using history::NodeId;
using history::ResourceId;

std::vector<ResourceId> locks_on(const Record& record, NodeId node) {
  std::vector<ResourceId> locks;
  for (const Holding& holding : record.holdings) {
    if (holding.node != node) continue;
    if (std::find(locks.begin(), locks.end(), holding.resource) == locks.end()) {
      locks.push_back(holding.resource);
    }
  }
  return locks;
}

void add_keys(Lane& lane, const Record& record, NodeId node, ResourceId lock) {
  for (const Holding& holding : record.holdings) {
    if (holding.node != node || holding.resource != lock) continue;
    Wedge wedge{.from = holding.from,
                .to = holding.until,
                .colour = colour_of(record.history, holding.actor)};
    wedge.deadlines = holding.deadlines;
    const std::string who = holding.actor == 0 ? "?" : actor_name(record.history, holding.actor);
    const bool no_ttl = holding.deadlines.back().deadline == -1;
    wedge.label = no_ttl ? who + ", no TTL" : who;
    const std::string ended =
        holding.end == kNoEvent ? "; still there at the run's end"
                                : "; then: " + describe(record.history, record.event(holding.end));
    wedge.hint = fmt::format("{} held {} with {}'s token {} from {} to {}{}", lane.title,
                             resource_name(record.history, lock), who,
                             token_name(record.history, holding.token), seconds(holding.from),
                             seconds(holding.until), ended);
    wedge.event = holding.set;
    lane.wedges.push_back(std::move(wedge));
  }
}

// Whether a deletion was of a key that its own client had set.
bool own_key(const Record& record, const Event& deletion) {
  for (const Holding& holding : record.holdings) {
    if (holding.end != kNoEvent && &record.event(holding.end) == &deletion) {
      return holding.actor == deletion.actor;
    }
  }
  return false;
}

// Kinds that are a mark on a server's lane.
bool mark_kind(const Record& record, const Event& e, MarkKind& kind) {
  switch (e.kind) {
    case Kind::clock_stepped:
    case Kind::clock_rate:
      kind = MarkKind::clock;
      return true;
    case Kind::node_promoted:
    case Kind::node_demoted:
      kind = MarkKind::promoted;
      return true;
    case Kind::write_lost:
    case Kind::key_dropped:
      kind = MarkKind::lost;
      return true;
    case Kind::key_expired:
      kind = MarkKind::expired;
      return true;
    case Kind::key_deleted:
      kind = MarkKind::removed;
      if (own_key(record, e)) return true;
      kind = MarkKind::deleted;
      return e.actor != 0;
    default:
      return false;
  }
}

std::string mark_label(const Record& record, const Event& e) {
  switch (e.kind) {
    case Kind::clock_stepped:
      return fmt::format("{}{}", e.a < 0 ? "" : "+", span(e.a));
    case Kind::clock_rate:
      return rate(e.a);
    case Kind::node_promoted:
      return "master";
    case Kind::node_demoted:
      return "replica";
    case Kind::write_lost:
    case Kind::key_dropped:
      return "lost";
    case Kind::key_deleted:
      return own_key(record, e) ? "" : "DEL by " + actor_name(record.history, e.actor);
    default:
      return "";
  }
}

void add_marks(Lane& lane, const Record& record, NodeId node, ResourceId lock) {
  for (EventIndex i = 0; i < record.history.events.size(); ++i) {
    const Event& e = record.event(i);
    if (e.node != node || (e.resource != 0 && lock != 0 && e.resource != lock)) continue;
    MarkKind kind = MarkKind::cause;
    if (!mark_kind(record, e, kind)) continue;
    lane.marks.push_back(
        {.kind = kind,
         .at = e.at,
         .colour = colour_of(record.history, e.actor),
         .label = mark_label(record, e),
         .hint = fmt::format("{} at {}", describe(record.history, e), seconds(e.at)),
         .event = i});
  }
}

// States between two kinds of events: a bar each.
struct Span {
  Kind begins, ends;
  BarKind bar;
  std::string_view label;
};

void add_states(Lane& lane, const Record& record, NodeId node) {
  constexpr Span kSpans[] = {
      {Kind::node_paused, Kind::node_resumed, BarKind::stopped, "stopped"},
      {Kind::node_crashed, Kind::node_started, BarKind::down, "down"},
      {Kind::replication_held, Kind::replication_resumed, BarKind::link, "replication held"}};
  for (const Span& span_of : kSpans) {
    EventIndex since = kNoEvent;
    const auto close = [&](Nanos to) {
      Bar bar{.kind = span_of.bar, .from = record.event(since).at, .to = to};
      bar.label = std::string(span_of.label);
      bar.hint =
          fmt::format("{} {}: {} to {}", lane.title, bar.label, seconds(bar.from), seconds(to));
      bar.event = since;
      lane.bars.push_back(std::move(bar));
      since = kNoEvent;
    };
    for (EventIndex i = 0; i < record.history.events.size(); ++i) {
      const Event& e = record.event(i);
      if (e.node != node) continue;
      if (e.kind == span_of.begins && since == kNoEvent) since = i;
      if (e.kind == span_of.ends && since != kNoEvent) close(e.at);
    }
    if (since != kNoEvent) close(record.end);
  }
}

// Clients that could not reach the server.
void add_cuts(Lane& lane, const Record& record, NodeId node) {
  for (EventIndex i = 0; i < record.history.events.size(); ++i) {
    const Event& cut = record.event(i);
    if (cut.kind != Kind::link_down || cut.node != node) continue;
    Bar bar{.kind = BarKind::link, .from = cut.at, .to = record.end};
    for (EventIndex later = i + 1; later < record.history.events.size(); ++later) {
      const Event& e = record.event(later);
      const bool same = e.actor == cut.actor && e.node == node;
      if (!same || (e.kind != Kind::link_up && e.kind != Kind::link_down)) continue;
      bar.to = e.at;
      break;
    }
    bar.label = actor_name(record.history, cut.actor) + " cut off";
    bar.hint = fmt::format("{}: {} to {}", describe(record.history, cut), seconds(bar.from),
                           seconds(bar.to));
    bar.event = i;
    lane.bars.push_back(std::move(bar));
  }
}

}  // namespace

std::vector<Lane> server_lanes(const Record& record) {
  std::vector<Lane> lanes;
  for (const history::NodeSetup& setup : record.history.setup.nodes) {
    if (setup.guarded) continue;
    std::vector<ResourceId> locks = locks_on(record, setup.node);
    if (locks.empty()) locks.push_back(0);
    for (const ResourceId lock : locks) {
      Lane lane{.kind = LaneKind::server, .title = node_name(record.history, setup.node)};
      if (setup.replica_of != 0) {
        lane.subtitle = "replica of " + node_name(record.history, setup.replica_of);
      }
      if (locks.size() > 1) lane.subtitle = resource_name(record.history, lock);
      if (lock != 0) add_keys(lane, record, setup.node, lock);
      add_states(lane, record, setup.node);
      add_cuts(lane, record, setup.node);
      add_marks(lane, record, setup.node, lock);
      lanes.push_back(std::move(lane));
    }
  }
  return lanes;
}

Lane fault_lane(const Record& record) {
  Lane lane{.kind = LaneKind::faults, .title = "faults"};
  for (EventIndex i = 0; i < record.history.events.size(); ++i) {
    const Event& e = record.event(i);
    if (e.kind != Kind::fault_fired) continue;
    const std::string label = fmt::format("F{}", e.a);
    const std::string hint =
        fmt::format("{} at {}", fault_name(record.history, e.a), seconds(e.at));
    lane.marks.push_back(
        {.kind = MarkKind::fault, .at = e.at, .label = label, .hint = hint, .event = i});
    for (EventIndex later = i; later < record.history.events.size(); ++later) {
      const Event& end = record.event(later);
      if (end.kind != Kind::fault_ended || end.a != e.a) continue;
      Bar bar{.kind = BarKind::fault, .from = e.at, .to = end.at};
      bar.label = label;
      bar.hint = fmt::format("{}, until {}", hint, seconds(end.at));
      bar.event = i;
      lane.bars.push_back(std::move(bar));
      break;
    }
  }
  return lane;
}

}  // namespace holdfast::report
