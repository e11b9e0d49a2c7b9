// Words for people: times, names and events of a history as plain text. Nothing is escaped here;
// each renderer escapes for its own format.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reports/history/history.h"

namespace holdfast::report {

// An instant to the millisecond, rounded: "12.400 s".
std::string seconds(history::Nanos at);
// An instant to the microsecond, for tables: "12.400216".
std::string exact_seconds(history::Nanos at);
// A length in the unit that suits it, at most four digits: "216 ms", "9.7 s", "350 us".
std::string span(history::Nanos length);
// A count with thousands separated: "1,000".
std::string grouped(std::uint64_t count);
// A clock rate error: "+25 %", "-500 ppm".
std::string rate(std::int64_t ppm);
// "n1", "n1 and n2", "n1, n2 and n3".
std::string listed(const std::vector<std::string>& names);

// Names by id; "?" for an id that the history does not know (histories of others may be damaged).
std::string actor_name(const history::History& history, history::ActorId actor);
std::string node_name(const history::History& history, history::NodeId node);
std::string resource_name(const history::History& history, history::ResourceId resource);
// A lock key's value, shortened to 12 characters.
std::string token_name(const history::History& history, history::TokenId token);
// "F2: pause A for 15 s", or "F2" when the set-up has no text for it.
std::string fault_name(const history::History& history, std::int64_t index);

// Names of the codes that events carry in `a`.
std::string_view drop_cause_name(std::int64_t cause);
std::string_view acquire_outcome_name(std::int64_t outcome);
std::string_view release_outcome_name(std::int64_t outcome);
std::string_view loss_reason_name(std::int64_t reason);
std::string_view point_name(std::int64_t point);

// What one event says, in one sentence without its time.
std::string describe(const history::History& history, const history::Event& event);

}  // namespace holdfast::report
