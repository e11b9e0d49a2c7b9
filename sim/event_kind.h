// The kinds of kernel events outside the servers, as they enter a run's fingerprint.
#pragma once

#include <cstdint>

#include "reports/history/event.h"

namespace holdfast::sim {

enum class EventKind : std::uint32_t {
  timer = 1,  // a coroutine's timer is due
  deadline,   // of a call
  retry,      // of connecting
  ready,      // something that had to wait for its turn in its process
  request,    // a message reaches a server
  response,   // a message reaches a client
};

// Kinds below 256 and the two ends, so that runs that differ only in who acted differ here.
constexpr std::uint32_t event_kind(EventKind kind, history::ActorId actor,
                                   history::NodeId node = 0) {
  return static_cast<std::uint32_t>(kind) | (actor & 0xFFFU) << 8U | (node & 0xFFFU) << 20U;
}

}  // namespace holdfast::sim
