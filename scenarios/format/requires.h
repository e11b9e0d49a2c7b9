// `requires`: observable facts without which a run proves nothing. The grammar, one fact a string
// (for users it is in the README and in scenario.schema.json):
//
//   fact     := who event [at least N times] [relation]  |  who never event [relation]
//   who      := a client or server of the file
//   event    := acquired | failed [outcomes] | renewed | lost | left | released [outcomes]
//             | wrote | was refused | read | paused | crashed | restarted     (of a client)
//             | executed | deleted | expired | paused | crashed | restarted | promoted  (a server)
//   outcomes := OUTCOME [or OUTCOME]...
//   relation := while who is STATE | before who event | after who event | before T | after T
//   STATE    := paused | crashed | inside | holding      (a server: paused | crashed)
//
// A fact counts the events of `who` that the relation lets through: once at least, N times, or not
// at all ("never"). `while`: those that happen in that state of the other. `before` and `after`:
// those that come before (after) the other's first matching event, which must happen itself; or
// before T and from T on (T is a duration, unscaled).
//
//   acquired     acquire returned with the lock
//   failed       acquire returned without it; outcomes: taken, too_late, no_replica_ack,
//                unreachable, refused, cancelled, invalid
//   renewed      a renewal was confirmed
//   lost         the client was told that its lease is lost ("told of loss" says the same)
//   released     release returned; outcomes: released, already_expired, not_owner, unknown
//   left         the client left its section (it calls release next, or obeys a loss)
//   wrote, read  the guarded resource accepted a write (a read)
//   was refused  the guarded resource refused an access
//   executed     the server executed a command that names the lock's key
//   deleted      a lock key was deleted there by a command
//   expired      a lock key expired there by the server's own clock
//   inside       in the section: from acquire until the client leaves it or crashes
//   holding      in the promise: from acquire until release is called, loss is told, held() said
//                no, valid_until is reached, or crash
//
// Examples: "B acquired while A is paused", "A renewed at least 6 times", "A was refused after B
// wrote", "A released already_expired or not_owner", "B acquired after 10s", "B never acquired
// before 10s".
#pragma once

#include <optional>
#include <string>

#include "reports/history/history.h"
#include "scenarios/format/fact.h"
#include "scenarios/format/model.h"

namespace holdfast::scenario {

// What is wrong with the fact's text, or nothing. Names are checked against `scenario`.
std::optional<std::string> check_require(const Require& require, const Scenario& scenario);

// Whether the fact occurred in this run.
bool occurred(const Require& require, const history::History& history);
bool occurred(const Fact& fact, const history::History& history);

}  // namespace holdfast::scenario
