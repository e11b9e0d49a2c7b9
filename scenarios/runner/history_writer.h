// HistoryWriter: writes what happens in the simulated world into one History, in the order in which
// it happens: what clients announce, what servers do to lock keys and guarded resources, pauses and
// crashes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reports/history/history.h"
#include "scenarios/workload/recorder.h"
#include "sim/kernel.h"
#include "sim/redis/server.h"

namespace holdfast::runner {

class HistoryWriter final : public sim::ServerWatcher {
 public:
  // `history` has its names and set-up already.
  explicit HistoryWriter(history::History& history);

  // Every event also enters the kernel's fingerprint.
  void begin(sim::Kernel& kernel);
  void write(history::Event event);
  history::TokenId token(std::string_view value) { return history_.tokens.intern(value); }
  history::ResourceId resource(std::string_view name) const {
    return static_cast<history::ResourceId>(history_.resources.find(name));
  }

  // sim::ServerWatcher
  std::uint16_t watch(history::NodeId node, std::string_view key) override;
  void key_set(const Key& key, std::string_view previous) override;
  void key_ttl_changed(const Key& key) override;
  void key_deleted(const Key& key) override;
  void key_expired(const Key& key) override;
  void key_revived(const Key& key) override;
  void key_dropped(const Key& key, history::DropCause cause) override;
  void list_appended(const Key& key, std::string_view element) override;
  void command_executed(const Key& key, const Command& command, bool changed) override;
  void role_changed(history::NodeId node, history::NodeId master) override;
  void master_named(history::NodeId first, history::NodeId node) override;

 private:
  struct Watched {
    std::string key;
    std::uint16_t watch;
  };
  void write_key(history::Kind kind, const Key& key, std::int64_t a);

  history::History& history_;
  sim::Kernel* kernel_ = nullptr;
  std::vector<Watched> watched_;
  std::vector<history::NodeId> behind_;  // by address, as sentinels have told clients; 0: itself
};

}  // namespace holdfast::runner
