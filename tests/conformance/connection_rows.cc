// FIDELITY section 7: clients and connections.
#include "tests/conformance/steps.h"
#include "tests/conformance/tables.h"
#include "tests/conformance/topologies.h"

namespace holdfast::conformance {
namespace {

const Row kConnectionRows[] = {
    {"X1",
     "WhatTheServerHadReceivedIsExecutedAfterAFin",
     Label::ci,
     kLinked,
     {ask(A, "PING", "+PONG"), ask(B, "PING", "+PONG"), freeze("n1"),
      send(A, {"SET a 1", "SET b 1", "SET c 1", "SET d 1", "SET e 1"}), sleep(50ms), close(A),
      thaw("n1"), sleep(50ms), ask(B, "EXISTS a b c d e", ":5")}},

    {"X1",
     "WhatTheServerHadReceivedIsExecutedAfterARst",
     Label::ci,
     kLinked,
     {ask(A, "PING", "+PONG"), ask(B, "PING", "+PONG"), freeze("n1"),
      send(A, {"SET a 1", "SET b 1", "SET c 1", "SET d 1", "SET e 1"}), sleep(50ms), reset(A),
      thaw("n1"), sleep(50ms), ask(B, "EXISTS a b c d e", ":5")}},

    {"X1",
     "HalfACommandNeverRuns",
     Label::ci,
     kLinked,
     {ask(A, "PING", "+PONG"), half(A, "SET a 1"), sleep(20ms), close(A), sleep(20ms),
      ask(B, "EXISTS a", ":0")}},

    {"X1",
     "TheTtlStartsAtExecution",
     Label::ci,
     kLinked,
     {ask(A, "PING", "+PONG"), ask(B, "PING", "+PONG"), freeze("n1"), send(A, {"SET k v PX 600"}),
      sleep(500ms), thaw("n1"), answer(A, "+OK"), mark(),
      becomes(B, "EXISTS k", ":0", between(590ms, 602ms))}},

    {"X2",
     "AReplyThatWasLostMeansExecutedAndARetryMustCompare",
     Label::ci,
     kLinked,
     {ask(A, "PING", "+PONG"), drop_reply(A), ask(A, "SET lock a NX PX 60000", closed()),
      ask(A, "SET lock a NX PX 60000", "nil"), ask(A, "GET lock", "'a'")}},

    {"X3",
     "ADelayedRequestIsExecutedWheneverItArrives",
     Label::ci,
     kLinked,
     {ask(A, "PING", "+PONG"), ask(B, "PING", "+PONG"), hold_requests(A),
      send(A, {"SET lock a NX PX 60000"}), quiet(A, 200ms), ask(B, "EXISTS lock", ":0"), release(A),
      sleep(50ms), ask(B, "GET lock", "'a'"), answer(A, "+OK")}},

    {"X4",
     "OneConnectionIsAnsweredInOrder",
     Label::ci,
     kRunning,
     {send(A, {"SET n 1", "INCR n", "GET n", "DEL n", "GET n"}), answer(A, "+OK"), answer(A, ":2"),
      answer(A, "'2'"), answer(A, ":1"), answer(A, "nil")}},

    {"X4",
     "AWaitHoldsItsOwnConnectionBackNotOthers",
     Label::ci,
     kRunning,
     {send(A, {"SET k 1", "WAIT 1 300", "GET k"}), answer(A, "+OK"), ask(B, "SET k 2", "+OK"),
      answer(A, ":0", after(301ms)), answer(A, "'2'")}},

    {"X5",
     "AFrozenServerAcceptsConnectionsAndAnswersNothing",
     Label::ci,
     kLinked,
     {ask(A, "PING", "+PONG"), freeze("n1"), connects(B), send(A, {"PING"}), quiet(A, 200ms),
      thaw("n1"), answer(A, "+PONG")}},

    {"X5",
     "ADeadServerClosesAndRefuses",
     Label::ci,
     kRunning,
     {ask(A, "PING", "+PONG"), kill("n1"), answer(A, closed()), ask(B, "PING", refused())}},

};

}  // namespace

std::span<const Row> connection_rows() { return kConnectionRows; }

}  // namespace holdfast::conformance
