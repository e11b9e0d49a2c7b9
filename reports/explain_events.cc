// describe(): one sentence for each kind of event.
#include <fmt/format.h>

#include "reports/explain_words.h"
#include "reports/history/kind_names.h"

namespace holdfast::report {
namespace {

using history::Event;
using history::History;
using history::Kind;

std::string fencing(std::int64_t token) {
  return token == 0 ? std::string() : fmt::format(", fencing token {}", token);
}

std::string lane(std::int64_t code) {
  if (code == 1) return " (its worker alone)";
  if (code == 2) return " (its watchdog alone)";
  return "";
}

std::string of_process(const History& h, const Event& e) {
  const std::string who = actor_name(h, e.actor);
  switch (e.kind) {
    case Kind::process_started:
      return e.b > 1 ? fmt::format("{} started again (incarnation {})", who, e.b)
                     : fmt::format("{} started", who);
    case Kind::process_paused:
      return fmt::format("{} stopped running{}", who, lane(e.a));
    case Kind::process_resumed:
      return fmt::format("{} ran again{}", who, lane(e.a));
    case Kind::process_crashed:
      return fmt::format("{} crashed", who);
    case Kind::client_done:
      return fmt::format("{} finished its steps", who);
    case Kind::point_passed:
      return fmt::format("{} passed {} ({})", who, point_name(e.a), e.b);
    default:
      return "";
  }
}

std::string of_acquire(const History& h, const Event& e) {
  const std::string who = actor_name(h, e.actor);
  const std::string lock = resource_name(h, e.resource);
  switch (e.kind) {
    case Kind::acquire_called:
      return fmt::format("{} asked for {}", who, lock);
    case Kind::attempt_sent:
      return e.a == 0 ? fmt::format("{} tried {} with token {}", who, lock, token_name(h, e.token))
                      : fmt::format("{} tried {} with token {} (attempt {})", who, lock,
                                    token_name(h, e.token), e.a);
    case Kind::quorum_counted:
      return fmt::format("{} counted a quorum for {}", who, lock);
    case Kind::validity_checked:
      return fmt::format("{} found its {} of {} valid until {}", who,
                         e.b == 1 ? "renewal" : "lease", lock, seconds(e.a));
    case Kind::acquire_returned:
      return e.a == 0
                 ? fmt::format("{} acquired {}{}", who, lock, fencing(e.b))
                 : fmt::format("{} did not acquire {}: {}", who, lock, acquire_outcome_name(e.a));
    case Kind::valid_until:
      return fmt::format("{}'s handle of {} says: valid until {}", who, lock, seconds(e.a));
    case Kind::valid_until_reached:
      return fmt::format("{}'s clock passed the end of its lease of {}", who, lock);
    case Kind::lost_told:
      return fmt::format("{} was told that {} is lost: {}", who, lock, loss_reason_name(e.a));
    case Kind::held_called:
      return fmt::format("{} asked whether it still holds {}", who, lock);
    case Kind::held_returned:
      return fmt::format("{} was told that it {} {}", who, e.a != 0 ? "holds" : "does not hold",
                         lock);
    default:
      return "";
  }
}

std::string of_holding(const History& h, const Event& e) {
  const std::string who = actor_name(h, e.actor);
  const std::string lock = resource_name(h, e.resource);
  switch (e.kind) {
    case Kind::renewal_sent:
      return fmt::format("{} sent a renewal of {}", who, lock);
    case Kind::renewed:
      return fmt::format("{}'s renewal of {} was confirmed", who, lock);
    case Kind::renewal_failed:
      return fmt::format("{}'s renewal of {} failed", who, lock);
    case Kind::release_called:
      return fmt::format("{} began to release {}", who, lock);
    case Kind::release_sent:
      return fmt::format("{} sent {} of {}", who, e.a == 1 ? "the clean-up" : "the release", lock);
    case Kind::release_returned:
      return fmt::format("{}'s release of {} returned: {}", who, lock, release_outcome_name(e.a));
    case Kind::section_left:
      return fmt::format("{} left its section under {}", who, lock);
    default:
      return "";
  }
}

std::string of_access(const History& h, const Event& e) {
  const std::string who = actor_name(h, e.actor);
  const std::string what = resource_name(h, e.resource);
  const bool write = (e.flag & 1U) != 0;
  const bool accepted = (e.flag & 2U) != 0;
  switch (e.kind) {
    case Kind::write_sent:
      return fmt::format("{} sent a write of value {} to {}{}", who, e.a, what, fencing(e.b));
    case Kind::read_sent:
      return fmt::format("{} sent a read of {}{}", who, what, fencing(e.b));
    case Kind::access_returned:
      return fmt::format("{}'s access of {} returned: {}", who, what,
                         e.a > 0 ? "accepted" : (e.a == 0 ? "refused" : "unknown"));
    case Kind::access_executed:
      if (!write) {
        return fmt::format("{} {} {}'s read{}", what, accepted ? "answered" : "refused", who,
                           fencing(e.b));
      }
      return fmt::format("{} {} {}'s write of value {}{}", what, accepted ? "accepted" : "refused",
                         who, e.a, fencing(e.b));
    default:
      return "";
  }
}

std::string of_key(const History& h, const Event& e) {
  const std::string node = node_name(h, e.node);
  const std::string lock = resource_name(h, e.resource);
  const std::string token = token_name(h, e.token);
  const std::string by = e.actor == 0 ? std::string() : " by " + actor_name(h, e.actor);
  const std::string until = e.a < 0 ? std::string("without TTL") : "until " + seconds(e.a);
  switch (e.kind) {
    case Kind::key_set:
      return fmt::format("{}: {} = {} {}{}", node, lock, token, until, by);
    case Kind::key_ttl_changed:
      return fmt::format("{}: TTL of {} ({}) changed: {}{}", node, lock, token, until, by);
    case Kind::key_deleted:
      return fmt::format("{}: {} ({}) deleted{}", node, lock, token, by);
    case Kind::key_expired:
      return fmt::format("{}: {} ({}) expired", node, lock, token);
    case Kind::key_revived:
      return fmt::format("{}: {} ({}) came alive again: the clock went back", node, lock, token);
    case Kind::key_dropped:
      return fmt::format("{}: {} ({}) lost by {}", node, lock, token, drop_cause_name(e.a));
    case Kind::command_executed:
      return fmt::format("{}: a command{} on {} ran and changed {}", node, by, lock,
                         e.a == 1 ? "it" : "nothing");
    case Kind::write_lost:
      return fmt::format("{} does not have the acknowledged write of {} ({}): {}", node, lock,
                         token, drop_cause_name(e.a));
    default:
      return "";
  }
}

std::string of_node(const History& h, const Event& e) {
  const std::string node = node_name(h, e.node);
  switch (e.kind) {
    case Kind::node_started:
      return e.b > 1 ? fmt::format("{} started again", node) : fmt::format("{} started", node);
    case Kind::node_paused:
      return fmt::format("{} stopped running", node);
    case Kind::node_resumed:
      return fmt::format("{} ran again", node);
    case Kind::node_crashed:
      return fmt::format("{} died", node);
    case Kind::node_promoted:
      return fmt::format("{} was promoted to master", node);
    case Kind::node_demoted:
      return fmt::format("{} became a replica of {}", node,
                         node_name(h, static_cast<history::NodeId>(e.a)));
    case Kind::master_changed:
      return fmt::format("clients reach {} at {} from now on",
                         node_name(h, static_cast<history::NodeId>(e.a)), node);
    case Kind::replication_held:
      return fmt::format("replication to {} stopped", node);
    case Kind::replication_resumed:
      return fmt::format("replication to {} went on", node);
    default:
      return "";
  }
}

std::string of_link(const History& h, const Event& e) {
  const std::string link =
      fmt::format("between {} and {}", actor_name(h, e.actor), node_name(h, e.node));
  const std::string clock = e.node != 0 ? node_name(h, e.node) : actor_name(h, e.actor);
  switch (e.kind) {
    case Kind::link_up:
      return fmt::format("the link {} is up", link);
    case Kind::link_down:
      return fmt::format("the link {} {}", link,
                         e.b == 1 ? "holds its data" : (e.b == 2 ? "is refused" : "was reset"));
    case Kind::connection_lost:
      return fmt::format("a connection {} was lost", link);
    case Kind::clock_stepped:
      return fmt::format("{}'s clock {} {}{}", clock, e.at > 0 ? "jumped by" : "is off by",
                         e.a < 0 ? "" : "+", span(e.a));
    case Kind::clock_rate:
      return fmt::format("{}'s clock runs {} against true time", clock, rate(e.a));
    default:
      return "";
  }
}

std::string of_run(const History& h, const Event& e) {
  switch (e.kind) {
    case Kind::fault_fired:
      return fmt::format("fault {}", fault_name(h, e.a));
    case Kind::fault_proved:
      return fmt::format("F{} was seen to have taken effect", e.a);
    case Kind::fault_ended:
      return fmt::format("F{} ended", e.a);
    case Kind::environment_failed:
      return "the environment failed";
    case Kind::run_ended:
      return e.a == 1
                 ? "the run ended: all clients done"
                 : (e.a == 2 ? "the run ended: its time was over" : "the run ended: out of budget");
    default:
      return "";
  }
}

}  // namespace

std::string describe(const History& history, const Event& event) {
  using Describer = std::string (*)(const History&, const Event&);
  constexpr Describer kDescribers[] = {of_process, of_acquire, of_holding, of_access,
                                       of_key,     of_node,    of_link,    of_run};
  std::string text;
  for (const Describer describer : kDescribers) {
    text = describer(history, event);
    if (!text.empty()) break;
  }
  if (text.empty()) text = std::string(history::kind_name(event.kind));
  if (event.note != 0 && event.note < history.notes.size()) {
    text += fmt::format(" [{}]", history.notes[event.note]);
  }
  return text;
}

}  // namespace holdfast::report
