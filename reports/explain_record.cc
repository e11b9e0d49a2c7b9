#include "reports/explain_record.h"

#include <algorithm>

namespace holdfast::report {
namespace {

using history::Event;
using history::Kind;

void close_promise(Grant& grant, EventIndex index) {
  if (grant.acquired && grant.promise_end == kNoEvent) grant.promise_end = index;
}

void close_section(Grant& grant, EventIndex index) {
  if (grant.acquired && grant.section_end == kNoEvent) grant.section_end = index;
}

void read_grant_event(Grant& grant, const Event& e, EventIndex index) {
  switch (e.kind) {
    case Kind::acquire_called:
      grant.actor = e.actor;
      grant.resource = e.resource;
      grant.called = index;
      break;
    case Kind::attempt_sent:
      if (grant.returned == kNoEvent) grant.attempt = index;
      if (e.token != 0) grant.tokens.push_back(e.token);
      break;
    case Kind::renewal_sent:
      if (e.token != 0 &&
          std::find(grant.tokens.begin(), grant.tokens.end(), e.token) == grant.tokens.end()) {
        grant.tokens.push_back(e.token);
      }
      break;
    case Kind::validity_checked:
      if (e.b == 0) grant.valid_until = e.a;
      break;
    case Kind::acquire_returned:
      grant.actor = e.actor;
      grant.resource = e.resource;
      grant.returned = index;
      grant.acquired = e.a == 0;
      grant.token = e.token;
      grant.fencing = e.b;
      break;
    case Kind::renewed:
      grant.last_renewed = index;
      break;
    case Kind::lost_told:
      if (grant.lost_told == kNoEvent) grant.lost_told = index;
      close_promise(grant, index);
      break;
    case Kind::valid_until_reached:
      close_promise(grant, index);
      break;
    case Kind::held_returned:
      if (e.a == 0) close_promise(grant, index);
      break;
    case Kind::release_called:
      if (grant.release_called == kNoEvent) grant.release_called = index;
      close_promise(grant, index);
      break;
    case Kind::release_returned:
      grant.release_returned = index;
      break;
    case Kind::section_left:
      close_section(grant, index);
      break;
    default:
      break;
  }
}

// Ids are not dense: each client numbers its own in a range of its own.
Grant& grant_of(std::vector<Grant>& grants, history::GrantId id) {
  for (auto it = grants.rbegin(); it != grants.rend(); ++it) {
    if (it->id == id) return *it;
  }
  grants.push_back({.id = id});
  return grants.back();
}

void read_grants(const history::History& history, std::vector<Grant>& grants) {
  for (EventIndex i = 0; i < history.events.size(); ++i) {
    const Event& e = history.events[i];
    if (e.kind == Kind::process_crashed) {
      for (Grant& grant : grants) {
        if (grant.actor != e.actor) continue;
        close_promise(grant, i);
        close_section(grant, i);
      }
      continue;
    }
    // Commands and accesses name the grant that they belong to but change nothing of it.
    if (e.grant != 0 && e.node == 0) read_grant_event(grant_of(grants, e.grant), e, i);
  }
}

bool ends_holding(const Event& e) {
  return e.kind == Kind::key_expired || e.kind == Kind::key_deleted ||
         e.kind == Kind::key_dropped || e.kind == Kind::key_set;
}

class HoldingReader {
 public:
  HoldingReader(const Record& record, std::vector<Holding>& holdings)
      : record_(record), holdings_(holdings) {}

  void read(EventIndex index) {
    const Event& e = record_.event(index);
    Holding* open = find_open(e.node, e.resource);
    if (open != nullptr && ends_holding(e)) {
      open->end = index;
      open->until = e.at;
    }
    if (e.kind == Kind::key_set || e.kind == Kind::key_revived) {
      begin(index);
    } else if (e.kind == Kind::key_ttl_changed && open != nullptr) {
      open->deadlines.push_back({index, e.at, e.a});
    }
  }

 private:
  Holding* find_open(history::NodeId node, history::ResourceId resource) {
    for (auto it = holdings_.rbegin(); it != holdings_.rend(); ++it) {
      if (it->node == node && it->resource == resource) {
        return it->end == kNoEvent ? &*it : nullptr;
      }
    }
    return nullptr;
  }

