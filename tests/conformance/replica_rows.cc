// FIDELITY section 2: min-replicas, and how replicas start, load, serve and end.
#include "tests/conformance/steps.h"
#include "tests/conformance/tables.h"
#include "tests/conformance/topologies.h"

namespace holdfast::conformance {
namespace {

constexpr Topology kChain{{kN1, kR1, NodePlan{"r2", "r1"}}};
constexpr auto kNoReplicas = "-NOREPLICAS Not enough good replicas to write.";
constexpr auto kMasterDown =
    "-MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.";
constexpr auto kLoads = "-LOADING Redis is loading the dataset in memory";

const Row kReplicaRows[] = {
    {"N1",
     "EveryWriteIsRefusedWhereverItIs",
     Label::ci,
     kReplica,
     {ask("CONFIG SET min-replicas-to-write 2", "+OK"), ask("SET k v", kNoReplicas),
      ask("DEL none", kNoReplicas), ask("GET k", "nil"), ask("PUBLISH c m", ":0"),
      ask("MULTI", "+OK"), ask("SET k v", kNoReplicas),
      ask("EXEC", "-EXECABORT Transaction discarded because of previous errors."),
      eval("return redis.call('set', 'k', 'v')",
           "-NOREPLICAS Not enough good replicas to write. script: "
           "2d991be581da74a0c0c441c4beb92ae41c2e1eb9, on @user_script:1."),
      eval("return redis.pcall('set', 'k', 'v').err",
           "'NOREPLICAS Not enough good replicas to write.'"),
      eval("return redis.call('exists', 'k')", ":0"),
      ask("CONFIG SET min-replicas-to-write 1", "+OK"), ask("SET k v", "+OK")}},

    {"N2",
     "AClosedLinkIsSeenAtOnce",
     Label::ci,
     kReplica,
     {ask("CONFIG SET min-replicas-to-write 1", "+OK"), ask("SET k v", "+OK"), cut_stream("r1"),
      mark(), becomes(A, "SET k v", kNoReplicas, between(0ms, 0ms)), mend_stream("r1"), mark(),
      becomes(A, "SET k v", "+OK", between(0ms, 1100ms))}},

    {"N2",
     "ASilentReplicaIsGoodForItsLagAndUpToTwoSeconds",
     Label::slow,
     kReplica,
     {ask("CONFIG SET min-replicas-max-lag 2 min-replicas-to-write 1", "+OK"), sleep(1s),
      ask("SET k v", "+OK"), freeze("r1"), mark(),
      becomes(A, "SET k v", kNoReplicas, between(1900ms, 4s)), thaw("r1"), mark(),
      becomes(A, "SET k v", "+OK", between(0ms, 2100ms))}},

    {"N3",
     "AWriteInsideTheLagIsAcknowledgedAndLost",
     Label::ci,
     kReplica,
     {ask("CONFIG SET min-replicas-to-write 1", "+OK"), hold_stream("r1"), ask("SET lock a", "+OK"),
      kill("n1"), promote("r1"), ask(R, "GET lock", "nil")}},

    {"N4",
     "AGreatJumpOfTheMastersClockDropsItsReplica",
     Label::slow,
     kReplica,
     {ask("SET k v", "+OK"), sleep(1s), remember(A, "stats", "sync_full"),
      remember(A, "stats", "sync_partial_ok"), step_clock("n1", 120s), sleep(2s),
      changed(A, "stats", "sync_partial_ok"), keeps(A, "stats", "sync_full"), ask("SET k w", "+OK"),
      mark(), becomes(R, "GET k", "'w'", between(0ms, 1100ms))}},

    {"N4",
     "AGreatJumpOfTheReplicasClockDropsItsMaster",
     Label::slow,
     kReplica,
     {ask("SET k v", "+OK"), sleep(1s), remember(A, "stats", "sync_full"),
      remember(A, "stats", "sync_partial_ok"), step_clock("r1", 120s), sleep(2s),
      changed(A, "stats", "sync_partial_ok"), keeps(A, "stats", "sync_full"), ask("SET k w", "+OK"),
      mark(), becomes(R, "GET k", "'w'", between(0ms, 1100ms))}},

    {"N5",
     "APausedReplicaStaysGood",
     Label::slow,
     kReplica,
     {ask("CONFIG SET min-replicas-max-lag 2 min-replicas-to-write 1", "+OK"),
      ask(R, "CLIENT PAUSE 60000 WRITE", "+OK"), ask("SET k v", "+OK"),
      ask("WAIT 1 5000", ":0", after(5001ms)), ask("SET l v", "+OK"), ask(R, "GET k", "nil"),
      ask(R, "CLIENT UNPAUSE", "+OK"), mark(), becomes(R, "GET l", "'v'", between(0ms, 100ms))}},

    {"R10",
     "ADisklessSyncWaitsForMoreReplicas",
     Label::slow,
     kTwoMasters,
     {ask("CONFIG SET repl-diskless-sync-delay 5", "+OK"), ask("SET k v", "+OK"),
      follow("r1", "n1"), mark(), becomes(R, "GET k", "'v'", between(4s, 6100ms))}},

    {"R15",
     "AStaleReplicaAnswersOldDataOrRefuses",
     Label::ci,
     kReplica,
     {ask("SET k v", "+OK"),
      ask("WAIT 1 5000", ":1"),
      cut_stream("r1"),
      mark(),
      becomes(R, "ROLE", begins("['slave'"), between(0ms, 0ms)),
      ask(R, "GET k", "'v'"),
      ask(R, "CONFIG SET replica-serve-stale-data no", "+OK"),
      mark(),
      becomes(R, "GET k", kMasterDown, between(0ms, 100ms)),
      ask(R, "PING", kMasterDown),
      eval(R, "return 1", kMasterDown),
      ask(R, "SET k w", "-READONLY You can't write against a read only replica."),
      ask(R, "TIME", any()),
      ask(R, "CONFIG GET hz", any()),
      ask(R, "SCRIPT LOAD 'return 1'", any()),
      ask(R, "MULTI", "+OK"),
      ask(R, "GET k", kMasterDown),
      ask(R, "EXEC", "-EXECABORT Transaction discarded because of previous errors."),
      mend_stream("r1"),
      mark(),
      becomes(R, "GET k", "'v'", between(0ms, 1100ms))}},

    {"R16",
     "AReplicaLoadsForAsLongAsItsDataAreLarge",
     Label::slow,
     kTwoMasters,
     {eval("local v = string.rep('x', 5000) for i = 1, 20000 do redis.call('set', i, v) end",
           "nil"),
      follow("r1", "n1"), mark(), becomes(R, "PING", kLoads, between(0ms, 5s)),
      ask(R, "GET 1", kLoads), ask(R, "EXISTS 1", kLoads), eval(R, "return 1", kLoads),
      ask(R, "SET 1 x", "-READONLY You can't write against a read only replica."),
      ask(R, "ROLE", begins("['slave'")), ask(R, "CLIENT ID", any()), ask(R, "MULTI", "+OK"),
      ask(R, "GET 1", kLoads),
      ask(R, "EXEC", "-EXECABORT Transaction discarded because of previous errors."), mark(),
      becomes(R, "EXISTS 1 20000", ":2", between(0ms, 8s))}},

    {"R17",
     "AReplicasSubscribersHearWhatTheMasterPublishes",
     Label::ci,
     kReplica,
     {ask(R, "SUBSCRIBE unlock", "['subscribe' 'unlock' :1]"), ask("PUBLISH unlock k", ":0"),
      answer(R, "['message' 'unlock' 'k']")}},

    {"R18",
     "AShutdownEndsWhenTheReplicasHaveAll",
     Label::ci,
     kReplica,
     {ask("SHUTDOWN ABORT", "-ERR No shutdown in progress."), ask("SET k v", "+OK"),
      send(A, {"SHUTDOWN NOSAVE"}), answer(A, closed(), between(0ms, 1100ms)),
      ask(R, "GET k", "'v'")}},

    {"R18",
     "AShutdownWaitsForReplicasThatLag",
     Label::slow,
     kReplica,
     {ask("CONFIG SET shutdown-timeout 3", "+OK"), ask("SET k v", "+OK"), ask("WAIT 1 5000", ":1"),
      freeze("r1"), ask("SET k w", "+OK"), send(A, {"SHUTDOWN NOSAVE"}), ask(B, "GET k", "'w'"),
      send(C, {"SET k x"}), quiet(C, 1s), ask(B, "SHUTDOWN ABORT", "+OK"),
      answer(A, "-ERR Errors trying to SHUTDOWN. Check logs."), answer(C, "+OK"),
      send(A, {"SHUTDOWN NOSAVE"}), answer(A, closed(), between(2900ms, 3100ms))}},

    {"R7",
     "AReplicaInTheMiddleOfAChainIsPromoted",
     Label::ci,
     kChain,
     {ask("SET k v", "+OK"), mark(), becomes(R2, "GET k", "'v'", between(0ms, 2s)),
      ask("SET l v", "+OK"), mark(), becomes(R2, "GET l", "'v'", between(0ms, 100ms)),
      remember(R2, "replication", "master_replid"), promote("r1"), ask(R, "SET k w", "+OK"), mark(),
      becomes(R2, "GET k", "'w'", between(0ms, 1100ms)),
      changed(R2, "replication", "master_replid"),
      inherits(R2, "replication", "master_replid2", "master_replid")}},
};

}  // namespace

std::span<const Row> replica_rows() { return kReplicaRows; }

}  // namespace holdfast::conformance
