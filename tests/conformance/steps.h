// The words of which rows are made. A connection that is not named is A.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "tests/conformance/expectation.h"
#include "tests/conformance/row.h"

namespace holdfast::conformance {

// -- commands and replies
Step ask(Connection connection, std::string command, Expectation reply, Timing when = kAnyTime);
Step ask(std::string command, Expectation reply, Timing when = kAnyTime);
// EVAL and EVAL_RO of a body without keys or arguments.
Step eval(Connection connection, std::string body, Expectation reply);
Step eval(std::string body, Expectation reply);
Step eval_ro(Connection connection, std::string body, Expectation reply);
Step eval_ro(std::string body, Expectation reply);
Step send(Connection connection, std::vector<std::string> commands);  // one write, no waiting
Step answer(Connection connection, Expectation reply, Timing when = kAnyTime);
Step quiet(Connection connection, Duration time);  // nothing comes for so long
// Asked again and again until it answers this; the time is counted since the last mark().
Step becomes(Connection connection, std::string command, Expectation reply, Timing when = kAnyTime);
Step mark();
Step remember(Connection connection, std::string section, std::string field);  // of INFO
Step keeps(Connection connection, std::string section, std::string field);
Step changed(Connection connection, std::string section, std::string field);
// The field has the value that `before` had when it was remembered.
Step inherits(Connection connection, std::string section, std::string field, std::string before);

// -- connections
Step close(Connection connection);                      // FIN
Step reset(Connection connection);                      // RST
Step half(Connection connection, std::string command);  // all but its last bytes
Step connects(Connection connection);
Step hold_requests(Connection connection);
Step hold_replies(Connection connection);
Step release(Connection connection);
Step drop_reply(Connection connection);  // the next one, then reset

// -- time
Step sleep(Duration time);
Step step_clock(std::string_view node, Duration by);
Step clock_rate(std::string_view node, std::int64_t ppm);

// -- servers
Step freeze(std::string_view node);
Step thaw(std::string_view node);
Step kill(std::string_view node);
Step note_synced(std::string_view node);
Step lose_power(std::string_view node);
Step tear_file(std::string_view node, std::int64_t bytes);
Step fail_saves(std::string_view node);
Step restart(std::string_view node, Persistence persistence);
Step promote(std::string_view node);
Step follow(std::string_view node, std::string_view master);
Step hold_stream(std::string_view replica);
Step release_stream(std::string_view replica);
Step cut_stream(std::string_view replica);
Step mend_stream(std::string_view replica);
Step note_offset(std::string_view node);
// Since note_offset() the replication stream has had exactly these commands (by its length).
Step streamed(std::string_view node, std::vector<std::string> commands);

}  // namespace holdfast::conformance
