#include "sim/client_process.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace holdfast::sim {
namespace {

std::size_t number(Lane lane) { return lane == Lane::watchdog ? 1 : 0; }

}  // namespace

ClientProcess::ClientProcess(Kernel& kernel, Fabric& fabric, const Directory& directory,
                             ProcessHooks& hooks)
    : kernel_(kernel), fabric_(fabric), directory_(directory), hooks_(hooks) {}

ClientProcess::~ClientProcess() { end(); }

void ClientProcess::end() noexcept {
  die();
  running_ = false;
  program_ = nullptr;
}

void ClientProcess::reset(const Start& start) {
  actor_ = start.actor;
  monotonic_ = Clock(start.monotonic, start.ppm);
  wall_ = Clock(start.wall, start.ppm);
  tokens_ = Random(start.seed, Purpose::tokens, start.actor);
  resume_order_ = Random(start.seed, Purpose::resume_order, start.actor);
  std::fill(std::begin(passed_), std::end(passed_), 0);
}

// -- life

void ClientProcess::start(std::function<Task<void>(Env&)> program) {
  program_ = std::move(program);
  running_ = true;
  spawn(program_(*this), Lane::caller);
}

void ClientProcess::restart() {
  if (!program_) return;
  if (busy_) {
    pending_.crash = pending_.restart = true;
    return;
  }
  if (running_) crash_now();
  running_ = true;
  spawn(program_(*this), Lane::caller);
}

void ClientProcess::crash() {
  if (!running_) return;
  if (busy_) {
    pending_.crash = true;
  } else {
    crash_now();
  }
}

void ClientProcess::crash_now() {
  die();
  running_ = false;
  hooks_.crashed(actor_);
}

// Frames first: their destructors take themselves off timers and connections. What those had sent
// is still under way.
void ClientProcess::die() noexcept {
  scope_.clear();
  for (SimRedisClient* client : clients_) client->process_died();
  clients_.clear();
  shared_.clear();
  held_.clear();
  ready_.clear();
  kernel_.cancel(next_ready_);
  for (Alarm& alarm : alarms_) kernel_.cancel(alarm.event);
  alarms_.clear();
  free_alarms_.clear();
  records_.clear();
  free_records_.clear();
  watches_.clear();
  paused_ = lane_paused_[0] = lane_paused_[1] = false;
  pending_ = {};
}

// -- pause and resume

void ClientProcess::pause(std::optional<Lane> lane) {
  if (!running_) return;
  if (!busy_) return pause_now(lane);
  if (lane) {
    pending_.pause_lane[number(*lane)] = true;
  } else {
    pending_.pause = true;
  }
}

void ClientProcess::pause_now(std::optional<Lane> lane) {
  bool& flag = lane ? lane_paused_[number(*lane)] : paused_;
  if (flag) return;
  flag = true;
  hold_what_is_ready();
  hooks_.paused(actor_, lane);
}

void ClientProcess::resume(std::optional<Lane> lane) {
  bool& flag = lane ? lane_paused_[number(*lane)] : paused_;
  if (!flag) return;
  flag = false;
  hooks_.resumed(actor_, lane);
  release_what_was_held();
}

bool ClientProcess::is_held(const Work& work) const {
  return paused_ || (work.of_one_lane && lane_paused_[number(work.lane)]);
}

void ClientProcess::hold_what_is_ready() {
  for (std::size_t left = ready_.size(); left > 0; --left) {
    const Work work = ready_.pop_front();
    if (is_held(work)) {
      held_.push_back(work);
    } else {
      ready_.push_back(work);
    }
  }
}

// libuv runs overdue timers before it looks at the sockets; a process that was stopped in its poll
// finds the sockets first. The seed says which.
void ClientProcess::release_what_was_held() {
  const bool timers_first = resume_order_.next() >> 63 == 0;
  moved_.swap(held_);
  held_.clear();
  for (const bool timers : {timers_first, !timers_first}) {
    for (const Work& work : moved_) {
      if (work.is_timer() == timers && !is_held(work)) queue(work);
    }
  }
  for (const Work& work : moved_) {
    if (is_held(work)) held_.push_back(work);
  }
}

