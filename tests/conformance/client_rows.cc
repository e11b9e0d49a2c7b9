// FIDELITY section 7: what clients may do to a server, and it to them.
#include "tests/conformance/steps.h"
#include "tests/conformance/tables.h"
#include "tests/conformance/topologies.h"

namespace holdfast::conformance {
namespace {

constexpr auto kAborted = "-EXECABORT Transaction discarded because of previous errors.";
constexpr auto kOutOfMemory = "-OOM command not allowed when used memory > 'maxmemory'.";

// Memory is full: of two keys with a TTL and one without, the lock dies first and was used last.
std::vector<Step> evicted_by(std::string policy, std::vector<Step> then) {
  std::vector<Step> steps = {eval("redis.call('set', 'filler', string.rep('x', 2000000))", "nil"),
                             ask("SET lock a NX PX 30000", "+OK"),
                             ask("CONFIG SET maxmemory-policy " + policy, "+OK"),
                             ask("CONFIG SET maxmemory 1500000", "+OK")};
  steps.insert(steps.end(), then.begin(), then.end());
  return steps;
}

const Row kClientRows[] = {
    {"X6",
     "APauseOfWritesHoldsWritesAndScripts",
     Label::ci,
     kRunning,
     {ask("SET k v", "+OK"), ask(B, "PING", "+PONG"), ask(C, "PING", "+PONG"),
      ask("CLIENT PAUSE 300 WRITE", "+OK"), send(B, {"SET k w"}), send(C, {"PUBLISH c m"}),
      ask("GET k", "'v'", between(0ms, 0ms)), ask("EVAL_RO 'return 1' 0", ":1", between(0ms, 0ms)),
      quiet(B, 150ms), answer(B, "+OK", between(299ms, 402ms)),
      answer(C, ":0", between(299ms, 402ms)), ask("GET k", "'w'")}},

    {"X6",
     "APauseOfAllHoldsEverything",
     Label::ci,
     kRunning,
     {ask(B, "PING", "+PONG"), ask("CLIENT PAUSE 300", "+OK"), send(B, {"GET k"}), quiet(B, 150ms),
      answer(B, "nil", between(299ms, 402ms)),
      ask("CLIENT PAUSE 100 SOME", "-ERR CLIENT PAUSE mode must be WRITE or ALL"),
      ask("CLIENT PAUSE x", "-ERR timeout is not an integer or out of range")}},

    {"X6",
     "WhileItIsPausedDeadKeysAreHiddenAndKept",
     Label::ci,
     kFrozen,
     {ask("SET k v PX 100", "+OK"), ask("CLIENT PAUSE 100000 WRITE", "+OK"),
      step_clock("n1", 101ms), ask("GET k", "nil"), ask("DBSIZE", ":1"),
      ask("CLIENT UNPAUSE", "+OK"), ask("GET k", "nil"), ask("DBSIZE", ":0")}},

    {"X7",
     "AKilledClientIsDisconnected",
     Label::ci,
     kRunning,
     {ask(B, "SUBSCRIBE c", "['subscribe' 'c' :1]"), ask("CLIENT KILL ID 100000", ":0"),
      ask("CLIENT KILL 127.0.0.1:1", "-ERR No such client"), ask("CLIENT KILL TYPE pubsub", ":1"),
      answer(B, closed()), ask("PING", "+PONG")}},

    {"X8",
     "ErrorsWhileQueueingAbortATransactionOthersDoNot",
     Label::ci,
     kRunning,
     {ask("EXEC", "-ERR EXEC without MULTI"),
      ask("DISCARD", "-ERR DISCARD without MULTI"),
      ask("MULTI", "+OK"),
      ask("MULTI", "-ERR MULTI calls can not be nested"),
      ask("WATCH k", "-ERR WATCH inside MULTI is not allowed"),
      ask("SET k v", "+QUEUED"),
      ask("SET k", "-ERR wrong number of arguments for 'set' command"),
      ask("EXEC", kAborted),
      ask("EXISTS k", ":0"),
      ask("MULTI", "+OK"),
      ask("SET k v", "+QUEUED"),
      ask("INCR k", "+QUEUED"),
      ask("SET l v", "+QUEUED"),
      ask("EXEC", "[+OK -ERR value is not an integer or out of range +OK]"),
      ask("MULTI", "+OK"),
      ask("SET k w", "+QUEUED"),
      ask("DISCARD", "+OK"),
      ask("MULTI", "+OK"),
      ask("SET k x", "+QUEUED"),
      close(A),
      ask(B, "GET k", "'v'")}},

    {"X9",
     "AWatchedKeyThatWasWrittenAborts",
     Label::ci,
     kRunning,
     {ask("SET k v", "+OK"),       ask("WATCH k", "+OK"),        ask(B, "SET k v", "+OK"),
      ask("MULTI", "+OK"),         ask("PING", "+QUEUED"),       ask("EXEC", "nil[]"),
      ask("WATCH k", "+OK"),       ask("PEXPIRE k 60000", ":1"), ask("MULTI", "+OK"),
      ask("PING", "+QUEUED"),      ask("EXEC", "nil[]"),         ask("WATCH n", "+OK"),
      ask(B, "SET n v", "+OK"),    ask(B, "DEL n", ":1"),        ask("MULTI", "+OK"),
      ask("PING", "+QUEUED"),      ask("EXEC", "nil[]"),         ask("WATCH k", "+OK"),
      ask(B, "SET k w NX", "nil"), ask("MULTI", "+OK"),          ask("GET k", "+QUEUED"),
      ask("EXEC", "['v']")}},

    {"X9",
     "AWatchedKeyThatExpiredAborts",
     Label::ci,
     kFrozen,
     {ask("SET k v PX 100", "+OK"), ask("WATCH k", "+OK"),        step_clock("n1", 101ms),
      ask("MULTI", "+OK"),          ask("PING", "+QUEUED"),       ask("EXEC", "nil[]"),
      ask("SET m v PX 100", "+OK"), step_clock("n1", 101ms),      ask("WATCH m", "+OK"),
      ask(B, "GET m", "nil"),       ask("MULTI", "+OK"),          ask("PING", "+QUEUED"),
      ask("EXEC", "[+PONG]"),       ask("SET n v PX 100", "+OK"), step_clock("n1", 101ms),
      ask("WATCH n", "+OK"),        ask(B, "SET n w", "+OK"),     ask("MULTI", "+OK"),
      ask("PING", "+QUEUED"),       ask("EXEC", "nil[]")}},

    {"X10",
     "AMessageGoesToWhoListensThen",
     Label::ci,
     kRunning,
     {ask("PUBLISH c early", ":0"), ask(B, "SUBSCRIBE c", "['subscribe' 'c' :1]"),
      ask(C, "PSUBSCRIBE c*", "['psubscribe' 'c*' :1]"), ask("PUBLISH c m", ":2"),
      answer(B, "['message' 'c' 'm']"), answer(C, "['pmessage' 'c*' 'c' 'm']"),
      ask(B, "GET k",
          "-ERR Can't execute 'get': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET "
          "are allowed in this context"),
      ask(B, "UNSUBSCRIBE c", "['unsubscribe' 'c' :0]"), ask(B, "GET k", "nil"),
      ask("PUBLISH c m", ":1")}},

    {"X11",
     "ATrackedKeyIsInvalidatedWhenItIsReallyGone",
     Label::ci,
     kFrozen,
     {ask("HELLO 3", any()), ask("CLIENT TRACKING ON", "+OK"), ask("SET k v PX 100", "+OK"),
      ask("GET k", "'v'"), ask(B, "DEL k", ":1"), answer(A, ">['invalidate' ['k']]"),
      ask(B, "SET m v PX 100", "+OK"), ask("GET m", "'v'"), step_clock("n1", 101ms), quiet(A, 50ms),
      ask(B, "GET m", "nil"), answer(A, ">['invalidate' ['m']]")}},

    {"X12",
     "AnIdleClientIsSentAway",
     Label::slow,
     kRunning,
     {ask(B, "PING", "+PONG"), ask("CONFIG SET timeout 1", "+OK"), sleep(900ms),
      ask("PING", "+PONG"), mark(), answer(B, closed(), between(1s, 2100ms))}},

    {"X12",
     "AFullServerSaysSoAndCloses",
     Label::ci,
     kRunning,
     {ask(A, "PING", "+PONG"), ask(B, "CONFIG SET maxclients 1", "+OK"),
      ask(C, "PING", "-ERR max number of clients reached"), answer(C, closed()),
      ask(A, "PING", "+PONG")}},

    {"X13",
     "DebugSleepIsExact",
     Label::ci,
     kRunning,
     {ask("DEBUG SLEEP 0.1", "+OK", after(100ms)), send(A, {"DEBUG SLEEP 0.3"}), sleep(10ms),
      ask(B, "PING", "+PONG", between(200ms, 290ms)), answer(A, "+OK", after(300ms))}},

    {"X14", "FullMemoryRefusesWhatGrowsAndReleasesNothing", Label::ci, kRunning,
     evicted_by("noeviction",
                {ask("SET k v", kOutOfMemory), ask("HINCRBY h f 1", kOutOfMemory),
                 eval("return redis.call('set', 'k', 'v')",
                      "-OOM command not allowed when used memory > 'maxmemory'. script: "
                      "2d991be581da74a0c0c441c4beb92ae41c2e1eb9, on @user_script:1."),
                 ask("MULTI", "+OK"), ask("GET k", kOutOfMemory), ask("EXEC", kAborted),
                 ask("PEXPIRE lock 60000", ":1"), ask("GET lock", "'a'"), ask("DEL lock", ":1")})},

    {"X14", "EvictionOfWhatDiesFirstTakesALiveLock", Label::ci, kRunning,
     evicted_by("volatile-ttl", {ask("SET k v", kOutOfMemory), ask("EXISTS lock filler", ":1"),
                                 ask("EXISTS lock", ":0")})},

    {"X14", "EvictionOfWhatWasNotUsedTakesALiveLock", Label::ci, kRunning,
     evicted_by("volatile-lru", {ask("SET k v", kOutOfMemory), ask("EXISTS lock", ":0")})},

    {"X14", "EvictionOfAnyKeyTakesTheFillerToo", Label::ci, kRunning,
     evicted_by("allkeys-random", {ask("SET k v", "+OK"), ask("EXISTS filler", ":0")})},
};

}  // namespace

std::span<const Row> client_rows() { return kClientRows; }

}  // namespace holdfast::conformance
