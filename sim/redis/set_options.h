// The options of SET and GETEX, which share a parser in Redis (FID-E13, E16, E18).
#pragma once

#include <cstdint>
#include <string_view>

#include "sim/redis/command.h"

namespace holdfast::sim::redis {

struct SetOptions {
  enum : std::uint16_t {
    kNx = 1,
    kXx = 2,
    kGet = 4,
    kKeepTtl = 8,
    kEx = 16,
    kPx = 32,
    kExat = 64,
    kPxat = 128,
    kPersist = 256,
    kIfEq = 512,
    kIfNe = 1024,
  };
  std::string_view value = {};
  std::uint16_t flags = 0;
  std::size_t ttl_from = 0;       // index of the argument that holds the time; 0: none
  std::size_t compared_from = 0;  // of the value that IFEQ or IFNE compares with

  bool is(std::uint16_t flag) const { return (flags & flag) != 0; }
  bool absolute() const { return is(kExat | kPxat); }
};

enum class OptionsOf : std::uint8_t { set, getex };

// Reads the arguments from index `first` on; false: syntax error.
bool parse_options(const Execution& run, std::size_t first, OptionsOf command, SetOptions& options);

// The absolute deadline that the options ask for; false after an error answer.
bool expire_time(Execution& run, const SetOptions& options, std::int64_t& deadline_ms);

}  // namespace holdfast::sim::redis
