// The versions of Redis that a simulated server can be (FIDELITY 10), and what is different in each
// where a lock could notice. 7.0 is the one against which everything else has been measured.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace holdfast::sim {

enum class RedisVersion : std::uint8_t {
  redis_6_2,
  redis_7_0,
  redis_7_2,
  redis_8_4,
  valkey_8,
  valkey_9,
};

namespace redis {

struct VersionTraits {
  std::string_view redis_version;        // INFO, HELLO, redis.REDIS_VERSION
  std::string_view valkey_version = {};  // empty: Redis
  std::uint32_t lacks = 0;               // CommandFlags of the commands that it has not
  bool frozen_time = false;  // FID-E5: TIME, PTTL and relative TTLs stand still in a script or EXEC
  bool past_deletes = false;            // FID-E15: SET PXAT in the past deletes instead
  std::size_t evicts_scripts_over = 0;  // FID-L2: scripts that only EVAL has loaded; 0: never
  bool conditional_expire = true;       // PEXPIRE NX, XX, GT, LT
  bool set_nx_get = true;               // SET NX GET
  bool compares = false;                // SET IFEQ
  bool compares_unequal = false;        // SET IFNE (not built: IFDEQ, IFDNE, which need a digest)
  bool old_texts = false;               // 6.2's words for commands and subcommands that are unknown
};

const VersionTraits& traits_of(RedisVersion version);

}  // namespace redis
}  // namespace holdfast::sim
