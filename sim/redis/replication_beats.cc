// Signs of life between a master and its replicas: who was last heard when, by the hearer's wall
// clock (FID-N2, N4, N5). Acknowledgements and PINGs that bring no news cost no kernel events: when
// the last one came is worked out when somebody looks, and before it would be forgotten.
#include <algorithm>

#include "sim/redis/event_kinds.h"
#include "sim/redis/instance.h"
#include "sim/redis/replication.h"

namespace holdfast::sim::redis {

namespace {

constexpr Duration kCronPeriod = std::chrono::seconds(1);

// The last of the instants `first` + k * `period` that is before `before`.
TrueTime last_beat(TrueTime first, Duration period, TrueTime before) {
  const Duration since = before - first - Duration(1);
  return since < Duration::zero() ? first : first + since / period * period;
}

}  // namespace

std::int64_t Replication::wall_second(TrueTime at) const {
  return server_.data().wall().read(at) / kCronPeriod;
}

// The server's cron looks after replication once a second.
TrueTime Replication::tick_before(TrueTime at) const {
  return last_beat(server_.started(), kCronPeriod, at + Duration(1));
}

// -- a master's view

bool Replication::beats() const {
  return link_ == Link::connected && server_.running() && !server_.paused() && !acks_held_;
}

void Replication::hear_beats(Follower& follower, TrueTime before) {
  if (!follower.online || !follower.replica->beats()) return;
  const TrueTime beat = last_beat(follower.replica->link_changed_, kCronPeriod, before);
  if (beat < follower.replica->beats_since_ || beat <= follower.heard.at) return;
  follower.heard = {beat, wall_second(beat)};
}

void Replication::count_good(TrueTime at) {
  const std::int64_t now = wall_second(at);
  const std::int64_t most = server_.config().number(Setting::min_replicas_max_lag);
  good_ = std::count_if(followers_.begin(), followers_.end(), [&](const Follower& follower) {
    return follower.online && now - follower.heard.second <= most;
  });
  good_as_of_ = at;
}

void Replication::refresh_good() {
  const TrueTime tick = tick_before(server_.kernel().now());
  if (tick <= good_as_of_) return;
  for (Follower& follower : followers_) hear_beats(follower, tick);
  count_good(tick);
}

std::int64_t Replication::good() {
  refresh_good();
  return good_;
}

void Replication::recount() {
  if (!server_.running()) return;
  const TrueTime now = server_.kernel().now();
  for (Follower& follower : followers_) hear_beats(follower, now);
  count_good(now);
}

void Replication::configure() {
  log_.set_capacity(server_.config().number(Setting::repl_backlog_size));
  recount();
  start_due_syncs();
}

std::int64_t Replication::lag(std::size_t index) {
  const TrueTime now = server_.kernel().now();
  hear_beats(followers_[index], now);
  return wall_second(now) - followers_[index].heard.second;
}

// Its acknowledgements no longer come.
void Replication::loses_sight_of(Replication& replica) {
  refresh_good();
  Follower* follower = find(replica);
  if (follower == nullptr || !follower->online) return;
  hear_beats(*follower, server_.kernel().now());
  expect_silence(follower->heard);
}

void Replication::drop_silent_followers() {
  const TrueTime now = server_.kernel().now();
  const std::int64_t timeout = server_.config().number(Setting::repl_timeout);
  std::vector<Replication*> silent;
  for (Follower& follower : followers_) {
    hear_beats(follower, now);
    if (!follower.online) continue;
    if (wall_second(now) - follower.heard.second > timeout) {
      silent.push_back(follower.replica);
    } else if (!follower.replica->beats()) {
      expect_silence(follower.heard);
    }
  }
  for (Replication* replica : silent) {
    replica->lose_link(true);
    replica->connect();
  }
}

// -- a replica's view

bool Replication::is_pinged() const {
  return link_ == Link::connected && master_->server_.running() && !master_->server_.paused() &&
         !held_;
}

void Replication::hear_pings() {
  if (!is_pinged()) return;
  const Instance& master = master_->server_;
  const std::int64_t period = std::max<std::int64_t>(
      1, master_->server_.config().number(Setting::repl_ping_replica_period));
  const TrueTime ping = last_beat(master.started(), kCronPeriod * period, server_.kernel().now());
  if (ping < pinged_since_ || ping <= master_heard_.at) return;
  master_heard_ = {ping, wall_second(ping)};
}

TrueTime Replication::heard_master() {
  hear_pings();
  return master_heard_.at;
}

void Replication::loses_sight_of_master() {
  if (!is_pinged()) return;
  hear_pings();
  expect_silence(master_heard_);
}

void Replication::drop_silent_master() {
  if (link_ != Link::connected) return;
  hear_pings();
  const std::int64_t timeout = server_.config().number(Setting::repl_timeout);
  if (wall_second(server_.kernel().now()) - master_heard_.second > timeout) {
    lose_link(false);
    connect();
  } else if (!is_pinged()) {
    expect_silence(master_heard_);
  }
}

// -- of both

// A frozen server counts nothing: what it had let in before, it lets in until its cron runs.
void Replication::falls_silent() {
  refresh_good();
  good_as_of_ = TrueTime::max();
  if (master_ != nullptr && beats()) master_->loses_sight_of(*this);
  for (const Follower& follower : followers_) follower.replica->loses_sight_of_master();
}

// What has arrived is read before any silence is noticed. A link that was lost meanwhile is made
// anew.
void Replication::speaks_again() {
  const TrueTime now = server_.kernel().now();
  beats_since_ = now;
  for (const Follower& follower : followers_) follower.replica->pinged_since_ = now;
  if (is_pinged()) master_heard_ = {now, wall_second(now)};
  for (Follower& follower : followers_) {
    if (follower.replica->beats()) follower.heard = {now, wall_second(now)};
  }
  recount();
  start_due_syncs();
  if (master_ != nullptr && link_ == Link::down) connect();
  look_for_silence();
}

void Replication::hold_acks(bool held) {
  if (held == acks_held_) return;
  if (held && master_ != nullptr && beats()) master_->loses_sight_of(*this);
  acks_held_ = held;
  if (held) return;
  beats_since_ = server_.kernel().now();
  deliver_acks();
  if (!held_ && waits_for_release_) connect();
}

void Replication::clock_changes() {
  if (!server_.running()) return;
  refresh_good();
  hear_pings();
  for (Follower& follower : followers_) hear_beats(follower, server_.kernel().now());
}

void Replication::clock_changed() { look_for_silence(); }

// At the next tick; a step of the clock may have made the silence too long.
void Replication::look_for_silence() {
  if (!server_.running() || (master_ == nullptr && followers_.empty())) return;
  silence_.arm(server_.kernel(), tick_before(server_.kernel().now()) + kCronPeriod,
               {&Replication::on_silence, this, run_, kSilenceEnds});
}

// At the first tick at which it has lasted for too long.
void Replication::expect_silence(const Heard& since) {
  const std::int64_t timeout = server_.config().number(Setting::repl_timeout);
  const Duration end = std::chrono::seconds(since.second + timeout + 1);
  const auto over = server_.data().wall().when(end, server_.kernel().now());
  if (!over) return;
  silence_.arm(server_.kernel(), tick_before(*over - Duration(1)) + kCronPeriod,
               {&Replication::on_silence, this, run_, kSilenceEnds});
}

void Replication::on_silence(void* self, std::uint64_t run) {
  auto& replication = *static_cast<Replication*>(self);
  if (run != replication.run_) return;
  replication.silence_.fired();
  if (replication.server_.paused()) return;  // speaks_again() looks
  replication.refresh_good();
  replication.drop_silent_master();
  replication.drop_silent_followers();
  replication.start_due_syncs();
}

}  // namespace holdfast::sim::redis
