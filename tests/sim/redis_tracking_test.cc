// CLIENT TRACKING (FIDELITY X11): the invalidations that a real 7.0.15 sends.
#include "tests/sim/redis_clients.h"

namespace holdfast::sim {

class RedisTracking : public RedisClients {
 public:
  RedisTracking() { run("HELLO", "3"); }
  Lines told() { return pushed(first()); }

  static constexpr auto kSetAll = "for i = 1, #ARGV do redis.call('set', ARGV[i], '1') end";
};

TEST_F(RedisTracking, AKeyThatWasReadIsInvalidatedOnce) {
  EXPECT_EQ(run("CLIENT", "TRACKING", "ON"), "+OK");
  run("GET", "k");
  by(other, "SET", "k", "1");
  EXPECT_EQ(told(), Lines{">[invalidate [k]]"});
  by(other, "SET", "k", "1");
  EXPECT_EQ(told(), Lines{});
  run("GET", "k");
  run("GET", "l");
  by(other, "EVAL", kSetAll, "0", "k", "l");
  EXPECT_EQ(told(), (Lines{">[invalidate [k]]", ">[invalidate [l]]"}));
  run("GET", "k");
  by(other, "FLUSHALL");
  EXPECT_EQ(told(), Lines{">[invalidate _]"});
}

TEST_F(RedisTracking, ScriptsReadForTheirDeclaredKeys) {
  run("CLIENT", "TRACKING", "ON");
  run("EVAL", "return redis.call('get',KEYS[1])", "1", "k");
  by(other, "SET", "k", "1");
  EXPECT_EQ(told(), Lines{">[invalidate [k]]"});
  run("EVAL", "return redis.call('get',ARGV[1])", "0", "k");
  by(other, "SET", "k", "1");
  EXPECT_EQ(told(), Lines{});
}

TEST_F(RedisTracking, OwnWritesCountUnlessNoloop) {
  run("CLIENT", "TRACKING", "ON");
  run("GET", "k");
  run("SET", "k", "1");
  EXPECT_EQ(told(), Lines{">[invalidate [k]]"});
  run("CLIENT", "TRACKING", "OFF");
  run("CLIENT", "TRACKING", "ON", "NOLOOP");
  run("GET", "k");
  run("SET", "k", "1");
  EXPECT_EQ(told(), Lines{});
}

TEST_F(RedisTracking, ADeadKeyIsInvalidatedWhenItIsRemoved) {
  run("CLIENT", "TRACKING", "ON");
  by(other, "SET", "k", "1", "PX", "130");
  run("GET", "k");
  at_ms(199);
  EXPECT_EQ(told(), Lines{});
  at_ms(200);
  EXPECT_EQ(told(), Lines{">[invalidate [k]]"});
}

TEST_F(RedisTracking, BroadcastsGoByPrefix) {
  run("CLIENT", "TRACKING", "ON", "BCAST", "PREFIX", "t", "PREFIX", "u");
  by(other, "EVAL", kSetAll, "0", "t1", "t2", "u1", "v1");
  EXPECT_EQ(told(), (Lines{">[invalidate [t1 t2]]", ">[invalidate [u1]]"}));
  EXPECT_EQ(run("CLIENT", "TRACKINGINFO"), "%[flags ~[on bcast] redirect :0 prefixes [t u]]");
  EXPECT_EQ(run("CLIENT", "TRACKING", "ON", "BCAST", "PREFIX", "ta"),
            "-ERR Prefix 'ta' overlaps with an existing prefix 't'. Prefixes for a single client "
            "must not overlap.");
  EXPECT_EQ(run("CLIENT", "TRACKING", "ON"),
            "-ERR You can't switch BCAST mode on/off before disabling tracking for this client, "
            "and then re-enabling it with a different mode.");
}

TEST_F(RedisTracking, OptinTracksWhatCachingSays) {
  run("CLIENT", "TRACKING", "ON", "OPTIN");
  run("GET", "k");
  by(other, "SET", "k", "1");
  EXPECT_EQ(told(), Lines{});
  EXPECT_EQ(run("CLIENT", "CACHING", "YES"), "+OK");
  run("GET", "k");
  run("GET", "l");
  by(other, "EVAL", kSetAll, "0", "k", "l");
  EXPECT_EQ(told(), Lines{">[invalidate [k]]"});
  EXPECT_EQ(run("CLIENT", "CACHING", "NO"),
            "-ERR CLIENT CACHING NO is only valid when tracking is enabled in OPTOUT mode.");
}

TEST_F(RedisTracking, RedirectedInvalidationsComeAsMessages) {
  const SessionId reader = node(1).open_session(6);
  EXPECT_EQ(by(reader, "CLIENT", "TRACKING", "ON", "REDIRECT", "99"),
            "-ERR The client ID you want redirect to does not exist");
  by(other, "SUBSCRIBE", "__redis__:invalidate");
  EXPECT_EQ(by(reader, "CLIENT", "TRACKING", "ON", "REDIRECT", "2"), "+OK");
  EXPECT_EQ(by(reader, "CLIENT", "GETREDIR"), ":2");
  by(reader, "GET", "k");
  run("SET", "k", "1");
  EXPECT_EQ(pushed(other), Lines{"[message __redis__:invalidate [k]]"});
  EXPECT_EQ(pushed(reader), Lines{});
}

}  // namespace holdfast::sim
