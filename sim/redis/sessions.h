// Sessions: the client connections of one server, and what has arrived but not yet been executed.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "lockcore/redis_client.h"
#include "sim/redis/server.h"

namespace holdfast::sim::redis {

struct Session {
  history::ActorId client = 0;
  bool open = false;
  bool blocked = false;  // by WAIT; what arrives meanwhile queues behind it
  bool resp3 = false;    // HELLO 3
  int database = 0;
  std::int64_t replicated_up_to = 0;  // replication offset after its last command (FID-W1)
  std::string name = {};              // CLIENT SETNAME
  std::vector<Command> behind = {};
};

struct Arrival {
  SessionId session = 0;
  Command command;
};

class Sessions {
 public:
  void reset() {
    used_ = 0;
    arrivals_.clear();
    next_ = 0;
  }

  SessionId open(history::ActorId client) {
    if (used_ == sessions_.size()) sessions_.emplace_back();
    Session& session = sessions_[used_++];
    session.client = client;
    session.open = true;
    session.blocked = false;
    session.resp3 = false;
    session.database = 0;
    session.replicated_up_to = 0;
    session.name.clear();
    session.behind.clear();
    return static_cast<SessionId>(used_);
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
  std::vector<Arrival> arrivals_;
  std::size_t next_ = 0;
};

}  // namespace holdfast::sim::redis
