// A connection as CLIENT LIST and INFO show it.
#pragma once

#include <string>
#include <string_view>

#include "sim/redis/server.h"

namespace holdfast::sim::redis {

class Instance;
struct Session;

// One line without its end.
std::string describe_client(Instance& server, SessionId session);

// "127.0.0.1:40001" as the server sees its peer, and itself.
std::string client_address(Instance& server, SessionId session);
std::string own_address(Instance& server);

// "normal" or "pubsub": the classes that a client connection can be in. Connections between
// servers are no sessions.
std::string_view client_type(const Session& session);

}  // namespace holdfast::sim::redis