void ClientProcess::settle_pending() {
  const Pending pending = std::exchange(pending_, Pending());
  if (pending.crash) {
    crash_now();
    if (pending.restart) restart();
    return;
  }
  if (pending.pause) pause_now(std::nullopt);
  if (pending.pause_lane[0]) pause_now(Lane::caller);
  if (pending.pause_lane[1]) pause_now(Lane::watchdog);
}

bool ClientProcess::pass(Point point) {
  const std::uint64_t nth = ++passed_[static_cast<std::size_t>(point)];
  switch (hooks_.at_point(actor_, point, nth)) {
    case AtPoint::go_on:
      break;
    case AtPoint::pause:
      pending_.pause = true;
      break;
    case AtPoint::crash:
      pending_.crash = true;
      break;
  }
  return !pending_.crash && !pending_.pause && !pending_.pause_lane[number(lane_)];
}

// -- what makes the process do something

void ClientProcess::deliver(const Work& work) {
  if (is_held(work)) {
    held_.push_back(work);
  } else if (!ready_.empty()) {
    queue(work);  // not before what came earlier
  } else {
    run(work);
  }
}

void ClientProcess::queue(const Work& work) {
  ready_.push_back(work);
  schedule_ready();
}

void ClientProcess::schedule_ready() {
  if (next_ready_ || ready_.empty()) return;
  next_ready_ = kernel_.at(
      kernel_.now(), {&ClientProcess::next_ready, this, 0, event_kind(EventKind::ready, actor_)});
}

void ClientProcess::next_ready(void* self, std::uint64_t) {
  auto& process = *static_cast<ClientProcess*>(self);
  process.next_ready_ = {};
  if (process.ready_.empty()) return;  // its connection went away in the meantime
  process.run(process.ready_.pop_front());
  process.schedule_ready();
}

void ClientProcess::run(const Work& work) {
  busy_ = true;
  switch (work.kind) {
    case Work::Kind::timer:
    case Work::Kind::deadline:
    case Work::Kind::retry:
      run_alarm(work);
      break;
    case Work::Kind::message:
      if (work.client->epoch() == work.generation) work.client->read_message();
      break;
    case Work::Kind::completion:
      run_completion(work);
      break;
  }
  busy_ = false;
  settle_pending();
}

void ClientProcess::run_alarm(const Work& work) {
  const Alarm alarm = alarms_[work.index];
  if (alarm.generation != work.generation) return;  // disarmed in the meantime
  std::uint32_t plus_one = work.index + 1;
  free_alarm(plus_one);
  if (alarm.kind == Alarm::Kind::timer) {
    auto& timer = *static_cast<Timer*>(alarm.target);
    timer.armed = false;
    return resume_coroutine(timer.waiting, timer.lane);
  }
  auto& client = *static_cast<SimRedisClient*>(alarm.target);
  if (alarm.kind == Alarm::Kind::retry) return client.retry();
  records_[alarm.index].alarm = 0;
  client.deadline_passed(alarm.index);
}

void ClientProcess::run_completion(const Work& work) {
  CallRecord& record = records_[work.index];
  if (record.generation != work.generation || record.exchange == nullptr) return;
  Exchange& exchange = *std::exchange(record.exchange, nullptr);
  const Lane lane = record.lane;
  release_if_over(work.index);
  exchange.pending = false;
  resume_coroutine(exchange.waiting, lane);
}

void ClientProcess::resume_coroutine(std::coroutine_handle<> coroutine, Lane lane) {
  lane_ = lane;
  holdfast::resume(coroutine);
  lane_ = Lane::caller;
}

}  // namespace holdfast::sim
