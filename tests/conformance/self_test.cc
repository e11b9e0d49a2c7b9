// The harness itself: each kind of expectation must refuse what it is there to refuse.
#include <gtest/gtest.h>

#include "tests/conformance/command_words.h"
#include "tests/conformance/play.h"
#include "tests/conformance/steps.h"
#include "tests/conformance/topologies.h"

namespace holdfast::conformance {
namespace {

// What playing these steps finds, simulated.
std::string found(const Topology& topology, std::vector<Step> steps) {
  return play_in(World::simulated, {"T", "", Label::ci, topology, std::move(steps)}).text;
}
std::string found(std::vector<Step> steps) { return found(kFrozen, std::move(steps)); }

Answer reply(Reply value) { return {Answer::Kind::reply, std::move(value), {}}; }

TEST(Harness, PassesWhatIsAsSaid) {
  EXPECT_EQ(found({ask("SET k v PX 100", "+OK"), ask("GET k", "'v'"), ask("PTTL k", falling(100)),
                   ask("PTTL k", number(99, 101)), ask("NONE", begins("-ERR unknown")),
                   ask("PTTL k", any()), quiet(A, 1s)}),
            "");
}

TEST(Harness, FindsAWrongReplyAndSaysAtWhichStep) {
  EXPECT_EQ(found({ask("SET k v", "+OK"), ask("GET k", "'w'")}),
            "step 2, A: GET k: answers 'v', not 'w'");
  EXPECT_NE(found({ask("GET k", "+OK")}), "");
  EXPECT_NE(found({ask("GET k", begins("-ERR"))}), "");
  EXPECT_NE(found({ask("DBSIZE", number(1, 2))}), "");
  EXPECT_NE(found({ask("DBSIZE", falling(1))}), "") << "simulated times are exact";
  EXPECT_NE(found({ask("PING", closed())}), "");
  EXPECT_NE(found({ask("PING", refused())}), "");
  EXPECT_NE(found({send(A, {"PING"}), quiet(A, 1s)}), "");
  EXPECT_NE(found({send(A, {"WAIT 1 0"}), answer(A, any())}), "");
}

TEST(Harness, FindsAReplyAtTheWrongTime) {
  EXPECT_EQ(found(kRunning, {ask("SET k v", "+OK"), ask("WAIT 1 300", ":0", after(301ms))}), "");
  EXPECT_NE(found(kRunning, {ask("SET k v", "+OK"), ask("WAIT 1 300", ":0", after(302ms))}), "");
  EXPECT_NE(found(kRunning, {ask("SET k v", "+OK"), ask("WAIT 1 300", ":0", after(300ms))}), "");
  EXPECT_NE(found(kRunning, {mark(), ask("SET k v PX 100", "+OK"),
                             becomes(A, "EXISTS k", ":0", between(0ms, 100ms))}),
            "");
  EXPECT_NE(found(kRunning, {mark(), becomes(A, "EXISTS k", ":1", between(0ms, 100ms))}), "");
}

TEST(Harness, FindsAWrongFieldOfInfoAndAWrongStream) {
  EXPECT_NE(found({remember(A, "server", "run_id"), changed(A, "server", "run_id")}), "");
  EXPECT_NE(found({remember(A, "server", "run_id"), kill("n1"), answer(A, closed()),
                   restart("n1", Persistence::none), keeps(A, "server", "run_id")}),
            "");
  EXPECT_NE(found({remember(A, "server", "no_such_field")}), "");
  EXPECT_EQ(found(kFrozenReplica, {ask("SET k v", "+OK"), note_offset("n1"), ask("SET k w", "+OK"),
                                   streamed("n1", {"SET k w"})}),
            "");
  EXPECT_NE(found(kFrozenReplica, {ask("SET k v", "+OK"), note_offset("n1"), ask("SET k w", "+OK"),
                                   streamed("n1", {})}),
            "");
}

TEST(Harness, AllowsARealServerToBeLateButNotEarly) {
  EXPECT_FALSE(after(300ms).judge(540ms, false));
  EXPECT_TRUE(after(300ms).judge(560ms, false).late);
  EXPECT_TRUE(after(300ms).judge(301ms, true));
  EXPECT_FALSE(after(300ms).judge(301ms, true).late) << "simulated there is no excuse";
  EXPECT_TRUE(after(300ms).judge(298ms, false));
  EXPECT_FALSE(after(300ms).judge(298ms, false).late);
  EXPECT_FALSE(after(4s).judge(4990ms, false));
  EXPECT_TRUE(after(4s).judge(5010ms, false).late);
  EXPECT_FALSE(falling(3000).judge(reply(Reply::number(2300)), false));
  EXPECT_TRUE(falling(3000).judge(reply(Reply::number(2200)), false).late);
  EXPECT_FALSE(falling(3000).judge(reply(Reply::number(3001)), false).late);
  EXPECT_TRUE(falling(3000).judge(reply(Reply::number(3001)), false));
  EXPECT_TRUE(falling(3000).judge(reply(Reply::bulk("2999")), false));
}

TEST(Harness, FindsAWrongReplyOfARealServer) {
  const Row row{"T", "", Label::ci, kFrozen, {ask("SET k v", "+OK"), ask("GET k", "'w'")}};
  EXPECT_EQ(play_in(World::real, row).text, "step 2, A: GET k: answers 'v', not 'w'");
}

TEST(Harness, RepeatsALateRowOfTheRealWorldTwice) {
  int plays = 0;
  const auto late_until = [&plays](int last) {
    return Step{"count", [&plays, last](Play& play) {
                  if (++plays <= last) play.find({"late", true});
                }};
  };
  EXPECT_FALSE(play_in(World::real, {"T", "", Label::ci, kRunning, {late_until(2)}}));
  EXPECT_EQ(plays, 3);
  plays = 0;
  EXPECT_TRUE(play_in(World::real, {"T", "", Label::ci, kRunning, {late_until(3)}}));
  EXPECT_EQ(plays, 3);
}

TEST(Harness, ReadsCommandsAsRedisCliDoes) {
  EXPECT_EQ(words(R"(SET  k "a b\r\n\x00" 'c"d' '' e)"),
            (Command{"SET", "k", std::string_view("a b\r\n\0", 6), "c\"d", "", "e"}));
  EXPECT_EQ(words(typed(Command{"SET", "a b", "\r\n\xff", "'", "\"\\", ""})),
            (Command{"SET", "a b", "\r\n\xff", "'", "\"\\", ""}));
  EXPECT_EQ(wire_length(Command{"GET", "k"}), std::string("*2\r\n$3\r\nGET\r\n$1\r\nk\r\n").size());
}

}  // namespace
}  // namespace holdfast::conformance
