// Lanes of clients and of guarded resources.
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

std::string from_to(Nanos from, Nanos to) {
  return fmt::format("{} to {} ({})", seconds(from), seconds(to), span(to - from));
}

void add_bar(Lane& lane, BarKind kind, judge::Interval time, std::string label, EventIndex event) {
  if (time.end < time.begin) return;
  Bar bar{.kind = kind, .from = time.begin, .to = time.end, .colour = lane.colour};
  bar.hint = fmt::format("{} {}: {}", lane.title, label, from_to(time.begin, time.end));
  bar.label = std::move(label);
  bar.event = event;
  lane.bars.push_back(std::move(bar));
}

// Instants at which the servers behind the lock, or what they hold, may have changed.
std::vector<EventIndex> changes(const Record& record, const Grant& grant) {
  std::vector<EventIndex> indices;
  for (EventIndex i = 0; i < record.history.events.size(); ++i) {
    const Event& e = record.event(i);
    const bool key =
        e.kind >= Kind::key_set && e.kind <= Kind::key_dropped && e.resource == grant.resource;
    if (key || e.kind == Kind::master_changed) indices.push_back(i);
  }
  return indices;
}

bool backed_after(const Record& record, const Grant& grant, const history::LockSetup& lock,
                  EventIndex index) {
  std::uint32_t votes = 0;
  for (const history::NodeId node : record.masters(lock, index + 1)) {
    const Holding* held = record.held_at(node, grant.resource, index + 1);
    if (held != nullptr && held->grant == grant.id) ++votes;
  }
  return votes >= lock.quorum;
}

void add_backed(Lane& lane, const Record& record, const Grant& grant) {
  const history::LockSetup* lock = record.lock(grant.resource);
  if (lock == nullptr || !record.history.setup.evidence.server_keys) return;
  bool open = false;
  EventIndex since = kNoEvent;
  for (const EventIndex i : changes(record, grant)) {
    const bool now = backed_after(record, grant, *lock, i);
    if (now && !open) since = i;
    if (!now && open) {
      add_bar(lane, BarKind::backed, {record.event(since).at, record.event(i).at},
              "backed by a quorum of servers", since);
    }
    open = now;
  }
  if (open) {
    add_bar(lane, BarKind::backed, {record.event(since).at, record.end},
            "backed by a quorum of servers", since);
  }
}

void add_grant(Lane& lane, const Record& record, const Grant& grant) {
  const std::string lock = resource_name(record.history, grant.resource);
  if (grant.called != kNoEvent) {
    const Nanos to = grant.returned == kNoEvent ? record.end : record.event(grant.returned).at;
    add_bar(lane, BarKind::waiting, {record.event(grant.called).at, to}, "waiting for " + lock,
            grant.called);
  }
  if (!grant.acquired) return;
  add_bar(lane, BarKind::section, record.section(grant),
          grant.fencing == 0 ? fmt::format("inside {}", lock)
                             : fmt::format("inside {}, token {}", lock, grant.fencing),
          grant.returned);
  add_bar(lane, BarKind::promise, record.promise(grant), "promise of " + lock, grant.returned);
  add_backed(lane, record, grant);
}

void add_life(Lane& lane, const Record& record, history::ActorId actor) {
  EventIndex stopped = kNoEvent;
  EventIndex dead = kNoEvent;
  const auto close = [&](EventIndex& since, BarKind kind, std::string label, Nanos to) {
    if (since != kNoEvent) {
      add_bar(lane, kind, {record.event(since).at, to}, std::move(label), since);
    }
    since = kNoEvent;
  };
  for (EventIndex i = 0; i < record.history.events.size(); ++i) {
    const Event& e = record.event(i);
    if (e.actor != actor) continue;
    if (e.kind == Kind::process_paused && stopped == kNoEvent) stopped = i;
    if (e.kind == Kind::process_resumed) close(stopped, BarKind::stopped, "stopped", e.at);
    if (e.kind == Kind::process_crashed) {
      close(stopped, BarKind::stopped, "stopped", e.at);
      dead = i;
    }
    if (e.kind == Kind::process_started) close(dead, BarKind::down, "crashed", e.at);
    if (e.kind == Kind::lost_told) {
      lane.marks.push_back(
          {.kind = MarkKind::told,
           .at = e.at,
           .colour = lane.colour,
           .label = "told of loss",
           .hint = fmt::format("{} at {}", describe(record.history, e), seconds(e.at)),
           .event = i});
    }
    if (e.kind == Kind::clock_stepped || e.kind == Kind::clock_rate) {
      lane.marks.push_back(
          {.kind = MarkKind::clock,
           .at = e.at,
           .label = e.kind == Kind::clock_rate ? rate(e.a)
                                               : fmt::format("{}{}", e.a < 0 ? "" : "+", span(e.a)),
           .hint = fmt::format("{} at {}", describe(record.history, e), seconds(e.at)),
           .event = i});
    }
  }
  close(stopped, BarKind::stopped, "stopped", record.end);
  close(dead, BarKind::down, "crashed", record.end);
}

