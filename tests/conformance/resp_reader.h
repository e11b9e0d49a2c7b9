// RespReader: the replies in a stream of bytes, RESP2 and RESP3.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "lockcore/redis_client.h"

namespace holdfast::conformance {

class RespReader {
 public:
  void feed(std::string_view bytes) { bytes_.append(bytes); }
  // The next whole reply; nothing while it is not complete.
  std::optional<Reply> next();
  bool malformed() const { return malformed_; }

 private:
  bool read(std::size_t& at, Reply& reply);
  bool line(std::size_t& at, std::string_view& text);
  bool number(std::string_view text, std::int64_t& value);
  bool blob(std::size_t& at, std::string_view header, Reply& reply);
  bool elements(std::size_t& at, std::int64_t count, Reply::Type type, Reply& reply);

  std::string bytes_;
  std::size_t taken_ = 0;
  bool malformed_ = false;
};

}  // namespace holdfast::conformance
