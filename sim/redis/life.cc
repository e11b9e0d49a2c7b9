// An instance's life: start, pause, stall in fsync, crash, restart.
#include <utility>

#include "sim/redis/cluster/cluster.h"
#include "sim/redis/event_kinds.h"
#include "sim/redis/instance.h"
#include "sim/redis/random_id.h"
#include "sim/redis/sentinel/sentinel.h"

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
      scripts_(*this),
      pubsub_(*this),
      keyspace_events_(pubsub_),
      watches_(*this),
      tracking_(*this),
      key_waiting_(*this),
      interest_(*this),
      pause_(*this),
      memory_(*this),
      manual_failover_(*this),
      idle_(*this),
      shutdown_(*this) {}

Instance::~Instance() { abandon_script(); }

void Instance::reset(const ServerOptions& options, Clock wall) {
  abandon_script();
  options_ = options;
  version_ = &traits_of(options.version);
  ++run_;
  starts_ = 0;
  running_ = true;
  paused_ = false;
  stalled_ = loading_ = false;
  started_ = kernel_.now();
  make_random_id(options.node, ++starts_, run_id_);
  propagation_.reset();
  data_.reset(options.node, wall, options.hz);
  data_.freeze_command_time(version_->frozen_time);
  config_.reset(options);
  forget_connections();
  sessions_.reset();
  injected_errors_.reset();
  scripts_.reset();
  waiting_.reset();
  replication_.reset();
  disk_.reset(options.persistence);
  named_count_ = 0;
  reset_cluster();
  apply_configuration();
  if (options.sentinel.monitors.empty()) return sentinel_.reset();
  if (!sentinel_) sentinel_ = std::make_unique<Sentinel>(*this);
  sentinel_->reset(options.sentinel);
}

void Instance::reset_cluster() {
  if (options_.cluster == nullptr) return cluster_.reset();
  if (!cluster_) cluster_ = std::make_unique<Cluster>(*this);
  cluster_->reset(*options_.cluster);
}

// What belongs to connections, and ends with them all.
void Instance::forget_connections() {
  pubsub_.reset();
  watches_.reset();
  tracking_.reset();
  key_waiting_.reset();
  pause_.reset();
  manual_failover_.reset();
  idle_.reset();
  shutdown_.reset();
  unsaid_.clear();
  asleep_ = {};
  running_session_ = 0;
  running_command_ = nullptr;
  script_reads_ = false;
  resumed_.clear();
}

void Instance::apply_configuration() {
  keyspace_events_.configure(config_.text(Setting::notify_keyspace_events));
  memory_.set_limit(config_.number(Setting::maxmemory));
  const auto size = [this](Setting setting) {
    return static_cast<std::size_t>(config_.number(setting));
  };
  data_.limits() = {size(Setting::hash_max_listpack_entries),
                    size(Setting::hash_max_listpack_value), size(Setting::set_max_intset_entries),
                    size(Setting::zset_max_listpack_entries),
                    size(Setting::zset_max_listpack_value)};
  interest_.review();
  disk_.configure();
  replication_.configure();
  idle_.look();
  review();
}

void Instance::review() {
  enum : std::uint32_t {
    kPassword = 1,
    kReplica = 2,
    kInjects = 4,
    kMemory = 8,
    kReplicas = 16,
    kPause = 32,
    kInterest = 64,
    kCluster = 128,
    kLoad = 256,
    kSaves = 512,
    kBusy = 1024
  };
  const auto bit = [](bool is_set, std::uint32_t concern) { return is_set ? concern : 0; };
  concerns_ =
      bit(!config_.text(Setting::requirepass).empty(), kPassword) | bit(!data_.master(), kReplica) |
      bit(injected_errors_.any(), kInjects) | bit(memory_.limited(), kMemory) |
      bit(config_.number(Setting::min_replicas_to_write) > 0, kReplicas) |
      bit(pause_.kind() != ClientPause::Kind::none, kPause) | bit(interest_.on(), kInterest) |
      bit(loading_, kLoad) | bit(disk_.saves_in_doubt(), kSaves) |
      bit(cluster_ != nullptr, kCluster) | bit(busy_with_script(), kBusy);
}

void Instance::pause() {
  if (!running_ || paused_) return;
  data_.stop_sweeping();
  replication_.falls_silent();
  paused_ = true;
}

void Instance::resume() {
  if (!running_ || !paused_) return;
  paused_ = false;
  if (slow_.overdue) step_script();
  drain();
  replication_.speaks_again();
  if (!slow_.suspended) data_.start_sweeping();
}

// Everything that piled up while the server was busy, in order of arrival; then what waited at the
// replication links.
void Instance::drain() {
  while (serves() && sessions_.has_arrivals()) {
    const Arrival arrival = sessions_.take_arrival();
    dispatch(arrival.session, arrival.command);
  }
  if (!busy()) replication_.catch_up();
  if (!busy()) waiting_.check_timeouts();
  if (!busy()) key_waiting_.check_timeouts();
  if (!busy()) pause_.check();
  if (!busy() && cluster_) cluster_->catch_up();
  if (!busy() && sentinel_) sentinel_->catch_up();
}

