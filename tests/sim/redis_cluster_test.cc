// One node that is told its cluster's layout: slots and redirection (FID-K2, K6, K7).
#include "sim/redis/cluster/layout.h"
#include "tests/sim/redis_fixture.h"

namespace holdfast::sim {
namespace {

using redis::ClusterLayout;
using redis::slot_of;

// Three masters n1 n2 n3 and n4, a replica of n1. Keys: {a} 15495 at n3, {b} 3300 at n1, {c} 7365
// at n2.
class RedisCluster : public RedisFixture {
 public:
  RedisCluster() {
    auto layout = std::make_shared<ClusterLayout>();
    for (history::NodeId node = 1; node <= 4; ++node) {
      layout->seats.push_back(
          {.node = node, .host = "n" + std::to_string(node), .port = 6379, .slots = {}});
    }
    for (std::size_t i = 0; i < 3; ++i) layout->seats[i].slots = {redis::even_share(i, 3)};
    layout->seats[3].master = 0;
    for (history::NodeId node = 1; node <= 4; ++node) {
      if (node > 1) add(node, Persistence::none);
      ServerOptions options;
      options.name = "n" + std::to_string(node);
      options.node = node;
      options.cluster = layout;
      servers[node]->reset(options, Clock(milliseconds(kEpochMs), 0));
      sessions[node] = servers[node]->open_session(kActor);
    }
    servers[4]->replicate_from(*servers[1]);
    at_ms(100);
  }
  std::string id(history::NodeId node) { return on(node, {"CLUSTER", "MYID"}); }
  // Slot of {b} is on its way from n1 to n2.
  void move_b() {
    ASSERT_EQ(on(1, {"CLUSTER", "SETSLOT", "3300", "MIGRATING", id(2)}), "+OK");
    ASSERT_EQ(on(2, {"CLUSTER", "SETSLOT", "3300", "IMPORTING", id(1)}), "+OK");
  }
};

TEST(HashSlots, AreThoseOfRedis) {
  EXPECT_EQ(slot_of("123456789"), 0x31C3);
  EXPECT_EQ(slot_of("foo"), 12182);
  EXPECT_EQ(slot_of("{user1000}.following"), slot_of("user1000"));
  EXPECT_EQ(slot_of("foo{}{bar}"), slot_of("foo{}{bar}"));
  EXPECT_NE(slot_of("foo{}{bar}"), slot_of("bar"));
  EXPECT_EQ(slot_of("foo{{bar}}zap"), slot_of("{bar"));
  EXPECT_EQ(slot_of("foo{bar}{zap}"), slot_of("bar"));
  EXPECT_EQ(redis::even_share(0, 3), (redis::SlotRange{0, 5460}));
  EXPECT_EQ(redis::even_share(2, 3), (redis::SlotRange{10923, 16383}));
}

TEST_F(RedisCluster, SendsAKeyToTheMasterOfItsSlot) {
  EXPECT_EQ(on(1, {"SET", "{b}1", "x"}), "+OK");
  EXPECT_EQ(on(2, {"SET", "{b}1", "x"}), "-MOVED 3300 n1:6379");
  EXPECT_EQ(on(1, {"GET", "a"}), "-MOVED 15495 n3:6379");
  EXPECT_EQ(on(1, {"EVAL", "return 1", "1", "c"}), "-MOVED 7365 n2:6379");
  EXPECT_EQ(on(1, {"EVAL", "return 1", "0"}), ":1");
  EXPECT_EQ(on(1, {"PING"}), "+PONG");
}

TEST_F(RedisCluster, RefusesKeysOfSeveralSlotsAtOnce) {
  EXPECT_EQ(on(1, {"MSET", "a", "1", "b", "2"}),
            "-CROSSSLOT Keys in request don't hash to the same slot");
  EXPECT_EQ(on(1, {"SINTERCARD", "2", "b", "a"}),
            "-CROSSSLOT Keys in request don't hash to the same slot");
  EXPECT_EQ(on(1, {"MSET", "{b}1", "1", "{b}2", "2"}), "+OK");
}

TEST_F(RedisCluster, SaysAtQueueTimeThatATransactionBelongsElsewhere) {
  on(1, {"MULTI"});
  EXPECT_EQ(on(1, {"SET", "b", "1"}), "+QUEUED");
  EXPECT_EQ(on(1, {"SET", "a", "1"}), "-MOVED 15495 n3:6379");
  EXPECT_EQ(on(1, {"EXEC"}), "-EXECABORT Transaction discarded because of previous errors.");
  on(1, {"MULTI"});
  EXPECT_EQ(on(1, {"SET", "b", "1"}), "+QUEUED");
  EXPECT_EQ(on(1, {"SET", "{3}", "1"}), "+QUEUED") << "its slot, 1584, is also ours";
  EXPECT_EQ(on(1, {"EXEC"}), "-CROSSSLOT Keys in request don't hash to the same slot");
  EXPECT_EQ(on(1, {"EXEC"}), "-ERR EXEC without MULTI");
}

TEST_F(RedisCluster, AsksForKeysThatHaveLeftAMigratingSlot) {
  EXPECT_EQ(on(1, {"SET", "{b}1", "x"}), "+OK");
  move_b();
  EXPECT_EQ(on(1, {"GET", "{b}1"}), "x");
  EXPECT_EQ(on(1, {"SET", "{b}2", "y", "NX"}), "-ASK 3300 n2:6379");
  EXPECT_EQ(on(1, {"MGET", "{b}1", "{b}2"}),
            "-TRYAGAIN Multiple keys request during rehashing of slot");
  EXPECT_EQ(on(1, {"MGET", "{b}2", "{b}3"}), "-ASK 3300 n2:6379");
}

TEST_F(RedisCluster, TakesOneCommandAfterAskingForAnImportingSlot) {
  move_b();
  EXPECT_EQ(on(2, {"SET", "{b}2", "y"}), "-MOVED 3300 n1:6379");
  EXPECT_EQ(on(2, {"ASKING"}), "+OK");
  EXPECT_EQ(on(2, {"SET", "{b}2", "y"}), "+OK");
  EXPECT_EQ(on(2, {"GET", "{b}2"}), "-MOVED 3300 n1:6379");
  on(2, {"ASKING"});
  EXPECT_EQ(on(2, {"MGET", "{b}2", "{b}3"}),
            "-TRYAGAIN Multiple keys request during rehashing of slot");
  on(2, {"ASKING"});
  EXPECT_EQ(on(2, {"EVAL", "return redis.call('get', KEYS[1])", "1", "{b}2"}), "y");
  on(2, {"ASKING"});
  on(2, {"MULTI"});
  EXPECT_EQ(on(2, {"GET", "{b}2"}), "+QUEUED");
  EXPECT_EQ(on(2, {"GET", "{b}2"}), "+QUEUED");
  EXPECT_EQ(on(2, {"EXEC"}), "[y y]");
  EXPECT_EQ(on(2, {"GET", "{b}2"}), "-MOVED 3300 n1:6379");
}

TEST_F(RedisCluster, MovesASlotForGood) {
  move_b();
  EXPECT_EQ(on(2, {"CLUSTER", "SETSLOT", "3300", "NODE", id(2)}), "+OK");
  EXPECT_EQ(on(1, {"CLUSTER", "SETSLOT", "3300", "NODE", id(2)}), "+OK");
  EXPECT_EQ(on(1, {"SET", "b", "x"}), "-MOVED 3300 n2:6379");
  EXPECT_EQ(on(2, {"SET", "b", "x"}), "+OK");
}

TEST_F(RedisCluster, StopsWhenASlotIsNobodys) {
  EXPECT_EQ(on(1, {"CLUSTER", "DELSLOTS", "3300"}), "+OK");
  EXPECT_EQ(on(1, {"SET", "b", "x"}), "-CLUSTERDOWN Hash slot not served");
  EXPECT_EQ(on(1, {"SET", "{3}", "x"}), "-CLUSTERDOWN The cluster is down");
  EXPECT_EQ(on(1, {"EVAL", "return redis.pcall('set', '{3}', 'x').err", "0"}),
            "ERR Script attempted to execute a command while the cluster is down");
  EXPECT_EQ(on(1, {"CLUSTER", "ADDSLOTS", "3300"}), "+OK");
  EXPECT_EQ(on(1, {"SET", "b", "x"}), "+OK");
}

TEST_F(RedisCluster, LetsAScriptTouchNoKeyThatIsNotLocal) {
  const std::string refused = on(1, {"EVAL", "return redis.call('get', 'a')", "1", "b"});
  EXPECT_EQ(refused.substr(0, refused.find(" script: ")),
            "-ERR Script attempted to access a non local key in a cluster node");
  EXPECT_EQ(on(1, {"EVAL", "return redis.call('set', '{3}', 'x')", "1", "b"}), "+OK")
      << "another slot of its own";
}

TEST_F(RedisCluster, KeepsAScriptWithFlagsToOneSlot) {
  const std::string body = "\nredis.call('set', '{3}', 'x') return redis.call('set', 'b', 'x')";
  const std::string refused = on(1, {"EVAL", "#!lua" + body, "1", "b"});
  EXPECT_EQ(refused.substr(0, refused.find(" script: ")),
            "-ERR Script attempted to access keys that do not hash to the same slot");
  EXPECT_EQ(on(1, {"EVAL", "#!lua flags=allow-cross-slot-keys" + body, "1", "b"}), "+OK");
  EXPECT_EQ(on(1, {"EVAL", body, "1", "b"}), "+OK") << "as before there were flags";
}

TEST_F(RedisCluster, ReadsAtAReplicaOnlyWhenTheClientSaysSo) {
  EXPECT_EQ(on(1, {"SET", "b", "x"}), "+OK");
  at_ms(200);
  EXPECT_EQ(on(4, {"GET", "b"}), "-MOVED 3300 n1:6379");
  EXPECT_EQ(on(4, {"READONLY"}), "+OK");
  EXPECT_EQ(on(4, {"GET", "b"}), "x");
  EXPECT_EQ(on(4, {"EVAL", "return redis.call('get', KEYS[1])", "1", "b"}), "x");
  EXPECT_EQ(on(4, {"SET", "b", "y"}), "-MOVED 3300 n1:6379");
  EXPECT_EQ(on(4, {"GET", "a"}), "-MOVED 15495 n3:6379");
  const std::string refused = on(4, {"EVAL", "redis.call('set', KEYS[1], 1)", "1", "b"});
  EXPECT_EQ(refused.substr(0, refused.find(" script: ")),
            "-READONLY You can't write against a read only replica.");
  EXPECT_EQ(on(4, {"READWRITE"}), "+OK");
  EXPECT_EQ(on(4, {"GET", "b"}), "-MOVED 3300 n1:6379");
}

TEST_F(RedisCluster, HasOneDatabase) {
  EXPECT_EQ(on(1, {"SELECT", "0"}), "+OK");
  EXPECT_EQ(on(1, {"SELECT", "1"}), "-ERR SELECT is not allowed in cluster mode");
  EXPECT_EQ(on(1, {"SWAPDB", "0", "1"}), "-ERR SWAPDB is not allowed in cluster mode");
}

TEST_F(RedisCluster, TellsItsLayout) {
  EXPECT_EQ(on(1, {"CLUSTER", "KEYSLOT", "b"}), ":3300");
  EXPECT_TRUE(on(2, {"CLUSTER", "SLOTS"}).find("[:0 :5460 [n1 :6379 " + id(1)) != std::string::npos)
      << on(2, {"CLUSTER", "SLOTS"});
  const std::string nodes = on(1, {"CLUSTER", "NODES"});
  EXPECT_NE(nodes.find(id(1) + " n1:6379@16379 myself,master - "), std::string::npos) << nodes;
  EXPECT_NE(nodes.find(id(4) + " n4:6379@16379 slave " + id(1)), std::string::npos) << nodes;
  on(1, {"SET", "b", "x"});
  EXPECT_EQ(on(1, {"CLUSTER", "COUNTKEYSINSLOT", "3300"}), ":1");
  EXPECT_EQ(on(1, {"CLUSTER", "GETKEYSINSLOT", "3300", "10"}), "[b]");
  EXPECT_EQ(on(1, {"CLUSTER", "SETSLOT", "16384", "STABLE"}), "-ERR Invalid or out of range slot");
  EXPECT_EQ(on(1, {"CLUSTER", "NOSUCH"}), "-ERR unknown subcommand 'NOSUCH'. Try CLUSTER HELP.");
}

TEST_F(RedisFixture, AServerOfItsOwnHasNoCluster) {
  EXPECT_EQ(run("CLUSTER", "INFO"), "-ERR This instance has cluster support disabled");
  EXPECT_EQ(run("READONLY"), "-ERR This instance has cluster support disabled");
  EXPECT_EQ(run("SELECT", "1"), "+OK");
  EXPECT_EQ(run("MSET", "a", "1", "b", "2"), "+OK");
}

}  // namespace
}  // namespace holdfast::sim
