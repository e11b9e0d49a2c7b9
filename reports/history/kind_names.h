// Stable words for the kinds of events: what history files say. A word never changes its meaning.
#pragma once

#include <string_view>

#include "reports/history/event.h"

namespace holdfast::history {

std::string_view kind_name(Kind kind);  // "acquire_called"
Kind find_kind(std::string_view name);  // Kind::none when there is none of that name
inline constexpr auto kLastKind = Kind::run_ended;

}  // namespace holdfast::history
