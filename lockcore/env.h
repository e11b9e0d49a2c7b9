// Env: the world as one client process sees it. The lock core touches time, randomness, timers and
// connections through it and through nothing else; the simulator and the real event loop are its
// two implementations.
#pragma once

#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "lockcore/task.h"
#include "lockcore/time.h"

namespace holdfast {

class RedisClient;

// Where a Redis node is reached. The simulator and the scenario runner use `name` alone (the
// address that clients are told); the hiredis world resolves it to host and port.
struct Endpoint {
  std::string name;       // shown in reports and errors; unique within one client
  std::string host = {};  // numeric address or host name; empty for a unix socket
  std::uint16_t port = 0;
  std::string unix_path = {};
};

// Connections of different roles to one node never queue behind each other.
enum class Role : std::uint8_t {
  commands,    // one shared by all: plain acquires, renewals, releases, pipelined
  exclusive,   // a fresh one for each connect(): script + WAIT travel alone on it
  subscriber,  // pub/sub
};

// Named points at which a scenario may stop or kill the client. In production they do nothing.
enum class Point : std::uint8_t {
  acquire_sent,    // the SETs of an attempt were handed to the connections
  quorum_counted,  // enough nodes said yes; the second clock reading (t2) has not been taken
  acquired,        // acquire is about to return success to its caller
  before_write,    // the workload is about to send a write to the guarded resource
  before_read,
  before_renew,    // the watchdog is about to send a renewal
  renewed,         // a renewal was confirmed
  before_release,  // release was called, nothing was sent
  released,        // release is about to return
  protocol_step,   // between two steps of a lock protocol given as data
};

// Which of a process's two threads a coroutine belongs to. Scenarios can pause one of them alone.
enum class Lane : std::uint8_t { caller, watchdog };

// A suspended coroutine and the instant at which it goes on. Intrusive: it lives in the awaiter's
// frame, so that arming allocates nothing. Its owner disarms it before it dies.
struct Timer {
  std::coroutine_handle<> waiting;
  std::uint64_t world[2] = {0, 0};  // for the Env that armed it
  Lane lane = Lane::caller;         // set by the Env when armed: the lane that runs then
  bool own_lane = false;            // `lane` was set by the armer: arm() leaves it as it is
  bool armed = false;               // cleared by the Env before it resumes `waiting`
};

class Env {
 public:
  Env() = default;
  Env(const Env&) = delete;
  Env& operator=(const Env&) = delete;
  virtual ~Env() = default;

  // A fresh reading of the process's monotonic clock, suspend included.
  virtual Instant now() = 0;
  // The wall clock. Nothing in the lock core calls it; broken locks under test do.
  virtual WallInstant wall_now() = 0;

  // Resumes `timer.waiting` at `at` or as soon after as the process runs; at once (but never from
  // inside this call) when `at` has passed. An armed timer is not armed again.
  virtual void arm(Timer& timer, Instant at) = 0;
  // Forgets an armed timer; harmless on one that is not armed.
  virtual void disarm(Timer& timer) noexcept = 0;

  // Runs `task` in the client's scope: it outlives the call that spawned it, not the client. It
  // starts as an event of its own, after the running coroutine has suspended. Scope does it.
  virtual void spawn(Task<void> task, Lane lane) = 0;

  // Fills `out` from a source that no other process can predict (getrandom in production).
  virtual void random(std::span<std::byte> out) = 0;

  // The connection of that role, opened in the background if need be; never null. Calls made while
  // it is down wait for it until their deadline. Reconnects by itself, see generation().
  virtual std::shared_ptr<RedisClient> connect(const Endpoint& endpoint, Role role) = 0;

  // Announces a named point. False: the caller suspends here until it is resumed (see Checkpoint).
  virtual bool pass(Point point) {
    static_cast<void>(point);
    return true;
  }
};

// co_await Sleep(env, until): goes on at `until` of the process's monotonic clock.
class Sleep {
 public:
  Sleep(Env& env, Instant until) noexcept : env_(env), until_(until) {}
  Sleep(const Sleep&) = delete;
  Sleep& operator=(const Sleep&) = delete;
  ~Sleep() {
    if (timer_.armed) env_.disarm(timer_);
  }
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> coroutine) {
    timer_.waiting = coroutine;
    env_.arm(timer_, until_);
  }
  void await_resume() const noexcept {}

 private:
  Env& env_;
  Instant until_;
  Timer timer_;
};

// co_await Checkpoint(env, Point::acquired): a place where a scenario may stop the client.
class Checkpoint {
 public:
  Checkpoint(Env& env, Point point) noexcept : env_(env), point_(point) {}
  Checkpoint(const Checkpoint&) = delete;
  Checkpoint& operator=(const Checkpoint&) = delete;
  ~Checkpoint() {
    if (timer_.armed) env_.disarm(timer_);
  }
  bool await_ready() { return env_.pass(point_); }
  void await_suspend(std::coroutine_handle<> coroutine) {
    timer_.waiting = coroutine;
    env_.arm(timer_, env_.now());
  }
  void await_resume() const noexcept {}

 private:
  Env& env_;
  Point point_;
  Timer timer_;
};

}  // namespace holdfast
