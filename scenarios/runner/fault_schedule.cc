#include "scenarios/runner/fault_schedule.h"

#include <algorithm>

#include "sim/fabric.h"

namespace holdfast::runner {

using history::Event;
using history::Kind;
using scenario::FaultSpec;

namespace {

// Enters the fingerprint as the kind of each fault event.
constexpr std::uint32_t kFaultAction = 0x0fa17;

sim::Direction direction_of(const FaultSpec& fault) {
  switch (fault.direction) {
    case FaultSpec::Direction::to_server:
      return sim::Direction::to_server;
    case FaultSpec::Direction::to_client:
      return sim::Direction::to_client;
    default:
      return sim::Direction::both;
  }
}

}  // namespace

FaultSchedule::FaultSchedule(const scenario::Scenario& scenario, const history::History& names,
                             sim::World& world, FaultLog& log)
    : scenario_(scenario), names_(names), world_(world), log_(log) {}

void FaultSchedule::begin(std::uint64_t seed) {
  random_ = sim::Random(seed, sim::Purpose::faults);
  incarnations_.assign(names_.nodes.size(), 1);
  for (std::size_t i = 0; i < scenario_.faults.size(); ++i) {
    const auto& when = scenario_.faults[i].when;
    if (!when.at) continue;
    sim::Duration at = *when.at;
    if (when.sometimes_ppm) {
      // Both draws are made in every run, so that one fault does not reshuffle another.
      const bool strikes = random_.chance(*when.sometimes_ppm);
      const auto within =
          static_cast<std::uint64_t>(std::max<std::int64_t>(when.within.count(), 1));
      at += sim::Duration(static_cast<std::int64_t>(random_.below(within)));
      if (!strikes) continue;
    }
    log_.fault_opened();
    schedule(i, Phase::strike, at + when.after);
  }
}

sim::Action FaultSchedule::action(std::size_t index, Phase phase) {
  const std::uint64_t argument = index << 8 | static_cast<std::uint64_t>(phase);
  return {&FaultSchedule::run_phase, this, argument, kFaultAction};
}

void FaultSchedule::schedule(std::size_t index, Phase phase, sim::Duration delay) {
  world_.kernel().after(delay, action(index, phase));
}

void FaultSchedule::run_phase(void* self, std::uint64_t argument) {
  auto& schedule = *static_cast<FaultSchedule*>(self);
  const auto index = static_cast<std::size_t>(argument >> 8);
  switch (static_cast<Phase>(argument & 0xFF)) {
    case Phase::strike:
      return schedule.strike(index);
    case Phase::prove:
      return schedule.proved(index);
    case Phase::end:
      return schedule.end(index);
    case Phase::restart:
      return schedule.restart(index);
    case Phase::clear:
      return schedule.clear(index);
  }
}

void FaultSchedule::fired(std::size_t index) {
  log_.record({.kind = Kind::fault_fired, .a = static_cast<std::int64_t>(index) + 1});
}

void FaultSchedule::proved(std::size_t index) {
  log_.record({.kind = Kind::fault_proved, .a = static_cast<std::int64_t>(index) + 1});
}

void FaultSchedule::strike(std::size_t index) {
  const FaultSpec& fault = scenario_.faults[index];
  fired(index);
  if (comes_too_late(fault)) return log_.fault_closed();
  if (take_effect(index)) proved(index);
  if (fault.restart_after) schedule(index, Phase::restart, *fault.restart_after);
  if (fault.duration) schedule(index, Phase::end, *fault.duration);
  if (!fault.duration && !fault.restart_after) log_.fault_closed();
}

bool FaultSchedule::comes_too_late(const FaultSpec& fault) const {
  return fault.kind != FaultSpec::Kind::restart && is_client(fault.target) &&
         log_.client_done(actor(fault.target));
}

sim::AtPoint FaultSchedule::at_point(history::ActorId actor_id, Point point, std::uint64_t nth) {
  sim::AtPoint answer = sim::AtPoint::go_on;
  for (std::size_t i = 0; i < scenario_.faults.size(); ++i) {
    const auto& when = scenario_.faults[i].when;
    if (!when.on || when.on->point != point || when.on->nth != nth) continue;
    if (actor(when.on->client) != actor_id) continue;
    if (when.sometimes_ppm && !random_.chance(*when.sometimes_ppm)) continue;
    log_.record({.kind = Kind::point_passed,
                 .actor = actor_id,
                 .a = static_cast<std::int64_t>(point),
                 .b = static_cast<std::int64_t>(nth)});
    log_.fault_opened();
    if (!strike_at_point(i, answer)) schedule(i, Phase::strike, when.after);
  }
  return answer;
}

// A client that is stopped or killed at its own point: the process does it itself, so that nothing
// of it runs in between.
bool FaultSchedule::strike_at_point(std::size_t index, sim::AtPoint& answer) {
  const FaultSpec& fault = scenario_.faults[index];
  const bool own = fault.target == fault.when.on->client && fault.when.after == Duration::zero();
  if (!own || fault.lane) return false;
  if (fault.kind == FaultSpec::Kind::pause) {
    answer = sim::AtPoint::pause;
  } else if (fault.kind == FaultSpec::Kind::crash) {
    answer = sim::AtPoint::crash;
  } else {
    return false;
  }
  fired(index);
  schedule(index, Phase::prove, sim::Duration(1));
  if (fault.duration) schedule(index, Phase::end, *fault.duration);
  if (fault.restart_after) schedule(index, Phase::restart, *fault.restart_after);
  if (!fault.duration && !fault.restart_after) log_.fault_closed();
  return true;
}

bool FaultSchedule::take_effect(std::size_t index) {
  const FaultSpec& fault = scenario_.faults[index];
  switch (fault.kind) {
    case FaultSpec::Kind::pause:
      if (is_client(fault.target)) {
        auto& process = world_.process(actor(fault.target));
        if (!process.running()) return false;
        process.pause(fault.lane);
        return true;
      }
      if (!server(fault.target).running() || server(fault.target).paused()) return false;
      server(fault.target).pause();
      node_event(Kind::node_paused, node(fault.target));
      return true;
    case FaultSpec::Kind::crash:
      return crash_target(index);
    case FaultSpec::Kind::restart:
      return restart_target(index);
    case FaultSpec::Kind::clock:
      return bend_clock(index, false);
    case FaultSpec::Kind::cut:
    case FaultSpec::Kind::reset:
    case FaultSpec::Kind::delay:
    case FaultSpec::Kind::drop_reply:
      return take_link_effect(index);
    default:
      return take_server_effect(index);
  }
}

bool FaultSchedule::crash_target(std::size_t index) {
  const FaultSpec& fault = scenario_.faults[index];
  if (is_client(fault.target)) {
    auto& process = world_.process(actor(fault.target));
    if (!process.running()) return false;
    process.crash();
    return true;
  }
  if (!server(fault.target).running()) return false;
  node_event(Kind::node_crashed, node(fault.target));
  server(fault.target).crash(fault.power_loss ? sim::CrashKind::power_loss : sim::CrashKind::kill);
  return true;
}

bool FaultSchedule::restart_target(std::size_t index) {
  const FaultSpec& fault = scenario_.faults[index];
  if (is_client(fault.target)) {
    world_.process(actor(fault.target)).restart();
    return true;
  }
  auto& node_server = server(fault.target);
  if (node_server.running()) {
    node_event(Kind::node_crashed, node(fault.target));
    node_server.crash(sim::CrashKind::kill);
  }
  const auto spec = std::find_if(scenario_.servers.begin(), scenario_.servers.end(),
                                 [&](const auto& one) { return one.name == fault.target; });
  const auto persistence = fault.persistence.value_or(
      spec == scenario_.servers.end() ? scenario::Persistence::none : spec->persistence);
  node_event(Kind::node_started, node(fault.target), 0, ++incarnations_[node(fault.target)]);
  node_server.restart(static_cast<sim::Persistence>(persistence));
  if (!fault.replica_of.empty()) {
    node_server.replicate_from(server(fault.replica_of));
    node_event(Kind::node_demoted, node(fault.target), node(fault.replica_of));
  }
  return node_server.running();
}

void FaultSchedule::restart(std::size_t index) {
  restart_target(index);
  if (!scenario_.faults[index].duration) log_.fault_closed();
}

bool FaultSchedule::bend_clock(std::size_t index, bool back) {
  const FaultSpec& fault = scenario_.faults[index];
  Event event;
  if (is_client(fault.target)) {
    event.actor = actor(fault.target);
    auto& process = world_.process(event.actor);
    if (fault.step) process.step_wall(back ? -*fault.step : *fault.step);
    if (fault.rate_ppm) process.set_rate(back ? 0 : *fault.rate_ppm);
  } else {
    event.node = node(fault.target);
    auto& node_server = server(fault.target);
    if (fault.step) node_server.step_wall(back ? -*fault.step : *fault.step);
    if (fault.rate_ppm) node_server.set_wall_rate(back ? 0 : *fault.rate_ppm);
    if (fault.freeze) node_server.freeze_wall(!back);
  }
  event.kind = fault.step ? Kind::clock_stepped : Kind::clock_rate;
  event.a = fault.step ? fault.step->count() : fault.rate_ppm.value_or(-1'000'000);
  if (back) event.a = fault.step ? -event.a : 0;
  log_.record(event);
  return true;
}

std::vector<FaultSchedule::Way> FaultSchedule::ways(const FaultSpec& fault) const {
  if (is_client(fault.target)) return {{actor(fault.target), node(fault.peer)}};
  const bool in_cluster = is_in_cluster(fault);
  if (!is_sentinel(fault.target) && !in_cluster) return {};
  std::vector<Way> both{{sim::node_actor(node(fault.target)), node(fault.peer)}};
  if (is_sentinel(fault.peer) || in_cluster) {
    both.push_back({sim::node_actor(node(fault.peer)), node(fault.target)});
  }
  return both;
}

bool FaultSchedule::is_in_cluster(const FaultSpec& fault) const {
  return scenario_.cluster && !fault.peer.empty() && !is_client(fault.target);
}

void FaultSchedule::cut_streams(const FaultSpec& fault, bool is_cut) {
  for (const auto& [one, other] :
       {std::pair(fault.target, fault.peer), std::pair(fault.peer, fault.target)}) {
    auto& replica = server(one);
    if (is_cut && replica.master() != &server(other)) continue;
    const bool hold = fault.mode == FaultSpec::Cut::hold;
    hold ? replica.hold_stream(is_cut) : replica.cut_stream(is_cut);
    if (replica.is_master()) continue;
    node_event(is_cut ? Kind::replication_held : Kind::replication_resumed, node(one));
  }
}

// A replication link: master, replica.
bool FaultSchedule::cut_replication(const FaultSpec& fault) {
  auto& replica = server(fault.peer);
  fault.mode == FaultSpec::Cut::hold ? replica.hold_stream(true) : replica.cut_stream(true);
  node_event(Kind::replication_held, node(fault.peer));
  return !replica.is_master();
}

bool FaultSchedule::take_link_effect(std::size_t index) {
  const FaultSpec& fault = scenario_.faults[index];
  const std::vector<Way> all = ways(fault);
  if (all.empty()) return cut_replication(fault);
  bool any = false;
  for (const Way& way : all) any = take_effect_on(way, index) || any;
  if (is_in_cluster(fault)) cut_streams(fault, true);
  return any;
}

// What happens between sentinels and servers is no matter of clients: no event tells it.
bool FaultSchedule::take_effect_on(const Way& way, std::size_t index) {
  const FaultSpec& fault = scenario_.faults[index];
  const bool told = is_client(fault.target);
  switch (fault.kind) {
    case FaultSpec::Kind::cut: {
      const bool hold = fault.mode == FaultSpec::Cut::hold;
      if (told) link_event(Kind::link_down, way.opener, way.node, hold ? 1 : 2);
      world_.cut(way.opener, way.node, direction_of(fault),
                 hold ? sim::CutMode::hold : sim::CutMode::refuse);
      return true;
    }
    case FaultSpec::Kind::reset:
      if (!world_.reset_connections(way.opener, way.node)) return false;
      if (told) link_event(Kind::connection_lost, way.opener, way.node);
      return true;
    case FaultSpec::Kind::delay:
      if (told) impaired(way.opener, way.node, true, Impairment::is_late);
      world_.delay(way.opener, way.node, direction_of(fault), fault.by);
      return true;
    default:  // proved when the first one is lost
      if (told) impaired(way.opener, way.node, true, Impairment::loses);
      world_.drop_replies(way.opener, way.node, fault.count, fault.then_reset,
                          action(index, Phase::prove));
      return false;
  }
}

bool FaultSchedule::promote_target(std::size_t index) {
  const FaultSpec& fault = scenario_.faults[index];
  auto& replica = server(fault.target);
  if (!replica.running() || replica.is_master()) return false;
  const auto spec = std::find_if(scenario_.servers.begin(), scenario_.servers.end(),
                                 [&](const auto& one) { return one.name == fault.target; });
  const auto address = node(spec->replica_of);
  node_event(Kind::node_promoted, node(fault.target));
  replica.promote();
  node_event(Kind::master_changed, node(fault.target), address);
  world_.redirect(address, node(fault.target));
  return replica.is_master();
}

bool FaultSchedule::take_server_effect(std::size_t index) {
  const FaultSpec& fault = scenario_.faults[index];
  switch (fault.kind) {
    case FaultSpec::Kind::promote:
      return promote_target(index);
    case FaultSpec::Kind::evict: {
      const std::size_t before = server(fault.target).keys();
      server(fault.target).evict(fault.key);
      return server(fault.target).keys() < before;
    }
    case FaultSpec::Kind::flush: {
      const std::size_t before = server(fault.target).keys();
      server(fault.target).flush();
      return before > 0 && server(fault.target).keys() == 0;
    }
    case FaultSpec::Kind::error: {
      const auto client = fault.peer.empty() ? history::ActorId{0} : actor(fault.peer);
      impaired(client, node(fault.target), true, Impairment::loses);
      server(fault.target).answer_error(client, fault.text, fault.writes_only);
      return true;
    }
    default:  // slow_fsync
      server(fault.target).freeze_fsync(fault.by);
      return true;
  }
}

void FaultSchedule::end(std::size_t index) {
  const FaultSpec& fault = scenario_.faults[index];
  switch (fault.kind) {
    case FaultSpec::Kind::pause:
      if (is_client(fault.target)) {
        world_.process(actor(fault.target)).resume(fault.lane);
      } else {
        node_event(Kind::node_resumed, node(fault.target));
        server(fault.target).resume();
      }
      break;
    case FaultSpec::Kind::clock:
      bend_clock(index, true);
      break;
    case FaultSpec::Kind::cut:
      for (const Way& way : ways(fault)) {
        if (is_client(fault.target)) link_event(Kind::link_up, way.opener, way.node);
        world_.heal(way.opener, way.node);
      }
      if (is_in_cluster(fault)) cut_streams(fault, false);
      if (ways(fault).empty()) {
        server(fault.peer).hold_stream(false);
        server(fault.peer).cut_stream(false);
        clear(index);
      }
      break;
    case FaultSpec::Kind::delay:
      for (const Way& way : ways(fault)) {
        world_.delay(way.opener, way.node, direction_of(fault), sim::Duration::zero());
      }
      schedule(index, Phase::clear, fault.by);  // what was sent before keeps its order
      break;
    case FaultSpec::Kind::error: {
      const auto client = fault.peer.empty() ? history::ActorId{0} : actor(fault.peer);
      impaired(client, node(fault.target), false, Impairment::loses);
      server(fault.target).answer_error(client, "", false);
      break;
    }
    default:
      break;
  }
  log_.record({.kind = Kind::fault_ended, .a = static_cast<std::int64_t>(index) + 1});
  log_.fault_closed();
}

void FaultSchedule::clear(std::size_t index) {
  const FaultSpec& fault = scenario_.faults[index];
  if (is_client(fault.target)) {
    return impaired(actor(fault.target), node(fault.peer), false, Impairment::is_late);
  }
  if (is_sentinel(fault.target)) return;
  // A replica whose link was refused comes back by itself, up to a second later (FID-R11).
  constexpr sim::Duration kLook = std::chrono::milliseconds(10);
  if (server(fault.peer).follows()) return node_event(Kind::replication_resumed, node(fault.peer));
  if (!server(fault.peer).is_master()) schedule(index, Phase::clear, kLook);
}

void FaultSchedule::node_event(Kind kind, history::NodeId node_id, std::int64_t a, std::int64_t b) {
  log_.record({.kind = kind, .node = node_id, .a = a, .b = b});
}

void FaultSchedule::link_event(Kind kind, history::ActorId actor_id, history::NodeId node_id,
                               std::int64_t b) {
  log_.record({.kind = kind, .actor = actor_id, .node = node_id, .b = b});
}

void FaultSchedule::impaired(history::ActorId actor_id, history::NodeId node_id, bool begins,
                             Impairment how) {
  log_.record({.kind = Kind::node_impaired,
               .actor = actor_id,
               .node = node_id,
               .a = begins ? 1 : 0,
               .b = how == Impairment::is_late ? 1 : 0});
}

bool FaultSchedule::is_client(const std::string& name) const {
  return names_.actors.find(name) != 0;
}
bool FaultSchedule::is_sentinel(const std::string& name) const {
  const auto& all = scenario_.sentinels;
  return std::find(all.begin(), all.end(), name) != all.end();
}
history::ActorId FaultSchedule::actor(const std::string& name) const {
  return static_cast<history::ActorId>(names_.actors.find(name));
}
history::NodeId FaultSchedule::node(const std::string& name) const {
  return static_cast<history::NodeId>(names_.nodes.find(name));
}

}  // namespace holdfast::runner