// The access_executed event's request: the last one sent before it by the same client.
EventIndex request_of(const Record& record, EventIndex executed) {
  const Event& done = record.event(executed);
  const Kind wanted = (done.flag & 1U) != 0 ? Kind::write_sent : Kind::read_sent;
  for (EventIndex i = executed; i-- > 0;) {
    const Event& e = record.event(i);
    if (e.kind == wanted && e.actor == done.actor && e.resource == done.resource &&
        (wanted == Kind::read_sent || e.a == done.a)) {
      return i;
    }
  }
  return kNoEvent;
}

Mark access_mark(const Record& record, EventIndex index, const std::vector<Lane>& clients) {
  const Event& e = record.event(index);
  const bool write = (e.flag & 1U) != 0;
  const bool accepted = (e.flag & 2U) != 0;
  Mark mark{.kind = write ? (accepted ? MarkKind::write_accepted : MarkKind::write_refused)
                          : (accepted ? MarkKind::read_accepted : MarkKind::read_refused),
            .at = e.at,
            .colour = colour_of(record.history, e.actor)};
  mark.label = write ? fmt::format("{}", e.a) : "r";
  mark.hint = fmt::format("{} at {}", describe(record.history, e), seconds(e.at));
  mark.event = index;
  const EventIndex request = request_of(record, index);
  if (request != kNoEvent) mark.sent = record.event(request).at;
  const std::string who = actor_name(record.history, e.actor);
  for (std::size_t i = 0; i < clients.size(); ++i) {
    if (clients[i].title == who) mark.sender = static_cast<int>(i);
  }
  return mark;
}

}  // namespace

int colour_of(const history::History& history, history::ActorId actor) {
  const auto& clients = history.setup.clients;
  const auto it = std::find(clients.begin(), clients.end(), actor);
  if (actor == 0 || it == clients.end()) return 0;
  return static_cast<int>(it - clients.begin()) + 1;
}

std::vector<Lane> client_lanes(const Record& record) {
  std::vector<Lane> lanes;
  for (const history::ActorId actor : record.history.setup.clients) {
    Lane lane{.kind = LaneKind::client, .title = actor_name(record.history, actor)};
    lane.colour = colour_of(record.history, actor);
    for (const Grant& grant : record.grants) {
      if (grant.id != 0 && grant.actor == actor) add_grant(lane, record, grant);
    }
    add_life(lane, record, actor);
    lanes.push_back(std::move(lane));
  }
  return lanes;
}

std::vector<Lane> resource_lanes(const Record& record, const std::vector<Lane>& clients) {
  std::vector<Lane> lanes;
  for (const history::ResourceId resource : record.history.setup.guarded) {
    Lane lane{.kind = LaneKind::resource, .title = resource_name(record.history, resource)};
    lane.subtitle = "guarded resource";
    for (EventIndex i = 0; i < record.history.events.size(); ++i) {
      const Event& e = record.event(i);
      if (e.kind != Kind::access_executed || e.resource != resource) continue;
      lane.marks.push_back(access_mark(record, i, clients));
    }
    lanes.push_back(std::move(lane));
  }
  return lanes;
}

}  // namespace holdfast::report
