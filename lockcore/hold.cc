#include "lockcore/hold.h"

#include <utility>

namespace holdfast {

namespace {

// A lock that WAITs has a connection of its own: WAIT counts for the connection's last write, and
// nothing may queue behind it. All others share one a node.
std::shared_ptr<RedisClient> connection(LockNodes& client, std::size_t node, bool exclusive) {
  if (exclusive) return client.env.connect(client.endpoints[node], Role::exclusive);
  client.shared.resize(client.endpoints.size());
  auto& shared = client.shared[node];
  if (!shared) shared = client.env.connect(client.endpoints[node], Role::commands);
  return shared;
}

}  // namespace

Hold::Hold(std::shared_ptr<LockNodes> lock_client, std::string lock_key,
           const LockOptions& lock_options)
    : client(std::move(lock_client)),
      terms(lock_options, client->endpoints.size()),
      options(lock_options),
      key(std::move(lock_key)),
      counter_key(lock_options.fencing ? fence_key(key) : std::string()),
      acquisition(client->acquisitions),
      token(client->env),
      changed(client->env),
      validity_(client->endpoints.size(), terms.quorum) {
  nodes.reserve(client->endpoints.size());
  for (std::size_t node = 0; node < client->endpoints.size(); ++node) {
    nodes.push_back(connection(*client, node, options.replicas > 0));
  }
}

void Hold::arm() {
  valid_until_ = confirmed_until();
  armed_ = true;
  was_armed_ = true;
}

void Hold::announce() {
  announced_ = true;
  if (loss_) tell_loss();
}

bool Hold::check(Instant now) {
  if (armed_ && now >= valid_until_) lose(LossReason::expired);
  return armed_;
}

void Hold::lose(LossReason reason) {
  if (!armed_) return;
  armed_ = false;
  loss_ = reason;
  if (announced_) tell_loss();
}

void Hold::tell_loss() {
  LockEvent lost_event = event(LockEvent::Kind::lost, env().now());
  lost_event.token = token.text();
  lost_event.loss_reason = *loss_;
  observer().on_event(lost_event);
  lost.request_stop();
  changed.notify();
}

void Hold::disarm(std::optional<LossReason> reason) {
  armed_ = false;
  if (!loss_) loss_ = reason;
}

void Hold::begin_attempt() {
  validity_.clear();
  belief_.fill(Belief::unknown);
}

bool Hold::confirm(std::size_t node, Instant sent, Instant now) {
  if (was_armed_ && !check(now)) return false;
  belief_[node] = Belief::mine;
  validity_.confirm(node, sent + terms.ttl - terms.drift);
  if (armed_) valid_until_ = confirmed_until();
  return true;
}

void Hold::not_mine(std::size_t node, bool foreign, Instant now) {
  if (was_armed_ && !check(now)) return;
  belief_[node] = foreign ? Belief::foreign : Belief::absent;
  validity_.forget(node);
  if (!armed_) return;
  const std::size_t spare = size() - terms.quorum;
  if (not_mine_count(true) > spare) return lose(LossReason::stolen);
  if (not_mine_count(false) > spare) return lose(LossReason::quorum_lost);
  const Instant left = confirmed_until();
  if (left <= now) return lose(LossReason::quorum_lost);
  valid_until_ = left;
}

std::size_t Hold::not_mine_count(bool foreign_only) const noexcept {
  std::size_t count = 0;
  for (std::size_t node = 0; node < size(); ++node) {
    const Belief belief = belief_[node];
    if (belief == Belief::foreign || (belief == Belief::absent && !foreign_only)) ++count;
  }
  return count;
}

void Hold::retire() {
  retired_ = true;
  if (releases_running_ == 0 && options.replicas > 0) nodes[0]->close();
}

void Hold::release_ends() {
  --releases_running_;
  if (retired_) retire();
}

}  // namespace holdfast
