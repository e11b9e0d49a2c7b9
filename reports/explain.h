// explain() is declared in reports/report.h; this header holds the choices behind it.
#pragma once

#include <string_view>

#include "reports/judge/verdict.h"

namespace holdfast::report {

// The violated invariant that the headline is about, in this order: what hurts users first
// (mutual-exclusion), then what the lock itself broke (promise), what was damaged (stale-write),
// why (backed, foreign-touch, validity), how it was told (late-loss, zombie-renewal), what stays
// behind (leak), who waits (progress, bounded-calls). judge::kInvariants when none is violated.
std::size_t strongest(const judge::Judgement& judgement);

// "the lock lied: ..."; empty for none.
std::string_view blame_text(judge::Blame blame);

}  // namespace holdfast::report
