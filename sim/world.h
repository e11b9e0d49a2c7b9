// World: everything that is simulated in one run: kernel, servers, client processes, network.
// Reset, not rebuilt, from run to run.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "reports/history/event.h"
#include "sim/kernel.h"
#include "sim/network.h"
#include "sim/process.h"
#include "sim/redis/server.h"

namespace holdfast::sim {

struct NodePlan {
  ServerOptions server;  // server.node counts from 1 in the order of the plan
  history::NodeId replica_of = 0;
  Duration wall_offset{};  // of its clock at the start
  std::int64_t wall_ppm = 0;
};
struct ClientPlan {
  std::string name;
  history::ActorId actor = 0;
  Duration wall_offset{};
  std::int64_t clock_ppm = 0;
};
struct WorldPlan {
  std::vector<NodePlan> nodes;
  std::vector<ClientPlan> clients;
  Latency latency;
  // Wall time at true time zero: a constant, so that runs do not depend on the date.
  Duration wall_epoch = std::chrono::seconds(1'700'000'000);
};

class World {
 public:
  World(ServerWatcher& watcher, ProcessHooks& hooks);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  // Sets up the plan for one run. The same plan again is cheap.
  void reset(const WorldPlan& plan, std::uint64_t seed);

  Kernel& kernel();
  RedisServer& server(history::NodeId node);
  Process& process(history::ActorId actor);

  // Clients reach address `address` (a node's name in the plan) at this node from now on; their
  // connections to the node it meant before are reset.
  void redirect(history::NodeId address, history::NodeId node);
  history::NodeId behind(history::NodeId address) const;

  // Links between one client and one node's *server*. A cut is effective at once, in the given
  // direction; `refuse` also resets what is connected.
  void cut(history::ActorId client, history::NodeId node, Direction direction, CutMode mode);
  void heal(history::ActorId client, history::NodeId node);
  // False: nothing was connected or connecting.
  bool reset_connections(history::ActorId client, history::NodeId node);
  // Added to each message's latency in that direction from now on; zero ends it.
  void delay(history::ActorId client, history::NodeId node, Direction direction, Duration extra);
  // The next `count` replies on that link are lost: executed, never told. A stream has no gaps: a
  // connection that lost a reply delivers none of the later ones either. With the last of them the
  // connection that carried it is reset when `then_reset`. `on_loss` runs when the first is lost.
  void drop_replies(history::ActorId client, history::NodeId node, std::uint32_t count,
                    bool then_reset, Action on_loss = {});

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace holdfast::sim
