// Propagation: what the running command, script or expiry cycle has changed, as the commands that
// repeat the change elsewhere ("effects", FID-R2, R3). When it is over they go together to the
// replicas and to the append-only file.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lockcore/redis_client.h"

namespace holdfast::sim::redis {

// Who repeats them, as a bit each (redis.set_repl).
enum EffectTargets : std::uint8_t { kToFile = 1, kToReplicas = 2, kToEverybody = 3 };

struct Effect {
  Command command;
  int database = 0;  // kAnyDatabase: it is about none
  std::uint8_t targets = kToEverybody;
};
inline constexpr int kAnyDatabase = -1;

// Who repeats effects.
class EffectListener {
 public:
  virtual ~EffectListener() = default;
  // All effects of one unit. `published`: a message, not a change of data.
  virtual void repeat(std::span<const Effect> effects, bool published) = 0;
};

class Propagation {
 public:
  void reset() {
    used_ = 0;
    database_ = 0;
    targets_ = kToEverybody;
    replicas_ = nullptr;
    file_ = nullptr;
  }
  void set_replicas(EffectListener* listener) { replicas_ = listener; }
  void set_file(EffectListener* listener) { file_ = listener; }
  bool wanted() const { return replicas_ != nullptr || file_ != nullptr; }

  // The database that the next effects are about.
  void select(int database) { database_ = database; }
  void set_targets(std::uint8_t targets) { targets_ = targets; }  // of the next effects
  // The next effect, empty, to be filled. Only when wanted().
  Command& add() {
    Command& command = add_in(database_);
    effects_[used_ - 1].targets = targets_;
    all_for_everybody_ = all_for_everybody_ && targets_ == kToEverybody;
    return command;
  }
  // What is for everybody: the removal of a dead key.
  Command& add_in(int database) {
    if (used_ == effects_.size()) effects_.emplace_back();
    Effect& effect = effects_[used_++];
    effect.command.clear();
    effect.database = database;
    effect.targets = kToEverybody;
    return effect.command;
  }
  // The running unit is over. Several effects become one MULTI..EXEC when `together`.
  void flush(bool together);
  void publish(const Command& command);  // to the replicas alone

 private:
  std::span<const Effect> unit_of(std::span<const Effect> effects, bool together);
  void repeat_partly(std::span<const Effect> effects, bool together);

  std::vector<Effect> effects_;  // the first used_ are in use
  std::size_t used_ = 0;
  int database_ = 0;
  std::uint8_t targets_ = kToEverybody;
  bool all_for_everybody_ = true;
  std::vector<Effect> unit_;
  EffectListener* replicas_ = nullptr;
  EffectListener* file_ = nullptr;
};

}  // namespace holdfast::sim::redis
