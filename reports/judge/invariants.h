// The invariants, one function and one file each; the file's first comment is the definition.
#pragma once

#include "reports/judge/case.h"

namespace holdfast::judge {

void mutual_exclusion(Case& one);
void promise(Case& one);
void backed(Case& one);
void stale_write(Case& one);
void foreign_touch(Case& one);
void zombie_renewal(Case& one);
void leak(Case& one);
void progress(Case& one);
void late_loss(Case& one);
void validity(Case& one);
void bounded_calls(Case& one);

}  // namespace holdfast::judge
