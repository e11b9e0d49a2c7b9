// Hold: what the coroutines of one acquisition share: the acquire itself, the commands that are
// still open, the watchdog, the release, and the Lease in the owner's hand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "lockcore/attempt_token.h"
#include "lockcore/frame_pool.h"
#include "lockcore/lock.h"
#include "lockcore/signal.h"
#include "lockcore/terms.h"
#include "lockcore/validity.h"

namespace holdfast {

// What all acquisitions of one LockClient share.
struct LockNodes {
  Env& env;
  Observer& observer;
  std::vector<Endpoint> endpoints;
  std::vector<std::shared_ptr<RedisClient>> shared = {};  // Role::commands, once connected
  // By node: the generation of the shared connection on which the release script was seen to work.
  std::vector<std::uint64_t> release_seen = std::vector<std::uint64_t>(endpoints.size());
  std::uint64_t acquisitions = 0;
};

// One ordered state machine: acquiring, armed, then lost, released or dropped, for good. The
// watchdog may send only while it is armed.
class Hold {
 public:
  Hold(std::shared_ptr<LockNodes> client, std::string key, const LockOptions& options);
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;

  Env& env() const noexcept { return client->env; }
  std::size_t size() const noexcept { return nodes.size(); }
  Observer& observer() const noexcept { return client->observer; }
  LockEvent event(LockEvent::Kind kind, Instant at) const {
    return LockEvent{.kind = kind, .acquisition = acquisition, .at = at, .key = key};
  }
  void tell(LockEvent::Kind kind) const { observer().on_event(event(kind, env().now())); }

  // -- the promise
  bool armed() const noexcept { return armed_; }
  // The promise was and is no more: what has not been sent by then is not sent.
  bool over() const noexcept { return was_armed_ && !armed_; }
  Instant valid_until() const noexcept { return valid_until_; }
  // Fixes valid_until as confirmed so far and starts the promise.
  void arm();
  // The losses from now on, and one that has come since arm(), are told to the owner.
  void announce();
  // True while the promise lasts; tells the loss when `now` has reached valid_until.
  bool check(Instant now);
  // Ends the promise, once, and tells the owner.
  void lose(LossReason reason);
  // Ends it without telling: released, or the Lease was let go.
  void disarm(std::optional<LossReason> reason);
  std::optional<LossReason> loss() const noexcept { return loss_; }

  // -- what nodes answer about `token`
  // A new try: nothing is known of any node.
  void begin_attempt();
  // The node set or extended the key with the command handed over at `sent`. False: the promise is
  // over, and this cannot begin it again.
  bool confirm(std::size_t node, Instant sent, Instant now);
  // The node answered that it does not hold our token. Loses the lock when too many said so.
  void not_mine(std::size_t node, bool foreign, Instant now);
  // The quorum-th largest confirmation, armed or not.
  Instant confirmed_until() const noexcept { return validity_.valid_until(); }

  // -- the exclusive connection of a lock that WAITs
  // Closed once nothing more will be sent: after retire(), with the last release that was spawned.
  void retire();
  void release_begins() noexcept { ++releases_running_; }
  void release_ends();

  const std::shared_ptr<LockNodes> client;
  const Terms terms;
  const LockOptions options;
  const std::string key;
  const std::string counter_key;  // empty without fencing
  const std::uint64_t acquisition;
  std::vector<std::shared_ptr<RedisClient>, detail::PoolAllocator<std::shared_ptr<RedisClient>>>
      nodes;  // the connection that carries everything of this acquisition, by node
  AttemptToken token;
  Instant last_sent{};    // of the last confirmed round
  Instant acquired_at{};  // t2
  std::int64_t fencing_token = 0;
  bool release_called = false;
  std::optional<ReleaseOutcome> released = {};
  std::stop_source lost;
  Signal changed;  // the promise ended, or the release did

 private:
  void tell_loss();
  std::size_t not_mine_count(bool foreign_only) const noexcept;

  enum class Belief : std::uint8_t { unknown, mine, absent, foreign };
  Validity validity_;
  std::array<Belief, kMaxNodes> belief_ = {};
  Instant valid_until_ = Validity::kNever;
  std::optional<LossReason> loss_ = {};
  int releases_running_ = 0;
  bool armed_ = false;
  bool was_armed_ = false;
  bool announced_ = false;
  bool retired_ = false;
};

}  // namespace holdfast
