// The Env of a client process: timers in its own time, calls, connections.
#include <algorithm>
#include <cstdlib>
#include <utility>

#include "sim/client_process.h"

namespace holdfast::sim {

// -- alarms: what is due at a reading of the process's clock

std::uint32_t ClientProcess::new_alarm(Alarm::Kind kind, void* target, std::uint32_t index,
                                       Instant at) {
  std::uint32_t number = 0;
  if (free_alarms_.empty()) {
    number = static_cast<std::uint32_t>(alarms_.size());
    alarms_.emplace_back();
  } else {
    number = free_alarms_.back();
    free_alarms_.pop_back();
  }
  Alarm& alarm = alarms_[number];
  alarm.kind = kind;
  alarm.target = target;
  alarm.index = index;
  alarm.at = at;
  schedule(number);
  return number;
}

void ClientProcess::schedule(std::uint32_t number) {
  Alarm& alarm = alarms_[number];
  const std::optional<TrueTime> when = monotonic_.when(alarm.at.time_since_epoch(), kernel_.now());
  std::uint32_t kind = event_kind(EventKind::timer, actor_);
  if (alarm.kind == Alarm::Kind::deadline) kind = event_kind(EventKind::deadline, actor_);
  if (alarm.kind == Alarm::Kind::retry) kind = event_kind(EventKind::retry, actor_);
  if (alarm.kind == Alarm::Kind::watch) kind = watches_[alarm.index].action.kind;
  alarm.event =
      kernel_.at(when.value_or(TrueTime::max()), {&ClientProcess::alarm_due, this, number, kind});
}

void ClientProcess::free_alarm(std::uint32_t& plus_one) noexcept {
  if (plus_one == 0) return;
  const std::uint32_t number = std::exchange(plus_one, 0) - 1;
  Alarm& alarm = alarms_[number];
  kernel_.cancel(alarm.event);
  alarm.kind = Alarm::Kind::unused;
  ++alarm.generation;
  free_alarms_.push_back(number);
}

void ClientProcess::alarm_due(void* self, std::uint64_t argument) {
  auto& process = *static_cast<ClientProcess*>(self);
  const auto number = static_cast<std::uint32_t>(argument);
  Alarm& alarm = process.alarms_[number];
  alarm.event = {};
  Work work{Work::Kind::timer, Lane::caller, true, number, alarm.generation, nullptr};
  switch (alarm.kind) {
    case Alarm::Kind::unused:
      return;
    case Alarm::Kind::watch: {
      Watch& watch = process.watches_[alarm.index];
      process.free_alarm(watch.alarm);
      const Action action = std::exchange(watch.action, Action());
      return action.run(action.self, action.argument);
    }
    case Alarm::Kind::timer:
      work.lane = static_cast<Timer*>(alarm.target)->lane;
      break;
    case Alarm::Kind::deadline:
      work.kind = Work::Kind::deadline;
      work.lane = process.records_[alarm.index].lane;
      break;
    case Alarm::Kind::retry:
      work.kind = Work::Kind::retry;
      work.of_one_lane = false;
      break;
  }
  process.deliver(work);
}

void ClientProcess::set_rate(std::int64_t ppm) {
  monotonic_.set_rate(kernel_.now(), ppm);
  wall_.set_rate(kernel_.now(), ppm);
  for (std::size_t number = 0; number < alarms_.size(); ++number) {
    if (!alarms_[number].event) continue;  // unused, or due and waiting for its turn
    kernel_.cancel(alarms_[number].event);
    schedule(static_cast<std::uint32_t>(number));
  }
}

void ClientProcess::watch_clock(std::uint32_t tag, Instant at, Action action) {
  if (tag >= watches_.size()) watches_.resize(std::size_t{tag} + 1);
  Watch& watch = watches_[tag];
  free_alarm(watch.alarm);
  watch.action = action;
  if (action.run != nullptr) watch.alarm = new_alarm(Alarm::Kind::watch, nullptr, tag, at) + 1;
}

// -- timers and coroutines

void ClientProcess::arm(Timer& timer, Instant at) {
  if (!timer.own_lane) timer.lane = lane_;
  timer.armed = true;
  timer.world[0] = new_alarm(Alarm::Kind::timer, &timer, 0, at) + 1;
}

void ClientProcess::disarm(Timer& timer) noexcept {
  if (!timer.armed) return;
  timer.armed = false;
  auto plus_one = static_cast<std::uint32_t>(timer.world[0]);
  free_alarm(plus_one);
}

void ClientProcess::spawn(Task<void> task, Lane lane) { scope_.spawn(std::move(task), lane); }

void ClientProcess::random(std::span<std::byte> out) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    bits = i % 8 == 0 ? tokens_.next() : bits >> 8;
    out[i] = static_cast<std::byte>(bits & 0xFF);
  }
}

