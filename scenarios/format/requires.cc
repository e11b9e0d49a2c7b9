#include "scenarios/format/requires.h"

#include <fmt/format.h>

#include <algorithm>

#include "scenarios/format/nearest_name.h"
#include "scenarios/format/read.h"

namespace holdfast::scenario {
namespace {

using history::Event;
using history::History;
using history::Kind;

// -- checking

std::optional<std::string> check_who(const std::string& who, bool client_can, bool server_can,
                                     const Scenario& scenario, std::string_view what) {
  std::vector<std::string> known = client_names(scenario);
  const bool is_client = std::find(known.begin(), known.end(), who) != known.end();
  const std::vector<std::string> servers = server_names(scenario);
  const bool is_server = std::find(servers.begin(), servers.end(), who) != servers.end();
  known.insert(known.end(), servers.begin(), servers.end());
  if (!is_client && !is_server) {
    return fmt::format("no client or server is named \"{}\"{}", who, suggestion(who, known));
  }
  if (is_client && !is_server && !client_can) {
    return fmt::format("{} is of a server, and \"{}\" is a client", what, who);
  }
  if (is_server && !is_client && !server_can) {
    return fmt::format("{} is of a client, and \"{}\" is a server", what, who);
  }
  return std::nullopt;
}

std::string first_word(const std::string& text) {
  const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
  return text.substr(begin, text.find(' ', begin) - begin);
}

std::optional<std::string> check_pattern(const FactPattern& pattern, const Scenario& scenario) {
  return check_who(pattern.who, of_client(pattern.event), of_server(pattern.event), scenario,
                   "this event");
}

// -- matching

bool has_outcome(const FactPattern& pattern, std::int64_t outcome) {
  return pattern.outcomes.empty() || std::find(pattern.outcomes.begin(), pattern.outcomes.end(),
                                               outcome) != pattern.outcomes.end();
}

// `pattern`, with its name looked up in one history's tables.
class Matcher {
 public:
  Matcher(const FactPattern& pattern, const History& history)
      : pattern_(pattern),
        actor_(history.actors.find(pattern.who)),
        node_(history.nodes.find(pattern.who)) {}

  bool matches(const Event& event) const {
    constexpr unsigned kWrite = 1;
    constexpr unsigned kAccepted = 2;
    switch (pattern_.event) {
      case FactEvent::acquired:
        return by_actor(event, Kind::acquire_returned) && event.a == 0;
      case FactEvent::failed:
        return by_actor(event, Kind::acquire_returned) && event.a != 0 &&
               has_outcome(pattern_, event.a);
      case FactEvent::renewed:
        return by_actor(event, Kind::renewed);
      case FactEvent::lost:
        return by_actor(event, Kind::lost_told) &&
               event.a != static_cast<std::int64_t>(LossReason::released);
      case FactEvent::released:
        return by_actor(event, Kind::release_returned) && has_outcome(pattern_, event.a);
      case FactEvent::left:
        return by_actor(event, Kind::section_left);
      case FactEvent::wrote:
        return accessed(event) && event.flag == (kWrite | kAccepted);
      case FactEvent::read:
        return accessed(event) && event.flag == kAccepted;
      case FactEvent::was_refused:
        return accessed(event) && (event.flag & kAccepted) == 0;
      case FactEvent::executed:
        return at_node(event, Kind::command_executed);
      case FactEvent::deleted:
        return at_node(event, Kind::key_deleted);
      case FactEvent::expired:
        return at_node(event, Kind::key_expired);
      case FactEvent::promoted:
        return at_node(event, Kind::node_promoted);
      case FactEvent::paused:
        return by_actor(event, Kind::process_paused) || at_node(event, Kind::node_paused);
      case FactEvent::crashed:
        return by_actor(event, Kind::process_crashed) || at_node(event, Kind::node_crashed);
      case FactEvent::restarted:
        return (by_actor(event, Kind::process_started) || at_node(event, Kind::node_started)) &&
               event.b > 1;
    }
    return false;
  }

 private:
  bool by_actor(const Event& event, Kind kind) const {
    return actor_ != 0 && event.kind == kind && event.actor == actor_;
  }
  bool at_node(const Event& event, Kind kind) const {
    return node_ != 0 && event.kind == kind && event.node == node_;
  }
  bool accessed(const Event& event) const { return by_actor(event, Kind::access_executed); }

  const FactPattern& pattern_;
  std::uint32_t actor_;
  std::uint32_t node_;
};

// Whether `who` is in a state, followed event by event.
class StateTracker {
 public:
  StateTracker(const Fact& fact, const History& history)
      : state_(fact.state),
        actor_(history.actors.find(fact.other)),
        node_(history.nodes.find(fact.other)) {}

  bool in_state() const { return in_state_; }

  void follow(const Event& event) {
    if (actor_ != 0 && event.actor == actor_) follow_client(event);
    if (node_ != 0 && event.node == node_) follow_server(event);
  }

