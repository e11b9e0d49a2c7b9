// The text of MONITOR: arguments are quoted and escaped as by sdscatrepr of Redis.
#include <charconv>
#include <system_error>

#include "scenarios/live/monitor.h"

namespace holdfast::live {
namespace {

// Takes text from the front of a line.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  bool at_end() const { return text_.empty(); }
  bool take(char wanted) {
    if (text_.empty() || text_.front() != wanted) return false;
    text_.remove_prefix(1);
    return true;
  }
  std::optional<std::int64_t> number() {
    std::int64_t value = 0;
    const auto parsed = std::from_chars(text_.data(), text_.data() + text_.size(), value);
    if (parsed.ec != std::errc()) return std::nullopt;
    text_.remove_prefix(static_cast<std::size_t>(parsed.ptr - text_.data()));
    return value;
  }
  // Up to and without the last ']' that is followed by a space: the path of a unix socket may hold
  // others.
  std::optional<std::string> client() {
    const auto end = text_.find("] ");
    if (end == std::string_view::npos) return std::nullopt;
    std::string result(text_.substr(0, end));
    text_.remove_prefix(end + 2);
    return result;
  }
  std::optional<std::string> quoted() {
    if (!take('"')) return std::nullopt;
    std::string result;
    while (!text_.empty()) {
      const char c = text_.front();
      text_.remove_prefix(1);
      if (c == '"') return result;
      if (c != '\\') {
        result.push_back(c);
      } else if (const auto escaped = after_backslash()) {
        result.push_back(*escaped);
      } else {
        return std::nullopt;
      }
    }
    return std::nullopt;
  }

 private:
  std::optional<char> after_backslash() {
    if (text_.empty()) return std::nullopt;
    const char c = text_.front();
    text_.remove_prefix(1);
    switch (c) {
      case 'n':
        return '\n';
      case 'r':
        return '\r';
      case 't':
        return '\t';
      case 'a':
        return '\a';
      case 'b':
        return '\b';
      case 'x':
        return hexadecimal();
      default:
        return c;  // a backslash or a quotation mark
    }
  }
  std::optional<char> hexadecimal() {
    unsigned value = 0;
    if (text_.size() < 2) return std::nullopt;
    const auto parsed = std::from_chars(text_.data(), text_.data() + 2, value, 16);
    if (parsed.ec != std::errc() || parsed.ptr != text_.data() + 2) return std::nullopt;
    text_.remove_prefix(2);
    return static_cast<char>(static_cast<unsigned char>(value));
  }

  std::string_view text_;
};

}  // namespace

std::optional<MonitorLine> parse_monitor_line(std::string_view line) {
  Reader reader(line);
  MonitorLine result;
  const auto seconds = reader.number();
  if (!seconds || !reader.take('.')) return std::nullopt;
  const auto microseconds = reader.number();
  if (!microseconds || !reader.take(' ') || !reader.take('[')) return std::nullopt;
  const auto database = reader.number();
  if (!database || !reader.take(' ')) return std::nullopt;
  auto client = reader.client();
  if (!client) return std::nullopt;
  result.server_time =
      WallInstant(std::chrono::seconds(*seconds) + std::chrono::microseconds(*microseconds));
  result.database = static_cast<int>(*database);
  result.client = *std::move(client);
  do {
    auto argument = reader.quoted();
    if (!argument) return std::nullopt;
    result.arguments.push_back(*std::move(argument));
  } while (reader.take(' '));
  if (!reader.at_end()) return std::nullopt;
  return result;
}

}  // namespace holdfast::live
