// A holder that was told of its loss and wrote all the same.
#pragma once

#include "reports/explain_record.h"

namespace holdfast::report {

struct IgnoredLoss {
  EventIndex told = kNoEvent;     // loss told, or a held() that returned false
  EventIndex written = kNoEvent;  // write_sent
};

// The grant's first write after it was told; both kNoEvent when there is none. A write that was on
// its way already when it was told (its client was stopped between its last check and the write)
// ignored nothing: no check closes that gap.
IgnoredLoss ignored_loss(const Record& record, const Grant& grant);

}  // namespace holdfast::report
