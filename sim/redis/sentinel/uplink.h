// Uplink: one connection that a sentinel has opened to another node, as hiredis gives it: commands
// can be sent from the first moment on, and answers are matched by position.
#pragma once

#include <cstdint>

#include "sim/connection.h"
#include "sim/ring.h"

namespace holdfast::sim::redis {

class Sentinel;
struct Monitored;

// What an answer is for.
enum class Asked : std::uint8_t { nothing, other, ping, info, publish, master_down };

class Uplink final : public Caller {
 public:
  Uplink(Sentinel& sentinel, Monitored& target) : sentinel_(sentinel), target_(target) {}
  Uplink(const Uplink&) = delete;
  Uplink& operator=(const Uplink&) = delete;

  bool is_open() const { return connection_ != nullptr; }
  void open();  // it stays closed when the target's address leads nowhere
  void send(Command command, Asked asked);
  void close();
  // What has arrived, unless the sentinel is stopped: then it is read when it goes on.
  void read();

  // -- Caller
  void arrived() override {
    ++arrived_;
    read();
  }
  void unread_is_gone() override { arrived_ = 0; }

 private:
  void take_message();
  void lost();

  Sentinel& sentinel_;
  Monitored& target_;
  Connection* connection_ = nullptr;
  std::size_t arrived_ = 0;
  Ring<Asked> owed_;
};

}  // namespace holdfast::sim::redis
