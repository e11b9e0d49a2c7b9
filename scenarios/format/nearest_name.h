// The known name that somebody probably meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace holdfast::scenario {

// Changes, insertions, deletions and swaps of neighbours that turn `a` into `b`.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The known name closest to `name`, or empty when none is close: a third of its letters may differ,
// one at least, and never all of them.
std::string nearest_name(std::string_view name, const std::vector<std::string>& known);

// "; did you mean \"ttl\"?", else "; known are: a, b, c" (in the order given), else "".
std::string suggestion(std::string_view name, const std::vector<std::string>& known);

// "a, b, c"
std::string join(const std::vector<std::string>& names);

}  // namespace holdfast::scenario
