// How many grants there were, and how many of them were contended.
#pragma once

#include "reports/judge/case.h"

namespace holdfast::judge {

// A grant is contended when, between its acquire's call and the end of its section and promise,
// another actor had an acquire of the same lock open, or a section or promise on it.
void count_grants(Case& one);

}  // namespace holdfast::judge
