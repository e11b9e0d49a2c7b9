// Sessions: the client connections of one server, and what has arrived but not yet been executed.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lockcore/redis_client.h"
#include "sim/redis/pubsub.h"
#include "sim/redis/server.h"
#include "sim/redis/tracking.h"
#include "sim/redis/watches.h"
#include "sim/true_time.h"

namespace holdfast::sim::redis {

struct CommandSpec;

// What a session is that a plain one is not. For a plain one all of it is one test of zero.
enum SessionModes : std::uint32_t {
  kInMulti = 1,
  kBadQueue = 1 << 1,  // a command was refused while queueing: EXEC is
  kTouched = 1 << 2,   // a watched key was
  kSubscribed = 1 << 3,
  kTracking = 1 << 4,
  kNoReplies = 1 << 5,  // CLIENT REPLY OFF
  kSkipsNext = 1 << 6,  // CLIENT REPLY SKIP
  kNotAuthenticated = 1 << 7,
  kCloses = 1 << 8,  // after the running command's answer
  kNoEvict = 1 << 9,
  kReadsHere = 1 << 10,  // READONLY: reads of its master's slots are welcome at a replica
  kAsking = 1 << 11,     // ASKING, for the next command
};

struct QueuedCommand {
  const CommandSpec* spec = nullptr;
  Command command;
};

// What most sessions never need.
struct SessionExtras {
  std::vector<QueuedCommand> queue = {};                              // MULTI
  std::vector<WatchedKey> watched = {};                               // Watches
  std::array<std::vector<std::string>, kChannelKinds> channels = {};  // PubSub
  TrackingOptions tracking = {};
};

struct Session {
  history::ActorId client = 0;
  bool open = false;
  bool blocked = false;  // WAIT, BLPOP, CLIENT PAUSE; what arrives meanwhile queues behind it
  bool resp3 = false;    // HELLO 3
  int database = 0;
  std::uint32_t modes = 0;            // SessionModes
  std::int64_t replicated_up_to = 0;  // replication offset after its last command (FID-W1)
  const CommandSpec* last_command = nullptr;
  TrueTime opened{};
  TrueTime active{};      // its last command
  std::string name = {};  // CLIENT SETNAME
  std::vector<Command> behind = {};
  std::unique_ptr<SessionExtras> extras = nullptr;

  SessionExtras& more() {
    if (!extras) extras = std::make_unique<SessionExtras>();
    return *extras;
  }
  bool is(std::uint32_t mode) const { return (modes & mode) != 0; }
};

struct Arrival {
  SessionId session = 0;
  Command command;
};

class Sessions {
 public:
  void reset() {
    used_ = 0;
    open_ = 0;
    arrivals_.clear();
    next_ = 0;
  }

  SessionId open(history::ActorId client, TrueTime now) {
    if (used_ == sessions_.size()) sessions_.emplace_back();
    Session& session = sessions_[used_++];
    ++open_;
    std::string name = std::move(session.name);  // their memory
    std::vector<Command> behind = std::move(session.behind);
    name.clear();
    behind.clear();
    session = Session();
    session.client = client;
    session.open = true;
    session.opened = session.active = now;
    session.name = std::move(name);
    session.behind = std::move(behind);
    return static_cast<SessionId>(used_);
  }
  std::int64_t open_count() const { return open_; }
  void closed(Session& session) {
    open_ -= session.open ? 1 : 0;
    session.open = false;
  }
  std::size_t size() const { return used_; }  // ids are 1 .. size()
  Session& operator[](SessionId id) { return sessions_[id - 1]; }
  bool knows(SessionId id) const { return id != 0 && id <= used_; }

  // Arrivals in order, over all sessions.
  void queue(SessionId session, Command command) {
    arrivals_.push_back({session, std::move(command)});
  }
  bool has_arrivals() const { return next_ < arrivals_.size(); }
  Arrival take_arrival() {
    Arrival arrival = std::move(arrivals_[next_++]);
    if (next_ == arrivals_.size()) forget_arrivals();
    return arrival;
  }
  void forget_arrivals() {
    arrivals_.clear();
    next_ = 0;
  }

 private:
  std::vector<Session> sessions_;  // the first used_ are of this run
  std::size_t used_ = 0;
  std::int64_t open_ = 0;
  std::vector<Arrival> arrivals_;
  std::size_t next_ = 0;
};

}  // namespace holdfast::sim::redis
