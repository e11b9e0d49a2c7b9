// Which options are valid, and what their defaults come to.
#include <algorithm>
#include <cmath>

#include "lockcore/lock.h"
#include "lockcore/terms.h"
#include "lockcore/validity.h"

namespace holdfast {

namespace {

using std::chrono::floor;
using std::chrono::milliseconds;

constexpr Duration kShortestTtl = milliseconds(10);
constexpr Duration kLongestTtl = std::chrono::days(365);
constexpr Duration kShortestNodeDeadline = milliseconds(5);
constexpr Duration kLongestNodeDeadline = milliseconds(250);
constexpr std::int64_t kMillion = 1'000'000;

// value * ppm / 1e6 without overflow for any duration of ours and ppm up to a million.
Duration share(Duration value, std::int64_t ppm) {
  const auto count = value.count();
  return Duration(count / kMillion * ppm + count % kMillion * ppm / kMillion);
}

Duration drift_of(const LockOptions& options) {
  return share(options.ttl, options.drift_ppm) + options.drift_fixed;
}

std::string invalid_times(const LockOptions& options) {
  constexpr Duration kZero = Duration::zero();
  if (options.wait < kZero || options.wait > kLongestTtl) return "wait must be 0 to 365 days";
  if (options.retry <= kZero || options.retry > kLongestTtl) {
    return "retry must be above 0 and at most 365 days";
  }
  if (!(options.retry_jitter >= 0.0 && options.retry_jitter <= 1.0)) {
    return "retry_jitter must be 0 to 1";
  }
  if (options.node_deadline &&
      (*options.node_deadline <= kZero || *options.node_deadline >= options.ttl)) {
    return "node_deadline must be above 0 and below the ttl";
  }
  if (options.max_hold && *options.max_hold <= kZero) return "max_hold must be above 0";
  if (options.min_hold < kZero || options.min_hold > options.ttl) {
    return "min_hold must be 0 to ttl: nothing renews the lock once release was called";
  }
  if (options.cleanup_budget && *options.cleanup_budget <= kZero) {
    return "cleanup_budget must be above 0";
  }
  return {};
}

std::string invalid_validity(const LockOptions& options) {
  if (options.drift_ppm < 0 || options.drift_ppm >= kMillion) {
    return "drift_ppm must be 0 to 999999";
  }
  if (options.drift_fixed < Duration::zero() || options.drift_fixed > options.ttl) {
    return "drift_fixed must be 0 to ttl";
  }
  if (options.min_validity && *options.min_validity < Duration::zero()) {
    return "min_validity must not be negative";
  }
  const Duration drift = drift_of(options);
  const Duration wanted = options.min_validity.value_or(2 * drift);
  if (wanted >= options.ttl - drift) {
    return "drift and min_validity leave nothing of the ttl: no acquire could succeed";
  }
  return {};
}

}  // namespace

std::string invalid_reason(std::string_view key, const LockOptions& options, std::size_t nodes) {
  if (key.empty()) return "the lock's key is empty";
  if (nodes == 0) return "a lock needs at least one node";
  if (nodes > kMaxNodes) return "a lock has at most 16 nodes";
  if (options.ttl < kShortestTtl || options.ttl > kLongestTtl) {
    return "ttl must be 10 ms to 365 days";
  }
  if (std::string reason = invalid_times(options); !reason.empty()) return reason;
  if (std::string reason = invalid_validity(options); !reason.empty()) return reason;
  if (options.replicas < 0) return "replicas must not be negative";
  if (options.replicas > 0 && nodes > 1) {
    return "replicas need a single instance: independent nodes have a quorum instead";
  }
  if (options.fencing && nodes > 1) return "fencing needs a single instance";
  return {};
}

Terms::Terms(const LockOptions& options, std::size_t node_count)
    : quorum(node_count / 2 + 1),
      ttl(floor<milliseconds>(options.ttl)),
      ttl_ms(std::to_string(floor<milliseconds>(options.ttl).count())),
      drift(drift_of(options)),
      node_deadline(options.node_deadline.value_or(
          std::clamp(options.ttl / 20, kShortestNodeDeadline, kLongestNodeDeadline))),
      min_validity(options.min_validity.value_or(2 * drift)),
      cleanup_budget(options.cleanup_budget.value_or(2 * node_deadline)),
      renew_every(ttl / 3),
      renew_again(ttl / 10) {
  // WAIT's own timeout is checked up to 100 ms late (FID-W3): half of the node deadline lets its
  // answer arrive in time as a number instead of as silence.
  on_acquire.replicas = options.replicas;
  on_acquire.timeout_ms = std::max<std::int64_t>(1, floor<milliseconds>(node_deadline / 2).count());
  if (options.confirm_renewals) on_renewal = on_acquire;
}

Duration jittered(Duration retry, double jitter, std::uint64_t random) {
  const Duration half = share(retry, std::llround(jitter * 1e6));
  const auto span = 2 * static_cast<std::uint64_t>(half.count()) + 1;
  return retry - half + Duration(static_cast<std::int64_t>(random % span));
}

}  // namespace holdfast
