// Lists. Expected answers are those of redis-server 7.0.15.
#include "tests/sim/redis_fixture.h"

namespace holdfast::sim {

class RedisLists : public RedisFixture {};

TEST_F(RedisLists, OnlyExistingListsGrowByPushx) {
  EXPECT_EQ(run("lpushx", "l", "a"), ":0");
  EXPECT_EQ(run("rpushx", "l", "a"), ":0");
  EXPECT_EQ(run("rpush", "l", "a"), ":1");
  EXPECT_EQ(run("lpushx", "l", "b", "c"), ":3");
  EXPECT_EQ(run("rpushx", "l", "d"), ":4");
  EXPECT_EQ(run("lrange", "l", "0", "-1"), "[c b a d]");
}

TEST_F(RedisLists, ItemsAreSetInsertedTrimmedAndRemoved) {
  EXPECT_EQ(run("rpush", "l", "a", "b", "c", "a", "b"), ":5");
  EXPECT_EQ(run("lset", "l", "1", "x"), "+OK");
  EXPECT_EQ(run("lset", "l", "-1", "y"), "+OK");
  EXPECT_EQ(run("lset", "l", "9", "z"), "-ERR index out of range");
  EXPECT_EQ(run("lset", "l", "x", "z"), "-ERR value is not an integer or out of range");
  EXPECT_EQ(run("lset", "none", "0", "z"), "-ERR no such key");
  EXPECT_EQ(run("lrange", "l", "0", "-1"), "[a x c a y]");
  EXPECT_EQ(run("linsert", "l", "before", "x", "new"), ":6");
  EXPECT_EQ(run("linsert", "l", "AFTER", "y", "end"), ":7");
  EXPECT_EQ(run("linsert", "l", "before", "none", "new"), ":-1");
  EXPECT_EQ(run("linsert", "none", "before", "a", "b"), ":0");
  EXPECT_EQ(run("linsert", "l", "beside", "a", "b"), "-ERR syntax error");
  EXPECT_EQ(run("lrange", "l", "0", "-1"), "[a new x c a y end]");
  EXPECT_EQ(run("lrem", "l", "-1", "a"), ":1");
  EXPECT_EQ(run("lrem", "l", "1", "a"), ":1");
  EXPECT_EQ(run("lrem", "l", "0", "none"), ":0");
  EXPECT_EQ(run("lrange", "l", "0", "-1"), "[new x c y end]");
  EXPECT_EQ(run("ltrim", "l", "1", "2"), "+OK");
  EXPECT_EQ(run("lrange", "l", "0", "-1"), "[x c]");
  EXPECT_EQ(run("ltrim", "l", "5", "9"), "+OK");
  EXPECT_EQ(run("exists", "l"), ":0");
  EXPECT_EQ(run("ltrim", "none", "0", "1"), "+OK");
  EXPECT_EQ(run("ltrim", "l", "x", "1"), "-ERR value is not an integer or out of range");
  EXPECT_EQ(run("lrem", "l", "x", "a"), "-ERR value is not an integer or out of range");
}

TEST_F(RedisLists, PopsTakeManyAndSayWhatIsMissing) {
  EXPECT_EQ(run("lpop", "l"), "nil");
  EXPECT_EQ(run("lpop", "l", "2"), "nil*");
  EXPECT_EQ(run("rpush", "l", "a", "b", "c"), ":3");
  EXPECT_EQ(run("lpop", "l", "0"), "[]");
  EXPECT_EQ(run("rpop", "l", "2"), "[c b]");
  EXPECT_EQ(run("lpop", "l", "-1"), "-ERR value is out of range, must be positive");
  EXPECT_EQ(run("lpop", "l", "x"), "-ERR value is out of range, must be positive");
  EXPECT_EQ(run("lpop", "l", "1", "2"), "-ERR wrong number of arguments for 'lpop' command");
  EXPECT_EQ(run("lpop", "l", "9"), "[a]");
  EXPECT_EQ(run("exists", "l"), ":0");
}

TEST_F(RedisLists, ItemsMoveFromListToList) {
  EXPECT_EQ(run("rpush", "a", "1", "2", "3"), ":3");
  EXPECT_EQ(run("lmove", "a", "b", "left", "right"), "1");
  EXPECT_EQ(run("lmove", "a", "b", "right", "left"), "3");
  EXPECT_EQ(run("lrange", "b", "0", "-1"), "[3 1]");
  EXPECT_EQ(run("rpoplpush", "a", "b"), "2");
  EXPECT_EQ(run("exists", "a"), ":0");
  EXPECT_EQ(run("rpoplpush", "none", "b"), "nil");
  EXPECT_EQ(run("lmove", "b", "b", "left", "right"), "2");
  EXPECT_EQ(run("lrange", "b", "0", "-1"), "[3 1 2]");
  EXPECT_EQ(run("rpush", "one", "x"), ":1");
  EXPECT_EQ(run("rpoplpush", "one", "one"), "x");
  EXPECT_EQ(run("lmove", "a", "b", "up", "down"), "-ERR syntax error");
  EXPECT_EQ(run("set", "s", "x"), "+OK");
  EXPECT_EQ(run("rpoplpush", "b", "s"),
            "-WRONGTYPE Operation against a key holding the wrong kind of value");
  EXPECT_EQ(run("rpoplpush", "s", "b"),
            "-WRONGTYPE Operation against a key holding the wrong kind of value");
  EXPECT_EQ(run("rpoplpush", "none", "s"), "nil");
}

TEST_F(RedisLists, TheFirstListWithItemsIsPopped) {
  EXPECT_EQ(run("rpush", "b", "1", "2", "3"), ":3");
  EXPECT_EQ(run("lmpop", "2", "a", "b", "left"), "[b [1]]");
  EXPECT_EQ(run("lmpop", "2", "a", "b", "right", "count", "5"), "[b [3 2]]");
  EXPECT_EQ(run("lmpop", "2", "a", "b", "left"), "nil*");
  EXPECT_EQ(run("lmpop", "0", "a", "left"), "-ERR numkeys should be greater than 0");
  EXPECT_EQ(run("lmpop", "3", "a", "b", "left"), "-ERR syntax error");
  EXPECT_EQ(run("lmpop", "1", "a", "left", "count", "0"), "-ERR count should be greater than 0");
  EXPECT_EQ(run("lmpop", "1", "a", "up"), "-ERR syntax error");
  EXPECT_EQ(run("lmpop", "1", "a", "left", "size", "1"), "-ERR syntax error");
}

TEST_F(RedisLists, ItemsAreFoundByRankAndCount) {
  EXPECT_EQ(run("rpush", "l", "a", "b", "c", "1", "2", "3", "c", "c"), ":8");
  EXPECT_EQ(run("lpos", "l", "c"), ":2");
  EXPECT_EQ(run("lpos", "l", "c", "rank", "2"), ":6");
  EXPECT_EQ(run("lpos", "l", "c", "rank", "-1"), ":7");
  EXPECT_EQ(run("lpos", "l", "c", "count", "2"), "[:2 :6]");
  EXPECT_EQ(run("lpos", "l", "c", "count", "0", "rank", "-1"), "[:7 :6 :2]");
  EXPECT_EQ(run("lpos", "l", "c", "count", "0", "maxlen", "3"), "[:2]");
  EXPECT_EQ(run("lpos", "l", "x"), "nil");
  EXPECT_EQ(run("lpos", "l", "x", "count", "0"), "[]");
  EXPECT_EQ(run("lpos", "none", "x"), "nil");
  EXPECT_EQ(run("lpos", "none", "x", "count", "0"), "[]");
  EXPECT_EQ(run("lpos", "l", "c", "rank", "0"),
            "-ERR RANK can't be zero: use 1 to start from the first match, 2 from the second ... "
            "or use negative to start from the end of the list");
  EXPECT_EQ(run("lpos", "l", "c", "count", "-1"), "-ERR COUNT can't be negative");
  EXPECT_EQ(run("lpos", "l", "c", "maxlen", "-1"), "-ERR MAXLEN can't be negative");
  EXPECT_EQ(run("lpos", "l", "c", "rank"), "-ERR syntax error");
  EXPECT_EQ(run("lpos", "l", "c", "rank", "x"), "-ERR value is not an integer or out of range");
}

}  // namespace holdfast::sim
