// leak: no key outlives what it was for.
//
// 1. One node deadline after the last of {the acquire failed or release was called (and sent), the
//    node became reachable again for its client, the grant's last command executed there} the node
//    holds no key of that grant. Seen in hindsight: a release that executes late, over a slow link,
//    is the grant's last command. Where until then a connection to the node had died after the
//    grant's first attempt, the node or the client had crashed, the node answered errors or not at
//    all, or took over the address, nothing can be asked of the client, and the TTL bounds it.
//    Time in which the client was paused or the node out of its reach does not count. A release
//    that was called and not yet sent (a shortest hold, a pause) may take the call's bound.
// 2. No lock key is without a TTL for longer than a node deadline once its writer has no call
//    outstanding: after the acquire returned or its process died, outside of a release. That the
//    writer cannot reach the node any more excuses nothing here: nobody else can free such a key.
// Replicas that no client is told of are not looked at, nor are keys whose writer is unknown.
// Counters have no place in the history, so they are exempt.
//
// Held only when a bound ended within the run. Not judged: the world does not see the keys, no lock
// key was set, no grant with a key was over, or a key of one that was over is still there at the
// run's end and its TTL has not ended.
#include <algorithm>

#include "reports/judge/invariants.h"
#include "reports/judge/time_words.h"

namespace holdfast::judge {
namespace {

using history::Kind;

// The last instant within `time` at which the actor could not have reached the node, or did not
// run; its begin when there is none, its end when it was so to the end. Once they could have dealt
// with each other for `patience` without a break, a later one excuses nothing.
Nanos unreachable_until(const Case& one, ActorId actor, NodeId node, Interval time,
                        Nanos patience) {
  if (!one.timeline.reachability && one.timeline.pauses.empty()) return time.begin;
  Reachability& reach = one.workspace.reachability;
  reach.reset(one.history);
  Nanos last = time.begin;
  bool cut = false;
  for (const Event& event : one.history.events) {
    if (event.at >= time.end || (!cut && event.at >= last + patience)) break;
    if (cut && event.at > last) last = event.at;
    if (event.kind == Kind::connection_lost && event.actor == actor && event.node == node &&
        event.at > last) {
      last = event.at;
    }
    if (reach.apply(event)) cut = !reach.runs(actor) || !reach.reaches(actor, node);
  }
  return cut ? time.end : last;
}

// Whether the TTL alone bounds what the grant left at that node: for something that had happened
// when the key should have been gone.
bool ttl_bounds(const Case& one, const Grant& grant, NodeId node, Nanos due) {
  if (grant.crashed.happened() && grant.crashed.at <= due) return true;
  if (!one.timeline.reachability) return false;
  const auto& events = one.history.events;
  for (std::size_t i = grant.called.event; i < events.size(); ++i) {
    const Event& event = events[i];
    if (event.at > due) break;
    const bool here = event.node == node;
    const bool ours = here && (event.actor == grant.actor || event.actor == 0);
    switch (event.kind) {
      case Kind::connection_lost:
        if (ours) return true;
        break;
      case Kind::node_impaired:
        if (ours && event.b == 0) return true;
        break;
      case Kind::link_down:
        if (ours && event.b != 1) return true;
        break;
      case Kind::node_crashed:
      case Kind::node_promoted:
      case Kind::node_demoted:
        if (here) return true;
        break;
      case Kind::master_changed:
        if (here || event.a == static_cast<std::int64_t>(node)) return true;
        break;
      default:
        break;
    }
  }
  return false;
}

// Whether a command is this grant's: by the event's own word, by its token, or because it names
// neither and this is what its client was busy with.
bool is_of(const Case& one, EventIndex command, GrantIndex index) {
  const Event& event = one.event(command);
  if (event.grant != 0) return event.grant == one.grant(index).id;
  if (event.token != 0) return one.timeline.owner_of(event.token) == index;
  return one.timeline.latest_before(event.actor, one.grant(index).lock, command) == index;
}

// When the grant's last command ran at that node.
Nanos last_command(const Case& one, GrantIndex index, NodeId node, Nanos from) {
  Nanos last = from;
  for (EventIndex i = 0; i < one.history.events.size(); ++i) {
    const Event& event = one.event(i);
    if (event.kind != Kind::command_executed || event.node != node) continue;
    if (event.actor != one.grant(index).actor || event.at <= last) continue;
    if (is_of(one, i, index)) last = event.at;
  }
  return last;
}

void witness_leak(Case& one, const Holding& holding, Interval leaked, EventIndex end) {
  const Grant& grant = one.grant(holding.grant);
  Witness& witness = one.violated(Invariant::leak);
  witness.resource = one.lock(holding.lock).resource;
  witness.node = holding.node;
  witness.first_actor = grant.actor;
  witness.first_grant = grant.id;
  witness.first = {holding.from, holding.to};
  witness.overlap = leaked;
  add_event(witness, holding.opened);
  add_event(witness, end);
  add_event(witness, holding.closed);
}

Nanos patience(const Case& one, LockIndex lock) {
  return one.lock(lock).node_deadline + one.history.setup.slack;
}

// What became of the keys that broke nothing.
struct Kept {
  bool any = false;      // one was gone in time
  Nanos beyond = 0;      // the longest time for which one may stay beyond the run's end
  bool endless = false;  // one without a known end was still there

