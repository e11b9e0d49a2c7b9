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

TEST_F(RedisKeys, CollectionsOutgrowTheirCompactFormForEver) {
  run("CONFIG", "SET", "hash-max-listpack-entries", "2", "set-max-intset-entries", "2");
  run("CONFIG", "SET", "zset-max-listpack-value", "3");
  run("HSET", "h", "a", "1", "b", "2");
  run("SADD", "s", "1", "2");
  run("ZADD", "z", "1", "abc");
  EXPECT_EQ(run("OBJECT", "ENCODING", "h"), "listpack");
  EXPECT_EQ(run("OBJECT", "ENCODING", "s"), "intset");
  EXPECT_EQ(run("OBJECT", "ENCODING", "z"), "listpack");
  run("HSET", "h", "c", "3");
  run("SADD", "s", "3");
  run("ZADD", "z", "1", "abcd");
  run("HDEL", "h", "c");
  run("SREM", "s", "3");
  run("ZREM", "z", "abcd");
  EXPECT_EQ(run("OBJECT", "ENCODING", "h"), "hashtable");
  EXPECT_EQ(run("OBJECT", "ENCODING", "s"), "hashtable");
  EXPECT_EQ(run("OBJECT", "ENCODING", "z"), "skiplist");
}

// What is there from the first step to the last is shown exactly once, whatever comes and goes.
TEST_F(RedisKeys, AScanShowsWhatIsThereAllTheTimeOnce) {
  for (int i = 0; i < 500; ++i) run("SET", "stays:" + std::to_string(i), "v");
  std::map<std::string, int> seen;
  std::string cursor = "0";
  int steps = 0;
  do {
    const std::string reply = run("SCAN", cursor, "MATCH", "stays:*");
    const std::size_t space = reply.find(' ');
    cursor = reply.substr(1, space - 1);
    std::string names = reply.substr(space + 2, reply.size() - space - 4);
    for (std::size_t at = 0; at < names.size(); at = names.find(' ', at) + 1) {
      ++seen[names.substr(at, names.find(' ', at) - at)];
      if (names.find(' ', at) == std::string::npos) break;
    }
    for (int i = 0; i < 10; ++i) {
      run("SET", "comes:" + std::to_string(10 * steps + i), "v");
      run("DEL", "comes:" + std::to_string(10 * steps + i - 15));
    }
    ASSERT_LT(++steps, 1000);
  } while (cursor != "0");
  EXPECT_EQ(seen.size(), 500u);
  for (const auto& [name, times] : seen) EXPECT_EQ(times, 1) << name;
}

TEST_F(RedisKeys, LargeCollectionsAreScannedInSteps) {
  for (int i = 0; i < 300; ++i) {
    const std::string name = "member:" + std::to_string(i);
    run("SADD", "s", name);
    run("ZADD", "z", std::to_string(i % 7), name);
  }
  for (const auto& [command, key] : {std::pair{"SSCAN", "s"}, std::pair{"ZSCAN", "z"}}) {
    std::string cursor = "0";
    int steps = 0;
    std::size_t found = 0;
    do {
      const std::string reply = run(command, key, cursor, "COUNT", "50");
      cursor = reply.substr(1, reply.find(' ') - 1);
      for (std::size_t at = 0; (at = reply.find("member:", at)) != std::string::npos; ++at) ++found;
      ++steps;
    } while (cursor != "0");
    EXPECT_EQ(steps, 6) << command;
    EXPECT_EQ(found, 300u) << command;
  }
}

}  // namespace holdfast::sim
