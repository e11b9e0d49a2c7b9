// EventLoop: the real world of one client process. Env on a libuv loop, connections on hiredis.
//
//   holdfast::EventLoop loop;
//   loop.name({"n1", "127.0.0.1", 6379});
//   loop.spawn(serve(loop), holdfast::Lane::caller);
//   loop.run();
//
// One thread runs the loop; all coroutines, observers and late listeners run on that thread. Only
// post() and stop() may be called from others.
#pragma once

#include <functional>
#include <memory>

#include "lockcore/env.h"
#include "lockcore/redis_client.h"
#include "lockcore/task.h"

namespace holdfast {

class EventLoop final : public Env {
 public:
  // Throws std::system_error when the system has no descriptors left.
  EventLoop();
  // Destroys what is still suspended (nothing is sent), then closes the connections.
  ~EventLoop() override;

  // CLOCK_BOOTTIME, read anew at each call.
  Instant now() override;
  WallInstant wall_now() override;
  void arm(Timer& timer, Instant at) override;
  void disarm(Timer& timer) noexcept override;
  // Lanes are a matter of the simulator: here both run on the loop's thread.
  void spawn(Task<void> task, Lane lane) override;
  // getrandom(2); ends the process when the kernel refuses it, because a predictable token would
  // break every lock quietly.
  void random(std::span<std::byte> out) override;
  // An endpoint without host and unix_path is looked up by its name (see name()); an unknown name
  // is taken for a host name. Host names are resolved with a blocking call at each connection
  // attempt.
  std::shared_ptr<RedisClient> connect(const Endpoint& endpoint, Role role) override;
  bool pass(Point point) override;

  // Where the node of that name is reached, for connections opened from now on.
  void name(Endpoint endpoint);
  // Called at each named point, on the loop, before the coroutine goes on. False: it goes on as an
  // event of its own. Replaces the hook set before.
  void on_pass(std::function<bool(Point)> hook);

  // Runs until every spawned task has ended or stop() is called. SIGPIPE is blocked for the calling
  // thread while it runs (hiredis writes without MSG_NOSIGNAL).
  void run();
  // Spawns `task` and runs until it has ended or stop() is called; other tasks stay suspended then.
  void run(Task<void> task);
  // Ends run() after the running coroutine has suspended. Any thread.
  void stop();
  // Runs `action` on the loop, as an event of its own. Any thread. Does not keep run() from ending.
  void post(std::function<void()> action);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace holdfast
