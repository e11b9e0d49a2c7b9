// The wire between the lab and its client processes: one text line an event, written by the client
// with one write(2) before the action that it announces, so that SIGKILL loses nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/history/event.h"

namespace holdfast::live {

// What a client tells, with names as text; `at` is CLOCK_BOOTTIME in ns.
struct ClientLine {
  std::int64_t at = 0;
  history::Kind kind = history::Kind::none;
  history::GrantId grant = 0;
  std::int64_t a = 0;
  std::int64_t b = 0;
  std::string resource = {};
  std::string token = {};
};

// Beside history kinds, two lines steer the lab's bookkeeping of valid_until_reached; they are
// written as kind valid_until_reached with b = 1 (watch from now: a = the instant) or b = 2
// (forget).
inline constexpr std::int64_t kWatch = 1;
inline constexpr std::int64_t kForget = 2;

std::string to_line(const ClientLine& line);                         // ends with '\n'
std::optional<ClientLine> parse_client_line(std::string_view line);  // without the '\n'

// What a client process is told on its standard input, as one line of JSON.
struct ClientOrders {
  std::string scenario_text;
  std::string scenario_file;
  double scale = 1.0;
  std::string client;
  history::ActorId actor = 0;
  std::uint32_t incarnation = 1;
  std::int64_t start_at = 0;  // CLOCK_BOOTTIME in ns at which the steps begin
  std::string key_prefix = {};
  struct Address {
    std::string name;
    std::string host;
    std::uint16_t port = 0;
  };
  std::vector<Address> addresses;  // lock nodes and the guarded server, by name
};
std::string to_json_line(const ClientOrders& orders);
std::optional<ClientOrders> parse_orders(std::string_view line);

}  // namespace holdfast::live
