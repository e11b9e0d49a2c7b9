#include "scenarios/live/resp_scanner.h"

#include <charconv>

namespace holdfast::live {

std::size_t RespScanner::scan(std::string_view bytes) {
  while (open_ > 0) {
    if (step(bytes)) continue;
    return malformed_ ? kMalformed : 0;
  }
  const std::size_t length = position_;
  *this = RespScanner();
  return length;
}

bool RespScanner::take_line(std::string_view bytes, std::string_view& line) {
  const auto end = bytes.find("\r\n", position_);
  if (end == std::string_view::npos) return false;
  line = bytes.substr(position_, end - position_);
  return true;
}

// One value, or the head of one with elements. False: more bytes are needed, or it is malformed.
bool RespScanner::step(std::string_view bytes) {
  std::string_view line;
  if (!take_line(bytes, line)) return false;
  const std::size_t after_line = position_ + line.size() + 2;
  const char type = line.empty() ? '\0' : line.front();
  const bool sized = type == '$' || type == '=' || type == '!';
  const bool nested = type == '*' || type == '~' || type == '>' || type == '%';
  if (!sized && !nested) {  // a line of its own: status, error, number, or an inline request
    position_ = after_line;
    --open_;
    return true;
  }
  std::int64_t count = 0;
  const auto parsed = std::from_chars(line.data() + 1, line.data() + line.size(), count);
  if (parsed.ec != std::errc() || parsed.ptr != line.data() + line.size() || count < -1) {
    malformed_ = true;
    return false;
  }
  const auto size = static_cast<std::uint64_t>(count < 0 ? 0 : count);
  if (sized) {
    const std::size_t end = after_line + (count < 0 ? 0 : size + 2);
    if (bytes.size() < end) return false;
    position_ = end;
    --open_;
  } else {
    position_ = after_line;
    open_ += (type == '%' ? 2 * size : size) - 1;
  }
  return true;
}

}  // namespace holdfast::live
