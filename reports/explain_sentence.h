// The one sentence of a violation, in the manner of "At 12.400 s two clients held jobs/42: A
// (token 7, since 2.103 s) and B (token 8, since 12.184 s); overlap 216 ms; A wrote value 2 after
// B's write had been accepted".
#pragma once

#include <string>

#include "reports/explain_record.h"
#include "reports/judge/verdict.h"

namespace holdfast::report {

// An accepted write of one party that the resource took after one of the later owner.
struct LateWrite {
  EventIndex later_owner = kNoEvent;  // access_executed: accepted write of the second grant
  EventIndex late = kNoEvent;         // access_executed: write of the first grant after it
  bool accepted = false;              // of the late one
};
// The first accepted late write of `first` after one of `second`; else the first refused one; else
// both kNoEvent.
LateWrite late_write(const Record& record, history::GrantId first, history::GrantId second);

std::string sentence(const Record& record, judge::Invariant invariant,
                     const judge::Witness& witness);

// For sentence(): two clients in one lock at once, or one writing over the other.
std::string sentence_of_pair(const Record& record, judge::Invariant invariant,
                             const judge::Witness& witness);

}  // namespace holdfast::report
