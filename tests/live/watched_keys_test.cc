#include "scenarios/live/watched_keys.h"

#include <gtest/gtest.h>

#include <string>

namespace holdfast::live {
namespace {

using history::Kind;
using namespace std::chrono_literals;

constexpr Duration kServerWallMinusHost = 1'700'000'000s;

class WatchedKeysTest : public testing::Test {
 protected:
  WatchedKeysTest() {
    history_.actors.intern("A");
    history_.actors.intern("B");
    history_.nodes.intern("n1");
    history::LockSetup lock;
    lock.resource = static_cast<history::ResourceId>(history_.resources.intern("lock"));
    history_.setup.locks.push_back(lock);
  }

  void see(const std::string& client, Duration at, std::vector<std::string> arguments) {
    MonitorLine line;
    line.arrived = Instant(at + 200us);
    line.server_time = WallInstant(kServerWallMinusHost + at);
    line.client = client;
    line.arguments = std::move(arguments);
    lines_.push_back(std::move(line));
  }

  // "key_set A token-a @1.000000", in order.
  std::vector<std::string> told(Duration end) {
    LiveHistory live(history_, Instant());
    WatchedKeys keys(1, history_, live, [](const std::string& client) -> history::ActorId {
      return client == "a" ? 1 : client == "b" ? 2 : 0;
    });
    keys.follow(lines_, times_);
    keys.finish(Instant(end), times_);
    live.finish(Instant(end), 1);
    std::vector<std::string> words;
    for (const auto& event : history_.events) {
      if (event.kind == Kind::run_ended) continue;
      words.push_back(word(event.kind) + " " + history_.actors[event.actor] + " " +
                      history_.tokens[event.token] + " @" + std::to_string(event.at / 1'000'000));
    }
    return words;
  }
  static std::string word(Kind kind) {
    if (kind == Kind::key_set) return "set";
    if (kind == Kind::key_deleted) return "deleted";
    if (kind == Kind::key_expired) return "expired";
    if (kind == Kind::key_ttl_changed) return "ttl";
    return kind == Kind::command_executed ? "executed" : "other";
  }

  history::History history_;
  ServerTimes times_{kServerWallMinusHost};
  std::vector<MonitorLine> lines_;
};

using Words = std::vector<std::string>;

TEST_F(WatchedKeysTest, ASetNxOnALiveKeyChangesNothing) {
  see("a", 1s, {"SET", "lock", "ta", "NX", "PX", "500"});
  see("b", 1400ms, {"SET", "lock", "tb", "NX", "PX", "500"});
  EXPECT_EQ(told(1450ms), (Words{"set A ta @1000", "executed A  @1000", "executed B  @1400"}));
}

TEST_F(WatchedKeysTest, ASetNxOnADeadKeyTakesIt) {
  see("a", 1s, {"SET", "lock", "ta", "NX", "PX", "500"});
  see("b", 1502ms, {"SET", "lock", "tb", "NX", "PX", "500"});
  EXPECT_EQ(told(1600ms), (Words{"set A ta @1000", "executed A  @1000", "expired  ta @1501",
                                 "set B tb @1502", "executed B  @1502"}));
}

TEST_F(WatchedKeysTest, TheMillisecondOfTheDeadlineIsStillAlive) {
  see("a", 1s, {"SET", "lock", "ta", "NX", "PX", "500"});
  see("b", 1500ms, {"SET", "lock", "tb", "NX", "PX", "500"});
  EXPECT_EQ(told(1500ms).back(), "executed B  @1500");
}

TEST_F(WatchedKeysTest, AScriptsEffectsAreTheLinesInsideIt) {
  see("a", 1s, {"SET", "lock", "ta", "NX", "PX", "5000"});
  see("b", 2s, {"EVALSHA", "abc", "1", "lock", "tb"});
  see("lua", 2s, {"get", "lock"});
  see("a", 3s, {"EVALSHA", "abc", "1", "lock", "ta"});
  see("lua", 3s, {"get", "lock"});
  see("lua", 3s, {"del", "lock"});
  EXPECT_EQ(told(4s), (Words{"set A ta @1000", "executed A  @1000", "executed B  @2000",
                             "deleted A ta @3000", "executed A ta @3000"}));
}

TEST_F(WatchedKeysTest, AnExtensionMovesTheExpiry) {
  see("a", 1s, {"SET", "lock", "ta", "NX", "PX", "1000"});
  see("a", 1500ms, {"PEXPIRE", "lock", "1000"});
  EXPECT_EQ(told(3s), (Words{"set A ta @1000", "executed A  @1000", "ttl A ta @1500",
                             "executed A  @1500", "expired  ta @2501"}));
}

TEST_F(WatchedKeysTest, ASetnxWithoutExpireNeverExpires) {
  see("a", 1s, {"SETNX", "lock", "ta"});
  see("b", 90s, {"SETNX", "lock", "tb"});
  EXPECT_EQ(told(100s), (Words{"set A ta @1000", "executed A  @1000", "executed B  @90000"}));
}

TEST_F(WatchedKeysTest, OtherKeysAreNotTold) {
  see("a", 1s, {"SET", "lock:fence", "1"});
  see("a", 1s, {"DEL", "other"});
  EXPECT_TRUE(told(2s).empty());
}

TEST_F(WatchedKeysTest, AClockStepForwardsEndsTheKeyAtTheStep) {
  see("a", 1s, {"SET", "lock", "ta", "NX", "PX", "5000"});
  times_.bent(Instant(2s), 10s, 0);
  EXPECT_EQ(told(3s).back(), "expired  ta @2000");
}

TEST_F(WatchedKeysTest, WhatIsMissingAfterARestartIsDropped) {
  see("a", 1s, {"SET", "lock", "ta", "NX", "PX", "5000"});
  LiveHistory live(history_, Instant());
  WatchedKeys keys(1, history_, live, [](const std::string&) -> history::ActorId { return 1; });
  keys.follow(lines_, times_);
  keys.found("lock", "", -2, Instant(2s), times_, history::DropCause::restart);
  live.finish(Instant(3s), 1);
  const auto& last = history_.events[history_.events.size() - 2];
  EXPECT_EQ(last.kind, Kind::key_dropped);
  EXPECT_EQ(last.a, static_cast<std::int64_t>(history::DropCause::restart));
}

}  // namespace
}  // namespace holdfast::live
