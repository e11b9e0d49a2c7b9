// EnvironmentFailure: the real world was missing something or did not do as told. Never a verdict.
#pragma once

#include <cerrno>
#include <stdexcept>
#include <string>
#include <system_error>

namespace holdfast::live {

class EnvironmentFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// With the system's words for errno.
[[noreturn]] inline void fail_with_errno(const std::string& what) {
  throw EnvironmentFailure(what + ": " + std::generic_category().message(errno));
}

}  // namespace holdfast::live
