#include "scenarios/serve/faults.h"

#include <algorithm>
#include <utility>

namespace holdfast::serve {

using history::Kind;

Faults::Faults(Front& front, const scenario::Scenario& scenario, Chronicle& chronicle)
    : front_(front),
      scenario_(scenario),
      chronicle_(chronicle),
      incarnations_(front.cluster().size(), 1) {}

// -- the timeline

Problem Faults::not_applicable(const Spec& fault) const {
  if (fault.when.on) return "it strikes when client " + fault.when.on->client + " passes a point";
  if (node(fault.target) == 0) return "it is about client " + fault.target;
  if (!fault.peer.empty() && node(fault.peer) == 0) return "it is about client " + fault.peer;
  return {};
}

void Faults::begin(std::uint64_t seed) {
  sim::Random random(seed, sim::Purpose::faults);
  for (const Spec& fault : scenario_.faults) {
    const auto& when = fault.when;
    Duration at = when.at.value_or(Duration::zero()) + when.after;
    bool strikes = true;
    if (when.sometimes_ppm) {
      strikes = random.chance(*when.sometimes_ppm);
      const auto within = std::max<std::int64_t>(when.within.count(), 1);
      at += Duration(static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(within))));
    }
    if (!strikes || !not_applicable(fault).empty()) continue;
    struck_.push_back({fault, fault.describe()});
    schedule(struck_.size() - 1, Phase::begin, at);
  }
}

void Faults::schedule(std::size_t index, Phase phase, Duration delay) {
  const std::uint64_t argument = index << 8 | static_cast<std::uint64_t>(phase);
  front_.kernel().after(delay, {&Faults::run_phase, this, argument});
}

void Faults::run_phase(void* self, std::uint64_t argument) {
  auto& faults = *static_cast<Faults*>(self);
  const Struck struck = faults.struck_[argument >> 8];
  switch (static_cast<Phase>(argument & 0xFF)) {
    case Phase::begin: {
      const Problem problem = faults.strike(struck.fault, struck.words);
      if (!problem.empty()) faults.chronicle_.fault(struck.words + ": no effect: " + problem);
      return;
    }
    case Phase::end:
      faults.chronicle_.fault(struck.words + ": over");
      return faults.end(struck.fault);
    case Phase::restart: {
      const Problem problem = faults.restart(struck.fault);
      const std::string outcome = problem.empty() ? "restarted" : "not restarted: " + problem;
      faults.chronicle_.fault(struck.words + ": " + outcome);
      return;
    }
  }
}

// -- striking

Problem Faults::strike(const Spec& fault, const std::string& words) {
  Problem problem = take_effect(fault);
  if (!problem.empty()) return problem;
  chronicle_.fault(words);
  if (!fault.duration && !fault.restart_after) return problem;
  struck_.push_back({fault, words});
  const std::size_t index = struck_.size() - 1;
  if (fault.duration) schedule(index, Phase::end, *fault.duration);
  if (fault.restart_after) schedule(index, Phase::restart, *fault.restart_after);
  return problem;
}

Problem Faults::take_effect(const Spec& fault) {
  const NodeId target = node(fault.target);
  Address& address = front_.address(target);
  switch (fault.kind) {
    case Spec::Kind::pause:
      return pause(target);
    case Spec::Kind::crash:
      return crash(target, fault.power_loss ? sim::CrashKind::power_loss : sim::CrashKind::kill);
    case Spec::Kind::restart:
      return restart(fault);
    case Spec::Kind::clock:
      return bend_clock(fault, false);
    case Spec::Kind::cut:
      return cut(fault);
    case Spec::Kind::reset:
      chronicle_.happened(Kind::connection_lost, target, 0, 0);
      front_.reset_connections(address);
      return {};
    case Spec::Kind::delay:
      impaired(target, fault.by > Duration::zero());
      if (fault.direction != Spec::Direction::to_client) address.to_server.delay = fault.by;
      if (fault.direction != Spec::Direction::to_server) address.to_client.delay = fault.by;
      return {};
    case Spec::Kind::drop_reply:
      impaired(target, fault.count > 0);
      address.replies_to_drop = fault.count;
      address.then_reset = fault.then_reset;
      return {};
    case Spec::Kind::promote:
      return promote(target);
    case Spec::Kind::evict:
      return evict(fault);
    case Spec::Kind::flush:
      if (!server(target).running()) return not_running(target);
      server(target).flush();
      return {};
    case Spec::Kind::error:
      impaired(target, !fault.text.empty());
      server(target).answer_error(0, fault.text, fault.writes_only);
      return {};
    case Spec::Kind::slow_fsync:
      server(target).freeze_fsync(fault.by);
      return {};
  }
  return {};
}

