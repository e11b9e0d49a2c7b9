#include "scenarios/serve/request_parser.h"

#include <limits>
#include <utility>

#include "sim/redis/integer_text.h"
#include "sim/redis/split_words.h"

namespace holdfast::serve {
namespace {

constexpr std::size_t kNotFound = std::string_view::npos;
constexpr std::size_t kKeptCapacity = std::size_t{16} << 10;  // of a connection that is quiet

}  // namespace

RequestParser::Result RequestParser::next(Command& command) {
  if (!error_.empty()) return Result::malformed;
  while (open_ == 0) {
    if (position_ == buffer_.size()) return stop(Step::need_more);
    const Step step = buffer_[position_] == '*' ? read_count() : read_inline();
    if (step != Step::done) return stop(step);
    if (open_ == 0 && !command_.empty()) {
      command = std::move(command_);
      return Result::command;
    }
  }
  for (; open_ > 0; --open_) {
    const Step step = read_bulk();
    if (step != Step::done) return stop(step);
  }
  taken_ = 0;
  command = std::move(command_);
  return Result::command;
}

RequestParser::Result RequestParser::stop(Step step) {
  if (step == Step::malformed) return Result::malformed;
  forget_what_was_read();
  if (buffer_.size() + taken_ > kMostBytes) return Result::too_much;
  return Result::need_more;
}

void RequestParser::forget_what_was_read() {
  if (position_ == buffer_.size()) {
    buffer_.clear();
    if (buffer_.capacity() > kKeptCapacity) buffer_ = std::string();
  } else {
    buffer_.erase(0, position_);
  }
  position_ = 0;
}

// Redis looks for line ends with strchr: a NUL byte hides what is behind it.
std::size_t RequestParser::find_line_end(char end) const {
  const std::size_t found = buffer_.find(end, position_);
  if (found == kNotFound) return kNotFound;
  const std::string_view line = std::string_view(buffer_).substr(position_, found - position_);
  return line.find('\0') == kNotFound ? found : kNotFound;
}

RequestParser::Step RequestParser::malformed(std::string_view why) {
  error_ = "ERR Protocol error: ";
  error_.append(why);
  return Step::malformed;
}

struct RequestParser::Number {
  char type;
  std::int64_t least, largest;
  std::string_view too_long, invalid;
};

// The number behind its type byte, up to CR and one byte more.
RequestParser::Step RequestParser::read_number(const Number& what, std::int64_t& value) {
  const std::size_t end = find_line_end('\r');
  if (end == kNotFound) {
    const bool too_long = buffer_.size() - position_ > kLongestLine;
    return too_long ? malformed(what.too_long) : Step::need_more;
  }
  if (end + 2 > buffer_.size()) return Step::need_more;
  const char type = buffer_[position_];
  if (type != what.type) {
    const char shown = type == '\r' || type == '\n' ? ' ' : type;
    return malformed(std::string("expected '") + what.type + "', got '" + shown + "'");
  }
  const auto number = std::string_view(buffer_).substr(position_ + 1, end - position_ - 1);
  const auto parsed = sim::redis::parse_integer(number);
  if (!parsed || *parsed < what.least || *parsed > what.largest) return malformed(what.invalid);
  value = *parsed;
  position_ = end + 2;
  return Step::done;
}

RequestParser::Step RequestParser::read_count() {
  static constexpr Number kCount{'*', std::numeric_limits<std::int64_t>::min(),
                                 std::numeric_limits<std::int32_t>::max(),
                                 "too big mbulk count string", "invalid multibulk length"};
  std::int64_t count = 0;
  const Step step = read_number(kCount, count);
  if (step == Step::done && count > 0) open_ = count;
  return step;
}

RequestParser::Step RequestParser::read_bulk() {
  static constexpr Number kLength{'$', 0, kLongestBulk, "too big bulk count string",
                                  "invalid bulk length"};
  if (bulk_length_ < 0) {
    const Step step = read_number(kLength, bulk_length_);
    if (step != Step::done) return step;
  }
  const auto length = static_cast<std::size_t>(bulk_length_);
  if (buffer_.size() - position_ < length + 2) return Step::need_more;
  command_.add(std::string_view(buffer_).substr(position_, length));
  taken_ += length;
  position_ += length + 2;
  bulk_length_ = -1;
  return Step::done;
}

RequestParser::Step RequestParser::read_inline() {
  const std::size_t end = find_line_end('\n');
  if (end == kNotFound) {
    const bool too_long = buffer_.size() - position_ > kLongestLine;
    return too_long ? malformed("too big inline request") : Step::need_more;
  }
  std::string_view line = std::string_view(buffer_).substr(position_, end - position_);
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (!sim::redis::split_words(line, command_)) return malformed("unbalanced quotes in request");
  position_ = end + 1;
  return Step::done;
}

}  // namespace holdfast::serve
