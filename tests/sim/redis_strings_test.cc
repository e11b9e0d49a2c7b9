// Strings: parts, several at once, fractions. Expected answers are those of redis-server 7.0.15.
#include "tests/sim/redis_fixture.h"

namespace holdfast::sim {

class RedisStrings : public RedisFixture {};

TEST_F(RedisStrings, PartsAreReadAndWrittenByPosition) {
  EXPECT_EQ(run("setrange", "k", "5", "abc"), ":8");
  EXPECT_EQ(run("GET", "k"), std::string("\0\0\0\0\0abc", 8));
  EXPECT_EQ(run("set", "k", "Hello World"), "+OK");
  EXPECT_EQ(run("setrange", "k", "6", "Redis"), ":11");
  EXPECT_EQ(run("get", "k"), "Hello Redis");
  EXPECT_EQ(run("setrange", "k", "1", ""), ":11");
  EXPECT_EQ(run("setrange", "none", "4", ""), ":0");
  EXPECT_EQ(run("exists", "none"), ":0");
  EXPECT_EQ(run("setrange", "k", "-1", "x"), "-ERR offset is out of range");
  EXPECT_EQ(run("setrange", "k", "536870911", "xx"),
            "-ERR string exceeds maximum allowed size (proto-max-bulk-len)");
  EXPECT_EQ(run("getrange", "k", "0", "4"), "Hello");
  EXPECT_EQ(run("getrange", "k", "-5", "-1"), "Redis");
  EXPECT_EQ(run("getrange", "k", "-1", "-5"), "");
  EXPECT_EQ(run("getrange", "k", "5", "2"), "");
  EXPECT_EQ(run("getrange", "k", "20", "30"), "");
  EXPECT_EQ(run("substr", "k", "1", "1"), "e");
  EXPECT_EQ(run("getrange", "none", "0", "-1"), "");
  EXPECT_EQ(run("append", "k", "!"), ":12");
  EXPECT_EQ(run("append", "new", "text"), ":4");
  EXPECT_EQ(run("strlen", "k"), ":12");
  EXPECT_EQ(run("strlen", "none"), ":0");
  EXPECT_EQ(run("rpush", "list", "a"), ":1");
  EXPECT_EQ(run("append", "list", "x"),
            "-WRONGTYPE Operation against a key holding the wrong kind of value");
  EXPECT_EQ(run("getrange", "list", "0", "1"),
            "-WRONGTYPE Operation against a key holding the wrong kind of value");
}

TEST_F(RedisStrings, SeveralAreSetAtOnceOrNone) {
  EXPECT_EQ(run("mset", "a", "1", "b", "2", "a", "3"), "+OK");
  EXPECT_EQ(run("mget", "a", "b", "none"), "[3 2 nil]");
  EXPECT_EQ(run("msetnx", "c", "1", "a", "9"), ":0");
  EXPECT_EQ(run("get", "c"), "nil");
  EXPECT_EQ(run("msetnx", "c", "1", "d", "2"), ":1");
  EXPECT_EQ(run("mset", "a"), "-ERR wrong number of arguments for 'mset' command");
  EXPECT_EQ(run("mset", "a", "1", "b"), "-ERR wrong number of arguments for 'mset' command");
  EXPECT_EQ(run("msetnx", "a", "1", "b"), "-ERR wrong number of arguments for 'msetnx' command");
  EXPECT_EQ(run("rpush", "list", "x"), ":1");
  EXPECT_EQ(run("mget", "a", "list"), "[3 nil]");
  EXPECT_EQ(run("set", "a", "1", "ex", "100"), "+OK");
  EXPECT_EQ(run("mset", "a", "2"), "+OK");
  EXPECT_EQ(run("ttl", "a"), ":-1");
}

TEST_F(RedisStrings, FractionsAreCountedWithoutExponent) {
  EXPECT_EQ(run("incrbyfloat", "f", "10.5"), "10.5");
  EXPECT_EQ(run("incrbyfloat", "f", "0.1"), "10.6");
  EXPECT_EQ(run("incrbyfloat", "f", "-5.0e3"), "-4989.39999999999999991");
  EXPECT_EQ(run("set", "f", "3.0e3"), "+OK");
  EXPECT_EQ(run("incrbyfloat", "f", "1"), "3001");
  EXPECT_EQ(run("incrbyfloat", "f", "1e-17"), "3001");
  EXPECT_EQ(run("incrbyfloat", "f", "200"), "3201");
  EXPECT_EQ(run("set", "f", "abc"), "+OK");
  EXPECT_EQ(run("incrbyfloat", "f", "1"), "-ERR value is not a valid float");
  EXPECT_EQ(run("set", "f", "1"), "+OK");
  EXPECT_EQ(run("incrbyfloat", "f", "abc"), "-ERR value is not a valid float");
  EXPECT_EQ(run("incrbyfloat", "f", "inf"), "-ERR increment would produce NaN or Infinity");
  EXPECT_EQ(run("incrbyfloat", "f", "nan"), "-ERR value is not a valid float");
  EXPECT_EQ(run("set", "f", "1", "ex", "100"), "+OK");
  EXPECT_EQ(run("incrbyfloat", "f", "1"), "2");
  EXPECT_EQ(run("ttl", "f"), ":100");
}

TEST_F(RedisStrings, EncodingsFollowTheValue) {
  run("set", "k", "12345");
  EXPECT_EQ(run("object", "encoding", "k"), "int");
  EXPECT_EQ(run("object", "refcount", "k"), ":1");
  run("set", "k", "123");
  EXPECT_EQ(run("object", "refcount", "k"), ":2147483647");
  run("set", "k", "12345678901234567890123456789012345678901234");
  EXPECT_EQ(run("object", "encoding", "k"), "embstr");
  run("set", "k", "123456789012345678901234567890123456789012345");
  EXPECT_EQ(run("object", "encoding", "k"), "raw");
  run("set", "k", "a");
  run("append", "k", "b");
  EXPECT_EQ(run("object", "encoding", "k"), "raw");
  run("del", "k");
  run("append", "k", "1");
  EXPECT_EQ(run("object", "encoding", "k"), "int");
  run("incr", "k");
  EXPECT_EQ(run("object", "encoding", "k"), "int");
  run("incrbyfloat", "k", "1");
  EXPECT_EQ(run("object", "encoding", "k"), "embstr");
  EXPECT_EQ(run("object", "encoding", "none"), "nil");
  EXPECT_EQ(run("object", "freq", "k"),
            "-ERR An LFU maxmemory policy is not selected, access frequency not tracked. Please "
            "note that when switching between policies at runtime LRU and LFU data will take some "
            "time to adjust.");
  EXPECT_EQ(run("object", "idletime", "k"), ":0");
  EXPECT_EQ(run("object", "encoding"),
            "-ERR wrong number of arguments for 'object|encoding' command");
  EXPECT_EQ(run("object", "nope", "k"), "-ERR unknown subcommand 'nope'. Try OBJECT HELP.");
}

}  // namespace holdfast::sim
