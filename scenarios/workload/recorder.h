// Recorder: where a scenario client's own events go. Simulated: straight into the History. Live:
// each event is one write(2) before the action that it announces, so that a SIGKILL loses nothing.
#pragma once

#include <cstdint>
#include <string_view>

#include "lockcore/time.h"
#include "reports/history/event.h"

namespace holdfast::workload {

// An event as a client knows it: names and tokens as text; time, sequence and actor are the
// recorder's to fill in.
struct ClientEvent {
  history::Kind kind = history::Kind::none;
  history::GrantId grant = 0;
  std::string_view resource = {};
  std::string_view token = {};
  std::int64_t a = 0;
  std::int64_t b = 0;
};

class Recorder {
 public:
  virtual ~Recorder() = default;
  // Returns the true time of the record.
  virtual history::Nanos record(const ClientEvent& event) = 0;
  // The true time at which the process's monotonic clock reads `at`, by its present rate.
  virtual history::Nanos true_time(Instant at) = 0;
  // The world writes valid_until_reached for this grant when the process's clock reaches `at`, also
  // while the process is stopped. Replaces an earlier instant of the same grant.
  virtual void watch_valid_until(history::GrantId grant, std::string_view resource, Instant at) = 0;
  virtual void forget_valid_until(history::GrantId grant) = 0;
};

// Grants are numbered so that no two acquire calls of a run share a number, whichever process,
// incarnation or world they belong to.
constexpr history::GrantId grant_id(history::ActorId actor, std::uint32_t incarnation,
                                    std::uint64_t acquisition) {
  return (static_cast<history::GrantId>(actor) << 24) | ((incarnation & 0xFU) << 20) |
         static_cast<history::GrantId>(acquisition & 0xFFFFFU);
}
constexpr history::ActorId actor_of(history::GrantId grant) {
  return static_cast<history::ActorId>(grant >> 24);
}

}  // namespace holdfast::workload
