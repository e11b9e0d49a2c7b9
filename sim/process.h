// Process: one simulated client process: clocks, two lanes of coroutines, connections. It can be
// paused, crashed and restarted at any event; nothing of it runs while it is paused, its clocks go
// on and its messages queue.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "lockcore/env.h"
#include "reports/history/event.h"
#include "sim/clock.h"
#include "sim/kernel.h"

namespace holdfast::sim {

// What a process does at a named point: go on, or stop there (paused or crashed as an event at the
// same instant, before anything else of this process runs).
enum class AtPoint : std::uint8_t { go_on, pause, crash };

// The scenario's hold on a process.
class ProcessHooks {
 public:
  virtual ~ProcessHooks() = default;
  virtual AtPoint at_point(history::ActorId actor, Point point, std::uint64_t nth) = 0;
  virtual void paused(history::ActorId actor, std::optional<Lane> lane) = 0;  // has taken effect
  virtual void resumed(history::ActorId actor, std::optional<Lane> lane) = 0;
  virtual void crashed(history::ActorId actor) = 0;
};

class Process {
 public:
  virtual ~Process() = default;
  virtual Env& env() = 0;
  virtual history::ActorId actor() const = 0;
  // Runs the process's program; it is built anew after each restart.
  virtual void start(std::function<Task<void>(Env&)> program) = 0;

  // No lane: the whole process. A pause while paused extends nothing and is not counted.
  virtual void pause(std::optional<Lane> lane) = 0;
  virtual void resume(std::optional<Lane> lane) = 0;
  virtual bool paused() const = 0;
  virtual void crash() = 0;    // frames destroyed, connections reset, nothing is sent
  virtual void restart() = 0;  // the program from its beginning, a new incarnation
  virtual bool running() const = 0;

  // Clocks. Pending timers follow a change of rate.
  virtual const Clock& monotonic() const = 0;
  virtual const Clock& wall() const = 0;
  virtual void step_wall(Duration by) = 0;
  virtual void set_rate(std::int64_t ppm) = 0;  // both clocks: one oscillator
  // Runs `action` at the true instant at which the monotonic clock reaches `at`, whether or not the
  // process runs then; follows changes of rate. Replaces the watch of the same `tag`; tag counts
  // from 0 and small. No action: removes it. Gone with a crash.
  virtual void watch_clock(std::uint32_t tag, Instant at, Action action) = 0;
};

}  // namespace holdfast::sim
