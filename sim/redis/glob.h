// Glob patterns as KEYS understands them: * ? [abc] [^a] [a-z] and backslash.
#pragma once

#include <string_view>

namespace holdfast::sim::redis {

bool matches_glob(std::string_view pattern, std::string_view text);

}  // namespace holdfast::sim::redis
