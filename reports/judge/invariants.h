// The invariants, one function and one file each; the file's first comment is the definition.
#pragma once

#include "reports/judge/case.h"

namespace holdfast::judge {

void mutual_exclusion(Case& one);
void promise(Case& one);
void backed(Case& one);
void stale_write(Case& one);

}  // namespace holdfast::judge