  void begin(EventIndex index) {
    const Event& e = record_.event(index);
    Holding holding{.node = e.node, .resource = e.resource, .token = e.token, .actor = e.actor};
    holding.set = index;
    holding.from = e.at;
    holding.until = record_.end;
    find_owner(holding, index);
    const bool revived = e.kind == Kind::key_revived;
    holding.deadlines.push_back({index, e.at, revived && e.a == 0 ? e.at : e.a});
    holdings_.push_back(holding);
  }

  // By the last attempt that carried this token: tokens may be constant in a broken protocol.
  void find_owner(Holding& holding, EventIndex index) {
    for (EventIndex i = index; i-- > 0;) {
      const Event& e = record_.event(i);
      if (e.kind != Kind::attempt_sent && e.kind != Kind::renewal_sent) continue;
      if (e.token != holding.token || e.token == 0) continue;
      if (holding.actor != 0 && e.actor != holding.actor) continue;
      holding.actor = e.actor;
      holding.grant = e.grant;
      return;
    }
    const Grant* grant = record_.grant_before(holding.actor, holding.resource, index);
    if (grant != nullptr) holding.grant = grant->id;
  }

  const Record& record_;
  std::vector<Holding>& holdings_;
};

judge::Interval between(const Record& record, const Grant& grant, EventIndex end) {
  if (!grant.acquired) return {};
  return {record.event(grant.returned).at, end == kNoEvent ? record.end : record.event(end).at};
}

}  // namespace

Record::Record(const history::History& from) : history(from) {
  if (!history.events.empty()) end = history.events.back().at;
  read_grants(history, grants);
  HoldingReader reader(*this, holdings);
  for (EventIndex i = 0; i < history.events.size(); ++i) {
    const Kind kind = history.events[i].kind;
    if (kind >= Kind::key_set && kind <= Kind::key_dropped) reader.read(i);
  }
}

const Grant* Record::grant(history::GrantId id) const {
  if (id == 0) return nullptr;
  const auto it = std::find_if(grants.begin(), grants.end(),
                               [id](const Grant& grant) { return grant.id == id; });
  return it == grants.end() ? nullptr : &*it;
}

const Grant* Record::grant_before(history::ActorId actor, history::ResourceId lock,
                                  EventIndex index) const {
  const Grant* found = nullptr;
  for (const Grant& grant : grants) {
    if (actor == 0 || grant.actor != actor || grant.resource != lock) continue;
    if (grant.called == kNoEvent || grant.called >= index) continue;
    if (found == nullptr || grant.called > found->called) found = &grant;
  }
  return found;
}

judge::Interval Record::section(const Grant& grant) const {
  return between(*this, grant, grant.section_end);
}

judge::Interval Record::promise(const Grant& grant) const {
  return between(*this, grant, grant.promise_end);
}

const history::LockSetup* Record::lock(history::ResourceId resource) const {
  for (const history::LockSetup& setup : history.setup.locks) {
    if (setup.resource == resource) return &setup;
  }
  return nullptr;
}

std::vector<history::NodeId> Record::masters(const history::LockSetup& lock,
                                             EventIndex index) const {
  std::vector<history::NodeId> nodes = lock.nodes;
  for (EventIndex i = 0; i < index && i < history.events.size(); ++i) {
    const Event& e = history.events[i];
    if (e.kind != Kind::master_changed) continue;
    for (std::size_t at = 0; at < nodes.size(); ++at) {
      if (lock.nodes[at] == e.a) nodes[at] = e.node;
    }
  }
  return nodes;
}

const Holding* Record::held_at(history::NodeId node, history::ResourceId lock,
                               EventIndex index) const {
  for (auto it = holdings.rbegin(); it != holdings.rend(); ++it) {
    if (it->node != node || it->resource != lock || it->set >= index) continue;
    return it->end == kNoEvent || it->end >= index ? &*it : nullptr;
  }
  return nullptr;
}

}  // namespace holdfast::report
