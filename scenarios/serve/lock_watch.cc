#include "scenarios/serve/lock_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "scenarios/format/duration.h"
#include "sim/redis/letter_case.h"

namespace holdfast::serve {
namespace {

using sim::redis::same_word;

bool is_script(const Command& command) {
  return same_word(command[0], "eval") || same_word(command[0], "evalsha");
}

// Commands that may set a key because it is not there.
bool may_acquire(const Command& command) {
  const std::string_view name = command[0];
  if (same_word(name, "setnx") || same_word(name, "exec") || is_script(command)) return true;
  if (!same_word(name, "set")) return false;
  for (std::size_t i = 3; i < command.size(); ++i) {
    if (same_word(command[i], "nx")) return true;
  }
  return false;
}

}  // namespace

void LockWatch::attach(Front& front) {
  front_ = &front;
  changes_.resize(front.cluster().size());
}

// -- what is looked at

void LockWatch::commanded(const Connection&, NodeId, const Command& command) {
  looks_ = may_acquire(command);
}

// A key that has once been a lock is one on every node, replicas included.
std::uint16_t LockWatch::watch(NodeId, std::string_view key) {
  const auto known = numbers_.find(key);
  if (known != numbers_.end()) return known->second;
  if (!looks_ || front_ == nullptr) return 0;
  if (keys_.size() > std::numeric_limits<std::uint16_t>::max()) return 0;
  const auto number = static_cast<std::uint16_t>(keys_.size());
  keys_.emplace_back(key);
  numbers_.emplace(key, number);
  return number;
}

// -- what the servers do

// The client counts the TTL that it asked for on its own clock: true time, however the node's clock
// runs.
Nanos LockWatch::promised_until(const Key& key) const {
  if (key.deadline < 0) return -1;
  const std::int64_t ppm = front_->cluster().server(key.node).wall().rate_ppm();
  const Nanos left = key.deadline - now();
  return now() + left + left / 1'000'000 * ppm;
}

void LockWatch::note(const Key& key, std::string_view value, Change::Kind kind) {
  if (key.actor == 0 || key.node > changes_.size()) return;
  changes_[key.node - 1U].push_back({kind, key.watch, std::string(value), promised_until(key)});
}

// Over a live value: the holder's own doing, as far as can be known.
void LockWatch::key_set(const Key& key, std::string_view previous) {
  if (!previous.empty() && previous == key.value) return note(key, key.value, Change::Kind::ttl);
  if (!previous.empty()) note(key, previous, Change::Kind::let_go);
  if (looks_) note(key, key.value, Change::Kind::set);
}
void LockWatch::key_ttl_changed(const Key& key) { note(key, key.value, Change::Kind::ttl); }
void LockWatch::key_deleted(const Key& key) { note(key, key.value, Change::Kind::deleted); }

void LockWatch::lost(const Key& key, const std::string& why) {
  if (front_ == nullptr || !leads(key.node)) return;
  book_.lost(root(key.node), keys_[key.watch], key.value, now(), why);
}

void LockWatch::key_expired(const Key& key) {
  if (front_ == nullptr) return;
  lost(key, "its TTL was over by the clock of " + front_->cluster().name(key.node));
}

void LockWatch::key_dropped(const Key& key, history::DropCause cause) {
  if (front_ == nullptr) return;
  const std::string& node = front_->cluster().name(key.node);
  switch (cause) {
    case history::DropCause::flush:
      return lost(key, node + " was flushed");
    case history::DropCause::evict:
      return lost(key, node + " evicted it");
    case history::DropCause::restart:
      return lost(key, node + " went down");
    default:
      return lost(key, node + " dropped it for its new master's data");
  }
}

void LockWatch::promoted(NodeId node) {
  for (const Claim& claim : book_.living(root(node), now())) {
    if (front_->cluster().server(node).holds(claim.key, claim.token)) continue;
    book_.lost(claim.master, claim.key, claim.token, now(),
               front_->cluster().name(node) + " did not have it when it was promoted");
  }
}

// A script that names the lock's token and neither set the key to it nor its TTL was a release, or
// told its client that it has lost. The token is among its arguments, behind the keys.
void LockWatch::command_executed(const Key& key, const Command& command, bool) {
  auto& changes = changes_[key.node - 1U];
  if (!is_script(command)) return;
  for (std::size_t i = 3; i < command.size(); ++i) {
    const std::string_view word = command[i];
    if (!book_.lives(root(key.node), keys_[key.watch], word, now())) continue;
    const bool kept = std::any_of(changes.begin(), changes.end(), [&](const Change& change) {
      return change.key == key.watch && change.value == word &&
             (change.kind == Change::Kind::set || change.kind == Change::Kind::ttl);
    });
    if (kept) continue;
    std::erase_if(changes, [&](const Change& change) {
      return change.key == key.watch && change.kind == Change::Kind::deleted &&
             change.value == word;
    });
    changes.push_back({Change::Kind::let_go, key.watch, std::string(word), -1});
  }
}

// -- what clients are told

void LockWatch::answered(const Connection& client, NodeId node, const Reply& reply, bool told) {
  looks_ = true;  // whatever runs without a client's command before the next one
  auto& changes = changes_[node - 1U];
  if (changes.empty()) return;
  for (const Change& change : std::exchange(changes, {})) {
    apply(change, client.number(), node, told && !reply.is_error());
  }
}

void LockWatch::apply(const Change& change, ClientNumber client, NodeId node, bool told) {
  const std::string& key = keys_[change.key];
  const Claim claim{root(node), key, change.value, client, now(), change.until};
  switch (change.kind) {
    case Change::Kind::deleted:
      return book_.deleted(claim.master, key, change.value, client, now());
    case Change::Kind::let_go:
      return book_.let_go(claim.master, key, change.value, client);
    case Change::Kind::set:
      if (change.until < 0) without_ttl_[{claim.master, change.key}] = client;
      break;
    case Change::Kind::ttl: {
      // SETNX, then EXPIRE by the same client: the acquisition is complete.
      const auto set = without_ttl_.find({claim.master, change.key});
      const bool completes = set != without_ttl_.end() && set->second == client;
      if (!completes) return book_.renewed(claim);
      without_ttl_.erase(set);
      break;
    }
  }
  if (!told || change.until < 0) return;
  ++acquisitions_;
  if (const auto overlap = book_.acquired(claim)) told_(*overlap);
}

// -- words

std::string describe(const PossibleOverlap& overlap) {
  const auto seconds = [](Nanos time) { return static_cast<double>(time) / 1e9; };
  const auto tokens = [](const Claim& claim) {
    return claim.token.size() > 16 ? claim.token.substr(0, 16) + "..." : claim.token;
  };
  const Claim& first = overlap.first;
  const Claim& second = overlap.second;
  std::string text = fmt::format(
      "possible overlap of {}: client {} was told at {:.3f} s that it has it until {:.3f} s (value "
      "{}), and client {} was told so at {:.3f} s (value {})",
      first.key, first.client, seconds(first.told), seconds(first.until), tokens(first),
      second.client, seconds(second.told), tokens(second));
  if (!first.lost.empty()) {
    text += fmt::format("; at {:.3f} s {}", seconds(first.lost_at), first.lost);
  }
  return text;
}

}  // namespace holdfast::serve
