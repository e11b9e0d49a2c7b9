#include "sim/redis/cluster/cluster.h"

#include "sim/redis/instance.h"

namespace holdfast::sim::redis {

void Cluster::reset(const ClusterLayout& layout) {
  map_.reset(layout, server_.options().node);
  ok_ = true;
  review_state();
}

std::int64_t Cluster::now_ms() const { return server_.data().fresh_ms(); }

// With cluster-require-full-coverage one slot that nobody serves stops the whole cluster (FID-K2).
void Cluster::review_state() {
  std::size_t served = 0;
  map_.each_known([&](MemberId id) { served += map_[id].down ? 0 : map_[id].slots; });
  ok_ = served == kSlots || server_.config().text(Setting::cluster_require_full_coverage) == "no";
}

void Cluster::raise_epoch() { map_.own().config_epoch = ++map_.epoch; }

void Cluster::set_owner(Slot slot, MemberId to) {
  map_.assign(slot, to);
  review_state();
}

}  // namespace holdfast::sim::redis
