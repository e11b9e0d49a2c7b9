// One live run of a scenario: real redis-servers on loopback, one process a client, the scenario's
// faults, one history, judged.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "reports/history/history.h"
#include "reports/judge/verdict.h"
#include "scenarios/format/model.h"
#include "scenarios/live/server_address.h"

namespace holdfast::live {

struct LiveOptions {
  double scale = 1.0;      // of every duration of the scenario
  std::uint64_t seed = 1;  // numbers the run; real time is not reproducible
  // Servers that exist, to be used instead of own ones: those of lock.nodes in that order, then, if
  // there is one more, the guarded resources' (else they live on the last node). What
  // refused_on_existing_servers() refuses must not be run on them.
  std::vector<ServerAddress> redis = {};
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
