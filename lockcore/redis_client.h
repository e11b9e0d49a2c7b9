// RedisClient: one ordered connection to one Redis node, as the lock core sees it.
#pragma once

#include <array>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lockcore/time.h"

namespace holdfast {

// A Redis command: its arguments in one flat buffer. A usual one costs one allocation.
class Command {
 public:
  Command() = default;
  Command(std::initializer_list<std::string_view> arguments) {
    std::size_t bytes = 0;
    for (auto argument : arguments) bytes += argument.size();
    bytes_.reserve(bytes);
    for (auto argument : arguments) add(argument);
  }
  Command(const Command&) = default;
  Command& operator=(const Command&) = default;
  Command(Command&& other) noexcept
      : bytes_(std::move(other.bytes_)),
        ends_(other.ends_),
        more_ends_(std::move(other.more_ends_)) {
    size_ = std::exchange(other.size_, 0);
    other.clear();
  }
  Command& operator=(Command&& other) noexcept {
    if (this == &other) return *this;
    bytes_ = std::move(other.bytes_);
    ends_ = other.ends_;
    more_ends_ = std::move(other.more_ends_);
    size_ = other.size_;
    other.clear();
    return *this;
  }
  ~Command() = default;

  Command& add(std::string_view argument) {
    bytes_.append(argument);
    const auto end = static_cast<std::uint32_t>(bytes_.size());
    if (size_ < kInPlace) {
      ends_[size_] = end;
    } else {
      more_ends_.push_back(end);
    }
    ++size_;
    return *this;
  }
  Command& add(std::int64_t number) { return add(std::to_string(number)); }
  void reserve(std::size_t bytes) { bytes_.reserve(bytes); }

  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  std::string_view operator[](std::size_t index) const noexcept {
    const std::uint32_t begin = index == 0 ? 0 : end_of(index - 1);
    return std::string_view(bytes_).substr(begin, end_of(index) - begin);
  }
  void clear() noexcept {
    bytes_.clear();
    more_ends_.clear();
    size_ = 0;
  }
  friend bool operator==(const Command& left, const Command& right) noexcept {
    if (left.size_ != right.size_ || left.bytes_ != right.bytes_) return false;
    for (std::size_t index = 0; index < left.size_; ++index) {
      if (left.end_of(index) != right.end_of(index)) return false;
    }
    return true;
  }

 private:
  static constexpr std::size_t kInPlace = 12;  // arguments whose ends need no allocation
  std::uint32_t end_of(std::size_t index) const noexcept {
    return index < kInPlace ? ends_[index] : more_ends_[index - kInPlace];
  }

  std::string bytes_;
  std::array<std::uint32_t, kInPlace> ends_ = {};
  std::vector<std::uint32_t> more_ends_;
  std::size_t size_ = 0;
};

struct Reply {
  // Beyond array: RESP2's second null ("*-1"), and what RESP3 adds: a client that has not asked for
  // RESP3 meets none of it.
  enum class Type : std::uint8_t {
    nil,
    status,
    error,
    integer,
    bulk,
    array,
    null_array,
    null,  // "_"
    map,   // elements: key, value, key, value ...
    set,
    push,  // not the answer to a command
    real,
    boolean,
    verbatim,  // plain text ("txt")
  };
  Type type = Type::nil;
  std::int64_t integer = 0;          // integer; boolean: 0 or 1
  std::string text = {};             // status, error (with its code, without '-'), bulk, verbatim;
                                     // real: as it is written
  std::vector<Reply> elements = {};  // array, map, set, push

  static Reply status(std::string_view text) { return {Type::status, 0, std::string(text), {}}; }
  static Reply error(std::string_view text) { return {Type::error, 0, std::string(text), {}}; }
  static Reply number(std::int64_t value) { return {Type::integer, value, {}, {}}; }
  static Reply bulk(std::string_view text) { return {Type::bulk, 0, std::string(text), {}}; }
  static Reply array(std::vector<Reply> elements) {
    return {Type::array, 0, {}, std::move(elements)};
  }

  bool is_nil() const noexcept {
    return type == Type::nil || type == Type::null_array || type == Type::null;
  }
  bool is_ok() const noexcept { return type == Type::status && text == "OK"; }
  bool is_error() const noexcept { return type == Type::error; }
  bool is_integer(std::int64_t value) const noexcept {
    return type == Type::integer && integer == value;
  }
  friend bool operator==(const Reply&, const Reply&) = default;
};

// What is known about a command after a call. Unknown is a value of its own: a timed-out SET is
// neither "held" nor "free".
enum class Known : std::uint8_t {
  answered,        // `reply` is what the node said; it is not an error
  not_executed,    // refused before dispatch: reply.text is the error (LOADING, READONLY, ...)
  maybe_executed,  // timed out, connection lost, or an error inside a script (no rollback there)
};

struct CallResult {
  Known known = Known::maybe_executed;
  Reply reply = {};  // for the other two an error reply whose text says why

