// How many grants there were, and how many of them were contended.
#pragma once

#include "reports/judge/case.h"

namespace holdfast::judge {

// A grant is contended when, at some time between its acquire's call and the end of its section and
// promise, another owner waited for the same lock or held it: whoever tries in vain while it is
// held makes it so, however uncontended it was when it was obtained.
void count_grants(Case& one);

}  // namespace holdfast::judge