void Faults::end(const Spec& fault) {
  Spec undone = fault;
  const NodeId target = node(fault.target);
  switch (fault.kind) {
    case Spec::Kind::pause:
      resume(target);
      return;
    case Spec::Kind::clock:
      bend_clock(fault, true);
      return;
    case Spec::Kind::cut:
      fault.peer.empty() ? heal_clients(target) : heal_replication(node(fault.peer));
      return;
    case Spec::Kind::delay:
    case Spec::Kind::slow_fsync:
      undone.by = Duration::zero();
      break;
    case Spec::Kind::drop_reply:
      undone.count = 0;
      break;
    case Spec::Kind::error:
      undone.text.clear();
      break;
    default:
      return;
  }
  take_effect(undone);
}

void Faults::impaired(NodeId node, bool begins) {
  chronicle_.happened(Kind::node_impaired, node, begins ? 1 : 0, 0);
}

// -- nodes

Problem Faults::pause(NodeId node) {
  if (!server(node).running()) return not_running(node);
  if (server(node).paused()) return front_.cluster().name(node) + " is paused already";
  server(node).pause();
  chronicle_.happened(Kind::node_paused, node, 0, 0);
  front_.refresh();
  return {};
}

Problem Faults::resume(NodeId node) {
  if (!server(node).running() || !server(node).paused()) {
    return front_.cluster().name(node) + " is not paused";
  }
  chronicle_.happened(Kind::node_resumed, node, 0, 0);
  server(node).resume();
  front_.refresh();
  return {};
}

Problem Faults::crash(NodeId target, sim::CrashKind kind) {
  if (!server(target).running()) return not_running(target);
  chronicle_.happened(Kind::node_crashed, target, 0, 0);
  front_.crash(target, kind);
  return {};
}

Problem Faults::restart(const Spec& fault) {
  const NodeId target = node(fault.target);
  if (server(target).running()) crash(target, sim::CrashKind::kill);
  const auto persistence = fault.persistence ? static_cast<sim::Persistence>(*fault.persistence)
                                             : front_.cluster().persistence(target);
  chronicle_.happened(Kind::node_started, target, 0, ++incarnations_[target - 1U]);
  front_.restart(target, persistence);
  if (!fault.replica_of.empty()) return follow(target, node(fault.replica_of));
  return {};
}

Problem Faults::bend_clock(const Spec& fault, bool back) {
  const NodeId target = node(fault.target);
  sim::RedisServer& bent = server(target);
  if (fault.step) {
    const Duration step = back ? -*fault.step : *fault.step;
    bent.step_wall(step);
    chronicle_.happened(Kind::clock_stepped, target, step.count(), 0);
  }
  if (fault.rate_ppm) bent.set_wall_rate(back ? 0 : *fault.rate_ppm);
  if (fault.freeze) bent.freeze_wall(!back);
  if (!fault.step) {
    const std::int64_t ppm = back ? 0 : fault.rate_ppm.value_or(-1'000'000);
    chronicle_.happened(Kind::clock_rate, target, ppm, 0);
  }
  return {};
}

Problem Faults::evict(const Spec& fault) {
  const NodeId target = node(fault.target);
  if (!server(target).running()) return not_running(target);
  const std::size_t before = server(target).keys();
  server(target).evict(fault.key);
  return server(target).keys() < before ? "" : fault.target + " has no key '" + fault.key + "'";
}

// -- links

