#include "reports/explain_loss.h"

#include <string_view>

#include "reports/explain_words.h"

namespace holdfast::report {
namespace {

using history::Event;
using history::Kind;

constexpr std::int64_t kReleased = 4;  // a LossReason that is none

bool tells(const Event& e) {
  if (e.kind == Kind::held_returned) return e.a == 0;
  return e.kind == Kind::lost_told && e.a != kReleased;
}

}  // namespace

IgnoredLoss ignored_loss(const Record& record, const Grant& grant) {
  IgnoredLoss found;
  bool on_its_way = false;  // past the point before an access that has not been sent
  for (EventIndex i = 0; i < record.history.events.size(); ++i) {
    const Event& e = record.event(i);
    if (e.actor != grant.actor) continue;
    if (e.kind == Kind::point_passed) {
      const std::string_view point = point_name(e.a);
      on_its_way = point == "before_write" || point == "before_read";
    } else if (e.kind == Kind::write_sent || e.kind == Kind::read_sent) {
      const bool ignored = found.told != kNoEvent && !on_its_way && e.grant == grant.id;
      if (ignored && e.kind == Kind::write_sent) {
        found.written = i;
        return found;
      }
      on_its_way = false;
    } else if (found.told == kNoEvent && e.grant == grant.id && tells(e)) {
      found.told = i;
    }
  }
  return {};
}

}  // namespace holdfast::report
