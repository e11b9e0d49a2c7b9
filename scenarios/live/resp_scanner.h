// RespScanner: finds where messages end in a stream of Redis requests or replies, without decoding
// what is in them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace holdfast::live {

class RespScanner {
 public:
  static constexpr std::size_t kMalformed = static_cast<std::size_t>(-1);

  // `bytes` begins where the message before ended. The length of the first message, 0 while it is
  // not complete, or kMalformed. Asked again with more bytes it goes on where it stopped.
  std::size_t scan(std::string_view bytes);

 private:
  bool step(std::string_view bytes);
  bool take_line(std::string_view bytes, std::string_view& line);

  std::size_t position_ = 0;
  std::uint64_t open_ = 1;  // values that the message still lacks
  bool malformed_ = false;
};

}  // namespace holdfast::live