Problem Faults::cut(const Spec& fault) {
  const bool hold = fault.mode == Spec::Cut::hold;
  if (fault.peer.empty()) {
    const NodeId target = node(fault.target);
    Address& address = front_.address(target);
    chronicle_.happened(Kind::link_down, target, 0, hold ? 1 : 2);
    if (!hold) {
      address.refused = true;
      front_.reset_connections(address);
    }
    if (hold && fault.direction != Spec::Direction::to_client) address.to_server.held = true;
    if (hold && fault.direction != Spec::Direction::to_server) address.to_client.held = true;
    front_.refresh();
    return {};
  }
  const NodeId replica = node(fault.peer);
  if (scenario_.cluster && fault.target != fault.peer) {
    const sim::CutMode mode = hold ? sim::CutMode::hold : sim::CutMode::refuse;
    front_.cluster().cut(node(fault.target), replica, true, mode);
    return {};
  }
  if (server(replica).is_master()) return fault.peer + " is a master: it has no stream to cut";
  chronicle_.happened(Kind::replication_held, replica, 0, 0);
  hold ? server(replica).hold_stream(true) : server(replica).cut_stream(true);
  return {};
}

void Faults::heal_clients(NodeId node) {
  Address& address = front_.address(node);
  address.to_server = address.to_client = Way();
  address.refused = false;
  address.replies_to_drop = 0;
  server(node).answer_error(0, "", false);
  chronicle_.happened(Kind::link_up, node, 0, 0);
  front_.refresh();
}

void Faults::heal_replication(NodeId replica) {
  if (scenario_.cluster) {
    for (NodeId other = 1; other <= front_.cluster().size(); ++other) {
      if (other == replica) continue;
      front_.cluster().cut(replica, other, false, sim::CutMode::hold);
      front_.cluster().cut(replica, other, false, sim::CutMode::refuse);
    }
    return;
  }
  chronicle_.happened(Kind::replication_resumed, replica, 0, 0);
  server(replica).hold_stream(false);
  server(replica).cut_stream(false);
}

// As its operator does it, whatever its master says.
Problem Faults::take_over(NodeId replica) {
  if (server(replica).is_master()) return front_.cluster().name(replica) + " is a master already";
  if (server(replica).paused()) return front_.cluster().name(replica) + " is paused";
  const sim::SessionId operator_session = server(replica).open_session(0);
  server(replica).receive(operator_session, Command{"CLUSTER", "FAILOVER", "TAKEOVER"});
  server(replica).close_session(operator_session);
  return {};
}

Problem Faults::promote(NodeId replica) {
  if (!server(replica).running()) return not_running(replica);
  if (scenario_.cluster) return take_over(replica);
  const NodeId root = front_.cluster().root(replica);
  if (server(replica).is_master() && front_.address(root).node == replica) {
    return front_.cluster().name(replica) + " is the master that clients reach already";
  }
  chronicle_.happened(Kind::node_promoted, replica, 0, 0);
  server(replica).promote();
  chronicle_.happened(Kind::master_changed, replica, root, 0);
  front_.redirect(root, replica);
  return {};
}

Problem Faults::follow(NodeId replica, NodeId master) {
  if (!server(replica).running()) return not_running(replica);
  if (replica == master) return "a node does not replicate itself";
  if (scenario_.cluster) return "the nodes of a cluster know whom they follow";
  server(replica).replicate_from(server(master));
  chronicle_.happened(Kind::node_demoted, replica, master, 0);
  return {};
}

Problem Faults::fail_over(NodeId from, NodeId to) {
  Cluster& cluster = front_.cluster();
  std::vector<NodeId> replicas;
  for (NodeId node = 1; node <= cluster.size(); ++node) {
    if (server(node).master() == &server(from)) replicas.push_back(node);
  }
  if (to == 0 && replicas.size() != 1) {
    return cluster.name(from) + " has " + std::to_string(replicas.size()) +
           " replicas: say which one";
  }
  if (to == 0) to = replicas.front();
  if (cluster.root(to) != cluster.root(from) || to == from) {
    return cluster.name(to) + " is no replica of " + cluster.name(from);
  }
  Problem problem = promote(to);
  if (!problem.empty() || scenario_.cluster) return problem;
  replicas.push_back(from);
  for (const NodeId node : replicas) {
    if (node != to && server(node).running() && !server(node).paused()) follow(node, to);
  }
  return problem;
}

}  // namespace holdfast::serve
