// What data commands send to replicas and the append-only file, as redis-server 7.0.15 wrote it
// into its own file (FID-R2).
#include "tests/sim/redis_fixture.h"

namespace holdfast::sim {

class RedisEffects : public RedisFixture {
 public:
  RedisEffects() {
    add(2, Persistence::none).replicate_from(node(1));
    at_ms(3);
    run("SET", "first", "v");  // the stream's SELECT is out
  }
  // Bytes of the effects on the wire.
  static std::int64_t size_of(const std::vector<Command>& effects) {
    std::string wire;
    for (const Command& effect : effects) {
      wire += "*" + std::to_string(effect.size()) + "\r\n";
      for (std::size_t i = 0; i < effect.size(); ++i) {
        wire += "$" + std::to_string(effect[i].size()) + "\r\n" + std::string(effect[i]) + "\r\n";
      }
    }
    return static_cast<std::int64_t>(wire.size());
  }
  void sent(Command command, const std::vector<Command>& effects) {
    const std::string name(command[0]);
    const std::int64_t before = node(1).offset();
    call(std::move(command));
    EXPECT_EQ(node(1).offset() - before, size_of(effects)) << name;
  }
  // n2 answers as n1 does, once it has heard of everything.
  void same_on_both(const Command& question) {
    at(kernel.now().time_since_epoch() + milliseconds(2));
    EXPECT_EQ(on(2, question), call(question)) << question[0];
  }
};

TEST_F(RedisEffects, WhatIsDrawnTravelsAsItsRemoval) {
  run("SADD", "s", "1", "2", "3", "4");
  sent({"SPOP", "s"}, {{"SREM", "s", "1"}});
  sent({"SPOP", "s", "2"}, {{"MULTI"}, {"SREM", "s", "4"}, {"SREM", "s", "2"}, {"EXEC"}});
  same_on_both({"SMEMBERS", "s"});
  sent({"SPOP", "s", "5"}, {{"DEL", "s"}});
  sent({"SPOP", "s", "1"}, {});
  same_on_both({"EXISTS", "s"});
}

TEST_F(RedisEffects, SumsOfFractionsTravelAsTheirResult) {
  sent({"INCRBYFLOAT", "f", "0.5"}, {{"SET", "f", "0.5", "KEEPTTL"}});
  sent({"HINCRBYFLOAT", "h", "f", "0.5"}, {{"HSET", "h", "f", "0.5"}});
  same_on_both({"GET", "f"});
  same_on_both({"HGETALL", "h"});
}

TEST_F(RedisEffects, ListsTravelAsTheyAreChanged) {
  run("RPUSH", "l", "1", "2", "3", "4");
  sent({"LMPOP", "2", "x", "l", "LEFT", "COUNT", "2"}, {{"LPOP", "l", "2"}});
  sent({"LTRIM", "l", "0", "-1"}, {});
  sent({"LTRIM", "l", "0", "0"}, {{"LTRIM", "l", "0", "0"}});
  sent({"LREM", "l", "0", "none"}, {});
  sent({"LMOVE", "l", "m", "LEFT", "RIGHT"}, {{"LMOVE", "l", "m", "LEFT", "RIGHT"}});
  same_on_both({"LRANGE", "m", "0", "-1"});
}

TEST_F(RedisEffects, WhatChangesNothingIsNotSent) {
  run("ZADD", "z", "1", "a");
  sent({"ZADD", "z", "1", "a"}, {});
  sent({"SETRANGE", "first", "0", ""}, {});
  sent({"SINTERSTORE", "none", "other"}, {});
  sent({"SADD", "first", "a"}, {});
  sent({"APPEND", "first", ""}, {{"APPEND", "first", ""}});
  run("HSET", "h", "f", "1");
  sent({"HSET", "h", "f", "1"}, {{"HSET", "h", "f", "1"}});
  sent({"ZRANGESTORE", "y", "z", "5", "6"}, {});
}

TEST_F(RedisEffects, KeysThatMoveTravelAsSaid) {
  run("SET", "a", "v", "EX", "1000");
  sent({"RENAME", "a", "b"}, {{"RENAME", "a", "b"}});
  sent({"COPY", "b", "c", "DB", "2"}, {{"COPY", "b", "c", "DB", "2"}});
  sent({"MOVE", "b", "3"}, {{"MOVE", "b", "3"}});
  sent({"SWAPDB", "0", "3"}, {{"SWAPDB", "0", "3"}});
  same_on_both({"TTL", "b"});
  same_on_both({"GET", "b"});
}

}  // namespace holdfast::sim
