// From a hiredis reply to ours. For this folder and for the live lab.
#pragma once

#include <hiredis/hiredis.h>

#include "lockcore/redis_client.h"

namespace holdfast::detail {

// A copy. RESP3 types, which we never ask for, become the nearest RESP2 type.
Reply convert(const redisReply& reply);

}  // namespace holdfast::detail
