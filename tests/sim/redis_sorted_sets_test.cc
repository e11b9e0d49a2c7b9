// Sorted sets. Expected answers are those of redis-server 7.0.15.
#include "tests/sim/redis_fixture.h"

namespace holdfast::sim {

class RedisSortedSets : public RedisFixture {};

TEST_F(RedisSortedSets, ScoresAreShownWithSeventeenDigits) {
  EXPECT_EQ(run("zadd", "z", "0.1", "a", "1", "b", "inf", "c", "-inf", "d", "1e20", "e", "3.0e-5",
                "f", "0x10", "g"),
            ":7");
  EXPECT_EQ(run("zrange", "z", "0", "-1", "withscores"),
            "[d -inf f 3.0000000000000001e-05 a 0.10000000000000001 b 1 g 16 e 1e+20 c inf]");
  EXPECT_EQ(run("zscore", "z", "a"), "0.10000000000000001");
  EXPECT_EQ(run("zscore", "z", "none"), "nil");
  EXPECT_EQ(run("zscore", "none", "a"), "nil");
  EXPECT_EQ(run("zmscore", "z", "a", "none", "c"), "[0.10000000000000001 nil inf]");
  EXPECT_EQ(run("zincrby", "z", "0.2", "a"), "0.30000000000000004");
  EXPECT_EQ(run("zincrby", "z", "-inf", "c"), "-ERR resulting score is not a number (NaN)");
  EXPECT_EQ(run("zadd", "z", "nan", "x"), "-ERR value is not a valid float");
  EXPECT_EQ(run("zadd", "z", "x", "x"), "-ERR value is not a valid float");
  EXPECT_EQ(run("zadd", "z", " 1", "x"), "-ERR value is not a valid float");
  EXPECT_EQ(run("object", "encoding", "z"), "listpack");
}

TEST_F(RedisSortedSets, OptionsOfZadd) {
  EXPECT_EQ(run("zadd", "z", "1", "a", "2", "b"), ":2");
  EXPECT_EQ(run("zadd", "z", "nx", "5", "a", "3", "c"), ":1");
  EXPECT_EQ(run("zadd", "z", "xx", "5", "a", "9", "d"), ":0");
  EXPECT_EQ(run("zadd", "z", "ch", "6", "a", "2", "b"), ":1");
  EXPECT_EQ(run("zadd", "z", "gt", "1", "a"), ":0");
  EXPECT_EQ(run("zadd", "z", "lt", "ch", "1", "a"), ":1");
  EXPECT_EQ(run("zadd", "z", "gt", "ch", "7", "a"), ":1");
  EXPECT_EQ(run("zadd", "z", "gt", "incr", "0", "a"), "nil");  // not greater
  EXPECT_EQ(run("zadd", "z", "incr", "1", "a"), "8");
  EXPECT_EQ(run("zadd", "z", "nx", "incr", "1", "a"), "nil");
  EXPECT_EQ(run("zadd", "z", "xx", "incr", "1", "none"), "nil");
  EXPECT_EQ(run("zadd", "none", "xx", "1", "a"), ":0");
  EXPECT_EQ(run("zadd", "none", "xx", "incr", "1", "a"), "nil");
  EXPECT_EQ(run("zadd", "z", "nx", "xx", "1", "a"),
            "-ERR XX and NX options at the same time are not compatible");
  EXPECT_EQ(run("zadd", "z", "nx", "gt", "1", "a"),
            "-ERR GT, LT, and/or NX options at the same time are not compatible");
  EXPECT_EQ(run("zadd", "z", "gt", "lt", "1", "a"),
            "-ERR GT, LT, and/or NX options at the same time are not compatible");
  EXPECT_EQ(run("zadd", "z", "incr", "1", "a", "2", "b"),
            "-ERR INCR option supports a single increment-element pair");
  EXPECT_EQ(run("zadd", "z", "1"), "-ERR wrong number of arguments for 'zadd' command");
  EXPECT_EQ(run("zadd", "z", "1", "a", "2"), "-ERR syntax error");
  EXPECT_EQ(run("zadd", "z", "ch"), "-ERR wrong number of arguments for 'zadd' command");
  EXPECT_EQ(run("zrange", "z", "0", "-1", "withscores"), "[b 2 c 3 a 8]");
  EXPECT_EQ(run("set", "s", "x"), "+OK");
  EXPECT_EQ(run("zadd", "s", "1", "a"),
            "-WRONGTYPE Operation against a key holding the wrong kind of value");
}

TEST_F(RedisSortedSets, RangesByRankScoreAndName) {
  EXPECT_EQ(run("zadd", "z", "1", "a", "2", "b", "2", "bb", "3", "c", "4", "d"), ":5");
  EXPECT_EQ(run("zrange", "z", "0", "1"), "[a b]");
  EXPECT_EQ(run("zrange", "z", "-2", "-1", "rev"), "[b a]");
  EXPECT_EQ(run("zrange", "z", "5", "9"), "[]");
  EXPECT_EQ(run("zrange", "z", "2", "3", "byscore"), "[b bb c]");
  EXPECT_EQ(run("zrange", "z", "(2", "+inf", "byscore", "limit", "0", "1"), "[c]");
  EXPECT_EQ(run("zrange", "z", "+inf", "(2", "byscore", "rev", "withscores"), "[d 4 c 3]");
  EXPECT_EQ(run("zrange", "z", "2", "3", "rev", "byscore"), "[]");
  EXPECT_EQ(
      run("zrange", "z", "0", "1", "limit", "0", "1"),
      "-ERR syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX");
  EXPECT_EQ(run("zrange", "z", "-", "+", "bylex", "withscores"),
            "-ERR syntax error, WITHSCORES not supported in combination with BYLEX");
  EXPECT_EQ(run("zrangebyscore", "z", "-inf", "(3", "withscores", "limit", "1", "2"), "[b 2 bb 2]");
  EXPECT_EQ(run("zrangebyscore", "z", "1", "4", "limit", "1", "-1"), "[b bb c d]");
  EXPECT_EQ(run("zrangebyscore", "z", "1", "4", "limit", "-1", "2"), "[]");
  EXPECT_EQ(run("zrevrangebyscore", "z", "4", "2", "limit", "1", "2"), "[c bb]");
  EXPECT_EQ(run("zrangebyscore", "z", "x", "4"), "-ERR min or max is not a float");
  EXPECT_EQ(run("zrangebyscore", "none", "x", "4"), "-ERR min or max is not a float");
  EXPECT_EQ(run("zrevrange", "z", "0", "1", "withscores"), "[d 4 c 3]");
  EXPECT_EQ(run("zrange", "z", "a", "b"), "-ERR value is not an integer or out of range");
  EXPECT_EQ(run("zcount", "z", "(1", "3"), ":3");
  EXPECT_EQ(run("zcount", "z", "3", "1"), ":0");
  EXPECT_EQ(run("zcount", "none", "1", "2"), ":0");
  EXPECT_EQ(run("zadd", "n", "0", "a", "0", "b", "0", "c", "0", "d"), ":4");
  EXPECT_EQ(run("zrange", "n", "[b", "(d", "bylex"), "[b c]");
  EXPECT_EQ(run("zrange", "n", "+", "[c", "bylex", "rev"), "[d c]");
  EXPECT_EQ(run("zrangebylex", "n", "-", "[b"), "[a b]");
  EXPECT_EQ(run("zrangebylex", "n", "-", "+", "limit", "1", "2"), "[b c]");
  EXPECT_EQ(run("zrevrangebylex", "n", "+", "-", "limit", "0", "2"), "[d c]");
  EXPECT_EQ(run("zlexcount", "n", "(a", "+"), ":3");
  EXPECT_EQ(run("zrangebylex", "n", "a", "b"), "-ERR min or max not valid string range item");
  EXPECT_EQ(run("zrange", "n", "+", "-", "bylex"), "[]");
  EXPECT_EQ(run("zrangestore", "t", "z", "1", "3"), ":3");
  EXPECT_EQ(run("zrange", "t", "0", "-1", "withscores"), "[b 2 bb 2 c 3]");
  EXPECT_EQ(run("zrangestore", "t", "z", "9", "10", "byscore"), ":0");
  EXPECT_EQ(run("exists", "t"), ":0");
  EXPECT_EQ(run("zrangestore", "t", "z", "4", "2", "byscore", "rev", "limit", "0", "1"), ":1");
  EXPECT_EQ(run("zrange", "t", "0", "-1"), "[d]");
}

TEST_F(RedisSortedSets, RanksAndRemovals) {
  EXPECT_EQ(run("zadd", "z", "1", "a", "2", "b", "3", "c", "4", "d", "5", "e"), ":5");
  EXPECT_EQ(run("zrank", "z", "c"), ":2");
  EXPECT_EQ(run("zrevrank", "z", "c"), ":2");
  EXPECT_EQ(run("zrank", "z", "none"), "nil");
  EXPECT_EQ(run("zrank", "none", "a"), "nil");
  EXPECT_EQ(run("zrem", "z", "a", "none"), ":1");
  EXPECT_EQ(run("zremrangebyrank", "z", "0", "0"), ":1");
  EXPECT_EQ(run("zremrangebyscore", "z", "(3", "4"), ":1");
  EXPECT_EQ(run("zremrangebylex", "z", "[x", "[y"), ":0");
  EXPECT_EQ(run("zcard", "z"), ":2");
  EXPECT_EQ(run("zpopmin", "z"), "[c 3]");
  EXPECT_EQ(run("zpopmax", "z", "5"), "[e 5]");
  EXPECT_EQ(run("exists", "z"), ":0");
  EXPECT_EQ(run("zpopmin", "z"), "[]");
  EXPECT_EQ(run("zpopmax", "z", "2"), "[]");
  EXPECT_EQ(run("zpopmin", "z", "-1"), "-ERR value is out of range, must be positive");
  EXPECT_EQ(run("zpopmin", "z", "x"), "-ERR value is out of range, must be positive");
  EXPECT_EQ(run("zpopmin", "z", "1", "2"), "-ERR syntax error");
  EXPECT_EQ(run("zadd", "z", "1", "a"), ":1");
  EXPECT_EQ(run("zrandmember", "z"), "a");
  EXPECT_EQ(run("zrandmember", "z", "3", "withscores"), "[a 1]");
  EXPECT_EQ(run("zrandmember", "z", "-2"), "[a a]");
  EXPECT_EQ(run("zrandmember", "z", "0"), "[]");
  EXPECT_EQ(run("zrandmember", "none"), "nil");
  EXPECT_EQ(run("zrandmember", "none", "1"), "[]");
  EXPECT_EQ(run("zrandmember", "z", "x"), "-ERR value is not an integer or out of range");
  EXPECT_EQ(run("zscan", "z", "0"), "[0 [a 1]]");
  EXPECT_EQ(run("zscan", "none", "0"), "[0 []]");
}

}  // namespace holdfast::sim
