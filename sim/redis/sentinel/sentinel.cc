// A sentinel's life and its timer.
#include "sim/redis/sentinel/sentinel.h"

#include <utility>

#include "sim/redis/event_kinds.h"
#include "sim/redis/instance.h"

namespace holdfast::sim::redis {

namespace {

constexpr WallMs kTiltTrigger = 2000;
constexpr WallMs kTiltLasts = 30'000;

}  // namespace

Monitored::Monitored(Sentinel& sentinel, MasterSet& of, MonitoredKind what, NodeAddress where,
                     WallMs now)
    : set(of),
      kind(what),
      address(std::move(where)),
      contact(sentinel, *this),
      published(now),
      reports_master(what == MonitoredKind::master),
      role_reported(now),
      its_master_changed(now),
      hello_heard(now),
      master_down_answered(now) {
  contact.unanswered_since = contact.available = contact.ponged = now;
}

MasterSet::MasterSet(Sentinel& sentinel, const MonitorOptions& monitor, WallMs now)
    : options(monitor), master(sentinel, *this, MonitoredKind::master, monitor.master, now) {}

WallMs Sentinel::now() const { return server_.data().fresh_ms(); }

void Sentinel::reset(const SentinelOptions& options) {
  ++run_;
  timer_.forget();
  sets_.clear();
  retired_.clear();
  id_ = options.id;
  epoch_ = 0;
  random_ = Random(options.seed, Purpose::sentinel, server_.options().node);
  for (const MonitorOptions& monitor : options.monitors) {
    MasterSet& set = *sets_.emplace_back(std::make_unique<MasterSet>(*this, monitor, now()));
    for (const NodeAddress& replica : monitor.replicas) add_replica(set, replica);
    for (const FellowSentinel& fellow : monitor.fellows) {
      add_sentinel(set, fellow.address, fellow.id);
    }
  }
  begin();
}

void Sentinel::begin() {
  tilted_ = tick_is_due_ = false;
  last_tick_ = now();
  // Sentinels were started at different times: their ticks are not in step.
  arm(Duration(static_cast<std::int64_t>(random_.below(100'000'000))));
}

void Sentinel::crash() {
  ++run_;
  timer_.stop(server_.kernel());
  for (const auto& set : sets_) {
    close(set->master.contact);
    for (const auto& replica : set->replicas) close(replica->contact);
    for (const auto& sentinel : set->sentinels) close(sentinel->contact);
  }
}

// Epochs, votes, addresses and who belongs to whom are in its file; all else begins anew.
void Sentinel::restart() {
  Sets before = std::exchange(sets_, {});
  for (const auto& old : before) {
    MasterSet& set = *sets_.emplace_back(std::make_unique<MasterSet>(*this, old->options, now()));
    set.config_epoch = old->config_epoch;
    set.master.address = old->current();
    set.master.leader_epoch = old->master.leader_epoch;
    for (const auto& replica : old->replicas) {
      if (replica->address != set.master.address) add_replica(set, replica->address);
    }
    if (old->master.address != set.master.address) add_replica(set, old->master.address);
    for (const auto& other : old->sentinels) add_sentinel(set, other->address, other->run_id);
  }
  before.clear();
  retired_.clear();
  begin();
}

void Sentinel::catch_up() {
  const auto read = [](Monitored& instance) {
    instance.contact.commands.read();
    instance.contact.events.read();
  };
  for (const auto& set : sets_) {
    read(set->master);
    for (std::size_t i = 0; i < set->replicas.size(); ++i) read(*set->replicas[i]);
    for (std::size_t i = 0; i < set->sentinels.size(); ++i) read(*set->sentinels[i]);
  }
  if (std::exchange(tick_is_due_, false)) tick();
}

void Sentinel::arm(Duration delay) {
  timer_.arm(server_.kernel(), server_.kernel().now() + delay,
             {&Sentinel::on_tick, this, run_, kSentinelTick});
}

void Sentinel::on_tick(void* self, std::uint64_t run) {
  auto& sentinel = *static_cast<Sentinel*>(self);
  if (run != sentinel.run_) return;
  sentinel.timer_.fired();
  if (sentinel.server_.busy()) {
    sentinel.tick_is_due_ = true;
  } else {
    sentinel.tick();
  }
}

// Its frequency is drawn anew each time, between 10 and 19 a second, so that sentinels do not ask
// for votes at the same moment again and again.
void Sentinel::tick() {
  retired_.clear();
  check_tilt();
  for (const auto& set : sets_) look_after(*set);
  const auto hz = static_cast<std::int64_t>(10 + random_.below(10));
  arm(std::chrono::milliseconds(1000 / hz));
}

// FID-T12.
void Sentinel::check_tilt() {
  const WallMs time = now();
  const WallMs passed = time - last_tick_;
  last_tick_ = time;
  if (passed >= 0 && passed <= kTiltTrigger) return;
  tilted_ = true;
  tilted_since_ = time;
  tell_plainly("+tilt", "#tilt mode entered");
}

void Sentinel::look_after(MasterSet& set) {
  if (look_after(set.master)) act(set);
  for (const auto& replica : set.replicas) look_after(*replica);
  for (const auto& sentinel : set.sentinels) look_after(*sentinel);
  if (set.failover == FailoverState::update_config) {
    const NodeAddress to = set.promoted != nullptr ? set.promoted->address : set.master.address;
    switch_master(set, to);
  }
}

bool Sentinel::look_after(Monitored& instance) {
  reconnect(instance);
  converse(instance);
  if (tilted_) {
    if (now() - tilted_since_ < kTiltLasts) return false;
    tilted_ = false;
    tell_plainly("-tilt", "#tilt mode exited");
  }
  judge_subjectively(instance);
  return true;
}

void Sentinel::act(MasterSet& set) {
  judge_objectively(set);
  if (start_failover_if_needed(set)) ask_others(set, true);
  step_failover(set);
  ask_others(set, false);
}

void Sentinel::retire(std::vector<std::unique_ptr<Monitored>>& instances) {
  for (auto& instance : instances) {
    close(instance->contact);
    retired_.push_back(std::move(instance));
  }
  instances.clear();
}

MasterSet* Sentinel::find(std::string_view name) const {
  for (const auto& set : sets_) {
    if (set->options.name == name) return set.get();
  }
  return nullptr;
}

MasterSet* Sentinel::find_by_master(const NodeAddress& address) const {
  for (const auto& set : sets_) {
    if (set->master.address == address) return set.get();
  }
  return nullptr;
}

}  // namespace holdfast::sim::redis
