// Dataset: the databases of one server with its wall clock. It alone decides when a key is dead
// (FID-E1), removes dead keys where Redis removes them (E7, E8, R4) and tells the watcher what
// happens to watched keys, at the true time at which it happens. Only keys of database 0 are
// watched: locks live there. A KeyListener hears of every key.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/clock.h"
#include "sim/kernel.h"
#include "sim/random.h"
#include "sim/redis/databases.h"
#include "sim/redis/key_listener.h"
#include "sim/redis/keyspace.h"
#include "sim/redis/propagation.h"
#include "sim/redis/server.h"
#include "sim/redis/timer.h"

namespace holdfast::sim::redis {

// Who sees when dead keys are removed; while nobody does, no time is spent on it.
enum class RemovalWitness : std::uint8_t { replicas = 1, listeners = 2 };

// FIDELITY 1: now_ms = floor(wall clock in ms).
inline std::int64_t whole_ms(Duration reading) {
  return std::chrono::floor<std::chrono::milliseconds>(reading).count();
}

class Dataset {
 public:
  Dataset(Kernel& kernel, ServerWatcher& watcher, Propagation& propagation)
      : kernel_(kernel), watcher_(watcher), propagation_(propagation) {}
  Dataset(const Dataset&) = delete;
  Dataset& operator=(const Dataset&) = delete;

  void reset(history::NodeId node, Clock wall, int hz);

  // -- the command that runs (E4: its expiry checks use one time)
  void begin(history::ActorId actor) {
    actor_ = actor;
    ++command_;
    begun_ = wall_now();
    now_ms_ = whole_ms(begun_);
    keys_->forget_absent();
  }
  // The database that it is about; names and look-ups below mean this one.
  // The next command of a transaction: another command at the same time (E4).
  void begin_queued() { ++command_; }
  void select(int database) {
    if (database == selected_) return;
    selected_ = database;
    keys_ = &databases_[database];
    propagation_.select(database);
  }
  int selected() const { return selected_; }
  history::ActorId actor() const { return actor_; }
  std::uint32_t command() const { return command_; }
  std::int64_t fresh_ms() const { return whole_ms(wall_now()); }
  // What TIME, PTTL and a relative TTL go by (E5): the clock anew, or, in later versions, as it was
  // when the client's command began.
  Duration command_time() const { return frozen_time_ ? begun_ : wall_now(); }
  std::int64_t command_ms() const { return frozen_time_ ? now_ms_ : fresh_ms(); }
  void freeze_command_time(bool frozen) { frozen_time_ = frozen; }
  Duration wall_now() const { return wall_.read(kernel_.now()); }

  // -- role. A replica hides dead keys from its clients and never removes them; what comes from the
  // master's stream, or from disk, meets no dead keys at all (R4).
  void set_master(bool master);
  bool master() const { return master_; }
  void set_replaying(bool replaying) { replaying_ = replaying; }
  bool replaying() const { return replaying_; }
  // Nothing is told to the watcher (a load from disk).
  void set_silent(bool silent) { silent_ = silent; }
  EncodingLimits& limits() { return limits_; }
  Random& random() { return random_; }
  void set_listener(KeyListener* listener) { listener_ = listener; }  // null: nobody listens

  // -- keys
  Entry& name(std::string_view key);  // asks once whether it is watched; need not be present
  // The key if it is there and alive; a dead one is removed first where Redis does that.
  Entry* find(std::string_view key) {
    Entry* entry = look(key);
    if (entry != nullptr) entry->used_ms = now_ms_;
    return entry;
  }
  Entry* look(std::string_view key);  // without using it (OBJECT IDLETIME)
  std::int64_t now_ms() const { return now_ms_; }
  bool dead(const Entry& entry) const {
    return entry.deadline_ms != kNoDeadline && now_ms_ > entry.deadline_ms;
  }
  const Keyspace& keys() const { return *keys_; }  // of the selected database
  const Databases& databases() const { return databases_; }
  // In database 0, alive by the clock of now.
  bool holds(std::string_view key, std::string_view text) const;

