// A small language for hand-built histories. Times are milliseconds; names are made on first use.
//
//   HistoryBuilder h;                       // one lock "L" on node n1, guarding resource "stock"
//   h.at(0).acquires("A", "t1", 10'000);    // call, attempt, key on all nodes, return
//   h.at(5'000).writes("A");
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "reports/history/history.h"
#include "reports/judge/verdict.h"

namespace holdfast::judge {

using history::Event;
using history::Kind;

inline constexpr std::int64_t kMs = 1'000'000;

class HistoryBuilder {
 public:
  explicit HistoryBuilder(std::vector<std::string> nodes = {"n1"}) {
    setup().world = "sim";
    add_lock("L", nodes);
    setup().guarded.push_back(resource("stock"));
    setup().locks[0].guards.push_back(resource("stock"));
    for (const auto& name : nodes) setup().nodes.push_back({node(name), 0, false});
  }

  history::History history;
  history::Setup& setup() { return history.setup; }
  history::LockSetup& lock(std::size_t index = 0) { return setup().locks[index]; }

  void add_lock(const std::string& name, const std::vector<std::string>& nodes) {
    history::LockSetup one;
    one.resource = resource(name);
    for (const auto& each : nodes) one.nodes.push_back(node(each));
    one.quorum = static_cast<std::uint32_t>(nodes.size() / 2 + 1);
    one.ttl = 10'000 * kMs;
    one.node_deadline = 250 * kMs;
    one.poll = 1'000 * kMs;
    setup().locks.push_back(one);
  }
  // Everything from here on is about this lock.
  HistoryBuilder& on(const std::string& name) {
    lock_ = name;
    return *this;
  }

  history::ActorId actor(const std::string& name) {
    const auto known = history.actors.find(name);
    const auto id = static_cast<history::ActorId>(history.actors.intern(name));
    if (known == 0 && name != "operator") setup().clients.push_back(id);
    return id;
  }
  history::NodeId node(const std::string& name) {
    return static_cast<history::NodeId>(history.nodes.intern(name));
  }
  history::ResourceId resource(const std::string& name) {
    return static_cast<history::ResourceId>(history.resources.intern(name));
  }
  history::TokenId token(const std::string& name) { return history.tokens.intern(name); }
  history::GrantId grant(const std::string& who) { return current_[who]; }
  // The actor's next events are about this grant of its past.
  HistoryBuilder& about(const std::string& who, history::GrantId grant) {
    current_[who] = grant;
    return *this;
  }

  HistoryBuilder& at(std::int64_t ms) { return at_ns(ms * kMs); }
  HistoryBuilder& at_ns(std::int64_t ns) {
    now_ = ns;
    return *this;
  }
  HistoryBuilder& add(Event event) {
    event.at = now_;
    event.seq = static_cast<std::uint32_t>(history.events.size());
    history.events.push_back(event);
    return *this;
  }

