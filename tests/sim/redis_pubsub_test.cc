// Channels and keyspace events (FIDELITY X10, R17, E8, E23): what a real 7.0.15 sends.
#include "tests/sim/redis_clients.h"

namespace holdfast::sim {

class RedisPubSub : public RedisClients {};

TEST_F(RedisPubSub, MessagesReachListenersOfChannelsPatternsAndShards) {
  EXPECT_EQ(by(other, "SUBSCRIBE", "a", "b"), "[subscribe b :2]");
  EXPECT_EQ(pushed(other), Lines{"[subscribe a :1]"});
  EXPECT_EQ(by(other, "PSUBSCRIBE", "p*"), "[psubscribe p* :3]");
  EXPECT_EQ(by(other, "SSUBSCRIBE", "s1"), "[ssubscribe s1 :1]");
  EXPECT_EQ(run("PUBLISH", "a", "hello"), ":1");
  EXPECT_EQ(run("PUBLISH", "ppp", "hello"), ":1");
  EXPECT_EQ(run("PUBLISH", "s1", "hello"), ":0");
  EXPECT_EQ(run("SPUBLISH", "s1", "hello"), ":1");
  EXPECT_EQ(pushed(other),
            (Lines{"[message a hello]", "[pmessage p* ppp hello]", "[smessage s1 hello]"}));
  EXPECT_EQ(run("PUBSUB", "CHANNELS"), "[a b]");
  EXPECT_EQ(run("PUBSUB", "CHANNELS", "a*"), "[a]");
  EXPECT_EQ(run("PUBSUB", "NUMSUB", "a", "z"), "[a :1 z :0]");
  EXPECT_EQ(run("PUBSUB", "NUMPAT"), ":1");
  EXPECT_EQ(run("PUBSUB", "SHARDCHANNELS"), "[s1]");
  EXPECT_EQ(run("PUBSUB", "FOO"), "-ERR unknown subcommand 'FOO'. Try PUBSUB HELP.");
  EXPECT_EQ(by(other, "UNSUBSCRIBE", "a", "zz"), "[unsubscribe zz :2]");
  EXPECT_EQ(by(other, "UNSUBSCRIBE"), "[unsubscribe b :1]");
  EXPECT_EQ(by(other, "PUNSUBSCRIBE"), "[punsubscribe p* :0]");
  EXPECT_EQ(by(other, "SUNSUBSCRIBE"), "[sunsubscribe s1 :0]");
  EXPECT_EQ(by(other, "UNSUBSCRIBE"), "[unsubscribe nil :0]");
  EXPECT_EQ(by(other, "GET", "k"), "nil");
}

TEST_F(RedisPubSub, ARespTwoSubscriberMayDoLittleElse) {
  by(other, "SUBSCRIBE", "a");
  constexpr std::string_view kOnly =
      ": only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in this context";
  EXPECT_EQ(by(other, "GET", "k"), "-ERR Can't execute 'get'" + std::string(kOnly));
  EXPECT_EQ(by(other, "CONFIG", "GET", "x"),
            "-ERR Can't execute 'config|get'" + std::string(kOnly));
  EXPECT_EQ(by(other, "GET"), "-ERR wrong number of arguments for 'get' command");
  EXPECT_EQ(by(other, "PING"), "[pong ]");
  EXPECT_EQ(by(other, "PING", "hi"), "[pong hi]");
  EXPECT_EQ(by(other, "RESET"), "+RESET");
  EXPECT_EQ(by(other, "GET", "k"), "nil");
}

TEST_F(RedisPubSub, RespThreeSubscribersGoOnWithCommands) {
  EXPECT_EQ(by(other, "HELLO", "3"),
            "%[server redis version 7.0.15 proto :3 id :2 mode standalone role master modules []]");
  EXPECT_EQ(by(other, "SUBSCRIBE", "x"), ">[subscribe x :1]");
  EXPECT_EQ(by(other, "PUBLISH", "x", "1"), ":1");
  EXPECT_EQ(pushed(other), Lines{">[message x 1]"});
  EXPECT_EQ(by(other, "GET", "k"), "_");
  EXPECT_EQ(by(other, "PING"), "+PONG");
}

TEST_F(RedisPubSub, KeyspaceEventsNameWhatHappened) {
  EXPECT_EQ(run("CONFIG", "SET", "notify-keyspace-events", "KEA"), "+OK");
  by(other, "PSUBSCRIBE", "__key*");
  run("SET", "k", "v", "PX", "60000");
  EXPECT_EQ(pushed(other), (Lines{"[pmessage __key* __keyspace@0__:k set]",
                                  "[pmessage __key* __keyevent@0__:set k]",
                                  "[pmessage __key* __keyspace@0__:k expire]",
                                  "[pmessage __key* __keyevent@0__:expire k]"}));
  run("SET", "k", "w", "NX");
  EXPECT_EQ(pushed(other), Lines{});
  run("CONFIG", "SET", "notify-keyspace-events", "Kg");
  run("PERSIST", "k");
  run("SET", "k", "w");
  run("DEL", "k");
  EXPECT_EQ(pushed(other), (Lines{"[pmessage __key* __keyspace@0__:k persist]",
                                  "[pmessage __key* __keyspace@0__:k del]"}));
  run("CONFIG", "SET", "notify-keyspace-events", "");
  run("SET", "k", "v");
  EXPECT_EQ(pushed(other), Lines{});
}

TEST_F(RedisPubSub, ExpiryIsAnnouncedWhenTheKeyIsRemoved) {
  run("CONFIG", "SET", "notify-keyspace-events", "Ex");
  by(other, "SUBSCRIBE", "__keyevent@0__:expired");
  run("SET", "k", "v", "PX", "130");
  at_ms(199);
  EXPECT_EQ(pushed(other), Lines{});  // dead, and still there
  at_ms(200);
  EXPECT_EQ(pushed(other), Lines{"[message __keyevent@0__:expired k]"});
  run("DEBUG", "SET-ACTIVE-EXPIRE", "0");
  run("SET", "k", "v", "PX", "10");
  at_ms(900);
  EXPECT_EQ(pushed(other), Lines{});
  run("GET", "k");
  EXPECT_EQ(pushed(other), Lines{"[message __keyevent@0__:expired k]"});
}

TEST_F(RedisPubSub, ReplicasHearMessagesAndSeeExpiryAsDel) {
  add(2, Persistence::none);
  node(2).replicate_from(node(1));
  at_ms(1000);
  const SessionId listener = node(2).open_session(5);
  on(2, listener, Command{"PSUBSCRIBE", "*"});
  on(2, Command{"CONFIG", "SET", "notify-keyspace-events", "EA"});
  run("PUBLISH", "unlocked", "jobs");
  run("SET", "k", "v", "PX", "10");
  at_ms(1300);
  EXPECT_EQ(pushed(listener),
            (Lines{"[pmessage * unlocked jobs]", "[pmessage * __keyevent@0__:set k]",
                   "[pmessage * __keyevent@0__:expire k]", "[pmessage * __keyevent@0__:del k]"}));
}

}  // namespace holdfast::sim