void Instance::stall(Duration for_time) {
  stalled_ = true;
  kernel_.after(for_time, {&Instance::on_stall_over, this, run_, kFsyncDone});
}

void Instance::on_stall_over(void* self, std::uint64_t run) {
  auto& instance = *static_cast<Instance*>(self);
  if (run != instance.run_ || !instance.stalled_) return;
  instance.stalled_ = false;
  instance.disk_.fsync_over();
  for (Saying& saying : std::exchange(instance.unsaid_, {})) instance.say(std::move(saying));
  if (!instance.paused_) instance.drain();
}

void Instance::unblock(SessionId session, Reply answer) {
  kernel_.mix(static_cast<std::uint64_t>(answer.integer));
  reply(session, std::move(answer));
  release(session);
}

void Instance::release(SessionId session) {
  sessions_[session].blocked = false;
  resumed_.push_back(session);
  if (running_session_ == 0) settle();
}

void Instance::force_unblocked(SessionId session) {
  reply(session, Reply::error("UNBLOCKED force unblock from blocking operation, instance state "
                              "changed (master -> replica?)"));
  disconnect(session);
}

bool Instance::end_wait(SessionId session, const Reply& answer) {
  return sessions_[session].blocked &&
         (key_waiting_.end(session, answer) || waiting_.end(session, answer));
}

void Instance::run_behind(SessionId session) {
  std::vector<Command> behind;
  behind.swap(sessions_[session].behind);
  for (Command& command : behind) {
    if (!serves()) {
      sessions_.queue(session, std::move(command));
    } else {
      dispatch(session, command);
    }
  }
}

void Instance::disconnect(SessionId session) {
  if (!sessions_[session].open) return;
  end_session(session);
  host_.close_session(session);
}

void Instance::clock_changes() {
  disk_.clock_changes();
  replication_.clock_changes();
}

void Instance::clock_changed() {
  replication_.clock_changed();
  idle_.look();
  waiting_.clock_changed();
  key_waiting_.clock_changed();
  pause_.clock_changed();
}

void Instance::evict(std::string_view key, int database) {
  if (!running_) return;
  begin_unit(0);
  data_.select(database);
  disk_.before_change();
  Entry* entry = data_.find(key);
  if (entry == nullptr) return end_unit();
  if (propagation_.wanted()) propagation_.add().add("DEL").add(key);
  data_.drop(*entry, history::DropCause::evict);
  data_.touched(*entry, EventClass::evicted, "evicted");
  end_unit();
}

void Instance::flush() {
  if (!running_) return;
  begin_unit(0);
  disk_.before_change();
  if (propagation_.wanted()) propagation_.add().add("FLUSHALL");
  data_.drop_all(kAllDatabases, history::DropCause::flush);
  end_unit();
}

std::size_t Instance::keys() {
  data_.catch_up();
  if (!slow_.suspended) propagation_.flush(false);
  return data_.databases().present();
}

void Instance::load_takes(Duration time) {
  if (time < std::chrono::milliseconds(1)) return;
  loading_ = true;
  review();
  kernel_.after(time, {&Instance::on_loaded, this, run_, kLoaded});
}

void Instance::on_loaded(void* self, std::uint64_t run) {
  auto& instance = *static_cast<Instance*>(self);
  if (run != instance.run_ || !instance.loading_) return;
  instance.loading_ = false;
  instance.review();
  instance.replication_.loaded();
}

void Instance::shut_down() {
  kernel_.after(Duration::zero(), {&Instance::on_shutdown, this, run_, kShutsDown});
}

void Instance::on_shutdown(void* self, std::uint64_t run) {
  auto& instance = *static_cast<Instance*>(self);
  if (run == instance.run_) instance.crash(CrashKind::kill);
}

void Instance::crash(CrashKind kind) {
  if (!running_) return;
  abandon_script();
  disk_.crash(kind);
  running_ = false;
  paused_ = false;
  stalled_ = loading_ = false;
  ++run_;
  propagation_.reset();
  data_.stop_sweeping();
  data_.lose_all(history::DropCause::restart);
  waiting_.reset();
  replication_.crash();
  sessions_.forget_arrivals();
  for (SessionId session = 1; session <= sessions_.size(); ++session) disconnect(session);
  forget_connections();
  if (cluster_) cluster_->crash();
  if (sentinel_) sentinel_->crash();
}

void Instance::restart(Persistence mode) {
  if (running_) crash(CrashKind::kill);
  running_ = true;
  started_ = kernel_.now();
  options_.persistence = mode;
  make_random_id(options_.node, ++starts_, run_id_);
  scripts_.reset();
  config_.reset(options_);
  data_.set_silent(true);
  running_ = disk_.restart(mode);
  data_.set_silent(false);
  if (!running_) return;
  data_.announce();
  data_.start_sweeping();
  load_takes(loading_time(data_.databases()));
  apply_configuration();
  if (cluster_) cluster_->restart();
  if (sentinel_) sentinel_->restart();
  if (!loading_) replication_.loaded();
}

}  // namespace holdfast::sim::redis
