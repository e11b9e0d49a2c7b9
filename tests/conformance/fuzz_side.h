// One of the two servers that the fuzzer compares: a master with a replica, both clocks frozen but
// for the steps, no active expiry.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "lockcore/redis_client.h"
#include "tests/conformance/fuzz_sequence.h"

namespace holdfast::conformance {

class Side {
 public:
  Side() = default;
  Side(const Side&) = delete;
  Side& operator=(const Side&) = delete;
  virtual ~Side() = default;

  // Empty servers, fresh connections, the clocks at the frozen epoch.
  virtual void begin() = 0;
  virtual void send(int connection, std::span<const Command> commands) = 0;
  // What has come on the connection and was not taken: at least `wanted` replies, or fewer when no
  // more come. A closed connection is told as an error reply.
  virtual std::vector<Reply> take(int connection, std::size_t wanted) = 0;
  // All that was sent has been read by the server, and blocked clients whose time is over know.
  virtual void settle() = 0;
  virtual void step_clocks(Duration by) = 0;
  virtual void wait_for_replica() = 0;
};

std::unique_ptr<Side> simulated_side();
// `server`: the path of a redis-server, or empty for the one that is installed.
std::unique_ptr<Side> real_side(const std::string& server);

}  // namespace holdfast::conformance
