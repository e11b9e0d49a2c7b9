// ControlPort: a TCP port of 127.0.0.1 on which faults are asked for while a cluster is served. It
// speaks Redis's protocol: `holdfast fault`, redis-cli -p PORT and a plain line all do.
#pragma once

#include <functional>
#include <set>

#include "lockcore/redis_client.h"
#include "scenarios/serve/address.h"

namespace holdfast::serve {

class ControlPort {
 public:
  using Answer = std::function<Reply(const Command&)>;

  ControlPort(uv_loop_t& loop, std::uint16_t port, Answer answer);
  ~ControlPort();  // the loop runs once more afterwards
  ControlPort(const ControlPort&) = delete;
  ControlPort& operator=(const ControlPort&) = delete;

  std::uint16_t port() const { return address_.port(); }

 private:
  class Caller;
  void arrived(uv_stream_t* listener);

  uv_loop_t& loop_;
  Answer answer_;
  std::set<Caller*> callers_;
  Address address_;
};

}  // namespace holdfast::serve
