// Options of the lock that contradict each other.
#include <fmt/format.h>

#include <algorithm>

#include "lockcore/lock.h"
#include "scenarios/format/duration.h"
#include "scenarios/format/read.h"
#include "scenarios/format/scale.h"

namespace holdfast::scenario {
namespace {

using Algorithm = LockSpec::Algorithm;

constexpr Duration kShortestTtl = std::chrono::milliseconds(10);
constexpr Duration kLongestTtl = std::chrono::hours(365 * 24);

class LockCheck {
 public:
  LockCheck(const Value& lock, const Scenario& scenario, Errors& errors)
      : value_(lock), scenario_(scenario), lock_(scenario.lock), errors_(errors) {}

  void run() {
    check_ttl();
    check_nodes();
    if (lock_.algorithm == Algorithm::protocol) {
      check_protocol();
    } else {
      check_replicas();
      check_fencing();
      check_watchdog();
      check_holds();
    }
    check_guarded();
  }

 private:
  bool has(std::string_view key) const { return value_.find(key) != nullptr; }
  const Origin& at(std::string_view key) const {
    const Value* value = value_.find(key);
    return value == nullptr ? value_.origin : value->origin;
  }

  void check_ttl() {
    const Duration ttl = lock_.options.ttl;
    if (ttl < kShortestTtl || ttl > kLongestTtl) {
      errors_.add(at("ttl"),
                  fmt::format("\"ttl\" must be from 10ms to 365 days, and is {}", short_form(ttl)));
    }
  }

  void check_nodes() {
    const std::size_t count = lock_.nodes.size();
    const bool quorum =
        lock_.algorithm == Algorithm::redlock || (lock_.protocol && lock_.protocol->quorum);
    if (count == 0) {
      errors_.add(at("nodes"), "the lock has no node");
    } else if (count == 1 && lock_.algorithm == Algorithm::redlock) {
      errors_.add(at("nodes"),
                  "algorithm \"redlock\" over one node has no quorum; name three or "
                  "five independent servers, or take algorithm \"single\"");
    } else if (count > 1 && !quorum) {
      const std::string what = lock_.algorithm == Algorithm::protocol
                                   ? "a protocol without \"quorum\""
                                   : "algorithm \"single\"";
      errors_.add(at("nodes"),
                  fmt::format("{} takes one node, and \"nodes\" {} {}", what,
                              has("nodes") ? "has" : "is by default all masters:", count));
    }
  }

  void check_protocol() {
    for (const std::string_view key : {"drift_ppm", "drift_fixed", "min_validity", "replicas",
                                       "confirm_renewals", "fencing", "max_hold", "min_hold"}) {
      if (!has(key)) continue;
      errors_.add(at(key),
                  fmt::format("\"{}\" has no meaning for a lock given as a protocol", key));
    }
    check_whole_seconds();
  }

  // "$lease_s" of a lease of 1.5 s would be a different lease.
  void check_whole_seconds() {
    if (!lock_.protocol || !counts_in_seconds(*lock_.protocol)) return;
    if (lock_.options.ttl % std::chrono::seconds(1) != Duration::zero()) {
      errors_.add(at("ttl"),
                  fmt::format("protocol \"{}\" sends $lease_s, and a \"ttl\" of {} is not "
                              "whole seconds",
                              lock_.protocol->name, short_form(lock_.options.ttl)));
    }
  }

  void check_replicas() {
    const int wanted = lock_.options.replicas;
    if (lock_.algorithm == Algorithm::redlock) {
      for (const std::string_view key : {"replicas", "confirm_renewals"}) {
        if (!has(key) || (key == "replicas" && wanted == 0)) continue;
        errors_.add(at(key), fmt::format("\"{}\" contradicts algorithm \"redlock\": its nodes are "
                                         "independent",
                                         key));
      }
      return;
    }
    if (has("confirm_renewals") && wanted == 0) {
      errors_.add(at("confirm_renewals"),
                  "\"confirm_renewals\" has no meaning without \"replicas\"");
    }
    if (wanted == 0 || lock_.nodes.size() != 1) return;
    const auto there = std::count_if(
        scenario_.servers.begin(), scenario_.servers.end(),
        [this](const ServerSpec& server) { return server.replica_of == lock_.nodes.front(); });
    if (wanted > there) {
      errors_.add(at("replicas"), fmt::format("\"replicas\" waits for {}, and \"{}\" has {}",
                                              wanted, lock_.nodes.front(), there));
    }
  }

  void check_fencing() {
    if (lock_.options.fencing && lock_.algorithm == Algorithm::redlock) {
      errors_.add(at("fencing"), "\"fencing\" with algorithm \"redlock\" is not built yet");
    }
  }

  void check_watchdog() {
    if (lock_.options.watchdog) return;
    for (const std::string_view key : {"max_hold", "confirm_renewals"}) {
      if (!has(key)) continue;
      errors_.add(at(key), fmt::format("\"{}\" has no meaning with \"watchdog\": false", key));
    }
  }

  void check_holds() {
    const LockOptions& options = lock_.options;
    if (options.max_hold && *options.max_hold < options.min_hold) {
      errors_.add(at("min_hold"),
                  fmt::format("\"min_hold\" {} contradicts \"max_hold\" {}",
                              short_form(options.min_hold), short_form(*options.max_hold)));
    }
    // What is left goes to the lock core's own check, so that the two never differ.
    if (errors_.empty() && !lock_.nodes.empty()) {
      const std::string reason = invalid_reason("key", options, lock_.nodes.size());
      if (!reason.empty()) errors_.add(value_.origin, reason);
    }
  }

  void check_guarded() {
    if (lock_.options.fencing) return;
    for (const GuardedSpec& resource : scenario_.guarded) {
      if (!resource.fencing) continue;
      errors_.add(resource.origin,
                  fmt::format("\"{}\" compares fencing tokens, and the lock gives none; set "
                              "\"fencing\": true in \"lock\"",
                              resource.name));
    }
  }

  const Value& value_;
  const Scenario& scenario_;
  const LockSpec& lock_;
  Errors& errors_;
};

}  // namespace

void check_lock_options(const Value& lock, const Scenario& scenario, Errors& errors) {
  LockCheck(lock, scenario, errors).run();
}

}  // namespace holdfast::scenario
