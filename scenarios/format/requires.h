// `requires`: observable facts without which a run proves nothing. The grammar, one fact a string:
//
//   fact     := who event [at least N times] [relation]
//   who      := a client or server of the file
//   event    := acquired | failed | failed OUTCOME | renewed | lost | released | released OUTCOME
//             | wrote | was refused | read | crashed | restarted | promoted | told of loss
//             | executed (a server: any lock command)
//   relation := while who is paused | crashed | inside (its section) | holding (its promise)
//             | before who event | after who event | before T | after T      (T: a duration)
//
// "A acquired while ..." counts events of A inside that state of the other; before/after compare
// the first matching event of each.
#pragma once

#include <optional>
#include <string>

#include "reports/history/history.h"
#include "scenarios/format/model.h"

namespace holdfast::scenario {

// What is wrong with the fact's text, or nothing. Names are checked against `scenario`.
std::optional<std::string> check_require(const Require& require, const Scenario& scenario);

// Whether the fact occurred in this run.
bool occurred(const Require& require, const history::History& history);

}  // namespace holdfast::scenario