  bool answered() const noexcept { return known == Known::answered; }
};

// Sorts an answer into Known: an error reply is not_executed when its code is on the fixed list
// (NOSCRIPT, LOADING, READONLY, BUSY, MOVED, ASK, NOAUTH, CLUSTERDOWN, MASTERDOWN, and without the
// suffix of a running script NOREPLICAS, OOM, MISCONF, ERR, WRONGTYPE), else maybe_executed.
CallResult classify(Reply reply);

// Whether the text of a call that was not executed is a refusal of the node's (those begin with a
// code in capitals) or a world's own reason why nothing got there (those do not).
bool said_by_redis(std::string_view text);

// Told of a reply that came after its call had been abandoned at the deadline. `tag` is the
// caller's. Not called when the connection died: then nothing more is known.
class LateListener {
 public:
  virtual ~LateListener() = default;
  virtual void on_late(std::uint32_t tag, const CallResult& result) = 0;
};
struct LateReply {
  std::shared_ptr<LateListener> listener = nullptr;
  std::uint32_t tag = 0;
};

class RedisClient;

// One or more commands sent together (nothing interleaves on the connection) and the coroutine that
// waits for their replies. Awaited through Call and Pipeline below.
struct Exchange {
  std::span<Command> commands;    // the client may move them away in submit()
  std::span<CallResult> results;  // as many as commands; filled before `waiting` is resumed
  Instant deadline;
  LateReply late;  // told of each reply that comes after the deadline, in order
  std::coroutine_handle<> waiting = nullptr;
  std::uint64_t world = 0;  // for the client that took it
  bool pending = false;     // cleared by the client before it resumes `waiting`
};

class RedisClient {
 public:
  RedisClient() = default;
  RedisClient(const RedisClient&) = delete;
  RedisClient& operator=(const RedisClient&) = delete;
  virtual ~RedisClient() = default;

  // Sends the exchange's commands in order behind everything submitted before. Resumes
  // exchange.waiting (as an event of its own) when all replies are in, when the connection is lost,
  // or at the deadline, whichever comes first. At the deadline the call is abandoned, not the
  // connection: the replies stay owed, are consumed by position and go to `late`.
  virtual void submit(Exchange& exchange) = 0;
  // The waiting coroutine is being destroyed: forget it. What was sent stays sent.
  virtual void abandon(Exchange& exchange) noexcept = 0;
  // Grows with each reconnect; 0 before the first connection is up.
  virtual std::uint64_t generation() const noexcept = 0;
  // Closes the connection; what is unsent is not sent.
  virtual void close() noexcept = 0;
};

// co_await Call(client, command, deadline[, late]) -> CallResult
class Call {
 public:
  Call(RedisClient& client, Command command, Instant deadline, LateReply late)
      : client_(client), command_(std::move(command)) {
    exchange_.commands = {&command_, 1};
    exchange_.results = {&result_, 1};
    exchange_.deadline = deadline;
    exchange_.late = std::move(late);
  }
  Call(RedisClient& client, Command command, Instant deadline)
      : Call(client, std::move(command), deadline, LateReply()) {}
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  ~Call() {
    if (exchange_.pending) client_.abandon(exchange_);
  }
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> coroutine) {
    exchange_.waiting = coroutine;
    client_.submit(exchange_);
  }
  CallResult await_resume() noexcept { return std::move(result_); }

 private:
  RedisClient& client_;
  Command command_;
  CallResult result_;
  Exchange exchange_;
};

// co_await Pipeline(client, commands, deadline[, late]) -> std::vector<CallResult>
class Pipeline {
 public:
  Pipeline(RedisClient& client, std::vector<Command> commands, Instant deadline, LateReply late)
      : client_(client), commands_(std::move(commands)), results_(commands_.size()) {
    exchange_.commands = commands_;
    exchange_.results = results_;
    exchange_.deadline = deadline;
    exchange_.late = std::move(late);
  }
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;
  ~Pipeline() {
    if (exchange_.pending) client_.abandon(exchange_);
  }
  bool await_ready() const noexcept { return commands_.empty(); }
  void await_suspend(std::coroutine_handle<> coroutine) {
    exchange_.waiting = coroutine;
    client_.submit(exchange_);
  }
  std::vector<CallResult> await_resume() noexcept { return std::move(results_); }

 private:
  RedisClient& client_;
  std::vector<Command> commands_;
  std::vector<CallResult> results_;
  Exchange exchange_;
};

}  // namespace holdfast
