// Address: a TCP port of 127.0.0.1 at which clients reach one node, and what the faults have done
// to the way there.
#pragma once

#include <uv.h>

#include <cstdint>
#include <functional>
#include <string>

#include "lockcore/time.h"
#include "reports/history/event.h"

namespace holdfast::serve {

// One direction between the clients of an address and its node.
struct Way {
  bool held = false;
  Duration delay{};
};

class Address {
 public:
  // Takes the port (0: a free one) and keeps it, whether or not it listens. `arrived` is told of
  // each connection that waits to be accepted. Throws std::system_error when the port is taken.
  Address(uv_loop_t& loop, std::string name, history::NodeId node, std::uint16_t port,
          std::function<void(uv_stream_t*)> arrived);
  // The loop runs once more afterwards, for the socket to close.
  ~Address();
  Address(const Address&) = delete;
  Address& operator=(const Address&) = delete;

  const std::string& name() const { return name_; }
  std::uint16_t port() const { return port_; }
  // Not listening, it refuses connections as a machine without the process does.
  void listen(bool on);

  history::NodeId node;  // behind it at present
  Way to_server, to_client;
  bool refused = false;
  std::uint32_t replies_to_drop = 0;  // so many of the next ones, of all its clients
  bool then_reset = false;            // the connection of the last of them

 private:
  void bind();
  void close();

  uv_loop_t& loop_;
  std::string name_;
  std::uint16_t port_;
  std::function<void(uv_stream_t*)> arrived_;
  uv_tcp_t* socket_ = nullptr;
  bool listening_ = false;
};

}  // namespace holdfast::serve
