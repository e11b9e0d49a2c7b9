// An instance's life: start, pause, stall in fsync, crash, restart.
#include <utility>

#include "sim/redis/event_kinds.h"
#include "sim/redis/instance.h"
#include "sim/redis/random_id.h"

namespace holdfast::sim::redis {

Instance::Instance(Kernel& kernel, ServerHost& host, ServerWatcher& watcher, RedisServer& facade)
    : kernel_(kernel),
      host_(host),
      watcher_(watcher),
      facade_(facade),
      data_(kernel, watcher, propagation_),
      disk_(*this),
      replication_(*this),
      waiting_(*this),
      scripts_(*this) {}

void Instance::reset(const ServerOptions& options, Clock wall) {
  options_ = options;
  ++run_;
  starts_ = 0;
  running_ = true;
  paused_ = false;
  stalled_ = false;
  started_ = kernel_.now();
  make_random_id(options.node, ++starts_, run_id_);
  propagation_.reset();
  data_.reset(options.node, wall, options.hz);
  sessions_.reset();
  injected_errors_.reset();
  scripts_.reset();
  waiting_.reset();
  replication_.reset();
  disk_.reset(options.persistence);
  named_count_ = 0;
}

void Instance::pause() {
  if (!running_ || paused_) return;
  data_.stop_sweeping();
  paused_ = true;
}

void Instance::resume() {
  if (!running_ || !paused_) return;
  paused_ = false;
  drain();
  data_.start_sweeping();
}

// Everything that piled up while the server was busy, in order of arrival; then what waited at the
// replication links.
void Instance::drain() {
  while (!busy() && sessions_.has_arrivals()) {
    const Arrival arrival = sessions_.take_arrival();
    dispatch(arrival.session, arrival.command);
  }
  if (!busy()) replication_.catch_up();
  if (!busy()) waiting_.check_timeouts();
}

void Instance::stall(SessionId session, Reply answer, Duration for_time) {
  stalled_ = true;
  stalled_session_ = session;
  stalled_reply_ = std::move(answer);
  kernel_.after(for_time, {&Instance::on_stall_over, this, run_, kFsyncDone});
}

void Instance::on_stall_over(void* self, std::uint64_t run) {
  auto& instance = *static_cast<Instance*>(self);
  if (run != instance.run_ || !instance.stalled_) return;
  instance.stalled_ = false;
  instance.disk_.fsync_over();
  instance.reply(instance.stalled_session_, std::move(instance.stalled_reply_));
  if (!instance.paused_) instance.drain();
}

void Instance::unblock(SessionId session, Reply answer) {
  sessions_[session].blocked = false;
  kernel_.mix(static_cast<std::uint64_t>(answer.integer));
  reply(session, std::move(answer));
  run_behind(session);
}

void Instance::run_behind(SessionId session) {
  std::vector<Command> behind;
  behind.swap(sessions_[session].behind);
  for (Command& command : behind) {
    if (busy()) {
      sessions_.queue(session, std::move(command));
    } else {
      dispatch(session, command);
    }
  }
}

void Instance::disconnect(SessionId session) {
  Session& closed = sessions_[session];
  if (!closed.open) return;
  closed.open = false;
  closed.blocked = false;
  closed.behind.clear();
  host_.close_session(session);
}

void Instance::evict(std::string_view key) {
  if (!running_) return;
  data_.begin(0);
  data_.select(0);
  disk_.before_change();
  Entry* entry = data_.find(key);
  if (entry == nullptr) return propagation_.flush(true);
  if (propagation_.wanted()) propagation_.add().add("DEL").add(key);
  data_.drop(*entry, history::DropCause::evict);
  data_.touched(*entry, EventClass::evicted, "evicted");
  propagation_.flush(true);
}

void Instance::flush() {
  if (!running_) return;
  data_.begin(0);
  disk_.before_change();
  if (propagation_.wanted()) propagation_.add().add("FLUSHALL");
  data_.drop_all(kAllDatabases, history::DropCause::flush);
  propagation_.flush(true);
}

std::size_t Instance::keys() {
  data_.catch_up();
  propagation_.flush(false);
  return data_.databases().present();
}

void Instance::crash(CrashKind kind) {
  if (!running_) return;
  disk_.crash(kind);
  running_ = false;
  paused_ = false;
  stalled_ = false;
  ++run_;
  propagation_.reset();
  data_.stop_sweeping();
  data_.lose_all(history::DropCause::restart);
  waiting_.reset();
  replication_.crash();
  sessions_.forget_arrivals();
  for (SessionId session = 1; session <= sessions_.size(); ++session) disconnect(session);
}

void Instance::restart(Persistence mode) {
  if (running_) crash(CrashKind::kill);
  running_ = true;
  started_ = kernel_.now();
  options_.persistence = mode;
  make_random_id(options_.node, ++starts_, run_id_);
  scripts_.reset();
  data_.set_silent(true);
  disk_.restart(mode);
  data_.set_silent(false);
  data_.announce();
  data_.start_sweeping();
  replication_.restart();
}

}  // namespace holdfast::sim::redis