  // -- changes, told to the watcher. Whoever makes one announces it by touched(), then names what
  // else keyspace events tell of it (SET with a time: "set", then "expire").
  void touched(Entry& entry, EventClass kind, std::string_view event) {
    entry.changed_by = command_;
    if (listener_ == nullptr) return;
    listener_->key_modified(entry);
    listener_->key_event(entry, kind, event);
  }
  void event(const Entry& entry, EventClass kind, std::string_view event) {
    if (listener_ != nullptr) listener_->key_event(entry, kind, event);
  }
  Entry& put(std::string_view key, std::string_view text, std::int64_t deadline_ms);
  Entry& place(std::string_view key, Value value, std::int64_t deadline_ms);  // any value
  // What a command has computed replaces the key, without TTL; an empty collection removes it.
  // Announced; false when nothing changed.
  bool store(std::string_view key, Value value, EventClass kind, std::string_view event);
  // Keeps the TTL.
  void change_text(Entry& entry, std::string_view text, Value::Form form = Value::Form::usual);
  void set_deadline(Entry& entry, std::int64_t deadline_ms);
  void remove(Entry& entry);  // by a command
  void drop(Entry& entry, history::DropCause cause);
  void drop_all(int database, history::DropCause cause);  // or kAllDatabases
  void swap(int one, int other);
  // A present or new entry whose value (not a string) a command is about to change, and afterwards.
  Entry& open(std::string_view key, ValueType type);
  // Announces the event; removes the key when it has become empty.
  void changed(Entry& entry, EventClass kind, std::string_view event);
  void appended(Entry& entry, std::string_view element);

  // -- life of the process
  void lose_all(history::DropCause cause);  // a crash: told, then forgotten
  void load(const Databases& all);          // into an empty one; silently
  void forget_dead();                       // as an RDB file is loaded on a master (FID-P8)
  void announce();                          // every live watched key as set by nobody
  void replace(const Databases& all);       // full resync: tells what differs

  // -- expiry (expiry.cc)
  const Clock& wall() const { return wall_; }
  void step_wall(Duration by);
  void set_wall_rate(std::int64_t ppm);
  void freeze_wall(bool frozen);
  // The server's time events stop (pause, crash) and go on.
  void stop_sweeping();
  void start_sweeping();
  // Removes what the active expiry cycles up to now have removed. The effects stay to be flushed.
  void catch_up();
  // Removals are seen as they happen: cycles run as events.
  void watch_removals(RemovalWitness witness, bool watches);
  // CLIENT PAUSE: dead keys are hidden and stay (FID-X6). DEBUG SET-ACTIVE-EXPIRE 0: only who looks
  // a dead key up removes it.
  void hold_removals(bool held);
  std::uint64_t expired_keys() const { return expired_; }  // removed since the start
  void set_active_expiry(bool active);
  // First instant at which a key with this deadline is dead, at the clock's present rate.
  std::optional<TrueTime> death(std::int64_t deadline_ms) const;

  ServerWatcher::Key describe(const Entry& entry, std::string_view value) const;

 private:
  Entry& renew(std::string_view key);
  void tell_renewed(Entry& entry);
  void arm(Entry& entry);
  void appear(Entry& entry);
  void tell_expired(Entry& entry);
  void erase(Entry& entry);
  void remove_dead(Entry& entry);
  void clock_changed();
  void settle();
  TrueTime next_cycle(TrueTime after) const;
  void arm_sweep(std::int64_t deadline_ms);
  void rearm_deaths();
  void rearm_sweep();
  static void on_death(void* self, std::uint64_t run);
  static void on_sweep(void* self, std::uint64_t run);
  bool sweeps() const { return master_ && sweeping_ && active_expiry_ && !removals_held_; }
  bool tells(const Entry& entry) const { return entry.watch != 0 && !silent_; }

  Kernel& kernel_;
  ServerWatcher& watcher_;
  Propagation& propagation_;
  KeyListener* listener_ = nullptr;
  EncodingLimits limits_;
  Random random_;
  Databases databases_;
  Keyspace* keys_ = &databases_[0];  // of the selected database
  int selected_ = 0;
  Clock wall_;
  history::NodeId node_ = 0;
  history::ActorId actor_ = 0;
  std::uint32_t command_ = 0;
  std::uint64_t run_ = 0;  // tells events of this run from those of an earlier one
  Duration begun_{};       // when the client's command began, by the wall clock
  std::int64_t now_ms_ = 0;
  bool frozen_time_ = false;
  bool master_ = true;
  bool replaying_ = false;
  bool silent_ = false;
  bool sweeping_ = true;
  bool removals_held_ = false;
  bool active_expiry_ = true;
  std::uint8_t witnesses_ = 0;  // RemovalWitness
  std::uint64_t expired_ = 0;
  Duration cycle_{};        // between two active expiry cycles
  TrueTime cycles_from_{};  // cycles run at this time plus whole multiples of cycle_
  TrueTime swept_{};        // the last cycle that has been done
  Timer deaths_;
  Timer sweeps_;
  std::string previous_;
};

}  // namespace holdfast::sim::redis
