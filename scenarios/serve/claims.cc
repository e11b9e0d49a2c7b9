#include "scenarios/serve/claims.h"

#include <algorithm>
#include <functional>

namespace holdfast::serve {
namespace {

constexpr Nanos kQuantum = 2'000'000;
constexpr Nanos kKeptFor = 600'000'000'000;  // after its end: a late DEL may still mean it
constexpr std::size_t kForgetEvery = 4096;
constexpr std::size_t kLeastToken = 8;  // bytes; shorter values are constants, not tokens

bool same_holder(const Claim& a, const Claim& b) {
  return a.token == b.token && (a.token.size() >= kLeastToken || a.client == b.client);
}

std::string holder(const Claim& claim) {
  const bool constant = claim.token.size() < kLeastToken;
  return claim.token + (constant ? "#" + std::to_string(claim.client) : "");
}

Nanos drift(const Claim& claim) { return (claim.until - claim.told) / 100 + kQuantum; }

}  // namespace

std::optional<PossibleOverlap> ClaimBook::acquired(const Claim& claim) {
  forget_old(claim.told);
  Claims& claims = claims_[claim.key];
  for (Claim& old : claims) {
    if (old.master == claim.master && same_holder(old, claim)) old.let_go = true;  // replaced
  }
  claims.push_back(claim);
  return overlap(claims, claim);
}

void ClaimBook::renewed(const Claim& claim) {
  const auto found = claims_.find(claim.key);
  if (found == claims_.end()) return;
  for (Claim& old : found->second) {
    const bool means_it = old.master == claim.master && old.token == claim.token && !old.let_go;
    if (means_it) old.until = claim.until;
  }
}

void ClaimBook::let_go(history::NodeId master, std::string_view key, std::string_view token,
                       ClientNumber client) {
  const auto found = claims_.find(key);
  if (found == claims_.end()) return;
  const auto means = [&](const Claim& claim) {
    return claim.master == master && claim.token == token && !claim.let_go;
  };
  const auto own = [&](const Claim& claim) { return means(claim) && claim.client == client; };
  const bool its_own = std::any_of(found->second.begin(), found->second.end(), own);
  for (Claim& claim : found->second) {
    if (its_own && token.size() < kLeastToken ? own(claim) : means(claim)) claim.let_go = true;
  }
}

void ClaimBook::deleted(history::NodeId master, std::string_view key, std::string_view held,
                        ClientNumber client, Nanos now) {
  const auto found = claims_.find(key);
  if (found == claims_.end()) return;
  Claims& claims = found->second;
  const auto own = std::find_if(claims.rbegin(), claims.rend(), [&](const Claim& claim) {
    return claim.master == master && claim.client == client && !claim.let_go;
  });
  if (own == claims.rend()) return let_go(master, key, held, client);
  own->let_go = true;
  if (own->token != held) {
    lost(master, key, held, now,
         "client " + std::to_string(client) + " deleted the key without looking whose it was");
  }
}

void ClaimBook::lost(history::NodeId master, std::string_view key, std::string_view token,
                     Nanos now, const std::string& why) {
  const auto found = claims_.find(key);
  if (found == claims_.end()) return;
  for (Claim& claim : found->second) {
    if (claim.master != master || claim.token != token || !claim.lives(now)) continue;
    claim.lost = why;
    claim.lost_at = now;
  }
}

bool ClaimBook::lives(history::NodeId master, std::string_view key, std::string_view token,
                      Nanos now) const {
  const auto found = claims_.find(key);
  if (found == claims_.end()) return false;
  return std::any_of(found->second.begin(), found->second.end(), [&](const Claim& claim) {
    return claim.master == master && claim.token == token && claim.lives(now);
  });
}

std::vector<Claim> ClaimBook::living(history::NodeId master, Nanos now) const {
  std::vector<Claim> found;
  for (const auto& [key, claims] : claims_) {
    for (const Claim& claim : claims) {
      if (claim.master == master && claim.lives(now)) found.push_back(claim);
    }
  }
  return found;
}

Nanos ClaimBook::has_until(const Claims& claims, const Claim& one, Nanos now) const {
  std::map<history::NodeId, Nanos> ends;  // by master
  for (const Claim& claim : claims) {
    const bool counts = quorum_ > 1 || claim.master == one.master;
    if (!counts || !same_holder(claim, one) || !claim.lives(now)) continue;
    ends[claim.master] = std::max(ends[claim.master], claim.until);
  }
  if (ends.size() < quorum_) return now;
  std::vector<Nanos> sorted;
  sorted.reserve(ends.size());
  for (const auto& [master, end] : ends) sorted.push_back(end);
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  return sorted[quorum_ - 1];
}

std::optional<PossibleOverlap> ClaimBook::overlap(const Claims& claims, const Claim& newest) {
  const Nanos now = newest.told;
  const Nanos mine = has_until(claims, newest, now);
  if (mine <= now) return std::nullopt;
  const Claim* other = nullptr;
  Nanos theirs = now;
  for (const Claim& claim : claims) {
    const bool other_lock = quorum_ == 1 && claim.master != newest.master;
    if (other_lock || same_holder(claim, newest) || !claim.lives(now)) continue;
    const Nanos end = has_until(claims, claim, now);
    if (end <= now + drift(claim)) continue;
    if (other != nullptr && (claim.lost.empty() || !other->lost.empty())) continue;
    other = &claim;  // preferably one of which is known how it was lost
    theirs = end;
  }
  if (other == nullptr || told_before(*other, newest)) return std::nullopt;
  return PossibleOverlap{*other, newest, std::min(mine, theirs)};
}

bool ClaimBook::told_before(const Claim& first, const Claim& second) {
  const std::string pair = first.key + '\n' + holder(first) + '\n' + holder(second);
  return !told_.insert(pair).second;
}

void ClaimBook::forget_old(Nanos now) {
  if (++since_forgotten_ < kForgetEvery) return;
  since_forgotten_ = 0;
  for (auto entry = claims_.begin(); entry != claims_.end();) {
    std::erase_if(entry->second, [now](const Claim& claim) {
      return claim.let_go || claim.until + kKeptFor < now;
    });
    entry = entry->second.empty() ? claims_.erase(entry) : std::next(entry);
  }
}

}  // namespace holdfast::serve
