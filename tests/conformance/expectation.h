// What a row expects of a reply and of the time at which it comes.
//
// Replies are written as text: +OK, -ERR syntax error, :1, 'bulk', nil, ['a' :1 nil]; the null
// array as nil[]; of RESP3 %['key' 'value'], ~[set], >[push], ,1.5, #t, _.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "lockcore/redis_client.h"
#include "tests/conformance/lab.h"

namespace holdfast::conformance {

std::string reply_text(const Reply& reply);
std::string answer_text(const Answer& answer);

// A real server may be this much later than the value, never earlier (but for the millisecond in
// which Redis counts).
inline Duration late_allowance(Duration value) { return std::max<Duration>(250ms, value / 4); }
inline constexpr Duration kGrain = 1ms;

// Empty text: as expected. `late`: only the time was over, which a busy machine explains.
struct Finding {
  std::string text = {};
  bool late = false;
  explicit operator bool() const { return !text.empty(); }
};

class Expectation {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): rows read better
  Expectation(const char* text) : text_(text) {}
  friend Expectation begins(std::string_view text);
  friend Expectation falling(std::int64_t milliseconds);
  friend Expectation number(std::int64_t least, std::int64_t greatest);
  friend Expectation any();
  friend Expectation closed();
  friend Expectation refused();
  friend Expectation silence();

  Finding judge(const Answer& answer, bool exact) const;
  std::string text() const;

 private:
  enum class Kind : std::uint8_t { equal, begins, falling, number, any, closed, refused, silence };
  Expectation(Kind kind, std::string_view text, std::int64_t least, std::int64_t greatest)
      : kind_(kind), text_(text), least_(least), greatest_(greatest) {}

  Kind kind_ = Kind::equal;
  std::string text_;
  std::int64_t least_ = 0;
  std::int64_t greatest_ = 0;
};

Expectation begins(std::string_view text);
// An integer that falls with time, a PTTL: simulated exactly this; real less by what is late.
Expectation falling(std::int64_t milliseconds);
Expectation number(std::int64_t least, std::int64_t greatest);
Expectation any();  // a reply, whatever it says
Expectation closed();
Expectation refused();
Expectation silence();

// When: since the connection's last send, or since a moment of the row.
struct Timing {
  Duration from{};
  Duration by = Duration::max();

  Finding judge(Duration taken, bool exact) const;
};
inline constexpr Timing kAnyTime{};
inline Timing after(Duration value) { return {value, value}; }
inline Timing between(Duration from, Duration by) { return {from, by}; }

}  // namespace holdfast::conformance
