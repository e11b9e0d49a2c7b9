// Plan: a scenario as numbers: which node, actor and resource has which id, what the judge must
// know, and what the simulated world is made of.
#pragma once

#include <string>
#include <vector>

#include "lockcore/env.h"
#include "reports/history/history.h"
#include "scenarios/format/model.h"

namespace holdfast::runner {

// Fills names and set-up of `history` for one scenario: actors are its clients in the order of the
// file, nodes its servers, the guarded resources' server and the sentinels, resources its locks and
// then the guarded resources. Ids count from 1.
void describe(const scenario::Scenario& scenario, const std::string& world,
              history::History& history);

// What the clocks are off by from the start, as events of the run's first instant; `names` has the
// names already.
std::vector<history::Event> clocks_at_start(const scenario::Scenario& scenario,
                                            const history::History& names);

// The lock keys that the clients' steps name, each once, in the order of the file.
std::vector<std::string> lock_keys(const scenario::Scenario& scenario);

// The lock's addresses.
std::vector<Endpoint> addresses(const scenario::Scenario& scenario);

}  // namespace holdfast::runner
