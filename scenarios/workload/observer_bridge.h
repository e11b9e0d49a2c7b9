// ObserverBridge: turns what the lock core tells its Observer into events of the history.
#pragma once

#include "lockcore/lock.h"
#include "lockcore/observer.h"
#include "scenarios/workload/recorder.h"

namespace holdfast::workload {

// Longest that one acquire and one release may take, in time during which the process runs.
Duration acquire_bound(const LockOptions& options, Duration wait);
Duration release_bound(const LockOptions& options);
Duration node_deadline(const LockOptions& options);

class ObserverBridge final : public Observer {
 public:
  ObserverBridge(Recorder& recorder, const LockOptions& options, history::ActorId actor,
                 std::uint32_t incarnation)
      : recorder_(recorder), options_(options), actor_(actor), incarnation_(incarnation) {}

  void on_event(const LockEvent& event) override;
  history::GrantId grant(std::uint64_t acquisition) const {
    return grant_id(actor_, incarnation_, acquisition);
  }
  // The wait of the acquire that is called next: it bounds the call.
  void expect_wait(Duration wait) { wait_ = wait; }

 private:
  void on_acquire_event(const LockEvent& event);
  void on_lease_event(const LockEvent& event);
  void put(history::Kind kind, const LockEvent& event, std::int64_t a = 0, std::int64_t b = 0);

  Recorder& recorder_;
  const LockOptions& options_;
  history::ActorId actor_;
  std::uint32_t incarnation_;
  Duration wait_{};
  std::int64_t attempts_ = 0;  // of the present acquire call
};

}  // namespace holdfast::workload
