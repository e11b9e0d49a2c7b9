// Record: a history read once, sorted by what people ask about: acquire calls with their sections
// and promises, and who held which key on which server from when to when. Used by the explanation
// and by the picture.
#pragma once

#include <cstdint>
#include <vector>

#include "reports/history/history.h"
#include "reports/judge/verdict.h"

namespace holdfast::report {

using EventIndex = std::uint32_t;  // in History::events
inline constexpr EventIndex kNoEvent = 0xFFFF'FFFF;

// One acquire call and what became of it.
struct Grant {
  history::GrantId id = 0;
  history::ActorId actor = 0;
  history::ResourceId resource = 0;  // the lock
  EventIndex called = kNoEvent;
  EventIndex attempt = kNoEvent;   // the last attempt before the return
  EventIndex returned = kNoEvent;  // acquire_returned
  bool acquired = false;
  history::TokenId token = 0;
  std::int64_t fencing = 0;
  history::Nanos valid_until = -1;  // as found at t2 of the acquire; -1 unknown
  EventIndex section_end = kNoEvent;
  EventIndex promise_end = kNoEvent;
  EventIndex release_called = kNoEvent;
  EventIndex release_returned = kNoEvent;
  EventIndex lost_told = kNoEvent;
  EventIndex last_renewed = kNoEvent;
  std::vector<history::TokenId> tokens = {};  // of all its attempts
};

// One token in one key of one server, from its SET to its end.
struct Holding {
  history::NodeId node = 0;
  history::ResourceId resource = 0;
  history::TokenId token = 0;
  history::ActorId actor = 0;  // whose token
  history::GrantId grant = 0;  // whose attempt; 0 when the history does not say
  EventIndex set = kNoEvent;
  EventIndex end = kNoEvent;  // key_expired, _deleted, _dropped, or the key_set that replaced it
  history::Nanos from = 0;
  history::Nanos until = 0;  // the run's end when it has no end
  // Deadlines in true time (-1: no TTL) and the events that set them; the first is the SET's.
  struct Deadline {
    EventIndex event = kNoEvent;
    history::Nanos at = 0;
    history::Nanos deadline = -1;
  };
  std::vector<Deadline> deadlines = {};
};

struct Record {
  explicit Record(const history::History& history);

  const history::History& history;
  std::vector<Grant> grants;      // in order of their first event
  std::vector<Holding> holdings;  // by their SET
  history::Nanos end = 0;         // of the last event

  const history::Event& event(EventIndex index) const { return history.events[index]; }
  const Grant* grant(history::GrantId id) const;
  // The actor's last acquire of the lock that was called before `index`; null when there is none.
  const Grant* grant_before(history::ActorId actor, history::ResourceId lock,
                            EventIndex index) const;
  judge::Interval section(const Grant& grant) const;
  judge::Interval promise(const Grant& grant) const;
  const history::LockSetup* lock(history::ResourceId resource) const;
  // Servers that clients reached as the lock's addresses just before `index`.
  std::vector<history::NodeId> masters(const history::LockSetup& lock, EventIndex index) const;
  // The holding of the key at `node` just before `index`; null when the key was absent.
  const Holding* held_at(history::NodeId node, history::ResourceId lock, EventIndex index) const;
};

}  // namespace holdfast::report