  // Nobody needed the key any more since `over`.
  void add(const Case& one, const Holding& holding, Moment over) {
    if (!over.happened()) return;
    const Nanos due = holding.deadline;
    if (holding.closed != kNoEvent || (due >= 0 && due <= one.timeline.end)) {
      any = true;
    } else if (due < 0) {
      endless = true;
    } else {
      beyond = std::max(beyond, due - over.at);
    }
  }
  std::string why_not() const {
    if (endless) return "the bound, whose end nobody knows, lies beyond the run";
    if (beyond > 0) return "the bound, " + span_text(beyond) + ", lies beyond the run";
    return any ? "" : "no grant with a key was over";
  }
};

// Rule 1.
void judge_leftover(Case& one, const Holding& holding, Kept& kept) {
  const Grant& grant = one.grant(holding.grant);
  const bool failed = grant.returned.happened() && !grant.acquired;
  const Moment end = failed ? grant.returned : grant.release_called;
  const Nanos patient = patience(one, holding.lock);
  kept.add(one, holding, end.happened() ? end : grant.crashed);
  if (!end.happened() || holding.to <= end.at + patient) return;
  const bool removed = holding.closed != kNoEvent &&
                       one.event(holding.closed).kind == Kind::key_deleted &&
                       one.event(holding.closed).actor == holding.setter;
  if (removed) return;  // by the grant's own last command
  Nanos from = std::max(holding.from, end.at);
  if (grant.release_sent.happened()) {
    from = std::max(from, grant.release_sent.at);
  } else if (!failed) {
    from = std::max(from, end.at + grant.release_bound);
  }
  if (from >= holding.to) return;
  from = last_command(one, holding.grant, holding.node, from);
  from = unreachable_until(one, grant.actor, holding.node, {from, holding.to}, patient) + patient;
  if (from >= holding.to || ttl_bounds(one, grant, holding.node, from)) return;
  witness_leak(one, holding, {from, holding.to}, end.event);
}

// Rule 2, for one stretch of time without a call; true when it is broken.
bool judge_eternal(Case& one, const Holding& holding, Moment since, Nanos until) {
  const Nanos to = std::min(holding.to, until);
  const Nanos from = std::max(holding.from, since.at) + patience(one, holding.lock);
  if (from >= to) return false;
  witness_leak(one, holding, {from, to}, since.event);
  return true;
}

void judge_without_ttl(Case& one, const Holding& holding, Kept& kept) {
  const Grant& grant = one.grant(holding.grant);
  Moment idle = grant.returned.happened() ? grant.returned : grant.crashed;
  kept.add(one, holding, idle);
  if (!idle.happened()) return;
  const bool releases = grant.release_called.happened();
  if (judge_eternal(one, holding, idle, releases ? grant.release_called.at : holding.to)) return;
  if (!releases) return;
  idle = grant.release_returned.happened() ? grant.release_returned : grant.crashed;
  if (idle.happened()) judge_eternal(one, holding, idle, holding.to);
}

}  // namespace

void leak(Case& one) {
  const auto& holdings = one.timeline.holdings;
  if (!one.history.setup.evidence.server_keys) {
    one.close(Invariant::leak, "no record of the servers' keys");
    return;
  }
  Kept kept;
  for (std::size_t i = 1; i < holdings.size(); ++i) {
    if (!holdings[i].visible || holdings[i].grant == 0) continue;
    if (holdings[i].deadline == kNoTtl) {
      judge_without_ttl(one, holdings[i], kept);
    } else {
      judge_leftover(one, holdings[i], kept);
    }
  }
  one.close(Invariant::leak, holdings.size() > 1 ? kept.why_not() : "no lock key");
}

}  // namespace holdfast::judge
