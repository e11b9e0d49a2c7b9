// CallRecord: what a client process remembers of one exchange until its coroutine goes on and its
// last reply has come.
#pragma once

#include <cstdint>
#include <string_view>

#include "lockcore/env.h"
#include "lockcore/redis_client.h"

namespace holdfast::sim {

class SimRedisClient;

struct CallRecord {
  Exchange* exchange = nullptr;  // null: the coroutine went on, or is gone
  LateReply late = {};           // set at the deadline
  std::uint32_t generation = 0;  // of this slot
  std::uint32_t alarm = 0;       // of the deadline, plus one; 0: none
  std::uint32_t replies = 0;     // expected
  std::uint32_t answered = 0;    // of them
  Lane lane = Lane::caller;
  bool settled = false;  // the results are final
  bool owed = false;     // in its client's list

  // Fills all results from the first unanswered one on.
  void fill(Known known, std::string_view text) {
    for (std::size_t i = answered; i < exchange->results.size(); ++i) {
      exchange->results[i] = {known, Reply::error(text)};
    }
    settled = true;
  }
};

}  // namespace holdfast::sim
