// RequestParser: Redis requests out of a stream of bytes, in pieces of any size, as redis-server
// 7.0 reads them: arrays of bulk strings and inline lines, with its limits and its protocol errors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "lockcore/redis_client.h"

namespace holdfast::serve {

class RequestParser {
 public:
  static constexpr std::size_t kLongestLine = std::size_t{64} << 10;  // inline, counts, lengths
  static constexpr std::int64_t kLongestBulk = 512LL * 1024 * 1024;   // proto-max-bulk-len
  static constexpr std::size_t kMostBytes = std::size_t{1} << 30;     // client-query-buffer-limit

  enum class Result : std::uint8_t {
    command,    // one has been taken; there may be more
    need_more,  // bytes
    malformed,  // error() says why; Redis answers so and closes
    too_much,   // one request beyond kMostBytes; Redis closes without a word
  };

  void append(std::string_view bytes) { buffer_.append(bytes); }
  // Takes the next request that has arguments; empty ones are passed over, as by Redis. After
  // malformed and too_much nothing more is taken.
  Result next(Command& command);
  const std::string& error() const { return error_; }  // "ERR Protocol error: ..."
  bool holds_bytes() const { return position_ < buffer_.size(); }

 private:
  enum class Step : std::uint8_t { done, need_more, malformed };

  Step read_count();
  Step read_inline();
  Step read_bulk();
  struct Number;
  Step read_number(const Number& what, std::int64_t& value);
  std::size_t find_line_end(char end) const;
  Step malformed(std::string_view why);
  Result stop(Step step);
  void forget_what_was_read();

  std::string buffer_;
  std::size_t position_ = 0;       // read so far
  std::int64_t open_ = 0;          // bulk strings that the request still lacks
  std::int64_t bulk_length_ = -1;  // of the one under way; -1: not known yet
  Command command_;
  std::size_t taken_ = 0;  // bytes of command_
  std::string error_;
};

}  // namespace holdfast::serve
