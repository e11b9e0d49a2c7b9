#include "scenarios/live/live_history.h"

#include <algorithm>
#include <tuple>

namespace holdfast::live {

using history::Event;
using history::Kind;

LiveHistory::LiveHistory(history::History& history, Instant start)
    : history_(history), start_(start) {}

void LiveHistory::put(std::int64_t at, Event event) {
  entries_.push_back({at, entries_.size(), event});
}

void LiveHistory::add(Instant at, Event event) { put((at - start_).count(), event); }

void LiveHistory::add(Instant at, Event event, const std::string& note) {
  history_.notes.push_back(note);
  event.note = static_cast<std::uint32_t>(history_.notes.size() - 1);
  add(at, event);
}

void LiveHistory::add(history::ActorId actor, const ClientLine& line) {
  Event event;
  event.kind = line.kind;
  event.actor = actor;
  event.grant = line.grant;
  event.resource = static_cast<history::ResourceId>(history_.resources.find(line.resource));
  event.token = line.token.empty() ? 0 : history_.tokens.intern(line.token);
  event.a = line.a;
  event.b = line.b;
  // Fields that are instants come as CLOCK_BOOTTIME; the history counts from its start.
  const std::int64_t start = start_.time_since_epoch().count();
  const bool instant_in_a = line.kind == Kind::validity_checked || line.kind == Kind::valid_until ||
                            (line.kind == Kind::valid_until_reached && line.b == kWatch);
  if (instant_in_a) event.a -= start;
  if (line.kind == Kind::held_returned) event.b -= start;
  put(line.at - start, event);
}

// A watch line says from now on which instant ends the promise; the clients' clock is the host's,
// so the instant is known, and the event is written there unless something took the watch back
// before.
void LiveHistory::follow_watches() {
  std::vector<Entry> kept;
  std::vector<Watch> watches;
  const auto reached = [&](std::size_t index) {
    Event event;
    event.kind = Kind::valid_until_reached;
    event.actor = watches[index].actor;
    event.grant = watches[index].grant;
    event.resource = watches[index].resource;
    kept.push_back({watches[index].at, kept.size(), event});
    watches.erase(watches.begin() + static_cast<std::ptrdiff_t>(index));
  };
  const auto fire_until = [&](std::int64_t now) {
    for (std::size_t i = 0; i < watches.size();) {
      if (watches[i].at <= now) {
        reached(i);
      } else {
        ++i;
      }
    }
  };
  for (const Entry& entry : entries_) {
    fire_until(entry.at);
    const Event& event = entry.event;
    const bool steers = event.kind == Kind::valid_until_reached;
    if (!steers) kept.push_back({entry.at, kept.size(), event});
    if (steers || event.kind == Kind::process_crashed) {
      std::erase_if(watches, [&](const Watch& watch) {
        return watch.actor == event.actor && (!steers || watch.grant == event.grant);
      });
    }
    if (steers && event.b == kWatch) {
      watches.push_back({event.actor, event.grant, event.resource, std::max(event.a, entry.at)});
    }
  }
  fire_until(entries_.empty() ? 0 : entries_.back().at);
  entries_ = std::move(kept);
}

void LiveHistory::finish(Instant end, std::int64_t how) {
  Event last;
  last.kind = Kind::run_ended;
  last.a = how;
  const auto in_order = [](const Entry& a, const Entry& b) {
    return std::tie(a.at, a.order) < std::tie(b.at, b.order);
  };
  put((end - start_).count(), last);
  std::sort(entries_.begin(), entries_.end(), in_order);
  follow_watches();
  std::sort(entries_.begin(), entries_.end(), in_order);
  history_.events.clear();
  for (const Entry& entry : entries_) {
    Event event = entry.event;
    event.at = entry.at;
    event.seq = static_cast<std::uint32_t>(history_.events.size());
    history_.events.push_back(event);
  }
}

}  // namespace holdfast::live
