// Sets. Expected answers are those of redis-server 7.0.15.
#include "tests/sim/redis_fixture.h"

namespace holdfast::sim {

class RedisSets : public RedisFixture {};

TEST_F(RedisSets, MembersComeAndGo) {
  EXPECT_EQ(run("sadd", "s", "3", "1", "2", "1"), ":3");
  EXPECT_EQ(run("sadd", "s", "1"), ":0");
  EXPECT_EQ(run("smembers", "s"), "[1 2 3]");
  EXPECT_EQ(run("scard", "s"), ":3");
  EXPECT_EQ(run("sismember", "s", "2"), ":1");
  EXPECT_EQ(run("smismember", "s", "1", "9", "3"), "[:1 :0 :1]");
  EXPECT_EQ(run("smismember", "none", "1"), "[:0]");
  EXPECT_EQ(run("srem", "s", "1", "2", "9"), ":2");
  EXPECT_EQ(run("srem", "s", "3"), ":1");
  EXPECT_EQ(run("exists", "s"), ":0");
  EXPECT_EQ(run("sadd", "s"), "-ERR wrong number of arguments for 'sadd' command");
  EXPECT_EQ(run("smembers", "none"), "[]");
  run("rpush", "list", "a");
  EXPECT_EQ(run("sadd", "list", "a"),
            "-WRONGTYPE Operation against a key holding the wrong kind of value");
  EXPECT_EQ(run("smismember", "list", "a"),
            "-WRONGTYPE Operation against a key holding the wrong kind of value");
  EXPECT_EQ(run("scard", "list"),
            "-WRONGTYPE Operation against a key holding the wrong kind of value");
}

TEST_F(RedisSets, IntegersAreKeptInOrderUntilSomethingElseComes) {
  run("sadd", "s", "10", "9", "-5", "100");
  EXPECT_EQ(run("smembers", "s"), "[-5 9 10 100]");
  EXPECT_EQ(run("sscan", "s", "0"), "[0 [-5 9 10 100]]");
  EXPECT_EQ(run("object", "encoding", "s"), "intset");
  run("sadd", "s", "x");
  EXPECT_EQ(run("object", "encoding", "s"), "hashtable");
  EXPECT_EQ(run("scard", "s"), ":5");
  run("del", "s");
  run("sadd", "s", "01");
  EXPECT_EQ(run("object", "encoding", "s"), "hashtable");
}

TEST_F(RedisSets, MovingTakesAMemberToAnotherSet) {
  EXPECT_EQ(run("sadd", "a", "1", "2"), ":2");
  EXPECT_EQ(run("sadd", "b", "2", "3"), ":2");
  EXPECT_EQ(run("smove", "a", "b", "1"), ":1");
  EXPECT_EQ(run("smembers", "a"), "[2]");
  EXPECT_EQ(run("smembers", "b"), "[1 2 3]");
  EXPECT_EQ(run("smove", "a", "b", "2"), ":1");
  EXPECT_EQ(run("smembers", "b"), "[1 2 3]");
  EXPECT_EQ(run("exists", "a"), ":0");
  EXPECT_EQ(run("smove", "a", "b", "2"), ":0");
  EXPECT_EQ(run("smove", "b", "b", "3"), ":1");
  EXPECT_EQ(run("smove", "b", "b", "9"), ":0");
  EXPECT_EQ(run("smove", "b", "c", "3"), ":1");
  EXPECT_EQ(run("smembers", "c"), "[3]");
  run("rpush", "list", "a");
  EXPECT_EQ(run("smove", "b", "list", "1"),
            "-WRONGTYPE Operation against a key holding the wrong kind of value");
  EXPECT_EQ(run("smove", "list", "b", "1"),
            "-WRONGTYPE Operation against a key holding the wrong kind of value");
  EXPECT_EQ(run("smove", "none", "list", "1"), ":0");
}

TEST_F(RedisSets, PoppingAndDrawing) {
  EXPECT_EQ(run("sadd", "s", "1"), ":1");
  EXPECT_EQ(run("srandmember", "s"), "1");
  EXPECT_EQ(run("srandmember", "s", "5"), "[1]");
  EXPECT_EQ(run("srandmember", "s", "-3"), "[1 1 1]");
  EXPECT_EQ(run("srandmember", "s", "0"), "[]");
  EXPECT_EQ(run("srandmember", "none"), "nil");
  EXPECT_EQ(run("srandmember", "none", "2"), "[]");
  EXPECT_EQ(run("srandmember", "s", "x"), "-ERR value is not an integer or out of range");
  EXPECT_EQ(run("srandmember", "s", "-9223372036854775808"),
            "-ERR value is out of range, value must between -9223372036854775807 and "
            "9223372036854775807");
  EXPECT_EQ(run("srandmember", "s", "1", "2"), "-ERR syntax error");
  EXPECT_EQ(run("spop", "s"), "1");
  EXPECT_EQ(run("exists", "s"), ":0");
  EXPECT_EQ(run("spop", "s"), "nil");
  EXPECT_EQ(run("spop", "s", "3"), "[]");
  EXPECT_EQ(run("sadd", "s", "1", "2"), ":2");
  EXPECT_EQ(run("spop", "s", "0"), "[]");
  EXPECT_EQ(run("spop", "s", "-1"), "-ERR value is out of range, must be positive");
  EXPECT_EQ(run("spop", "s", "x"), "-ERR value is out of range, must be positive");
  EXPECT_EQ(run("spop", "s", "1", "2"), "-ERR syntax error");
  EXPECT_EQ(run("spop", "s", "2"), "[1 2]");
  EXPECT_EQ(run("exists", "s"), ":0");
}

TEST_F(RedisSets, IntersectionUnionDifference) {
  EXPECT_EQ(run("sadd", "a", "1", "2", "3"), ":3");
  EXPECT_EQ(run("sadd", "b", "2", "3", "4"), ":3");
  EXPECT_EQ(run("sadd", "c", "3"), ":1");
  EXPECT_EQ(run("sinter", "a", "b"), "[2 3]");
  EXPECT_EQ(run("sinter", "a", "b", "c"), "[3]");
  EXPECT_EQ(run("sinter", "a", "none"), "[]");
  EXPECT_EQ(run("sunion", "a", "b", "none"), "[1 2 3 4]");
  EXPECT_EQ(run("sdiff", "a", "b"), "[1]");
  EXPECT_EQ(run("sdiff", "a", "c", "none"), "[1 2]");
  EXPECT_EQ(run("sdiff", "none", "a"), "[]");
  EXPECT_EQ(run("sinterstore", "d", "a", "b"), ":2");
  EXPECT_EQ(run("smembers", "d"), "[2 3]");
  EXPECT_EQ(run("sunionstore", "d", "a", "b"), ":4");
  EXPECT_EQ(run("smembers", "d"), "[1 2 3 4]");
  EXPECT_EQ(run("sdiffstore", "d", "c", "a"), ":0");
  EXPECT_EQ(run("exists", "d"), ":0");
  EXPECT_EQ(run("sinterstore", "d", "none", "a"), ":0");
  EXPECT_EQ(run("set", "str", "x"), "+OK");
  EXPECT_EQ(run("sinterstore", "str", "a", "b"), ":2");
  EXPECT_EQ(run("type", "str"), "+set");
  run("rpush", "list", "x");
  EXPECT_EQ(run("sinter", "none", "list"),
            "-WRONGTYPE Operation against a key holding the wrong kind of value");
  EXPECT_EQ(run("sunion", "a", "list"),
            "-WRONGTYPE Operation against a key holding the wrong kind of value");
  EXPECT_EQ(run("sdiff", "none", "list"),
            "-WRONGTYPE Operation against a key holding the wrong kind of value");
  EXPECT_EQ(run("sintercard", "2", "a", "b"), ":2");
  EXPECT_EQ(run("sintercard", "2", "a", "b", "limit", "1"), ":1");
  EXPECT_EQ(run("sintercard", "2", "a", "b", "limit", "-1"), "-ERR LIMIT can't be negative");
  EXPECT_EQ(run("sintercard", "0", "a"), "-ERR numkeys should be greater than 0");
  EXPECT_EQ(run("sintercard", "3", "a", "b"),
            "-ERR Number of keys can't be greater than number of args");
  EXPECT_EQ(run("sintercard", "2", "a", "b", "nope"), "-ERR syntax error");
}

}  // namespace holdfast::sim
