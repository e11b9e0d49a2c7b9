#include "reports/judge/reachability.h"

namespace holdfast::judge {

using history::Kind;

namespace {
constexpr std::uint8_t kCrashed = 1, kPaused = 2;  // down_
constexpr std::uint8_t kCut = 1, kImpaired = 2;    // links_; kImpaired for each
}  // namespace

void Reachability::reset(const history::History& history) {
  nodes_ = history.nodes.size();
  paused_.assign(history.actors.size(), 0);
  down_.assign(nodes_, 0);
  held_.assign(nodes_, 0);
  links_.assign(history.actors.size() * nodes_, 0);
  master_.assign(nodes_, 0);
  behind_.resize(nodes_);
  for (std::size_t node = 0; node < nodes_; ++node) behind_[node] = static_cast<NodeId>(node);
  for (const auto& node : history.setup.nodes) {
    if (node.node < nodes_) master_[node.node] = node.replica_of;
  }
}

bool Reachability::set(std::uint8_t& flags, std::uint8_t flag, bool on) {
  const auto before = flags;
  flags = static_cast<std::uint8_t>(on ? flags | flag : flags & ~flag);
  return flags != before;
}

bool Reachability::apply(const Event& event) {
  if (event.node >= nodes_ || event.actor >= paused_.size()) return false;
  const auto lane = static_cast<std::uint8_t>(1U << (event.a >= 0 && event.a <= 2 ? event.a : 0));
  switch (event.kind) {
    case Kind::process_paused:
      return set(paused_[event.actor], lane, true);
    case Kind::process_resumed:
      return set(paused_[event.actor], lane, false);
    case Kind::process_crashed:
      return set(paused_[event.actor], 7, false);
    case Kind::node_crashed:
      return set(down_[event.node], kCrashed, true);
    case Kind::node_started:
      return set(down_[event.node], kCrashed | kPaused, false);
    case Kind::node_paused:
      return set(down_[event.node], kPaused, true);
    case Kind::node_resumed:
      return set(down_[event.node], kPaused, false);
    case Kind::replication_held:
      return set(held_[event.node], 1, true);
    case Kind::replication_resumed:
      return set(held_[event.node], 1, false);
    case Kind::link_down:
    case Kind::link_up:
    case Kind::node_impaired:
      return apply_link(event);
    default:
      return apply_role(event);
  }
}

bool Reachability::apply_link(const Event& event) {
  std::uint8_t& link = links_[event.actor * nodes_ + event.node];
  if (event.kind == Kind::node_impaired) {
    if (event.a == 0 && link < kImpaired) return false;
    link = static_cast<std::uint8_t>(event.a != 0 ? link + kImpaired : link - kImpaired);
    return true;
  }
  if (event.kind == Kind::link_up) return set(link, kCut, false);
  return set(link, kCut, true);
}

bool Reachability::apply_role(const Event& event) {
  switch (event.kind) {
    case Kind::node_promoted:
      master_[event.node] = 0;
      return true;
    case Kind::node_demoted:
      if (event.a > 0 && event.a < static_cast<std::int64_t>(nodes_)) {
        master_[event.node] = static_cast<NodeId>(event.a);
      }
      return true;
    case Kind::master_changed:
      if (event.a > 0 && event.a < static_cast<std::int64_t>(nodes_)) {
        behind_[static_cast<std::size_t>(event.a)] = event.node;
      }
      return true;
    default:
      return false;
  }
}

int Reachability::replicas(NodeId master) const {
  int count = 0;
  for (std::size_t node = 1; node < nodes_; ++node) {
    if (master_[node] == master && down_[node] == 0 && held_[node] == 0) ++count;
  }
  return count;
}

}  // namespace holdfast::judge
