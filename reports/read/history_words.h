// Words of history files for the values that are not events' kinds.
#pragma once

#include <array>
#include <string_view>

#include "reports/history/history.h"

namespace holdfast::report {

inline constexpr int kHistoryVersion = 1;

// In the order of history::Belief.
inline constexpr std::array<std::string_view, 5> kBeliefWords = {
    "handle", "until_release", "ttl_from_send", "ttl_from_reply", "not_judged"};

}  // namespace holdfast::report
