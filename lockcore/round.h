// Round: one command to every node, of one attempt to acquire or of one renewal, and what becomes
// of the answers, in time or late.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "lockcore/hold.h"
#include "lockcore/quorum.h"
#include "lockcore/redis_client.h"
#include "lockcore/scripts.h"

namespace holdfast {

struct NodeAnswer {
  enum class Kind : std::uint8_t {
    unknown,         // timed out, connection lost, an error inside the script
    yes,             // set or extended, and acknowledged by as many replicas as asked for
    unacknowledged,  // set or extended, but fewer replicas confirmed
    foreign,         // another token is there
    absent,          // nothing is there (renewals)
    refused,         // not executed: Redis said why (READONLY, LOADING, ...)
    unreached,       // not executed: it never got there
  };
  Kind kind = Kind::unknown;
  std::int64_t number = 0;  // yes: what the script answered
  int acknowledged = 0;
  std::string text = {};  // unknown, refused, unreached: why

  // The node certainly holds nothing of the command.
  bool left_nothing() const noexcept {
    return kind == Kind::foreign || kind == Kind::absent || kind == Kind::refused ||
           kind == Kind::unreached;
  }
};

class Round final : public LateListener, public Sender {
 public:
  enum class Kind : std::uint8_t { attempt, renewal };

  // `sent`: read before anything is handed over, so it is earlier than each node's own sending.
  Round(std::shared_ptr<Hold> hold, Kind kind, Instant sent);

  // One command to every node; returns as quorum() does, at `until` at the latest. `point`: see
  // quorum().
  static Task<Tally<NodeAnswer>> ask_all(std::shared_ptr<Round> round, Instant until,
                                         std::optional<Point> point);

  Hold& hold() const noexcept { return *hold_; }
  Instant sent() const noexcept { return sent_; }
  Instant deadline() const noexcept { return sent_ + hold_->terms.node_deadline; }
  // The attempt has failed: what is still unsent is not sent, and no answer counts any more,
  // because the release of its token is queued behind the command on every connection.
  void close() noexcept { open_ = false; }
  // Nor is it sent once the promise has ended, by a release (which is queued behind what was sent)
  // or a loss: of a renewal, and of an attempt that succeeded without this node.
  bool may_send() const override { return open_ && !hold_->over(); }

  void on_late(std::uint32_t tag, const CallResult& result) override;

 private:
  static Task<Vote<NodeAnswer>> ask(std::shared_ptr<Round> round, std::size_t node);
  ScriptCall script_call() const;
  NodeAnswer read(Written written) const;
  void settle(std::size_t node, const NodeAnswer& answer, Instant now);
  void tell_answered(std::size_t node, const NodeAnswer& answer, Duration round_trip, Instant now);

  const std::shared_ptr<Hold> hold_;
  const Kind kind_;
  const bool plain_set_;  // the first try without a counter needs no script
  const Replication replication_;
  const Instant sent_;
  const std::string token_;  // of this attempt: the hold's own moves on
  bool open_ = true;
};

}  // namespace holdfast
