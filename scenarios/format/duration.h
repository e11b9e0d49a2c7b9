// Durations as scenario files write them: a whole or decimal number and a unit without a space.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "lockcore/time.h"

namespace holdfast::scenario {

// No duration in a file is longer: sums of a few of them cannot overflow.
inline constexpr Duration kLongestDuration = std::chrono::hours(366 * 24);

// "10s", "250ms", "200us", "1.5s", "2m", "1h", "7ns", with a sign in front "+11s", "-3s". Nothing
// for anything else, for more digits than nanoseconds hold, or beyond kLongestDuration.
std::optional<Duration> parse_duration(std::string_view text);

// What a duration must look like, for error messages.
inline constexpr std::string_view kDurationForm =
    "a number and a unit without a space, as in 10s, 250ms, 200us, 1.5s or 2m";

// "10 s", "1.5 s", "250 ms", "-3 s": exact, in the largest unit that needs at most three decimals.
std::string plain_words(Duration duration);

// The same without the space: parse_duration(short_form(d)) == d.
std::string short_form(Duration duration);

}  // namespace holdfast::scenario
