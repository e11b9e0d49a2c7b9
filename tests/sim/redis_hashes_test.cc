// Hashes beside what locks use. Expected answers are those of redis-server 7.0.15.
#include "tests/sim/redis_fixture.h"

namespace holdfast::sim {

class RedisHashes : public RedisFixture {};

TEST_F(RedisHashes, FieldsComeAndGo) {
  EXPECT_EQ(run("hmset", "h", "a", "1", "b", "2"), "+OK");
  EXPECT_EQ(run("hmset", "h", "a"), "-ERR wrong number of arguments for 'hmset' command");
  EXPECT_EQ(run("hmset", "h", "a", "1", "b"), "-ERR wrong number of arguments for 'hmset' command");
  EXPECT_EQ(run("hmget", "h", "a", "none", "b"), "[1 nil 2]");
  EXPECT_EQ(run("hmget", "none", "a"), "[nil]");
  EXPECT_EQ(run("hsetnx", "h", "a", "9"), ":0");
  EXPECT_EQ(run("hsetnx", "h", "c", "3"), ":1");
  EXPECT_EQ(run("hvals", "h"), "[1 2 3]");
  EXPECT_EQ(run("hkeys", "h"), "[a b c]");
  EXPECT_EQ(run("hstrlen", "h", "a"), ":1");
  EXPECT_EQ(run("hstrlen", "h", "none"), ":0");
  EXPECT_EQ(run("hget", "none", "a"), "nil");
  EXPECT_EQ(run("hdel", "none", "a"), ":0");
  EXPECT_EQ(run("set", "s", "x"), "+OK");
  EXPECT_EQ(run("hmget", "s", "a"),
            "-WRONGTYPE Operation against a key holding the wrong kind of value");
  EXPECT_EQ(run("hstrlen", "s", "a"),
            "-WRONGTYPE Operation against a key holding the wrong kind of value");
}

TEST_F(RedisHashes, FractionsAreCountedInFields) {
  EXPECT_EQ(run("hincrbyfloat", "h", "f", "10.5"), "10.5");
  EXPECT_EQ(run("hincrbyfloat", "h", "f", "0.1"), "10.6");
  EXPECT_EQ(run("hset", "h", "t", "text"), ":1");
  EXPECT_EQ(run("hincrbyfloat", "h", "t", "1"), "-ERR hash value is not a float");
  EXPECT_EQ(run("hincrbyfloat", "h", "f", "x"), "-ERR value is not a valid float");
  EXPECT_EQ(run("hincrbyfloat", "h", "f", "inf"), "-ERR value is NaN or Infinity");
  EXPECT_EQ(run("hgetall", "h"), "[f 10.6 t text]");
}

TEST_F(RedisHashes, ScansShowSmallHashesWhole) {
  EXPECT_EQ(run("hset", "h", "a", "1", "b", "2", "c", "3"), ":3");
  EXPECT_EQ(run("hscan", "h", "0"), "[0 [a 1 b 2 c 3]]");
  EXPECT_EQ(run("hscan", "h", "5", "count", "1"), "[0 [a 1 b 2 c 3]]");
  EXPECT_EQ(run("hscan", "h", "0", "match", "b"), "[0 [b 2]]");
  EXPECT_EQ(run("hscan", "h", "0", "type", "hash"), "-ERR syntax error");
  EXPECT_EQ(run("hscan", "h", "x"), "-ERR invalid cursor");
  EXPECT_EQ(run("hscan", "none", "0", "nope"), "[0 []]");
  EXPECT_EQ(run("hscan", "none", "x"), "-ERR invalid cursor");
  EXPECT_EQ(run("hrandfield", "none"), "nil");
  EXPECT_EQ(run("hrandfield", "none", "2"), "[]");
  EXPECT_EQ(run("hset", "one", "f", "v"), ":1");
  EXPECT_EQ(run("hrandfield", "one"), "f");
  EXPECT_EQ(run("hrandfield", "one", "5"), "[f]");
  EXPECT_EQ(run("hrandfield", "one", "-2"), "[f f]");
  EXPECT_EQ(run("hrandfield", "one", "1", "withvalues"), "[f v]");
  EXPECT_EQ(run("hrandfield", "one", "x"), "-ERR value is not an integer or out of range");
  EXPECT_EQ(run("hrandfield", "one", "1", "nope"), "-ERR syntax error");
  EXPECT_EQ(run("object", "encoding", "h"), "listpack");
}

}  // namespace holdfast::sim
