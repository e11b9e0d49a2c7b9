// One live run of a scenario: real redis-servers on loopback, one process a client, the scenario's
// faults, one history, judged.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "reports/history/history.h"
#include "reports/judge/verdict.h"
#include "scenarios/format/model.h"

namespace holdfast::live {

struct LiveOptions {
  double scale = 1.0;      // of every duration of the scenario
  std::uint64_t seed = 1;  // numbers the run; real time is not reproducible
  std::string redis = {};  // host:port,...: servers that exist, in the order of lock.nodes and
                           // then, when the scenario guards a resource, its server
};

struct LiveResult {
  history::History history;
  judge::Judgement judgement;
  std::string environment_failure = {};  // what was missing or failed; the verdict says so too
};

// Starts everything, ends everything that it started, also when it fails or `interrupted` is set.
LiveResult run_live(const scenario::Scenario& scenario, const LiveOptions& options,
                    const std::atomic<bool>& interrupted);

}  // namespace holdfast::live
