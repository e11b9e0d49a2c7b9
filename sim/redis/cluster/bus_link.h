// BusLink: the connection that one node of a cluster has opened to the bus of another.
#pragma once

#include <cstdint>
#include <string>

#include "sim/connection.h"
#include "sim/redis/cluster/layout.h"

namespace holdfast::sim::redis {

class Cluster;

// What a message on the bus is as a command. Clients cannot send it: its session must be a node's.
inline constexpr std::string_view kBusWord =
    "\x01"
    "bus";

class BusLink final : public Caller {
 public:
  BusLink(Cluster& cluster, MemberId to) : cluster_(cluster), to_(to) {}
  BusLink(const BusLink&) = delete;
  BusLink& operator=(const BusLink&) = delete;

  bool is_open() const { return connection_ != nullptr; }  // or being opened
  bool is_up() const { return is_up_; }
  std::int64_t opened_ms() const { return opened_ms_; }
  void open();
  void send(const std::string& message);
  void close();
  void forget();  // the network is gone
  void read();    // what has arrived, unless the node is stopped: then it is read when it goes on

  // -- Caller
  void arrived() override {
    ++arrived_;
    read();
  }
  void unread_is_gone() override { arrived_ = 0; }

 private:
  void take_one();

  Cluster& cluster_;
  const MemberId to_;
  Connection* connection_ = nullptr;
  bool is_up_ = false;
  std::size_t arrived_ = 0;
  std::int64_t opened_ms_ = 0;
};

}  // namespace holdfast::sim::redis
