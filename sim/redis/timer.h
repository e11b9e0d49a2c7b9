// Timer: at most one pending kernel event of one purpose, kept at the earliest time asked for. A
// timer that turns out to be too early costs one event; moving it at every renewal would cost more.
#pragma once

#include "sim/kernel.h"

namespace holdfast::sim::redis {

class Timer {
 public:
  // Fires no later than at `time`.
  void arm(Kernel& kernel, TrueTime time, Action action) {
    if (id_ && at_ <= time) return;
    kernel.cancel(id_);
    at_ = time;
    id_ = kernel.at(time, action);
  }
  void stop(Kernel& kernel) { kernel.cancel(id_); }
  void fired() { id_ = {}; }   // to be called first by what it runs
  void forget() { id_ = {}; }  // the kernel was reset
  bool pending() const { return static_cast<bool>(id_); }

 private:
  EventId id_;
  TrueTime at_{};
};

}  // namespace holdfast::sim::redis
