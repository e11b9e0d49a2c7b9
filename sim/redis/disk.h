// Disk: what one server has made durable, and what a crash leaves of it (FID-P1 to P10). Nothing of
// it costs kernel events: what the background threads would have done by now is worked out when
// somebody looks. Snapshots and rewrites take no time.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "lockcore/redis_client.h"
#include "sim/redis/databases.h"
#include "sim/redis/propagation.h"
#include "sim/redis/server.h"

namespace holdfast::sim::redis {

class Instance;

class Disk : public EffectListener {
 public:
  explicit Disk(Instance& server) : server_(server) {}

  void reset(Persistence mode);  // an empty disk
  // CONFIG SET save, appendonly, appendfsync: from now on.
  void configure();
  // A command that may write is about to run.
  void before_change();
  void repeat(std::span<const Effect> effects, bool published) override;
  // For how long the command that just ran has to wait for its fsync (appendfsync always); asking
  // again gives zero.
  Duration take_fsync_time();
  void fsync_over();  // that time has passed
  Duration fsync_owed() const { return fsync_owed_; }
  void set_fsync_time(Duration time);
  void clock_changes();  // the wall clock is about to change (everysec counts its seconds)
  // The data were replaced (full resync): the file starts anew from them.
  void rebase();

  bool save();         // SAVE: an RDB file, whatever the mode; false: it cannot be written
  bool save_behind();  // BGSAVE
  void rewrite();      // BGREWRITEAOF
  void fail_saves(bool fail);
  // The last snapshot that was due, or asked for, could not be written (FID-P10).
  bool last_save_failed();
  bool saves_in_doubt() const { return saves_fail_ || last_failed_; }
  bool has_save_points() const { return !save_points_.empty(); }
  std::int64_t last_save_second() const { return last_save_second_; }
  // Of the file of a stopped server: its last bytes are gone (FID-P5).
  void tear(std::int64_t bytes);
  // The process is about to end by its own will. False: an RDB file that it shall leave cannot be
  // written.
  bool shut_down(bool with_rdb);
  void crash(CrashKind kind);
  // Loads into the empty server what a start with this configuration finds: the AOF when it has
  // one, else the RDB file. Then keeps on in the new mode. False: the file is torn, and shall not
  // be loaded then.
  bool restart(Persistence mode);

 private:
  bool appends() const { return mode_ >= Persistence::aof_no; }
  void advance();  // background work up to now
  void advance_everysec();
  void advance_kernel_flush();
  void start_fsync(TrueTime at);
  TrueTime next_tick(TrueTime after) const;
  std::int64_t wall_second(TrueTime at) const;
  void append(const Command& command);
  void write_out();
  struct SavePoint {
    Duration after{};
    std::int64_t changes = 0;
  };
  void read_save_points();
  void start_file();
  void snapshot_if_due();
  void snapshot(TrueTime at);
  void apply_file();
  void forget_open_transaction();

  Instance& server_;
  Persistence mode_ = Persistence::none;
  Duration fsync_time_{};  // 0: the usual
  Duration fsync_owed_{};  // by the command that just ran
  TrueTime started_{};

  // RDB
  Databases rdb_;
  bool rdb_exists_ = false;
  bool saves_fail_ = false;
  bool last_failed_ = false;
  std::vector<SavePoint> save_points_;
  std::int64_t dirty_ = 0;  // changes since the last snapshot
  TrueTime last_save_{};
  TrueTime next_try_{};                // after one that failed
  std::int64_t last_save_second_ = 0;  // LASTSAVE

  // AOF: base_ and the first kept_ of file_ have been written by write(2), the first synced_ are
  // safe from a power loss; the rest waits in the server's buffer.
  Databases base_;
  std::vector<Command> file_;
  std::size_t appended_ = 0;
  std::size_t written_ = 0;
  std::size_t synced_ = 0;
  int selected_ = kAnyDatabase;  // the database that the file is about, when it has said so
  bool aof_exists_ = false;
  bool torn_ = false;  // a part of a command follows the last whole one

  // everysec: the background fsync that runs
  bool fsyncing_ = false;
  TrueTime fsync_done_{};
  std::size_t fsync_covers_ = 0;
  std::int64_t last_fsync_second_ = 0;
  std::optional<TrueTime> postponed_since_;
  TrueTime looked_{};  // background work is done up to here
  // no: what the kernel will have flushed by itself
  TrueTime next_flush_{};
};

}  // namespace holdfast::sim::redis
