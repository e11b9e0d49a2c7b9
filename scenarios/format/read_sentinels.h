// The sentinels that look after a master, as its server's object says.
#pragma once

#include "scenarios/format/fields.h"
#include "scenarios/format/model.h"

namespace holdfast::scenario {

// Reads "sentinels" and what belongs to it.
void read_monitor(Fields& fields, ServerSpec& server);
// When all servers are read: the names of all sentinels, each once.
void collect_sentinels(const Value& servers, Scenario& scenario, Errors& errors);

}  // namespace holdfast::scenario
