// Connection: RedisClient on hiredis' asynchronous API. Internal to this folder.
//
// hiredis 0.14 knows no deadlines for asynchronous calls, so they are our own timers: a call that
// is given up keeps its place in the order of replies, and what comes for it goes to its LateReply.
// Commands reach hiredis only while the connection is up; what waits for a connection has therefore
// certainly not been sent.
#pragma once

#include <hiredis/async.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>

#include "lockcore/env.h"
#include "lockcore/hiredis/loop_core.h"
#include "lockcore/redis_client.h"

namespace holdfast::detail {

class Connection final : public RedisClient, public std::enable_shared_from_this<Connection> {
 public:
  // `loop` outlives the connection. Starts to connect at once, in the background.
  static std::shared_ptr<Connection> open(LoopCore& loop, Endpoint endpoint);
  Connection(LoopCore& loop, Endpoint endpoint);
  ~Connection() override;

  // An exchange whose deadline has passed already is not sent: not_executed.
  void submit(Exchange& exchange) override;
  void abandon(Exchange& exchange) noexcept override;
  std::uint64_t generation() const noexcept override { return generation_; }
  void close() noexcept override;
  bool closed() const noexcept { return closed_; }

 private:
  // An exchange until its coroutine has been resumed and its last reply has come.
  struct Request {
    Exchange* exchange = nullptr;  // null once resumed or abandoned
    LateReply late;                // set at the deadline
    LoopCore::Key deadline;
    std::size_t answered = 0;  // results[0..answered) are final
    std::size_t count = 0;
    bool settled = false;  // resumption is queued
  };
  // A command in hiredis' hands; `end` is the position in the stream of all bytes of this context.
  struct Sent {
    std::shared_ptr<Request> request;
    std::uint64_t end = 0;
  };

  void start();
  void connected();
  void retry_later(std::string_view why);
  void gone(redisAsyncContext* context);
  void drop_context();

  void hand_over(const std::shared_ptr<Request>& request);
  void replied(const redisReply& reply);
  void record(Request& request, CallResult result);
  void settle(const std::shared_ptr<Request>& request);
  void settle_rest(const std::shared_ptr<Request>& request, Known known, const std::string& text);
  void expired(const std::shared_ptr<Request>& request);

  LoopCore& loop_;
  Endpoint endpoint_;
  redisAsyncContext* context_ = nullptr;
  bool up_ = false;
  bool closed_ = false;
  std::uint64_t generation_ = 0;
  std::uint64_t appended_ = 0;  // bytes given to this context
  Duration pause_{};            // before the next attempt to connect
  LoopCore::Key attempt_;       // the next attempt, or the end of the present one
  std::string last_error_ = "not connected yet";
  std::deque<Sent> sent_;                         // oldest first; hiredis answers in this order
  std::deque<std::shared_ptr<Request>> waiting_;  // for the connection
};

}  // namespace holdfast::detail
