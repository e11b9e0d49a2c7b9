// Picture: what the drawing of one violation shows, as lanes with bars, wedges and marks in true
// time. Layout and drawing are elsewhere (axis.h, svg.h): nothing here knows of pixels.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reports/explain_record.h"
#include "reports/judge/verdict.h"
#include "reports/report.h"

namespace holdfast::report {

enum class BarKind : std::uint8_t {
  waiting,  // an acquire call is open
  section,  // the owner's code believes that it is alone
  promise,  // the lock says so
  backed,   // a quorum of servers holds the token
  stopped,  // the process or server does not run
  down,     // the process or server is dead
  link,     // between a client or the master and this server: cut
  fault,    // between its strike and its end
};

struct Bar {
  BarKind kind = BarKind::waiting;
  history::Nanos from = 0, to = 0;
  int colour = 0;  // of the client, from 1; 0 none
  std::string label = {};
  std::string hint = {};  // shown on hovering
  EventIndex event = kNoEvent;
};

// A key on a server: thins as its TTL runs out.
struct Wedge {
  history::Nanos from = 0, to = 0;
  int colour = 0;
  std::vector<Holding::Deadline> deadlines = {};
  std::string label = {};
  std::string hint = {};
  EventIndex event = kNoEvent;
};

enum class MarkKind : std::uint8_t {
  write_accepted,
  write_refused,
  read_accepted,
  read_refused,
  clock,     // stepped, or its rate changed
  promoted,  // or demoted
  lost,      // an acknowledged write that is not there, a key dropped
  deleted,   // a key, by another client than its owner
  removed,   // a key, by its owner
  expired,   // a key
  told,      // a client of its loss
  fault,     // struck
  cause,     // a numbered line of the chain
};

struct Mark {
  MarkKind kind = MarkKind::cause;
  history::Nanos at = 0;
  int colour = 0;
  std::string label = {};
  std::string hint = {};
  EventIndex event = kNoEvent;
  history::Nanos sent = -1;  // accesses: when the client sent it
  int sender = -1;           // accesses: its lane
};

enum class LaneKind : std::uint8_t { faults, client, resource, server };

struct Lane {
  LaneKind kind = LaneKind::client;
  std::string title = {};
  std::string subtitle = {};
  int colour = 0;
  std::vector<Bar> bars = {};
  std::vector<Wedge> wedges = {};
  std::vector<Mark> marks = {};
};

// Where the violation is: a time and the lanes that it concerns.
struct Highlight {
  history::Nanos from = 0, to = 0;
  std::vector<int> lanes = {};
  std::string label = {};
};

struct Picture {
  judge::Interval shown;  // the part of the run that bears on the violation
  history::Nanos run_end = 0;
  std::vector<Mark> causes;  // numbered 1..n
  std::vector<Lane> lanes;   // faults, clients, guarded resources, servers
  std::vector<Highlight> highlights;
  std::vector<history::Nanos> interest;  // instants that must be visible, sorted
};

// `explanation` is of the judgement's strongest invariant.
Picture make_picture(const Record& record, const judge::Judgement& judgement,
                     const Explanation& explanation);

// Parts of make_picture: lanes of one kind.
std::vector<Lane> client_lanes(const Record& record);
std::vector<Lane> resource_lanes(const Record& record, const std::vector<Lane>& clients);
std::vector<Lane> server_lanes(const Record& record);
Lane fault_lane(const Record& record);
// Colour of a client, from 1 in the order of the scenario file.
int colour_of(const history::History& history, history::ActorId actor);

}  // namespace holdfast::report