  // -- an actor's own events
  HistoryBuilder& does(Kind kind, const std::string& who, std::int64_t a = 0, std::int64_t b = 0,
                       const std::string& token_name = "") {
    Event event;
    event.kind = kind;
    event.actor = actor(who);
    event.grant = current_[who];
    event.resource = resource(lock_);
    event.token = token(token_name);
    event.a = a;
    event.b = b;
    return add(event);
  }
  HistoryBuilder& calls(const std::string& who, std::int64_t bound_ms = 0) {
    current_[who] = (history::GrantId{actor(who)} << 24) + ++counts_[who];
    return does(Kind::acquire_called, who, bound_ms * kMs);
  }
  HistoryBuilder& sends(const std::string& who, const std::string& name) {
    tokens_[who] = name;
    return does(Kind::attempt_sent, who, 1, 0, name);
  }
  HistoryBuilder& returns(const std::string& who, std::int64_t outcome = 0) {
    return does(Kind::acquire_returned, who, outcome, 0, outcome == 0 ? tokens_[who] : "");
  }
  // The whole of a successful acquire at this instant, with a key of `ttl_ms` on `nodes` (all).
  HistoryBuilder& acquires(const std::string& who, const std::string& name, std::int64_t ttl_ms,
                           std::vector<std::string> nodes = {}) {
    calls(who).sends(who, name);
    sets(who, name, ttl_ms, nodes);
    return returns(who);
  }
  HistoryBuilder& sets(const std::string& who, const std::string& name, std::int64_t ttl_ms,
                       std::vector<std::string> nodes = {}) {
    if (nodes.empty()) {
      for (const auto id : lock_setup().nodes) nodes.push_back(history.nodes[id]);
    }
    for (const auto& one : nodes) {
      key(Kind::key_set, one, who, name, ttl_ms < 0 ? -1 : now_ + ttl_ms * kMs);
    }
    return *this;
  }
  HistoryBuilder& releases(const std::string& who) {
    does(Kind::section_left, who);
    does(Kind::release_called, who, 500 * kMs);
    return does(Kind::release_sent, who, 0, 0, tokens_[who]);
  }
  HistoryBuilder& released(const std::string& who, std::int64_t outcome = 0) {
    return does(Kind::release_returned, who, outcome);
  }
  HistoryBuilder& writes(const std::string& who, bool accepted = true) {
    Event event;
    event.kind = Kind::access_executed;
    event.actor = actor(who);
    event.grant = current_[who];
    event.resource = resource("stock");
    event.node = node("guarded");
    event.flag = accepted ? 3 : 1;
    return add(event);
  }

  // -- servers
  HistoryBuilder& key(Kind kind, const std::string& where, const std::string& who,
                      const std::string& name, std::int64_t a = 0) {
    Event event;
    event.kind = kind;
    event.node = node(where);
    event.actor = who.empty() ? history::ActorId{0} : actor(who);
    event.resource = resource(lock_);
    event.token = token(name);
    event.a = a;
    return add(event);
  }
  HistoryBuilder& at_node(Kind kind, const std::string& where, std::int64_t a = 0,
                          std::int64_t b = 0) {
    Event event;
    event.kind = kind;
    event.node = node(where);
    event.a = a;
    event.b = b;
    return add(event);
  }
  HistoryBuilder& link(Kind kind, const std::string& who, const std::string& where,
                       std::int64_t b = 0) {
    Event event;
    event.kind = kind;
    event.actor = actor(who);
    event.node = node(where);
    event.b = b;
    return add(event);
  }
  HistoryBuilder& happens(Kind kind, std::int64_t a = 0) {
    Event event;
    event.kind = kind;
    event.a = a;
    return add(event);
  }
  HistoryBuilder& ends(std::int64_t ms) { return at(ms).happens(Kind::run_ended, 1); }

  Judgement judged(std::string_view unmet = "") {
    Judge judge;
    return judge.judge(history, unmet);
  }

 private:
  history::LockSetup& lock_setup() {
    for (auto& one : setup().locks) {
      if (one.resource == resource(lock_)) return one;
    }
    return setup().locks[0];
  }

  std::string lock_ = "L";
  std::int64_t now_ = 0;
  std::map<std::string, history::GrantId> current_;
  std::map<std::string, std::string> tokens_;
  std::map<std::string, std::uint32_t> counts_;
};

inline std::string state(const Judgement& judgement, Invariant invariant) {
  switch (judgement[invariant].state) {
    case State::held:
      return "held";
    case State::violated:
      return "violated";
    default:
      return "not judged: " + std::string(judgement[invariant].why);
  }
}

// The names of all violated invariants, in order, separated by blanks.
inline std::string violated(const Judgement& judgement) {
  std::string names;
  for (std::size_t i = 0; i < kInvariants; ++i) {
    if (judgement.findings[i].state != State::violated) continue;
    if (!names.empty()) names += ' ';
    names += name(static_cast<Invariant>(i));
  }
  return names;
}

}  // namespace holdfast::judge
