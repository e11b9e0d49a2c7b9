// Commands written as in redis-cli: words, "quoted \r\n \x00", 'literal'.
#pragma once

#include <string_view>

#include "lockcore/redis_client.h"

namespace holdfast::conformance {

Command words(std::string_view line);
// The length of the command on the wire.
std::size_t wire_length(const Command& command);
std::string wire_text(const Command& command);
// As it could be typed, for messages.
std::string typed(const Command& command);

}  // namespace holdfast::conformance
