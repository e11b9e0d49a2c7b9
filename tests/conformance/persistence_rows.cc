// FIDELITY section 3: what a crash leaves.
#include "tests/conformance/steps.h"
#include "tests/conformance/tables.h"
#include "tests/conformance/topologies.h"

namespace holdfast::conformance {
namespace {

// Everything acknowledged is there again after kill -9.
std::vector<Step> killed_and_whole(Persistence persistence) {
  return {ask("SET lock v PX 60000", "+OK"),
          ask("HSET h f 1", ":1"),
          ask("RPUSH l a b", ":2"),
          eval("redis.call('incr', 'n') redis.call('incr', 'n')", "nil"),
          kill("n1"),
          answer(A, closed()),
          restart("n1", persistence),
          ask("GET lock", "'v'"),
          ask("PTTL lock", ":60000"),
          ask("HGET h f", "'1'"),
          ask("LRANGE l 0 -1", "['a' 'b']"),
          ask("GET n", "'2'"),
          ask("DEL h", ":1"),
          kill("n1"),
          restart("n1", persistence),
          ask(B, "EXISTS h lock", ":1")};
}

const Row kPersistenceRows[] = {
    {"P1", "AKilledServerLosesNothingUnderAlways", Label::ci,
     persistent(Persistence::aof_always, WallClock::frozen),
     killed_and_whole(Persistence::aof_always)},

    {"P1", "AKilledServerLosesNothingUnderEverysec", Label::ci,
     persistent(Persistence::aof_everysec, WallClock::frozen),
     killed_and_whole(Persistence::aof_everysec)},

    {"P1", "AKilledServerLosesNothingUnderNo", Label::ci,
     persistent(Persistence::aof_no, WallClock::frozen), killed_and_whole(Persistence::aof_no)},

    {"P4",
     "APowerLossTakesWhatEverysecHadNotSynced",
     Label::ci,
     persistent(Persistence::aof_everysec),
     {ask("SET older v", "+OK"), sleep(1500ms), note_synced("n1"), ask("SET lock v", "+OK"),
      lose_power("n1"), restart("n1", Persistence::aof_everysec), ask(B, "GET older", "'v'"),
      ask(B, "EXISTS lock", ":0")}},

    {"P5",
     "ATornTailIsDropped",
     Label::ci,
     persistent(Persistence::aof_always),
     {ask("SET a 1", "+OK"), ask("SET lock v", "+OK"), kill("n1"), tear_file("n1", 5),
      restart("n1", Persistence::aof_always), ask(B, "GET a", "'1'"), ask(B, "EXISTS lock", ":0")}},

    {"P5",
     "OfATornTransactionNothingIsKept",
     Label::ci,
     persistent(Persistence::aof_always),
     {ask("SET a 1", "+OK"), eval("redis.call('incr', 'n') redis.call('incr', 'm')", "nil"),
      kill("n1"), tear_file("n1", 5), restart("n1", Persistence::aof_always),
      ask(B, "DBSIZE", ":1")}},

    {"P6",
     "TheLockIsStoredWithItsAbsoluteDeadline",
     Label::ci,
     persistent(Persistence::aof_always, WallClock::frozen),
     {ask("SET lock v PX 60000", "+OK"), kill("n1"), step_clock("n1", 59s),
      restart("n1", Persistence::aof_always), ask(B, "PEXPIRETIME lock", ":1700000060000"),
      ask(B, "PTTL lock", ":1000")}},

    {"P7",
     "WithoutPersistenceEverythingIsGone",
     Label::ci,
     kRunning,
     {ask("SET lock v", "+OK"), sleep(1200ms), kill("n1"), restart("n1", Persistence::none),
      ask(B, "DBSIZE", ":0")}},

    {"P7",
     "ASnapshotKeepsWhatItSaw",
     Label::slow,
     persistent(Persistence::rdb),
     {ask("SET lock v", "+OK"), sleep(3s), ask("SET later v", "+OK"), kill("n1"),
      restart("n1", Persistence::rdb), ask(B, "GET lock", "'v'"), ask(B, "EXISTS later", ":0")}},

    {"P8",
     "ASnapshotsDeadKeysAreDroppedAtTheLoad",
     Label::slow,
     persistent(Persistence::rdb),
     {ask("SET lock v PX 60000", "+OK"), ask("SET l v", "+OK"), sleep(3s), kill("n1"),
      step_clock("n1", 61s), restart("n1", Persistence::rdb), ask(B, "DBSIZE", ":1")}},

    {"P8",
     "ADeadKeyOfTheAofIsNeverShown",
     Label::ci,
     persistent(Persistence::aof_always),
     {ask("SET lock v PX 60000", "+OK"), kill("n1"), step_clock("n1", 61s),
      restart("n1", Persistence::aof_always), mark(), ask(B, "GET lock", "nil"),
      ask(B, "SET lock w NX", "+OK")}},

    {"P9",
     "ARestartGivesANewRunIdAndForgetsScripts",
     Label::ci,
     persistent(Persistence::aof_always),
     {ask("SCRIPT LOAD 'return 1'", "'e0e1f9fabfc9d4800c877a703b823ac0578ff8db'"),
      ask("EVALSHA e0e1f9fabfc9d4800c877a703b823ac0578ff8db 0", ":1"),
      remember(A, "server", "run_id"), kill("n1"), answer(A, closed()), ask(A, "PING", refused()),
      restart("n1", Persistence::aof_always), changed(A, "server", "run_id"),
      ask("EVALSHA e0e1f9fabfc9d4800c877a703b823ac0578ff8db 0",
          "-NOSCRIPT No matching script. Please use EVAL.")}},

    {"P10",
     "AFailedSaveStopsWritesAndPings",
     Label::slow,
     persistent(Persistence::rdb),
     {fail_saves("n1"), ask("SET k v", "+OK"), mark(),
      becomes(A, "PING",
              begins("-MISCONF Redis is configured to save RDB snapshots, but it's "
                     "currently unable to persist to disk. Commands that may modify the "
                     "data set are disabled, because this instance is configured to "
                     "report errors during writes if RDB snapshotting fails "
                     "(stop-writes-on-bgsave-error option). Please check the Redis logs "
                     "for details about the RDB error."),
              between(900ms, 3s)),
      ask("SET k w", begins("-MISCONF ")), ask("DEL none", begins("-MISCONF ")),
      ask("GET k", "'v'"), eval("return redis.call('set', 'k', 'w')", begins("-MISCONF ")),
      ask("MULTI", "+OK"), ask("SET k w", begins("-MISCONF ")),
      ask("EXEC", "-EXECABORT Transaction discarded because of previous errors."),
      ask("SAVE", "-ERR"), ask("CONFIG SET stop-writes-on-bgsave-error no", "+OK"),
      ask("SET k w", "+OK")}},

    {"P10",
     "SavesByCommand",
     Label::ci,
     kRunning,
     {ask("SET k v", "+OK"), ask("SAVE", "+OK"), ask("LASTSAVE", any()), ask("SET k w", "+OK"),
      ask("CONFIG SET appendonly yes", "+OK"), ask("CONFIG SET appendfsync always", "+OK"),
      ask("CONFIG GET appendonly", "['appendonly' 'yes']"), ask("BGSAVE FOO", "-ERR syntax error"),
      ask("SHUTDOWN FOO", "-ERR syntax error"), ask("SHUTDOWN SAVE NOSAVE", "-ERR syntax error")}},
};

}  // namespace

std::span<const Row> persistence_rows() { return kPersistenceRows; }

}  // namespace holdfast::conformance
