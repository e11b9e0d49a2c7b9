// Claims: which client was told that it has which lock, and for how long; and where two of them
// were told so for the same time. The servers see commands and answers, not what a client believes:
// what is found here is a possible overlap, and says so.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "reports/history/event.h"

namespace holdfast::serve {

using history::Nanos;
using ClientNumber = std::uint64_t;

// One answer of one master that said: the lock is yours.
struct Claim {
  history::NodeId master = 0;  // the address that clients asked
  std::string key, token;
  ClientNumber client = 0;
  Nanos told = 0;
  Nanos until = 0;        // asked TTL after the command was executed, or the last renewal's
  bool let_go = false;    // released, or told that it is not the owner any more
  std::string lost = {};  // why the servers do not have it any more, before its time
  Nanos lost_at = 0;

  bool lives(Nanos now) const { return !let_go && now < until; }
};

struct PossibleOverlap {
  Claim first, second;  // second: the one that was told last
  Nanos until = 0;      // the overlap began when second was told
};

class ClaimBook {
 public:
  // Of so many masters a client needs `quorum` to have a lock (a single instance: 1; then the locks
  // of different masters have nothing to do with each other).
  explicit ClaimBook(std::size_t quorum) : quorum_(quorum) {}

  // An acquisition. An overlap with another holder's claims, told once for each pair of holders. It
  // must be longer than what clocks may drift: 1 % of the TTL and 2 ms.
  std::optional<PossibleOverlap> acquired(const Claim& claim);
  // Its TTL was set anew, by whoever knows its token.
  void renewed(const Claim& claim);
  // Its client asked to release it, or was told that it has lost it.
  void let_go(history::NodeId master, std::string_view key, std::string_view token,
              ClientNumber client);
  // A client deleted the key, which held `held`, without naming a token. When it has an acquisition
  // that it has not let go, it means that one, and `held` is lost if it was another's; else nobody
  // can say who it was, and it counts as the holder's release.
  void deleted(history::NodeId master, std::string_view key, std::string_view held,
               ClientNumber client, Nanos now);
  // The servers lost it by no client's release.
  void lost(history::NodeId master, std::string_view key, std::string_view token, Nanos now,
            const std::string& why);

  // Whether somebody claims the key with that token at present.
  bool lives(history::NodeId master, std::string_view key, std::string_view token, Nanos now) const;
  std::vector<Claim> living(history::NodeId master, Nanos now) const;

 private:
  using Claims = std::deque<Claim>;

  std::optional<PossibleOverlap> overlap(const Claims& claims, const Claim& newest);
  // When the holder of `one` no longer has a quorum; `now`: it has none.
  Nanos has_until(const Claims& claims, const Claim& one, Nanos now) const;
  bool told_before(const Claim& first, const Claim& second);
  void forget_old(Nanos now);

  std::size_t quorum_;
  std::map<std::string, Claims, std::less<>> claims_;  // by key, oldest first
  std::size_t since_forgotten_ = 0;
  std::set<std::string> told_;  // pairs of holders
};

}  // namespace holdfast::serve
