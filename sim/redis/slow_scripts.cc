// How a command that runs a script goes on for longer than an instant.
#include <algorithm>
#include <utility>

#include "sim/redis/event_kinds.h"
#include "sim/redis/instance.h"

namespace holdfast::sim::redis {

// A script without a loop ends by itself, and needs no stack of its own.
bool Instance::may_last(SessionId id, const CommandSpec& spec, const Command& command) {
  if ((spec.flags & kScript) != 0) return scripts_.may_last(command);
  const Session& session = sessions_[id];
  if (!session.is(kInMulti) || !session.extras) return false;
  const auto& queue = session.extras->queue;
  return std::any_of(queue.begin(), queue.end(), [this](const QueuedCommand& queued) {
    return (queued.spec->flags & kScript) != 0 && scripts_.may_last(queued.command);
  });
}

void Instance::run_slowly(SessionId id, const CommandSpec& spec, const Command& command) {
  slow_.session = id;
  slow_.spec = &spec;
  slow_.command = command;
  slow_.answer = Reply();
  slow_.begun = kernel_.now();
  if (slow_.stack.start(&Instance::work_slowly, this)) {
    conclude(id, slow_.deferred, std::move(slow_.answer));
  } else {
    sessions_[id].blocked = true;
  }
}

void Instance::work_slowly(void* self) {
  auto& instance = *static_cast<Instance*>(self);
  SlowScript& slow = instance.slow_;
  try {
    slow.deferred = !instance.execute(slow.session, *slow.spec, slow.command, slow.answer);
  } catch (const ScriptAbandoned&) {
    slow.deferred = true;  // nobody asks any more
  }
}

// Called by the script, on its stack. What the running command has begun is put aside meanwhile,
// for commands that are served while a script is BUSY.
void Instance::let_time_pass(std::uint64_t steps) {
  if (!slow_.stack.at_work()) return;
  const Duration so_far = kernel_.now() - slow_.begun;
  const Duration step = std::chrono::milliseconds(1);
  const int database = data_.selected();
  const SessionId session = std::exchange(running_session_, 0);
  const Command* const command = std::exchange(running_command_, nullptr);
  std::vector<Named> named = std::move(named_);
  const std::size_t named_count = std::exchange(named_count_, 0);
  if (!std::exchange(slow_.suspended, true)) data_.stop_sweeping();
  slow_.due = kernel_.now() + (steps <= kEndlessSteps ? step : std::max(step, so_far / 8));
  await_step();
  slow_.stack.suspend();
  named_ = std::move(named);
  named_count_ = named_count;
  running_session_ = session;
  running_command_ = command;
  data_.select(database);
}

// The next instant at which something is to be done about the script.
void Instance::await_step() {
  TrueTime next = slow_.due;
  if (const auto threshold = busy_from()) next = std::min(next, *threshold);
  kernel_.cancel(slow_.timer);
  slow_.timer = kernel_.at(next, {&Instance::on_script_step, this, run_, kScriptStepEnds});
}

// When others are told; nothing when they are already, or never will be.
std::optional<TrueTime> Instance::busy_from() const {
  constexpr std::int64_t kLongest = 7'000'000'000'000;  // an instant holds no more
  const std::int64_t threshold = config_.number(Setting::busy_reply_threshold);
  if (slow_.busy || threshold == 0) return std::nullopt;
  return slow_.begun + std::chrono::milliseconds(std::min(threshold, kLongest));
}

void Instance::on_script_step(void* self, std::uint64_t run) {
  auto& instance = *static_cast<Instance*>(self);
  if (run == instance.run_ && instance.slow_.suspended) instance.step_script();
}

void Instance::step_script() {
  slow_.overdue = paused_;
  if (paused_) return;
  if (const auto threshold = busy_from(); threshold && kernel_.now() >= *threshold) {
    slow_.busy = true;
    review();
    drain();
  }
  if (!slow_.suspended) return;  // it was shut down
  if (kernel_.now() < slow_.due) return await_step();
  kernel_.cancel(slow_.timer);
  if (slow_.stack.resume()) end_slow_script();
}

bool Instance::kill_script() {
  if (scripts_.has_written()) return false;
  scripts_.end_by(ScriptEngine::Ending::killed);
  slow_.due = kernel_.now();
  await_step();
  return true;
}

void Instance::end_slow_script() {
  const SessionId id = slow_.session;
  slow_.suspended = false;
  slow_.busy = false;
  review();
  data_.start_sweeping();
  Session& session = sessions_[id];
  session.blocked = false;
  if (session.open) {
    resumed_.push_back(id);
  } else {
    end_session(id);
  }
  conclude(id, slow_.deferred, std::move(slow_.answer));
  drain();
}

// The server is gone, or begins anew: the script's frames are left, and nothing comes of it.
void Instance::abandon_script() {
  if (!slow_.suspended) return;
  kernel_.cancel(slow_.timer);
  scripts_.end_by(ScriptEngine::Ending::abandoned);
  slow_.stack.resume();
  slow_.suspended = false;
  slow_.busy = false;
}

}  // namespace holdfast::sim::redis
