// How an answer looks in the protocol that its client speaks.
#pragma once

#include "lockcore/redis_client.h"

namespace holdfast::sim::redis {

// For RESP2: maps, sets and pushes become arrays, reals and verbatim texts bulk strings, booleans
// integers. Commands whose RESP3 answer has another shape look at the protocol themselves.
void make_resp2(Reply& reply);

// For RESP3: there is but one null.
void make_resp3(Reply& reply);

}  // namespace holdfast::sim::redis
