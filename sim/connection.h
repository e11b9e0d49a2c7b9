// Connection: one TCP connection between a client process and a server: an ordered stream of
// messages each way. What it carries is moved through it; its memory is used again.
#pragma once

#include <cstdint>

#include "lockcore/redis_client.h"
#include "reports/history/event.h"
#include "sim/kernel.h"
#include "sim/redis/server.h"
#include "sim/ring.h"
#include "sim/true_time.h"

namespace holdfast::sim {

struct Link;

// Whoever opened a connection.
class Caller {
 public:
  virtual void arrived() = 0;         // a message can be read
  virtual void unread_is_gone() = 0;  // a reset: what had arrived and was not read

 protected:
  ~Caller() = default;
};

struct Request {
  enum class Kind : std::uint8_t { connect, command, close };
  TrueTime due{};
  Kind kind = Kind::command;
  bool through_cuts = false;
  Command command = {};
};

struct Response {
  enum class Kind : std::uint8_t {
    accepted,
    refused,
    reply,
    push,    // beside the answers
    closed,  // reply.text says why
  };
  TrueTime due{};
  Kind kind = Kind::reply;
  bool through_cuts = false;
  Reply reply = {};
};

// Messages in flight, then those that have arrived and were not yet read, oldest first.
template <class Message>
class Stream {
 public:
  bool in_flight() const { return arrived_ < messages_.size(); }
  Message& next_in_flight() { return messages_[arrived_]; }
  void arrive() { ++arrived_; }
  bool empty() const { return messages_.empty(); }
  std::size_t size() const { return messages_.size(); }
  Message& operator[](std::size_t index) { return messages_[index]; }

  // Not before what was sent earlier.
  void push(Message&& message) {
    if (message.due < last_due_) message.due = last_due_;
    last_due_ = message.due;
    messages_.push_back(std::move(message));
  }
  Message take() {  // the oldest that has arrived
    --arrived_;
    return messages_.pop_front();
  }
  void truncate(std::size_t size) {
    messages_.truncate(size);
    if (arrived_ > size) arrived_ = size;
    if (size == 0) last_due_ = TrueTime{};
  }
  void clear() { truncate(0); }

  EventId event = {};  // of next_in_flight()

 private:
  Ring<Message> messages_;
  std::size_t arrived_ = 0;
  TrueTime last_due_{};
};

struct Connection {
  std::uint32_t index = 0;      // in its pool
  Link* link = nullptr;         // null: not in use
  Caller* client = nullptr;     // null: the client closed it or is gone
  history::NodeId address = 0;  // what the client asked for
  SessionId session = 0;        // 0: not accepted yet, or the server's side is over
  bool server_done = false;     // nothing more will happen at the server
  bool silent = false;          // nothing more is told: a reset is on its way
  bool mute = false;  // a reply was lost: none after it is delivered, a stream has no gaps
  Stream<Request> requests;
  Stream<Response> responses;
};

}  // namespace holdfast::sim
