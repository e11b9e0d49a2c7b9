// SlowScript: a script that has not come to its end at once (FID-L12). Virtual time goes by while
// it runs; it waits half-way on a stack of its own, and the server serves nobody, or says BUSY.
//
// How much: each step of kScriptStep instructions takes a millisecond, which is what a real server
// needs. What has taken more than kEndlessSteps of them is taken for a script that never ends: each
// further step takes an eighth of the time it has run for, so that hours of it cost little.
#pragma once

#include <cstdint>

#include "sim/kernel.h"
#include "sim/redis/command.h"
#include "sim/redis/script_stack.h"

namespace holdfast::sim::redis {

inline constexpr int kScriptStep = 100'000;       // instructions of Lua
inline constexpr int kInstructionsOfACall = 100;  // what a redis.call takes
inline constexpr std::uint64_t kEndlessSteps = 200;

struct SlowScript {
  ScriptStack stack = {};
  // The command that runs it, EVAL or EXEC.
  SessionId session = 0;
  const CommandSpec* spec = nullptr;
  Command command = {};
  Reply answer = {};
  bool deferred = false;
  // It waits for its next step.
  bool suspended = false;
  bool busy = false;     // for longer than busy-reply-threshold: others are told
  bool overdue = false;  // the server was stopped when its step was over
  TrueTime begun{};
  TrueTime due{};  // the end of its step
  EventId timer = {};
};

}  // namespace holdfast::sim::redis
