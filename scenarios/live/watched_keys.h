// WatchedKeys: what one real server's lock keys held, and from when to when, worked out from its
// MONITOR in the server's own order and by the server's own clock. A command inside a script is
// shown only when it was executed, and whether a SET NX found the key alive follows from the
// server's time on its line, so that no reply is needed.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "reports/history/history.h"
#include "scenarios/live/live_history.h"
#include "scenarios/live/monitor.h"
#include "scenarios/live/server_times.h"

namespace holdfast::live {

class WatchedKeys {
 public:
  // Whose command a client address is; 0 for the lab and for replication.
  using ActorOf = std::function<history::ActorId(const std::string& client)>;

  WatchedKeys(history::NodeId node, history::History& names, LiveHistory& history, ActorOf actor_of)
      : node_(node), names_(names), history_(history), actor_of_(std::move(actor_of)) {}

  // One life of the server (until it was killed): its lines in order.
  void follow(const std::vector<MonitorLine>& lines, const ServerTimes& times);
  // A key found by asking after a restart or a resync; an empty value: it is not there. `ttl_ms` as
  // PTTL answers it.
  void found(const std::string& key, const std::string& value, std::int64_t ttl_ms, Instant at,
             const ServerTimes& times, history::DropCause when_gone);
  // No more is to come: writes the expiries that are due by `end`.
  void finish(Instant end, const ServerTimes& times);

 private:
  struct Key {
    std::string value;
    std::int64_t deadline_ms = -1;  // server wall ms; -1: no TTL
    Instant since{};
  };
  struct Command {
    const std::vector<std::string>& arguments;
    history::ActorId actor;
    Instant at;
    std::int64_t now_ms;
  };
  void open_command(const MonitorLine& line, std::size_t place, Instant at);
  void close_command();
  bool is_lock(const std::string& key) const;
  void execute(const Command& command, const ServerTimes& times);
  void execute_set(const Command& command, const ServerTimes& times);
  void expire_by(const std::string& key, Instant now, const ServerTimes& times);
  bool alive(const std::string& key, std::int64_t now_ms) const;
  void store(const Command& command, const std::string& value, std::int64_t deadline_ms,
             const ServerTimes& times);
  void change_ttl(const Command& command, std::int64_t deadline_ms, const ServerTimes& times);
  void remove(const Command& command);
  history::Nanos true_deadline(std::int64_t deadline_ms, Instant at,
                               const ServerTimes& times) const;
  void write(history::Kind kind, Instant at, const std::string& key, const std::string& value,
             history::ActorId actor, std::int64_t a);

  history::NodeId node_;
  history::History& names_;
  LiveHistory& history_;
  ActorOf actor_of_;
  std::map<std::string, Key> keys_;
  history::ActorId actor_ = 0;  // of the command or script that is running
  struct Open {
    std::string key;
    std::string token;
    history::ActorId actor = 0;
    Instant at{};
    bool changed = false;
  };
  Open open_;  // a client's command on a lock key, until the next command begins
};

}  // namespace holdfast::live
