// Random Lua scripts: calls, branches, conversions, errors.
#pragma once

#include <cstdint>
#include <string>

#include "lockcore/redis_client.h"
#include "sim/random.h"

namespace holdfast::conformance {

// EVAL of a random script with random keys and arguments. `mutes` names families whose commands it
// does not call.
Command random_script(sim::Random& random);

}  // namespace holdfast::conformance
