#include "sim/redis/propagation.h"

namespace holdfast::sim::redis {

void Propagation::flush(bool together) {
  if (used_ == 0) return;
  std::span<const Command> effects(effects_.data(), used_);
  if (together && used_ > 1) {
    unit_.clear();
    unit_.push_back(Command{"MULTI"});
    unit_.insert(unit_.end(), effects.begin(), effects.end());
    unit_.push_back(Command{"EXEC"});
    effects = unit_;
  }
  used_ = 0;
  if (file_ != nullptr) file_->repeat(effects, false);
  if (replicas_ != nullptr) replicas_->repeat(effects, false);
}

void Propagation::publish(const Command& command) {
  if (replicas_ != nullptr) replicas_->repeat({&command, 1}, true);
}

}  // namespace holdfast::sim::redis
