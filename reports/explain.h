// explain() is declared in reports/report.h; this header holds the choices behind it.
#pragma once

#include <array>
#include <string_view>

#include "reports/judge/verdict.h"

namespace holdfast::report {

// What hurts users first (mutual-exclusion), then what the lock itself broke (promise), what was
// damaged (stale-write), why (backed, foreign-touch, validity), how it was told (late-loss,
// zombie-renewal), what stays behind (leak), who waits (progress, bounded-calls).
inline constexpr std::array<judge::Invariant, judge::kInvariants> kByStrength = {
    judge::Invariant::mutual_exclusion,
    judge::Invariant::promise,
    judge::Invariant::stale_write,
    judge::Invariant::backed,
    judge::Invariant::foreign_touch,
    judge::Invariant::validity,
    judge::Invariant::late_loss,
    judge::Invariant::zombie_renewal,
    judge::Invariant::leak,
    judge::Invariant::progress,
    judge::Invariant::bounded_calls};

inline constexpr std::array<judge::Blame, 3> kBlamesByBadness = {
    judge::Blame::lock_lied, judge::Blame::application_outlived_lease,
    judge::Blame::lied_nobody_hurt};

// The first violated invariant in that order; judge::kInvariants when none is violated.
std::size_t strongest(const judge::Judgement& judgement);

// "the lock lied: ..."; empty for none.
std::string_view blame_text(judge::Blame blame);
// The same in a word or three, for counts: "lied", "outlived", "lied, nobody hurt".
std::string_view blame_word(judge::Blame blame);

}  // namespace holdfast::report
