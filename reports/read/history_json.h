// Histories as JSON lines: a header object, then one event a line. Written for `replay`, `check`
// and `report`; also the form in which histories recorded elsewhere can be handed in.
//
//   {"holdfast-history":1,"setup":{...},"actors":["A","B"],"nodes":["n1"],"resources":[...],
//    "tokens":[...],"faults":[...],"notes":[...],"fingerprint":"00f3...","kernel_events":812}
//   {"at":1000000,"kind":"acquire_called","actor":"A","resource":"jobs/42","grant":1,"a":60000000}
//
// The header lists names in the order of their numbers from 1; an event says names, and what it
// does not say is 0. `seq` is left out where it is the event's place among the events, counted from
// 0. Times are nanoseconds. Names are UTF-8; bytes that are not are replaced by U+FFFD in writing.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <variant>

#include "reports/history/history.h"

namespace holdfast::report {

struct HistoryError {
  std::size_t line = 0;  // from 1
  std::string message;
};

// Whether everything was written is the stream's to tell.
void write_history(std::ostream& out, const history::History& history);

// The history, or the first thing that is wrong with it: not JSON, an unknown kind, field or name,
// a number out of range, time that goes back. Names that the header does not list are an error too;
// the header may leave out everything but its version, `setup.locks` and the tables of names.
std::variant<history::History, HistoryError> read_history(std::istream& in);

}  // namespace holdfast::report
