// Random calls of the libraries that scripts have beside Lua's own: cjson, cmsgpack, struct, bit.
#pragma once

#include <string>
#include <string_view>

#include "sim/random.h"

namespace holdfast::conformance {

// An expression; often one that raises an error.
std::string library_call(sim::Random& random);

// The text as a literal of Lua.
std::string lua_literal(std::string_view text);

}  // namespace holdfast::conformance
