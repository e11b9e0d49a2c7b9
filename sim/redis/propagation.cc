#include "sim/redis/propagation.h"

namespace holdfast::sim::redis {

void Propagation::flush(bool together) {
  if (used_ == 0) return;
  std::span<const Effect> effects(effects_.data(), used_);
  if (together && used_ > 1) {
    unit_.clear();
    unit_.push_back({Command{"MULTI"}, effects.front().database});
    unit_.insert(unit_.end(), effects.begin(), effects.end());
    unit_.push_back({Command{"EXEC"}, kAnyDatabase});
    effects = unit_;
  }
  used_ = 0;
  if (file_ != nullptr) file_->repeat(effects, false);
  if (replicas_ != nullptr) replicas_->repeat(effects, false);
}

void Propagation::publish(const Command& command) {
  if (replicas_ == nullptr) return;
  const Effect effect{command, database_};
  replicas_->repeat({&effect, 1}, true);
}

}  // namespace holdfast::sim::redis
