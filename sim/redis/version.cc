#include "sim/redis/version.h"

#include <array>

#include "sim/redis/command.h"

namespace holdfast::sim::redis {

namespace {

constexpr std::uint32_t kNewerThan72 = kSince84 | kValkey9;
constexpr std::uint32_t kNewerThan70 = kNewerThan72 | kSince72;

// In the order of RedisVersion. Valkey 8 is 8.1, Valkey 9 is 9.1; both were asked, as 7.0.15 was,
// and Redis 8.0.2 for what 7.2 and 8.4 share with it. 6.2 and 8.4's comparisons are from documents.
constexpr std::array<VersionTraits, 6> kTraits = {{
    {.redis_version = "6.2.14",
     .lacks = kNewerThan70 | kSince70,
     .conditional_expire = false,
     .set_nx_get = false,
     .old_texts = true},
    {.redis_version = "7.0.15", .lacks = kNewerThan70},
    {.redis_version = "7.2.6", .lacks = kNewerThan72, .frozen_time = true},
    {.redis_version = "8.4.0",
     .lacks = kValkey9,
     .frozen_time = true,
     .evicts_scripts_over = 500,
     .compares = true,
     .compares_unequal = true},
    {.redis_version = "7.2.4",
     .valkey_version = "8.1.1",
     .lacks = kNewerThan72,
     .frozen_time = true,
     .past_deletes = true,
     .evicts_scripts_over = 500,
     .compares = true},
    {.redis_version = "7.2.4",
     .valkey_version = "9.1.2",
     .lacks = kSince84,
     .frozen_time = true,
     .past_deletes = true,
     .evicts_scripts_over = 500,
     .compares = true},
}};

}  // namespace

const VersionTraits& traits_of(RedisVersion version) {
  return kTraits[static_cast<std::size_t>(version)];
}

}  // namespace holdfast::sim::redis
