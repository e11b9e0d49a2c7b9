// Replies as bytes.
#pragma once

#include <string>

#include "lockcore/redis_client.h"

namespace holdfast::serve {

// Appends the reply as RESP. Types that only RESP3 knows are written as RESP3; for clients that
// speak RESP2 the server has replaced them already.
void write_reply(std::string& out, const Reply& reply);

}  // namespace holdfast::serve
