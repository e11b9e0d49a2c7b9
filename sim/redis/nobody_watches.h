// NobodyWatches: the watcher of servers whose keys nobody follows; override what is of interest.
#pragma once

#include "sim/redis/server.h"

namespace holdfast::sim {

class NobodyWatches : public ServerWatcher {
 public:
  std::uint16_t watch(history::NodeId, std::string_view) override { return 0; }
  void key_set(const Key&, std::string_view) override {}
  void key_ttl_changed(const Key&) override {}
  void key_deleted(const Key&) override {}
  void key_expired(const Key&) override {}
  void key_revived(const Key&) override {}
  void key_dropped(const Key&, history::DropCause) override {}
  void list_appended(const Key&, std::string_view) override {}
  void command_executed(const Key&, const Command&, bool) override {}
};

}  // namespace holdfast::sim
