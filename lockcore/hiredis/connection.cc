#include "lockcore/hiredis/connection.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "lockcore/hiredis/poll_adapter.h"
#include "lockcore/hiredis/reply_conversion.h"
#include "lockcore/hiredis/socket_options.h"
#include "lockcore/task.h"

namespace holdfast::detail {
namespace {

using namespace std::chrono_literals;

constexpr Duration kFirstPause = 5ms;
constexpr Duration kLongestPause = 250ms;
constexpr Duration kConnectPatience = 2s;

std::uint64_t unwritten(const redisAsyncContext& context) {
  return context.c.obuf == nullptr ? 0 : sdslen(context.c.obuf);
}

CallResult failure(Known known, std::string_view text) { return {known, Reply::error(text)}; }

}  // namespace

std::shared_ptr<Connection> Connection::open(LoopCore& loop, Endpoint endpoint) {
  auto connection = std::make_shared<Connection>(loop, std::move(endpoint));
  connection->start();
  return connection;
}

Connection::Connection(LoopCore& loop, Endpoint endpoint)
    : loop_(loop), endpoint_(std::move(endpoint)) {}

Connection::~Connection() { close(); }

void Connection::start() {
  loop_.cancel(attempt_);
  redisAsyncContext* const context = endpoint_.unix_path.empty()
                                         ? redisAsyncConnect(endpoint_.host.c_str(), endpoint_.port)
                                         : redisAsyncConnectUnix(endpoint_.unix_path.c_str());
  if (context == nullptr) return retry_later("out of memory");
  if (context->err != 0) {
    const std::string why = context->errstr;
    redisAsyncFree(context);
    return retry_later(why);
  }
  context->data = this;
  const auto tell_gone = [this](redisAsyncContext* freed) { gone(freed); };
  if (attach(context, loop_.uv(), tell_gone) < 0) {
    redisAsyncFree(context);
    return retry_later("the socket cannot be watched");
  }
  context_ = context;
  appended_ = 0;
  set_socket_options(context->c.fd);
  attempt_ = loop_.at(boottime_now() + kConnectPatience, [this] {
    attempt_ = {};
    last_error_ = "no answer to connect";
    drop_context();
  });
  redisAsyncSetConnectCallback(context, [](const redisAsyncContext* established, int status) {
    // A failure frees the context next, and gone() is told.
    if (status == REDIS_OK) static_cast<Connection*>(established->data)->connected();
  });
}

void Connection::connected() {
  loop_.cancel(attempt_);
  up_ = true;
  ++generation_;
  last_error_.clear();
  // Not from inside hiredis' callback: writing may free the context.
  loop_.soon([self = weak_from_this()] {
    const auto connection = self.lock();
    while (connection && connection->up_ && !connection->waiting_.empty()) {
      const auto request = std::move(connection->waiting_.front());
      connection->waiting_.pop_front();
      connection->hand_over(request);
    }
  });
}

void Connection::retry_later(std::string_view why) {
  last_error_ = why;
  loop_.cancel(attempt_);
  if (closed_) return;
  attempt_ = loop_.at(boottime_now() + pause_, [this] {
    attempt_ = {};
    start();
  });
  pause_ = std::clamp(2 * pause_, kFirstPause, kLongestPause);
}

// hiredis frees the context: because of an error, or because we asked it to.
void Connection::gone(redisAsyncContext* context) {
  const std::uint64_t written = appended_ - unwritten(*context);
  const std::string why = context->c.err != 0 ? context->c.errstr : last_error_;
  context_ = nullptr;
  up_ = false;
  // Half a command is never run, so only what was written whole may have been executed (FID-X1).
  for (const Sent& sent : std::exchange(sent_, {})) {
    Request& request = *sent.request;
    if (request.settled || request.exchange == nullptr) continue;
    const Known known = sent.end <= written ? Known::maybe_executed : Known::not_executed;
    record(request, failure(known, "connection lost: " + why));
    if (request.answered == request.count) settle(sent.request);
  }
  retry_later(why);
}

void Connection::drop_context() {
  if (context_ != nullptr) redisAsyncFree(context_);
}

void Connection::close() noexcept {
  if (std::exchange(closed_, true)) return;
  loop_.cancel(attempt_);
  last_error_ = "closed";
  drop_context();
  for (const auto& request : std::exchange(waiting_, {})) {
    settle_rest(request, Known::not_executed, "connection closed");
  }
}

void Connection::submit(Exchange& exchange) {
  auto request = std::make_shared<Request>();
  request->exchange = &exchange;
  request->count = exchange.commands.size();
  exchange.world = reinterpret_cast<std::uintptr_t>(request.get());
  exchange.pending = true;
  if (closed_) return settle_rest(request, Known::not_executed, "connection closed");
  if (exchange.deadline <= boottime_now()) {
    return settle_rest(request, Known::not_executed, "not sent: the deadline had passed");
  }
  request->deadline = loop_.at(exchange.deadline, [this, request] { expired(request); });
  if (up_ && waiting_.empty()) {
    hand_over(request);
  } else {
    waiting_.push_back(std::move(request));
  }
}

// Gives the commands to hiredis and writes at once, so that a client which is stopped right after
// submit() has its request in flight.
void Connection::hand_over(const std::shared_ptr<Request>& request) {
  std::vector<const char*> arguments;
  std::vector<std::size_t> lengths;
  const auto on_reply = [](redisAsyncContext* context, void* reply, void*) {
    // Without a reply the context is being freed; gone() settles all that is open.
    if (reply == nullptr || context->data == nullptr) return;
    static_cast<Connection*>(context->data)->replied(*static_cast<const redisReply*>(reply));
  };
  for (const Command& command : request->exchange->commands) {
    arguments.clear();
    lengths.clear();
    for (std::size_t i = 0; i < command.size(); ++i) {
      arguments.push_back(command[i].data());
      lengths.push_back(command[i].size());
    }
    const std::uint64_t before = unwritten(*context_);
    const int result =
        redisAsyncCommandArgv(context_, on_reply, nullptr, static_cast<int>(command.size()),
                              arguments.data(), lengths.data());
    if (result != REDIS_OK) break;
    appended_ += unwritten(*context_) - before;
    sent_.push_back({request, appended_});
  }
  redisAsyncHandleWrite(context_);  // may lose the connection: then gone() has run
}

void Connection::replied(const redisReply& reply) {
  if (sent_.empty()) return;
  pause_ = {};  // not at connect: a server that is full accepts and closes
  const Sent sent = std::move(sent_.front());
  sent_.pop_front();
  Request& request = *sent.request;
  if (request.exchange != nullptr && !request.settled) {
    record(request, classify(convert(reply)));
    if (request.answered == request.count) settle(sent.request);
  } else if (request.late.listener != nullptr) {
    loop_.soon([late = request.late, result = classify(convert(reply))] {
      late.listener->on_late(late.tag, result);
    });
  }
}

void Connection::record(Request& request, CallResult result) {
  request.exchange->results[request.answered++] = std::move(result);
}

// All results are there: the coroutine goes on as an event of its own.
void Connection::settle(const std::shared_ptr<Request>& request) {
  loop_.cancel(request->deadline);
  request->settled = true;
  loop_.soon([request] {
    Exchange* const exchange = std::exchange(request->exchange, nullptr);
    if (exchange == nullptr) return;  // abandoned in the meantime
    exchange->pending = false;
    resume(exchange->waiting);
  });
}

void Connection::settle_rest(const std::shared_ptr<Request>& request, Known known,
                             const std::string& text) {
  while (request->answered < request->count) record(*request, failure(known, text));
  settle(request);
}

void Connection::expired(const std::shared_ptr<Request>& request) {
  request->deadline = {};
  const auto queued = std::find(waiting_.begin(), waiting_.end(), request);
  if (queued != waiting_.end()) {
    waiting_.erase(queued);
    settle_rest(request, Known::not_executed, "not connected before the deadline: " + last_error_);
    return;
  }
  request->late = request->exchange->late;
  settle_rest(request, Known::maybe_executed, "no answer before the deadline");
}

void Connection::abandon(Exchange& exchange) noexcept {
  const auto of_this_exchange = [&exchange](const auto& entry) {
    return entry->exchange == &exchange;
  };
  // NOLINTNEXTLINE(performance-no-int-to-ptr): a number is what the lock core keeps for its worlds
  auto* const request = reinterpret_cast<Request*>(static_cast<std::uintptr_t>(exchange.world));
  exchange.pending = false;
  loop_.cancel(request->deadline);
  const auto queued = std::find_if(waiting_.begin(), waiting_.end(), of_this_exchange);
  request->exchange = nullptr;
  if (queued != waiting_.end()) waiting_.erase(queued);
}

}  // namespace holdfast::detail
