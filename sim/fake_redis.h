// FakeRedis: a Redis for unit tests, inside the test: no process, no socket, no sleeping. It
// answers as the simulated server does (FIDELITY.md), and its clock stands still until the test
// steps it.
//
//   FakeRedis redis;
//   redis.call({"SET", "session:7", "ada", "PX", "1000"});
//   redis.advance(2s);
//   EXPECT_TRUE(redis.call({"GET", "session:7"}).is_nil());
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "lockcore/env.h"
#include "lockcore/redis_client.h"
#include "lockcore/task.h"
#include "sim/redis/server.h"

namespace holdfast::sim {

class FakeRedis {
 public:
  static constexpr std::string_view kName = "redis";  // Endpoint{kName} leads to it

  explicit FakeRedis(RedisVersion version = RedisVersion::redis_7_0);
  ~FakeRedis();
  FakeRedis(const FakeRedis&) = delete;
  FakeRedis& operator=(const FakeRedis&) = delete;

  // What the server answers; all calls share one connection. Time passes only while a blocking
  // command waits. Without an answer (it is crashed or paused) an error that says so, after a
  // minute of virtual time.
  Reply call(Command command);

  // For code that speaks through the lock core's interfaces: its environment, and its connection.
  Env& env();
  std::shared_ptr<RedisClient> client();
  // Runs a coroutine of that code to its end; virtual time passes as far as it waits. Throws
  // std::logic_error when it waits for what will never come.
  template <class T>
  T run(Task<T> task) {
    std::optional<T> result;
    spawn(keep(std::move(task), result));
    run_until([&result] { return result.has_value(); });
    return std::move(*result);
  }
  void run(Task<void> task);

  // Lets time pass: what becomes due in it (expiries, timers, deadlines) happens in order.
  void advance(Duration by);

  // Faults: pause(), crash(), restart(), step_wall(), set_wall_rate(), answer_error(), evict() ...
  RedisServer& server();

 private:
  template <class T>
  static Task<void> keep(Task<T> task, std::optional<T>& result) {
    result = co_await std::move(task);
  }
  void spawn(Task<void> task);
  void run_until(const std::function<bool()>& done);

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace holdfast::sim
