// Monitor: what one real server executes, in its order, as its MONITOR command tells it.
//
// MONITOR shows each command before it runs, commands inside scripts after the script's own line.
// It shows no replies, no expiry, and none of the server's administrative commands.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lockcore/time.h"
#include "scenarios/live/command_connection.h"
#include "scenarios/live/redis_process.h"
#include "scenarios/live/server_address.h"

namespace holdfast::live {

struct MonitorLine {
  Instant arrived{};          // the host's clock, when the lab read it: execution was earlier
  WallInstant server_time{};  // the server's own wall clock, in microseconds; bent when it is
  int database = 0;
  std::string client;  // "127.0.0.1:5000", "unix:PATH", or "lua" for a command inside a script
  std::vector<std::string> arguments;

  bool in_script() const noexcept { return client == "lua"; }
};

// `1700000000.123456 [0 127.0.0.1:5000] "SET" "k" "v"`, without the leading '+' and the line's end.
// Nothing when it is not such a line.
std::optional<MonitorLine> parse_monitor_line(std::string_view line);

class Monitor {
 public:
  // Connects and returns when the server has confirmed MONITOR: every later command is seen. Throws
  // EnvironmentFailure. Open one before the first client, and another after each restart.
  explicit Monitor(const RedisProcess& server);
  // Of a server that others use too: lines() holds only what names a key under `key_prefix`, and
  // names it without.
  Monitor(std::string name, const SocketAddress& server, std::string key_prefix);
  ~Monitor();
  Monitor(const Monitor&) = delete;
  Monitor& operator=(const Monitor&) = delete;

  // Makes sure that every command which `server` has executed before this call is in lines():
  // executes a command of its own (ECHO) and waits for its line. False when it does not come within
  // `patience`.
  bool catch_up(RedisProcess& server, Duration patience);
  bool catch_up(CommandConnection& server, Duration patience);

  // All lines so far, without those of catch_up(), oldest first. Any thread.
  std::vector<MonitorLine> lines() const;
  // When the connection ended, if it has: what was executed after the last line is not known then.
  std::optional<Instant> ended() const;
  // What came that is no line of MONITOR; empty on a healthy connection.
  std::string malformed() const;

 private:
  bool wait_for(const std::string& marker, Duration patience);

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace holdfast::live
