// Votes: one for each epoch, for the first who asks (FID-T1).
#include <map>
#include <string>

#include "sim/redis/instance.h"
#include "sim/redis/sentinel/sentinel.h"

namespace holdfast::sim::redis {

const std::string& Sentinel::vote(MasterSet& set, std::uint64_t epoch, std::string_view candidate,
                                  std::uint64_t& of_epoch) {
  learn_epoch(epoch);
  Monitored& master = set.master;
  if (master.leader_epoch < epoch && epoch_ <= epoch) {
    master.leader = candidate;
    master.leader_epoch = epoch_;
    tell_plainly("+vote-for-leader", master.leader + " " + std::to_string(epoch_));
    // Who voted for another does not start a failover of its own for a while.
    if (master.leader != id_) set.failover_started = now() + desync();
  }
  of_epoch = master.leader_epoch;
  return master.leader;
}

// Up to a second, so that sentinels do not all begin together.
WallMs Sentinel::desync() { return static_cast<WallMs>(random_.below(1000)); }

// Who has the votes of a majority of all sentinels, and of the quorum; empty: nobody.
std::string Sentinel::elected(MasterSet& set, std::uint64_t epoch) {
  std::map<std::string, int> votes;
  for (const auto& sentinel : set.sentinels) {
    if (!sentinel->leader.empty() && sentinel->leader_epoch == epoch_) ++votes[sentinel->leader];
  }
  std::string winner;
  int most = 0;
  for (const auto& [candidate, count] : votes) {
    if (count > most) {
      winner = candidate;
      most = count;
    }
  }
  // The own vote goes to the one who leads, or to oneself.
  std::uint64_t of_epoch = 0;
  const std::string own = vote(set, epoch, winner.empty() ? id_ : winner, of_epoch);
  if (!own.empty() && of_epoch == epoch && ++votes[own] > most) {
    winner = own;
    most = votes[own];
  }
  const auto voters = static_cast<int>(set.sentinels.size()) + 1;
  const bool enough = most >= voters / 2 + 1 && most >= set.options.quorum;
  return enough ? winner : std::string();
}

}  // namespace holdfast::sim::redis