std::shared_ptr<RedisClient> ClientProcess::connect(const Endpoint& endpoint, Role role) {
  const history::NodeId address = directory_.address(endpoint.name);
  if (address == 0) std::abort();  // names are checked before a run
  if (role == Role::exclusive) {
    auto client = detail::make_pooled<SimRedisClient>(*this, address);
    clients_.push_back(client.get());
    return client;
  }
  const std::size_t index = std::size_t{address} * 2 + (role == Role::subscriber ? 1 : 0);
  if (index >= shared_.size()) shared_.resize(index + 1);
  if (shared_[index] == nullptr) {
    shared_[index] = detail::make_pooled<SimRedisClient>(*this, address);
    clients_.push_back(shared_[index].get());
  }
  return shared_[index];
}

// -- calls

std::uint32_t ClientProcess::new_record(Exchange& exchange) {
  std::uint32_t number = 0;
  if (free_records_.empty()) {
    number = static_cast<std::uint32_t>(records_.size());
    records_.emplace_back();
  } else {
    number = free_records_.back();
    free_records_.pop_back();
  }
  CallRecord& record = records_[number];
  record.exchange = &exchange;
  record.alarm = 0;
  record.replies = static_cast<std::uint32_t>(exchange.commands.size());
  record.answered = 0;
  record.lane = lane_;
  record.settled = record.owed = false;
  exchange.world = number;
  return number;
}

void ClientProcess::release_if_over(std::uint32_t number) {
  CallRecord& record = records_[number];
  if (record.exchange != nullptr || record.owed) return;
  record.late = LateReply();
  ++record.generation;
  free_records_.push_back(number);
}

void ClientProcess::arm_deadline(std::uint32_t number, SimRedisClient& client, Instant at) {
  const std::uint32_t alarm = new_alarm(Alarm::Kind::deadline, &client, number, at);
  records_[number].alarm = alarm + 1;
}

std::uint32_t ClientProcess::arm_retry(SimRedisClient& client, Instant at) {
  return new_alarm(Alarm::Kind::retry, &client, 0, at) + 1;
}

void ClientProcess::message_arrived(SimRedisClient& client) {
  deliver({Work::Kind::message, Lane::caller, false, 0, client.epoch(), &client});
}

void ClientProcess::complete_now(std::uint32_t number) {
  const CallRecord& record = records_[number];
  const Work work{Work::Kind::completion, record.lane, true, number, record.generation, nullptr};
  if (is_held(work)) {
    held_.push_back(work);
  } else {
    run_completion(work);
  }
}

void ClientProcess::complete_later(std::uint32_t number) {
  const CallRecord& record = records_[number];
  queue({Work::Kind::completion, record.lane, true, number, record.generation, nullptr});
}

void ClientProcess::tell_late(const CallRecord& record, CallResult result) {
  const LateReply late = record.late;
  lane_ = record.lane;
  late.listener->on_late(late.tag, result);
  lane_ = Lane::caller;
}

void ClientProcess::client_gone(SimRedisClient& client) noexcept {
  std::erase(clients_, &client);
  const auto of_client = [&client](const Work& work) { return work.client == &client; };
  std::erase_if(held_, of_client);
  for (std::size_t left = ready_.size(); left > 0; --left) {
    const Work work = ready_.pop_front();
    if (!of_client(work)) ready_.push_back(work);
  }
}

}  // namespace holdfast::sim
