#include "sim/redis/disk.h"

#include <algorithm>

#include "sim/redis/instance.h"
#include "sim/redis/integer_text.h"

namespace holdfast::sim::redis {

namespace {

// An fsync on an idle disk. The measured rate under `always` is 330 to 390 a second (FIDELITY 9);
// there it is not charged to the client unless the disk is made slow.
constexpr Duration kUsualFsync = std::chrono::milliseconds(3);
constexpr Duration kPostponeAtMost = std::chrono::seconds(2);  // FID-P3
constexpr Duration kKernelFlush = std::chrono::seconds(30);    // Linux dirty_expire_centisecs
constexpr Duration kSaveRetry = std::chrono::seconds(5);       // after a save that failed
constexpr Duration kTick = std::chrono::milliseconds(100);     // serverCron at hz 10

}  // namespace

void Disk::reset(Persistence mode) {
  mode_ = mode;
  fsync_time_ = {};
  fsync_owed_ = {};
  started_ = looked_ = last_save_ = server_.kernel().now();
  rdb_.clear();
  base_.clear();
  rdb_exists_ = saves_fail_ = last_failed_ = fsyncing_ = torn_ = false;
  dirty_ = 0;
  next_try_ = {};
  last_save_second_ = wall_second(started_);
  read_save_points();
  appended_ = written_ = synced_ = 0;
  selected_ = kAnyDatabase;
  aof_exists_ = appends();
  postponed_since_.reset();
  last_fsync_second_ = appends() ? wall_second(started_) : 0;
  next_flush_ = started_ + kKernelFlush;
  if (appends()) server_.propagation().set_file(this);
}

void Disk::before_change() {
  if (save_points_.empty()) return;
  snapshot_if_due();
  ++dirty_;
}

void Disk::read_save_points() {
  save_points_.clear();
  std::string_view text = server_.config().text(Setting::save);
  std::vector<std::int64_t> numbers;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (const auto number = parse_integer(text.substr(0, end))) numbers.push_back(*number);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  for (std::size_t i = 0; i + 1 < numbers.size(); i += 2) {
    save_points_.push_back({std::chrono::seconds(numbers[i]), numbers[i + 1]});
  }
}

void Disk::configure() {
  const Configuration& config = server_.config();
  advance();
  snapshot_if_due();
  read_save_points();
  Persistence mode = has_save_points() ? Persistence::rdb : Persistence::none;
  if (config.text(Setting::appendonly) == "yes") {
    const std::string& when = config.text(Setting::appendfsync);
    mode = when == "always" ? Persistence::aof_always
           : when == "no"   ? Persistence::aof_no
                            : Persistence::aof_everysec;
  }
  if (mode == mode_) return;
  const bool appended = appends();
  mode_ = mode;
  if (appends() && !appended) start_file();
  if (appends() == appended) return;
  if (!appends()) written_ = synced_ = appended_;
  server_.propagation().set_file(appends() ? this : nullptr);
}

// The save points are looked at all the time; a copy is needed only before the data change again.
void Disk::snapshot_if_due() {
  const TrueTime now = server_.kernel().now();
  Duration interval{};
  for (const SavePoint& point : save_points_) {
    const bool is_due =
        dirty_ >= std::max<std::int64_t>(point.changes, 1) && now >= last_save_ + point.after;
    if (is_due && (interval == Duration::zero() || point.after < interval)) interval = point.after;
    if (is_due && point.after == Duration::zero()) interval = Duration(1);
  }
  if (interval == Duration::zero() || (last_failed_ && now < next_try_)) return;
  last_failed_ = saves_fail_;
  if (saves_fail_) {
    const TrueTime tried = std::max(last_save_ + interval, next_try_);
    next_try_ = tried + ((now - tried) / kSaveRetry + 1) * kSaveRetry;
    return;
  }
  snapshot(last_save_ + (now - last_save_) / interval * interval);
}

void Disk::snapshot(TrueTime at) {
  rdb_.copy_from(server_.data().databases());
  rdb_exists_ = true;
  dirty_ = 0;
  last_save_ = at;
  last_save_second_ = wall_second(server_.kernel().now());
}

void Disk::fail_saves(bool fail) {
  snapshot_if_due();
  saves_fail_ = fail;
  server_.review();
}

bool Disk::last_save_failed() {
  snapshot_if_due();
  return last_failed_;
}

void Disk::repeat(std::span<const Effect> effects, bool published) {
  if (published || !appends()) return;
  advance();
  for (const Effect& effect : effects) {
    if (effect.database != kAnyDatabase && effect.database != selected_) {
      selected_ = effect.database;
      append(Command{"SELECT", IntegerText(selected_).view()});
    }
    append(effect.command);
  }
  const TrueTime now = server_.kernel().now();
  switch (mode_) {
    case Persistence::aof_always:
      written_ = appended_;
      if (fsync_time_ == Duration::zero()) synced_ = appended_;
      fsync_owed_ = fsync_time_;
      break;
    case Persistence::aof_everysec:
      write_out();
      if (written_ == appended_ && !fsyncing_ && wall_second(now) > last_fsync_second_) {
        start_fsync(now);
      }
      break;
    default:
      written_ = appended_;
  }
}

void Disk::append(const Command& command) {
  if (appended_ == file_.size()) file_.emplace_back();
  file_[appended_++] = command;
}

// FID-P3: while an fsync runs the write waits, up to two seconds; the reply does not.
void Disk::write_out() {
  const TrueTime now = server_.kernel().now();
  if (fsyncing_) {
    if (!postponed_since_) postponed_since_ = now;
    if (now - *postponed_since_ < kPostponeAtMost) return;
  }
  postponed_since_.reset();
  written_ = appended_;
}

Duration Disk::take_fsync_time() {
  const Duration owed = fsync_owed_;
  fsync_owed_ = {};
  return owed;
}

void Disk::fsync_over() { synced_ = written_; }

void Disk::set_fsync_time(Duration time) {
  advance();
  fsync_time_ = time;
}

void Disk::clock_changes() { advance(); }

std::int64_t Disk::wall_second(TrueTime at) const {
  return server_.data().wall().read(at) / std::chrono::seconds(1);
}

TrueTime Disk::next_tick(TrueTime after) const {
  return started_ + ((after - started_) / kTick + 1) * kTick;
}

void Disk::advance() {
  if (mode_ == Persistence::aof_everysec) advance_everysec();
  if (mode_ == Persistence::aof_no) advance_kernel_flush();
  looked_ = server_.kernel().now();
}

void Disk::start_fsync(TrueTime at) {
  fsyncing_ = true;
  fsync_covers_ = written_;
  fsync_done_ = at + (fsync_time_ > Duration::zero() ? fsync_time_ : kUsualFsync);
  last_fsync_second_ = wall_second(at);
}

// Alternates: an fsync ends; at the next tick what was postponed is written; at the first tick of a
// later second what is written and not synced gets a new fsync.
void Disk::advance_everysec() {
  const TrueTime now = server_.kernel().now();
  while (true) {
    if (fsyncing_) {
      if (fsync_done_ > now) return;
      fsyncing_ = false;
      synced_ = std::max(synced_, fsync_covers_);
      looked_ = std::max(looked_, fsync_done_);
    }
    if (written_ < appended_) {
      const TrueTime tick = next_tick(looked_);
      if (tick > now) return;
      written_ = appended_;
      postponed_since_.reset();
      looked_ = tick;
    }
    if (synced_ == written_) return;
    const Duration next_second = std::chrono::seconds(last_fsync_second_ + 1);
    const auto second = server_.data().wall().when(next_second, looked_);
    if (!second) return;
    const TrueTime tick = next_tick(*second - Duration(1));
    if (tick > now) return;
    start_fsync(std::max(tick, looked_));
  }
}

void Disk::advance_kernel_flush() {
  while (next_flush_ <= server_.kernel().now()) {
    synced_ = written_;
    next_flush_ += kKernelFlush;
  }
}

bool Disk::save() {
  if (saves_fail_) return false;
  last_failed_ = false;
  snapshot(server_.kernel().now());
  return true;
}

bool Disk::save_behind() {
  const bool saved = save();
  last_failed_ = !saved;
  next_try_ = server_.kernel().now() + kSaveRetry;
  server_.review();
  return saved;
}

bool Disk::shut_down(bool with_rdb) {
  if (with_rdb && !save()) return false;
  if (!appends()) return true;
  advance();
  written_ = synced_ = appended_;
  return true;
}

// The power takes what had not reached the disk; of the next command a part may have.
void Disk::crash(CrashKind kind) {
  snapshot_if_due();
  if (!appends()) return;
  advance();
  torn_ = kind == CrashKind::power_loss && synced_ < appended_;
  appended_ = kind == CrashKind::kill ? written_ : synced_;
  written_ = synced_ = appended_;
}

void Disk::tear(std::int64_t bytes) {
  while (bytes > 0 && appended_ > 0) {
    const std::int64_t size = wire_size(file_[--appended_]);
    torn_ = bytes < size;
    bytes -= size;
  }
  written_ = synced_ = appended_;
}

// A transaction whose end is missing is no part of the file (FID-P5).
void Disk::forget_open_transaction() {
  for (std::size_t i = appended_; i > 0; --i) {
    if (file_[i - 1][0] == "EXEC") return;
    if (file_[i - 1][0] != "MULTI") continue;
    appended_ = i - 1;
    torn_ = true;
    return;
  }
}

bool Disk::restart(Persistence mode) {
  server_.propagation().set_file(nullptr);
  mode_ = mode;
  read_save_points();
  if (appends()) {
    forget_open_transaction();
    if (torn_ && !server_.options().load_truncated) return false;
    apply_file();
  } else if (rdb_exists_) {
    server_.data().load(rdb_);
    if (server_.data().master()) server_.data().forget_dead();  // FID-P8
  }
  if (appends()) start_file();
  server_.propagation().set_file(appends() ? this : nullptr);
  started_ = looked_ = last_save_ = server_.kernel().now();
  next_flush_ = started_ + kKernelFlush;
  dirty_ = 0;
  last_failed_ = false;
  last_save_second_ = wall_second(started_);
  return true;
}

void Disk::apply_file() {
  if (!aof_exists_) return;
  server_.data().load(base_);
  int database = 0;
  for (std::size_t i = 0; i < appended_; ++i) server_.replay(file_[i], database);
}

void Disk::rebase() {
  ++dirty_;
  if (appends()) start_file();
}

void Disk::rewrite() { start_file(); }

// From the data as they are.
void Disk::start_file() {
  base_.copy_from(server_.data().databases());
  appended_ = written_ = synced_ = 0;
  selected_ = kAnyDatabase;
  aof_exists_ = true;
  fsyncing_ = torn_ = false;
  postponed_since_.reset();
  last_fsync_second_ = wall_second(server_.kernel().now());
}

}  // namespace holdfast::sim::redis
