// Commands on keys of any type. Expected answers are those of redis-server 7.0.15.
#include "tests/sim/redis_fixture.h"

namespace holdfast::sim {

class RedisKeys : public RedisFixture {};

TEST_F(RedisKeys, RenamingTakesValueAndTtlAlong) {
  EXPECT_EQ(run("set", "a", "1", "ex", "100"), "+OK");
  EXPECT_EQ(run("set", "b", "2"), "+OK");
  EXPECT_EQ(run("rename", "a", "b"), "+OK");
  EXPECT_EQ(run("get", "b"), "1");
  EXPECT_EQ(run("ttl", "b"), ":100");
  EXPECT_EQ(run("exists", "a"), ":0");
  EXPECT_EQ(run("rename", "none", "b"), "-ERR no such key");
  EXPECT_EQ(run("rename", "none", "none"), "-ERR no such key");
  EXPECT_EQ(run("rename", "b", "b"), "+OK");
  EXPECT_EQ(run("renamenx", "b", "b"), ":0");
  EXPECT_EQ(run("set", "a", "3"), "+OK");
  EXPECT_EQ(run("renamenx", "a", "b"), ":0");
  EXPECT_EQ(run("renamenx", "a", "c"), ":1");
  EXPECT_EQ(run("get", "c"), "3");
  EXPECT_EQ(run("ttl", "c"), ":-1");
}

TEST_F(RedisKeys, TypesHaveNames) {
  run("set", "s", "1");
  run("rpush", "l", "1");
  run("hset", "h", "a", "1");
  run("sadd", "e", "1");
  run("zadd", "z", "1", "a");
  EXPECT_EQ(run("type", "s"), "+string");
  EXPECT_EQ(run("type", "l"), "+list");
  EXPECT_EQ(run("type", "h"), "+hash");
  EXPECT_EQ(run("type", "e"), "+set");
  EXPECT_EQ(run("type", "z"), "+zset");
  EXPECT_EQ(run("type", "none"), "+none");
  EXPECT_EQ(run("touch", "s", "l", "none"), ":2");
  EXPECT_EQ(run("unlink", "s", "l", "none"), ":2");
}

TEST_F(RedisKeys, ASmallKeyspaceIsScannedInOneStep) {
  run("set", "k1", "v");
  EXPECT_EQ(run("scan", "0"), "[0 [k1]]");
  EXPECT_EQ(run("scan", "0", "match", "x*"), "[0 []]");
  EXPECT_EQ(run("scan", "0", "type", "hash"), "[0 []]");
  EXPECT_EQ(run("scan", "0", "type", "STRING"), "[0 [k1]]");
  EXPECT_EQ(run("scan", "0", "count", "0"), "-ERR syntax error");
  EXPECT_EQ(run("scan", "0", "count", "x"), "-ERR value is not an integer or out of range");
  EXPECT_EQ(run("scan", "0", "match"), "-ERR syntax error");
  EXPECT_EQ(run("scan", "0", "nope", "1"), "-ERR syntax error");
  EXPECT_EQ(run("scan", "x"), "-ERR invalid cursor");
  EXPECT_EQ(run("scan", ""), "[0 [k1]]");
  EXPECT_EQ(run("randomkey"), "k1");
  EXPECT_EQ(run("del", "k1"), ":1");
  EXPECT_EQ(run("randomkey"), "nil");
  EXPECT_EQ(run("keys", "*"), "[]");
}

}  // namespace holdfast::sim
