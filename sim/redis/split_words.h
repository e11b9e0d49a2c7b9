// A line in words, as Redis splits inline requests, and the first lines of scripts.
#pragma once

#include <string_view>

#include "lockcore/redis_client.h"

namespace holdfast::sim::redis {

// At white space, with "..." (and its escapes) and '...'. False: unbalanced quotes.
bool split_words(std::string_view line, Command& words);

}  // namespace holdfast::sim::redis
