// Inbox: what a master has sent to one replica and the replica has not yet read: in flight, or in
// its socket buffer. Messages keep their memory.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "lockcore/redis_client.h"
#include "sim/redis/databases.h"
#include "sim/true_time.h"

namespace holdfast::sim::redis {

struct Message {
  enum class Kind : std::uint8_t {
    effects,   // one unit of the stream
    resume,    // +CONTINUE and what the replica has missed
    snapshot,  // +FULLRESYNC and the whole data set
  };
  Kind kind = Kind::effects;
  TrueTime arrival{};
  std::string replid;               // resume, snapshot
  std::int64_t offset = 0;          // snapshot: the stream goes on behind it
  std::unique_ptr<Databases> keys;  // snapshot
  int database = 0;                 // snapshot: the stream behind it is about this one
  std::vector<Command> commands;    // effects, resume; the first `count` are in use
  std::size_t count = 0;

  void add(const Command& command) {
    if (count == commands.size()) commands.emplace_back();
    commands[count++] = command;
  }
};

class Inbox {
 public:
  bool empty() const { return first_ == end_; }
  Message& front() { return messages_[first_]; }
  Message& add(Message::Kind kind, TrueTime arrival) {
    if (end_ == messages_.size()) messages_.emplace_back();
    Message& message = messages_[end_++];
    message.kind = kind;
    message.arrival = arrival;
    message.count = 0;
    return message;
  }
  Message& back() { return messages_[end_ - 1]; }
  void pop() {
    if (++first_ == end_) clear();
  }
  void clear() { first_ = end_ = 0; }
  bool has_handshake() const {
    for (std::size_t i = first_; i < end_; ++i) {
      if (messages_[i].kind != Message::Kind::effects) return true;
    }
    return false;
  }

 private:
  std::vector<Message> messages_;
  std::size_t first_ = 0;
  std::size_t end_ = 0;
};

}  // namespace holdfast::sim::redis
