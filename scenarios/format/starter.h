// The text of `holdfast new NAME`.
#pragma once

#include <string>
#include <string_view>

namespace holdfast::scenario {

// A commented scenario of that name (letters, digits, '.', '-' and '_') that parses and runs as it
// is.
std::string starter_scenario(std::string_view name);

}  // namespace holdfast::scenario
