#include "scenarios/live/live_faults.h"

#include <algorithm>

#include "scenarios/live/environment_failure.h"
#include "sim/random.h"

namespace holdfast::live {

using history::Event;
using history::Kind;
using scenario::FaultSpec;
using namespace std::chrono_literals;

LiveFaults::LiveFaults(const scenario::Scenario& scenario, Lab& lab, LiveHistory& history,
                       const history::History& names, Clients clients)
    : scenario_(scenario),
      lab_(lab),
      history_(history),
      names_(names),
      clients_(std::move(clients)),
      incarnations_(names.nodes.size(), 1) {}

void LiveFaults::begin(Instant start, std::uint64_t seed) {
  sim::Random random(seed, sim::Purpose::faults);
  for (std::size_t i = 0; i < scenario_.faults.size(); ++i) {
    const auto& when = scenario_.faults[i].when;
    if (!when.at) continue;
    Duration at = *when.at + when.after;
    if (when.sometimes_ppm) {
      const bool strikes = random.chance(*when.sometimes_ppm);
      const auto within =
          static_cast<std::uint64_t>(std::max<std::int64_t>(when.within.count(), 1));
      at += Duration(static_cast<std::int64_t>(random.below(within)));
      if (!strikes) continue;
    }
    schedule(i, Phase::strike, start + at);
  }
}

void LiveFaults::schedule(std::size_t index, Phase phase, Instant at) {
  const auto place = std::upper_bound(due_.begin(), due_.end(), at,
                                      [](Instant one, const Due& due) { return one < due.at; });
  due_.insert(place, {at, index, phase});
}

std::optional<Instant> LiveFaults::next() const {
  if (due_.empty()) return std::nullopt;
  return due_.front().at;
}

void LiveFaults::look_for_proofs() {
  std::erase_if(dropping_, [this](const Dropping& one) {
    const FaultSpec& fault = scenario_.faults[one.fault];
    if (lab_.link(fault.target, fault.peer).counters().dropped <= one.before) return false;
    fault_event(Kind::fault_proved, host_now(), one.fault, "the link has dropped a reply");
    return true;
  });
}

bool LiveFaults::comes_too_late(const FaultSpec& fault) const {
  return fault.kind != FaultSpec::Kind::restart && is_client(fault.target) &&
         clients_.done(fault.target);
}

void LiveFaults::run_due(Instant now) {
  look_for_proofs();
  while (!due_.empty() && due_.front().at <= now) {
    const Due due = due_.front();
    due_.erase(due_.begin());
    if (due.phase == Phase::strike) strike(due.fault);
    if (due.phase == Phase::end) end(due.fault);
    if (due.phase == Phase::restart) restart_target(scenario_.faults[due.fault]);
    if (due.phase == Phase::clear) impaired(scenario_.faults[due.fault], false);
  }
}

void LiveFaults::schedule_aftermath(std::size_t index, Instant struck) {
  const FaultSpec& fault = scenario_.faults[index];
  if (fault.restart_after) schedule(index, Phase::restart, struck + *fault.restart_after);
  if (fault.duration) schedule(index, Phase::end, struck + *fault.duration);
}

void LiveFaults::on_point(ClientProcess& client, Point point, std::uint64_t nth, Instant at) {
  bool waits = false;
  for (std::size_t i = 0; i < scenario_.faults.size(); ++i) {
    const FaultSpec& fault = scenario_.faults[i];
    const auto& on = fault.when.on;
    if (!on || on->client != client.name() || on->point != point || on->nth != nth) continue;
    const bool own = fault.target == client.name() && fault.when.after == Duration::zero();
    if (own && (fault.kind == FaultSpec::Kind::pause || fault.kind == FaultSpec::Kind::crash)) {
      own_signal(i, client, at);
      continue;
    }
    waits = true;
    if (fault.when.after == Duration::zero()) {
      strike(i);
    } else {
      schedule(i, Phase::strike, at + fault.when.after);
    }
  }
  if (waits) client.acknowledge();
}

// The client stops or kills itself at the point; its line came just before.
void LiveFaults::own_signal(std::size_t index, ClientProcess& client, Instant at) {
  const FaultSpec& fault = scenario_.faults[index];
  fault_event(Kind::fault_fired, at, index, "");
  if (fault.kind == FaultSpec::Kind::crash) {
    if (!client.process().wait_for_end(2s)) {
      throw EnvironmentFailure("client " + client.name() + " did not die at its point");
    }
    actor_event(Kind::process_crashed, at, client.name());
    fault_event(Kind::fault_proved, host_now(), index, client.process().how());
  } else {
    if (!client.process().wait_for_stop(2s)) {
      throw EnvironmentFailure("client " + client.name() + " did not stop at its point");
    }
    actor_event(Kind::process_paused, host_now(), client.name());
    fault_event(Kind::fault_proved, host_now(), index, "every thread is stopped");
  }
  schedule_aftermath(index, at);
}

void LiveFaults::strike(std::size_t index) {
  const FaultSpec& fault = scenario_.faults[index];
  const Instant now = host_now();
  fault_event(Kind::fault_fired, now, index, "");
  if (comes_too_late(fault)) return;
  if (fault.kind == FaultSpec::Kind::drop_reply) {
    dropping_.push_back({index, lab_.link(fault.target, fault.peer).counters().dropped});
  }
  const auto proof = take_effect(fault);
  if (proof) fault_event(Kind::fault_proved, host_now(), index, proof->seen);
  schedule_aftermath(index, now);
}

std::optional<Proof> LiveFaults::take_effect(const FaultSpec& fault) {
  switch (fault.kind) {
    case FaultSpec::Kind::pause:
      return pause(fault);
    case FaultSpec::Kind::crash:
      return crash(fault);
    case FaultSpec::Kind::restart:
      return restart_target(fault);
    case FaultSpec::Kind::clock:
      return bend_clock(fault, false);
    case FaultSpec::Kind::cut:
    case FaultSpec::Kind::reset:
    case FaultSpec::Kind::delay:
    case FaultSpec::Kind::drop_reply:
      return take_link_effect(fault);
    default:
      return take_server_effect(fault);
  }
}

std::optional<Proof> LiveFaults::pause(const FaultSpec& fault) {
  if (!is_client(fault.target)) {
    Proof proof = lab_.server(fault.target).stop();
    node_event(Kind::node_paused, proof.begun, fault.target);
    return proof;
  }
  ClientProcess* client = clients_.find(fault.target);
  if (client == nullptr) return std::nullopt;
  Proof proof = client->process().stop();
  actor_event(Kind::process_paused, proof.proved, fault.target);
  return proof;
}

std::optional<Proof> LiveFaults::crash(const FaultSpec& fault) {
  if (is_client(fault.target)) {
    ClientProcess* client = clients_.find(fault.target);
    if (client == nullptr) return std::nullopt;
    Proof proof = client->process().kill_hard();
    actor_event(Kind::process_crashed, proof.begun, fault.target);
    return proof;
  }
  Proof proof = lab_.server(fault.target).kill_hard();
  node_event(Kind::node_crashed, proof.begun, fault.target);
  lab_.stopped_watching(fault.target);
  return proof;
}

std::optional<Proof> LiveFaults::restart_target(const FaultSpec& fault) {
  if (is_client(fault.target)) {
    clients_.start_again(fault.target);
    return Proof{host_now(), host_now(), "started again"};
  }
  const auto spec = std::find_if(scenario_.servers.begin(), scenario_.servers.end(),
                                 [&](const auto& one) { return one.name == fault.target; });
  std::optional<MasterAddress> master;
  if (!fault.replica_of.empty()) {
    master = MasterAddress{"127.0.0.1", lab_.server(fault.replica_of).port()};
  }
  auto& server = lab_.server(fault.target);
  lab_.keep_clients_out(fault.target);
  Proof proof = server.restart(fault.persistence.value_or(spec->persistence), master);
  if (master) lab_.server(fault.replica_of).wait_for_replicas(1, 10s);
  node_event(Kind::node_started, proof.proved, fault.target, 0,
             ++incarnations_[node(fault.target)]);
  if (master) {
    node_event(Kind::node_demoted, proof.proved, fault.target, node(fault.replica_of));
  }
  lab_.look_at_keys(fault.target,
                    master ? history::DropCause::resync : history::DropCause::restart);
  lab_.watch_again(fault.target);
  lab_.let_clients_in(fault.target);
  return proof;
}

std::optional<Proof> LiveFaults::bend_clock(const FaultSpec& fault, bool back) {
  if (is_client(fault.target)) {
    throw EnvironmentFailure("the clock of a live client cannot be bent");
  }
  const Instant now = host_now();
  if (fault.step) {
    const Duration by = back ? -*fault.step : *fault.step;
    lab_.step_clock(fault.target, by);
    node_event(Kind::clock_stepped, now, fault.target, by.count());
  }
  if (fault.rate_ppm || fault.freeze) {
    const std::int64_t ppm = back ? 0 : fault.freeze ? -1'000'000 : *fault.rate_ppm;
    lab_.set_clock_rate(fault.target, ppm);
    node_event(Kind::clock_rate, now, fault.target, ppm);
  }
  return Proof{now, host_now(), "the server's TIME was read back"};
}

std::optional<Proof> LiveFaults::take_link_effect(const FaultSpec& fault) {
  const bool replication = !is_client(fault.target);
  if (!replication && !lab_.is_address(fault.peer)) {
    if (fault.kind != FaultSpec::Kind::cut || fault.mode != FaultSpec::Cut::refuse) {
      throw EnvironmentFailure("a link to a replica can only be refused: " + fault.describe());
    }
    Proof proof = lab_.block(fault.target, fault.peer);
    link_event(Kind::link_down, proof.proved, fault, 2);
    return proof;
  }
  ProxyLink& link =
      replication ? lab_.replication_link(fault.peer) : lab_.link(fault.target, fault.peer);
  const bool hold = fault.mode == FaultSpec::Cut::hold;
  switch (fault.kind) {
    case FaultSpec::Kind::cut: {
      // A replication link runs from the replica to its master: the stream comes to the "client".
      const auto direction = replication ? FaultSpec::Direction::both : fault.direction;
      Proof proof{};
      if (hold || replication) {
        proof = hold ? link.hold(direction) : link.refuse();
      } else {
        proof = lab_.refuse(fault.target, fault.peer);
      }
      if (replication) {
        node_event(Kind::replication_held, proof.proved, fault.peer);
      } else {
        link_event(Kind::link_down, proof.proved, fault, hold ? 1 : 2);
      }
      return proof;
    }
    case FaultSpec::Kind::reset: {
      if (link.counters().open == 0) return std::nullopt;
      Proof proof = link.reset();
      link_event(Kind::connection_lost, proof.proved, fault, 0);
      return proof;
    }
    case FaultSpec::Kind::delay:
      impaired(fault, true);
      return link.delay(fault.direction, fault.by);
    default:  // proved when the first one is lost
      impaired(fault, true);
      link.drop_replies(fault.count, fault.then_reset);
      return std::nullopt;
  }
}

std::optional<Proof> LiveFaults::promote(const FaultSpec& fault) {
  const auto spec = std::find_if(scenario_.servers.begin(), scenario_.servers.end(),
                                 [&](const auto& one) { return one.name == fault.target; });
  Proof proof = lab_.server(fault.target).promote();
  node_event(Kind::node_promoted, proof.proved, fault.target);
  lab_.redirect(spec->replica_of, fault.target);
  node_event(Kind::master_changed, host_now(), fault.target, node(spec->replica_of));
  return proof;
}

std::optional<Proof> LiveFaults::take_server_effect(const FaultSpec& fault) {
  Command command;
  switch (fault.kind) {
    case FaultSpec::Kind::promote:
      return promote(fault);
    case FaultSpec::Kind::evict:
      command.add("DEL").add(fault.key);
      break;
    case FaultSpec::Kind::flush:
      command.add("FLUSHALL");
      break;
    default:
      throw EnvironmentFailure("this fault cannot be injected into a real server: " +
                               fault.describe());
  }
  const Instant now = host_now();
  auto& server = lab_.server(fault.target);
  if (fault.kind == FaultSpec::Kind::flush && server.ask({"DBSIZE"}).is_integer(0)) {
    return std::nullopt;
  }
  const Reply reply = server.ask(command);
  if (reply.is_error() || reply.is_integer(0)) return std::nullopt;
  return Proof{now, host_now(), "the server answered " + reply.text};
}

void LiveFaults::end(std::size_t index) {
  const FaultSpec& fault = scenario_.faults[index];
  end_effect(fault);
  // What a slow link was sent before keeps its order: until then it is as slow as it was.
  if (fault.kind == FaultSpec::Kind::delay) schedule(index, Phase::clear, host_now() + fault.by);
  fault_event(Kind::fault_ended, host_now(), index, "");
}

void LiveFaults::end_effect(const FaultSpec& fault) {
  switch (fault.kind) {
    case FaultSpec::Kind::pause: {
      if (!is_client(fault.target)) {
        node_event(Kind::node_resumed, lab_.server(fault.target).cont().begun, fault.target);
        return;
      }
      ClientProcess* client = clients_.find(fault.target);
      if (client == nullptr) return;
      // Before the signal: the client's own next event must come after this one.
      actor_event(Kind::process_resumed, host_now(), fault.target);
      client->process().cont();
      return;
    }
    case FaultSpec::Kind::clock:
      bend_clock(fault, true);
      return;
    case FaultSpec::Kind::cut:
      if (!is_client(fault.target)) {
        ProxyLink& link = lab_.replication_link(fault.peer);
        node_event(Kind::replication_resumed, host_now(), fault.peer);
        link.release(FaultSpec::Direction::both);
        link.accept();
        return;
      }
      link_event(Kind::link_up, host_now(), fault, 0);
      lab_.link(fault.target, fault.peer).release(FaultSpec::Direction::both);
      lab_.accept(fault.target, fault.peer);
      return;
    case FaultSpec::Kind::delay:
      lab_.link(fault.target, fault.peer).delay(fault.direction, Duration::zero());
      return;
    default:
      return;
  }
}

void LiveFaults::node_event(Kind kind, Instant at, const std::string& name, std::int64_t a,
                            std::int64_t b) {
  Event event;
  event.kind = kind;
  event.node = node(name);
  event.a = a;
  event.b = b;
  history_.add(at, event);
}

void LiveFaults::actor_event(Kind kind, Instant at, const std::string& name, std::int64_t a) {
  Event event;
  event.kind = kind;
  event.actor = static_cast<history::ActorId>(names_.actors.find(name));
  event.a = a;
  history_.add(at, event);
}

void LiveFaults::link_event(Kind kind, Instant at, const FaultSpec& fault, std::int64_t b) {
  Event event;
  event.kind = kind;
  event.actor = static_cast<history::ActorId>(names_.actors.find(fault.target));
  event.node = node(fault.peer);
  event.b = b;
  history_.add(at, event);
}

void LiveFaults::impaired(const FaultSpec& fault, bool begins) {
  Event event;
  event.kind = Kind::node_impaired;
  event.actor = static_cast<history::ActorId>(names_.actors.find(fault.target));
  event.node = node(fault.peer);
  event.a = begins ? 1 : 0;
  event.b = fault.kind == FaultSpec::Kind::delay ? 1 : 0;
  history_.add(host_now(), event);
}

void LiveFaults::fault_event(Kind kind, Instant at, std::size_t index, const std::string& note) {
  Event event;
  event.kind = kind;
  event.a = static_cast<std::int64_t>(index) + 1;
  if (note.empty()) return history_.add(at, event);
  history_.add(at, event, note);
}

}  // namespace holdfast::live
