// The lock: one Redis instance (with or without replicas), or N independent instances (Redlock).
//
//   LockClient client(env, {{"n1"}}, observer);
//   auto result = co_await client.acquire("jobs/42", options, {});
//   if (result.lease) { ...; auto outcome = co_await result.lease->release(); }
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "lockcore/env.h"
#include "lockcore/observer.h"
#include "lockcore/redis_client.h"
#include "lockcore/task.h"
#include "lockcore/time.h"

namespace holdfast {

struct LockOptions {
  Duration ttl = std::chrono::seconds(30);          // lease; [10 ms, 365 days]
  bool watchdog = true;                             // renew every ttl/3 until released or lost
  Duration wait = Duration::zero();                 // keep trying for this long; 0: one try
  Duration retry = std::chrono::milliseconds(200);  // mean pause between tries
  double retry_jitter = 0.5;  // each pause is retry * [1 - jitter, 1 + jitter]
  std::optional<Duration> node_deadline =
      {};                           // one node's answer; default clamp(ttl/20, 5 ms, 250 ms)
  std::int64_t drift_ppm = 10'000;  // clock-rate error covered, of ttl
  Duration drift_fixed = std::chrono::milliseconds(2);
  std::optional<Duration> min_validity = {};  // least validity left at success; default 2 * drift
  int replicas = 0;                           // acknowledgements to WAIT for; single instance only
  bool confirm_renewals = true;               // WAIT after renewals too
  bool fencing = false;                       // take a fencing token; single instance only (so far)
  std::optional<Duration> max_hold = {};      // the watchdog gives the lock up after this
  Duration min_hold = Duration::zero();       // release waits until this long after acquire
  // Of releases that nobody waits for (after a failure; the rest after a release has returned);
  // default 2 node deadlines. A node that does not answer may still execute what it was sent later.
  std::optional<Duration> cleanup_budget = {};
};

// What is wrong with `options`, `key` and `nodes` endpoints together; empty when nothing is.
std::string invalid_reason(std::string_view key, const LockOptions& options, std::size_t nodes);

class Lease {
 public:
  virtual ~Lease() = default;
  // True while the lease is certain by the local clock: a local deadline test, no I/O. Never true
  // again after it was false.
  virtual bool held() = 0;
  virtual Instant valid_until() const = 0;         // final once reached
  virtual std::int64_t fencing_token() const = 0;  // 0 when not asked for
  virtual const std::string& key() const = 0;
  virtual const std::string& token() const = 0;   // the attempt token that the keys hold
  virtual std::uint64_t acquisition() const = 0;  // as in LockEvent
  // Set at the loss (reason below), also by release() (LossReason::released, which is no event).
  virtual std::stop_token lost() const = 0;
  virtual std::optional<LossReason> loss() const = 0;
  // co_await lease->lost_or(until): true when the lease was lost before `until`.
  virtual Task<bool> lost_or(Instant until) = 0;
  // Stops the watchdog, deletes the keys that hold our token. Idempotent. Returns within what is
  // left of min_hold and one node deadline. Letting the Lease go without it sends nothing: renewals
  // end, the TTL frees the keys.
  virtual Task<ReleaseOutcome> release() = 0;
};

struct AcquireResult {
  AcquireOutcome outcome = AcquireOutcome::invalid;
  std::shared_ptr<Lease> lease = nullptr;  // set exactly when outcome is acquired
  std::string text = {};                   // for people: what the nodes said
  int replicas_acknowledged = 0;           // with no_replica_ack: how many did
};

// One per process and set of nodes; shared by all its coroutines. `env` and `observer` outlive it.
class LockClient {
 public:
  LockClient(Env& env, std::vector<Endpoint> nodes, Observer& observer);
  ~LockClient();
  LockClient(const LockClient&) = delete;
  LockClient& operator=(const LockClient&) = delete;

  // Tries until acquired, until options.wait has passed (with a last try then), or until `stop` is
  // requested, which is looked at before each try and every 20 ms between them. One try is bounded
  // by the node deadline, however many nodes hang: the call by options.wait + one node deadline.
  Task<AcquireResult> acquire(std::string key, LockOptions options, std::stop_token stop);

  const std::vector<Endpoint>& nodes() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace holdfast
