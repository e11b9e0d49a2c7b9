#include "sim/redis/propagation.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace holdfast::sim::redis {

void Propagation::flush(bool together) {
  if (used_ == 0) return;
  const std::span<const Effect> effects(effects_.data(), used_);
  used_ = 0;
  if (!std::exchange(all_for_everybody_, true)) return repeat_partly(effects, together);
  const std::span<const Effect> unit = unit_of(effects, together);
  if (file_ != nullptr) file_->repeat(unit, false);
  if (replicas_ != nullptr) replicas_->repeat(unit, false);
}

std::span<const Effect> Propagation::unit_of(std::span<const Effect> effects, bool together) {
  if (!together || effects.size() == 1) return effects;
  unit_.clear();
  unit_.push_back({Command{"MULTI"}, effects.front().database});
  unit_.insert(unit_.end(), effects.begin(), effects.end());
  unit_.push_back({Command{"EXEC"}, kAnyDatabase});
  return unit_;
}

// To each who repeats what is for it.
void Propagation::repeat_partly(std::span<const Effect> effects, bool together) {
  for (const std::uint8_t target : {kToFile, kToReplicas}) {
    EffectListener* const listener = target == kToFile ? file_ : replicas_;
    std::vector<Effect> part;
    std::copy_if(effects.begin(), effects.end(), std::back_inserter(part),
                 [target](const Effect& effect) { return (effect.targets & target) != 0; });
    if (listener != nullptr && !part.empty()) listener->repeat(unit_of(part, together), false);
  }
}

void Propagation::publish(const Command& command) {
  if (replicas_ == nullptr || (targets_ & kToReplicas) == 0) return;
  const Effect effect{command, database_};
  replicas_->repeat({&effect, 1}, true);
}

}  // namespace holdfast::sim::redis
