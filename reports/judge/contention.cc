#include "reports/judge/contention.h"

#include <algorithm>

namespace holdfast::judge {
namespace {

// The time in which the grant's actor wants or holds the lock.
Interval interest(const Timeline& timeline, const Grant& grant) {
  Nanos end = grant.called.at;
  if (grant.acquired && grant.section.end >= grant.returned.at) {
    end = std::max({grant.returned.at, grant.section.end, grant.promise.end});
  } else if (grant.returned.happened()) {
    end = grant.returned.at;
  } else {
    end = grant.crashed.happened() ? grant.crashed.at : timeline.end;
  }
  return {grant.called.at, end};
}

}  // namespace

void count_grants(Case& one) {
  const Timeline& timeline = one.timeline;
  const auto& grants = timeline.grants;
  one.judgement.grants = static_cast<std::uint32_t>(timeline.acquired.size());
  one.judgement.contended_grants = 0;
  auto& contended = one.workspace.flags;
  contended.assign(grants.size(), 0);
  auto& open = one.workspace.active;  // earlier calls that are not over yet
  open.clear();
  for (std::size_t i = 1; i < grants.size(); ++i) {
    const Interval mine = interest(timeline, grants[i]);
    std::erase_if(open, [&](GrantIndex other) {
      return interest(timeline, grants[other]).end <= mine.begin;
    });
    for (const GrantIndex other : open) {
      if (grants[other].actor == grants[i].actor || grants[other].lock != grants[i].lock) continue;
      contended[other] = 1;
      contended[i] = mine.empty() ? contended[i] : std::uint8_t{1};
    }
    if (!mine.empty()) open.push_back(static_cast<GrantIndex>(i));
  }
  for (const GrantIndex index : timeline.acquired) {
    one.judgement.contended_grants += contended[index];
  }
}

}  // namespace holdfast::judge
