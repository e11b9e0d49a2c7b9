// Cluster: what makes an Instance a node of a Redis Cluster (FID-K2, K6, K7): its map of the
// cluster, whether it serves at present, and where it sends clients.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/redis/cluster/cluster_map.h"
#include "sim/redis/command.h"

namespace holdfast::sim::redis {

class Instance;
struct Session;

class Cluster {
 public:
  explicit Cluster(Instance& server) : server_(server) {}
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  // A new run: the cluster was formed long ago.
  void reset(const ClusterLayout& layout);

  Instance& server() const { return server_; }
  ClusterMap& map() { return map_; }
  const ClusterMap& map() const { return map_; }
  bool is_ok() const { return ok_; }  // cluster_state
  std::int64_t now_ms() const;

  // -- clients (redirection.cc)
  // Why the command cannot run here; empty: it can.
  std::string redirection(const Session& session, const CommandSpec& spec, const Command& command);
  std::string_view script_refusal(const Session& session, const CommandSpec& spec,
                                  const Command& command);
  void command_over(Session& session);  // ASKING is for one command

  // -- operators (cluster_commands.cc)
  void set_owner(Slot slot, MemberId to);
  void raise_epoch();  // our slots are the newest truth, without asking anybody

 private:
  struct Asked;
  enum class Answer : std::uint8_t;
  Answer place(const Asked& asked, MemberId& where, Slot& slot);
  void review_state();

  Instance& server_;
  ClusterMap map_;
  bool ok_ = true;
};

// An EXEC that is answered so is over, without more words.
bool is_redirection(std::string_view error);

}  // namespace holdfast::sim::redis