 private:
  void follow_client(const Event& event) {
    switch (event.kind) {
      case Kind::process_crashed:
        in_state_ = state_ == Fact::State::crashed;
        return;
      case Kind::process_started:
        if (state_ == Fact::State::crashed) in_state_ = false;
        return;
      case Kind::process_paused:
        if (state_ == Fact::State::paused) in_state_ = true;
        return;
      case Kind::process_resumed:
        if (state_ == Fact::State::paused) in_state_ = false;
        return;
      case Kind::acquire_returned:
        if (event.a == 0 && (state_ == Fact::State::inside || state_ == Fact::State::holding)) {
          in_state_ = true;
        }
        return;
      case Kind::section_left:
        if (state_ == Fact::State::inside) in_state_ = false;
        return;
      case Kind::held_returned:
        if (state_ == Fact::State::holding && event.a == 0) in_state_ = false;
        return;
      case Kind::release_called:
      case Kind::lost_told:
      case Kind::valid_until_reached:
        if (state_ == Fact::State::holding) in_state_ = false;
        return;
      default:
        return;
    }
  }

  void follow_server(const Event& event) {
    const bool crashed = state_ == Fact::State::crashed;
    if (event.kind == Kind::node_crashed) in_state_ = crashed;
    if (event.kind == Kind::node_started && crashed) in_state_ = false;
    if (event.kind == Kind::node_paused && !crashed) in_state_ = true;
    if (event.kind == Kind::node_resumed && !crashed) in_state_ = false;
  }

  Fact::State state_;
  std::uint32_t actor_;
  std::uint32_t node_;
  bool in_state_ = false;
};

// Where the events begin (or end) that "after" ("before") lets through: an index in the history, or
// nothing when the mark never came.
std::optional<std::size_t> find_mark(const Fact& fact, const History& history) {
  const std::vector<Event>& events = history.events;
  if (fact.time) {
    const auto scaled =
        static_cast<history::Nanos>(static_cast<double>(fact.time->count()) * history.setup.scale);
    const auto first = std::find_if(events.begin(), events.end(),
                                    [&](const Event& event) { return event.at >= scaled; });
    return static_cast<std::size_t>(first - events.begin());
  }
  const Matcher mark(*fact.mark, history);
  const auto first = std::find_if(events.begin(), events.end(),
                                  [&](const Event& event) { return mark.matches(event); });
  if (first == events.end()) return std::nullopt;
  return static_cast<std::size_t>(first - events.begin());
}

std::uint64_t count_events(const Fact& fact, const History& history) {
  const Matcher matcher(fact.pattern, history);
  std::uint64_t count = 0;
  if (fact.relation == Fact::Relation::during) {
    StateTracker state(fact, history);
    for (const Event& event : history.events) {
      if (state.in_state() && matcher.matches(event)) ++count;
      state.follow(event);
    }
    return count;
  }
  std::size_t begin = 0;
  std::size_t end = history.events.size();
  if (fact.relation != Fact::Relation::none) {
    const std::size_t mark = find_mark(fact, history).value_or(end);
    (fact.relation == Fact::Relation::before ? end : begin) = mark;
  }
  for (std::size_t i = begin; i < end; ++i) {
    if (matcher.matches(history.events[i])) ++count;
  }
  return count;
}

}  // namespace

std::optional<std::string> check_require(const Require& require, const Scenario& scenario) {
  const auto parsed = parse_fact(require.text);
  if (const auto* wrong = std::get_if<std::string>(&parsed)) {
    // Who is said first, and is wrong first: "the client A acquired" has no event "client".
    const std::string who = first_word(require.text);
    const auto unknown = who.empty() ? std::nullopt : check_who(who, true, true, scenario, "");
    return unknown ? *unknown : *wrong;
  }
  const Fact& fact = std::get<Fact>(parsed);
  if (auto wrong = check_pattern(fact.pattern, scenario)) return wrong;
  if (fact.mark) return check_pattern(*fact.mark, scenario);
  if (fact.relation == Fact::Relation::during) {
    const bool of_both = fact.state == Fact::State::paused || fact.state == Fact::State::crashed;
    return check_who(fact.other, true, of_both, scenario, "this state");
  }
  return std::nullopt;
}

bool occurred(const Require& require, const history::History& history) {
  const auto parsed = parse_fact(require.text);
  const auto* fact = std::get_if<Fact>(&parsed);
  return fact != nullptr && occurred(*fact, history);
}

bool occurred(const Fact& fact, const history::History& history) {
  // "before" and "after" an event that never came say nothing, "never" included.
  if (fact.mark && !find_mark(fact, history)) return false;
  const std::uint64_t count = count_events(fact, history);
  return fact.never ? count == 0 : count >= fact.times;
}

}  // namespace holdfast::scenario
