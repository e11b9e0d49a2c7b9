#include "reports/history/kind_names.h"

#include <array>
#include <cstddef>

namespace holdfast::history {
namespace {

// In the order of Kind.
constexpr std::array<std::string_view, static_cast<std::size_t>(kLastKind) + 1> kWords = {
    "none",
    "process_started",
    "process_paused",
    "process_resumed",
    "process_crashed",
    "client_done",
    "point_passed",
    "acquire_called",
    "attempt_sent",
    "quorum_counted",
    "validity_checked",
    "acquire_returned",
    "valid_until",
    "valid_until_reached",
    "lost_told",
    "held_called",
    "held_returned",
    "renewal_sent",
    "renewed",
    "renewal_failed",
    "release_called",
    "release_sent",
    "release_returned",
    "section_left",
    "write_sent",
    "read_sent",
    "access_returned",
    "access_executed",
    "key_set",
    "key_ttl_changed",
    "key_deleted",
    "key_expired",
    "key_revived",
    "key_dropped",
    "command_executed",
    "node_started",
    "node_paused",
    "node_resumed",
    "node_crashed",
    "node_promoted",
    "node_demoted",
    "master_changed",
    "link_up",
    "link_down",
    "connection_lost",
    "clock_stepped",
    "clock_rate",
    "replication_held",
    "replication_resumed",
    "node_impaired",
    "write_lost",
    "fault_fired",
    "fault_proved",
    "fault_ended",
    "environment_failed",
    "run_ended",
};
static_assert(!kWords.back().empty(), "a kind without a word");

}  // namespace

std::string_view kind_name(Kind kind) {
  const auto index = static_cast<std::size_t>(kind);
  return index < kWords.size() ? kWords[index] : kWords[0];
}

Kind find_kind(std::string_view name) {
  for (std::size_t i = 1; i < kWords.size(); ++i) {
    if (kWords[i] == name) return static_cast<Kind>(i);
  }
  return Kind::none;
}

}  // namespace holdfast::history
