// LockWatch: what of the served traffic looks like a lock: a key that was set because it was not
// there (SET NX, SETNX, or a script), with a TTL, and released by a command that names its value or
// by DEL. Everything else is passed by without cost.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/serve/claims.h"
#include "scenarios/serve/front.h"

namespace holdfast::serve {

class LockWatch final : public sim::ServerWatcher, public TrafficWatcher {
 public:
  using Told = std::function<void(const PossibleOverlap&)>;

  LockWatch(std::size_t quorum, Told told) : book_(quorum), told_(std::move(told)) {}
  // Before the first event.
  void attach(Front& front);

  // A node became the master of its chain: what it lacks of the live claims was lost.
  void promoted(NodeId node);
  std::uint64_t acquisitions() const { return acquisitions_; }

  // -- TrafficWatcher
  void opened(const Connection&, NodeId) override {}
  void commanded(const Connection& client, NodeId node, const Command& command) override;
  void answered(const Connection& client, NodeId node, const Reply& reply, bool told) override;
  void left(const Connection&, NodeId) override {}

  // -- sim::ServerWatcher
  std::uint16_t watch(NodeId node, std::string_view key) override;
  void role_changed(NodeId node, NodeId master) override {
    if (master == 0) promoted(node);
  }
  void key_set(const Key& key, std::string_view previous) override;
  void key_ttl_changed(const Key& key) override;
  void key_deleted(const Key& key) override;
  void key_expired(const Key& key) override;
  void key_revived(const Key&) override {}
  void key_dropped(const Key& key, history::DropCause cause) override;
  void list_appended(const Key&, std::string_view) override {}
  void command_executed(const Key& key, const Command& command, bool changed) override;

 private:
  struct Change {
    enum class Kind : std::uint8_t { set, ttl, deleted, let_go };
    Kind kind = Kind::set;
    std::uint16_t key = 0;
    std::string value;
    Nanos until = -1;  // -1: no TTL
  };

  void note(const Key& key, std::string_view value, Change::Kind kind);
  void apply(const Change& change, ClientNumber client, NodeId node, bool told);
  Nanos promised_until(const Key& key) const;
  void lost(const Key& key, const std::string& why);
  Nanos now() const { return front_->kernel().now().time_since_epoch().count(); }
  NodeId root(NodeId node) const { return front_->cluster().root(node); }
  bool leads(NodeId node) const { return front_->address(root(node)).node == node; }

  Front* front_ = nullptr;
  ClaimBook book_;
  Told told_;
  std::vector<std::string> keys_{std::string()};  // by watch number
  std::map<std::string, std::uint16_t, std::less<>> numbers_;
  std::map<std::pair<NodeId, std::uint16_t>, ClientNumber> without_ttl_;  // set, and by whom
  std::vector<std::vector<Change>> changes_;  // by node - 1, since its last answer
  bool looks_ = true;                         // the command that is executed may be an acquisition
  std::uint64_t acquisitions_ = 0;
};

// The overlap in words, without the client names: "possible overlap: ...". Times in seconds since
// the start.
std::string describe(const PossibleOverlap& overlap);

}  // namespace holdfast::serve
