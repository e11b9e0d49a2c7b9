// RealConnection: a client's TCP connection to a real server, whose replies are read one by one
// without losing the connection when none comes.
#pragma once

#include <cstdint>
#include <string_view>

#include "lockcore/redis_client.h"
#include "tests/conformance/lab.h"
#include "tests/conformance/resp_reader.h"

namespace holdfast::conformance {

class RealConnection {
 public:
  explicit RealConnection(std::uint16_t port);  // of 127.0.0.1; see connected()
  ~RealConnection();
  RealConnection(const RealConnection&) = delete;
  RealConnection& operator=(const RealConnection&) = delete;

  bool connected() const { return socket_ >= 0; }
  // Whether all of it could be sent.
  bool send(std::string_view bytes);
  Answer receive(Duration patience);
  void reset();  // RST instead of FIN when it is destroyed

 private:
  int socket_ = -1;
  RespReader reader_;
};

}  // namespace holdfast::conformance
