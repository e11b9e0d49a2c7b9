// LiveHistory: puts together what the client processes, the servers' monitors and the lab itself
// saw into one History, ordered by the host's clock.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lockcore/time.h"
#include "reports/history/history.h"
#include "scenarios/live/client_events.h"

namespace holdfast::live {

class LiveHistory {
 public:
  // `history` has its names and set-up; times will count from `start`.
  LiveHistory(history::History& history, Instant start);

  // An event seen at a host time.
  void add(Instant at, history::Event event);
  void add(Instant at, history::Event event, const std::string& note);
  // A line of a client process.
  void add(history::ActorId actor, const ClientLine& line);

  // Nanoseconds from the start of the run.
  history::Nanos since_start(Instant at) const { return (at - start_).count(); }

  // Writes all of it in order, with valid_until_reached at the instants that the clients announced.
  void finish(Instant end, std::int64_t how);

 private:
  struct Entry {
    std::int64_t at;
    std::uint64_t order;  // of arrival, for equal times
    history::Event event;
  };
  struct Watch {
    history::ActorId actor;
    history::GrantId grant;
    history::ResourceId resource;
    std::int64_t at;  // ns from the start
  };
  void put(std::int64_t at, history::Event event);
  void follow_watches();

  history::History& history_;
  Instant start_;
  std::vector<Entry> entries_;
};

}  // namespace holdfast::live
