// A TCP port of 127.0.0.1 that nobody listens on.
#pragma once

#include <cstdint>

namespace holdfast::live {

// The kernel's choice; another process may take it before it is used, so whoever binds it must be
// ready to ask for another. Throws EnvironmentFailure when there is none.
std::uint16_t free_port();

}  // namespace holdfast::live
